package mine

import (
	"cmp"
	"math/bits"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/content/language"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// Condition limits a rule to some commits: both are expressions of the rule language.
type Condition struct {
	When   string   `json:"when,omitempty"`
	Unless string   `json:"unless,omitempty"`
	Status []string `json:"status,omitempty"` // of the files that trigger the rule
	Ignore []string `json:"ignore,omitempty"` // parts of these files that do not count
	// Exclude are patterns of files that do not trigger the rule, though a trigger matches them.
	Exclude []string `json:"exclude,omitempty"`
	// Keys limit what a change of the triggers is; nil: any change.
	Keys *Keys `json:"keys,omitempty"`
	// Sample are the lines of an example in which the condition is true.
	Sample []string `json:"-"`
}

// Limited reports whether there is a condition about commits, or the status or keys of files.
func (c Condition) Limited() bool {
	return c.When != "" || c.Unless != "" || len(c.Status) > 0 || c.Keys != nil
}

// ignored returns the parts of files that need no counterpart: a new licence or another layout
// of a source changes nothing else, and another name of what it imports changes no more than
// what is generated from it. It is empty where a file may be in an unknown language.
func ignored(triggers, places []string) []string {
	parts := []string{language.Comments, language.Whitespace}
	imports := !slices.ContainsFunc(places, derivedPath().MatchString)
	for _, text := range triggers {
		known := language.KnownOf(strings.NewReplacer("{name}", "x", "*", "x").Replace(path.Base(text)))
		if !known.Comments {
			return nil
		}
		imports = imports && known.Imports
	}
	if imports {
		parts = append(parts, language.Imports)
	}
	return parts
}

// Limits of conditions. A condition is chosen among many after the fact: it must hold nearly
// always, in the part that it was mined from and in the newest part.
const (
	leastModerate    = 0.4  // share of units that hold without a condition
	mostModerate     = 0.95 // the same; of more, no condition is needed
	leastConditioned = 0.95 // share of units that hold with it
	leastCondition   = 20   // units that hold with it in the part that it was mined from
	leastLately      = 6    // and in the newest part
	leastKept        = 0.3  // share of the units that hold which the condition keeps
	leastTrait       = 20   // units with a trait
	mostExcluded     = 0.5  // share of the units that hold among those which a term leaves out
	leastExplained   = 6    // units that did not hold, which a term leaves out
	mostBase         = 0.7  // share of the units of the condition that hold without the trigger
)

// trait is something about a commit that a condition can name.
type trait struct {
	text   string   // of the condition
	sample []string // lines of an example that has it; nil: it is named in unless only
	units  bitset   // that have it
}

var (
	conventional = lazyregexp.New(`^([a-zA-Z]+)(?:\(([^()\s]+)\))?!?:\s`)
	bracketed    = lazyregexp.New(`\[[a-zA-Z][a-zA-Z0-9 _/-]{0,20}\]`)
	routine      = lazyregexp.New(`^(Bump|Merge|Prepare|Release|Revert|Update|Upgrade) `)
)

// featureTypes are the types of commits that a rule may be limited to: users notice them. Rules
// exclude other types.
var featureTypes = []string{"feat", "feature", "fix", "perf"}

const botTrait = `author.any("\\[bot\\] <")`

// traitsOf returns the traits of a unit by their texts, with the lines of an example. Of a
// merge none are known: the commits that it merged have them.
func traitsOf(u diff.Unit) map[string][]string {
	if len(u.Merged) > 0 {
		return nil
	}
	traits := map[string][]string{}
	subject := u.Subject()
	matches := func(expression string) { traits["subject.any("+strconv.Quote(expression)+")"] = nil }
	if m := conventional().FindStringSubmatch(subject); m != nil {
		kind := strings.ToLower(m[1])
		traits["type.any("+strconv.Quote(kind)+")"] = []string{"C " + kind + ": Change"}
		if !slices.Contains(featureTypes, kind) {
			traits["type.any("+strconv.Quote(kind)+")"] = nil
		}
	} else if word := routine().FindString(subject); word != "" {
		matches("^" + word)
	}
	for _, token := range bracketed().FindAllString(subject, 3) {
		matches(regexp.QuoteMeta(token))
	}
	if strings.Contains(u.Author, "[bot] <") {
		traits[botTrait] = nil
	}
	return traits
}

// sizes are the numbers of files above which a change may be an edit of the whole tree.
var sizes = []int{20, 50, 100}

// traits returns the traits that enough units of the past have, those of sizes last.
func (c *Corpus) traits() []trait {
	var list []trait
	for text, units := range c.traced {
		if len(units) < leastTrait {
			continue
		}
		t := trait{text: text, sample: c.samples[text], units: newBitset(len(c.units))}
		for _, at := range units {
			t.units.set(at)
		}
		list = append(list, t)
	}
	slices.SortFunc(list, func(a, b trait) int { return strings.Compare(a.text, b.text) })
	list = append(list, unions(list)...)
	for _, size := range sizes {
		t := trait{text: `change.count("**") > ` + strconv.Itoa(size), units: newBitset(len(c.units))}
		for at, u := range c.units {
			if u.changes > size {
				t.units.set(number(at))
			}
		}
		list = append(list, t)
	}
	return list
}

// typeTrait begins the traits that are types of commits.
const typeTrait = `type.any("`

// unions returns the traits of two types of commits.
func unions(traits []trait) []trait {
	var types, pairs []trait
	for _, t := range traits {
		if strings.HasPrefix(t.text, typeTrait) {
			types = append(types, t)
		}
	}
	slices.SortStableFunc(types, func(a, b trait) int { return b.units.count() - a.units.count() })
	types = types[:min(len(types), 8)]
	for i, a := range types {
		for _, b := range types[i+1:] {
			both := newBitset(0)
			for at := range a.units {
				both = append(both, a.units[at]|b.units[at])
			}
			sample := a.sample
			if b.sample == nil {
				sample = nil
			}
			pairs = append(pairs, trait{strings.TrimSuffix(a.text, ")") + ", " + strings.TrimPrefix(b.text, "type.any("), sample, both})
		}
	}
	return pairs
}

// conditioned is a condition with the units in which it is true.
type conditioned struct {
	Condition

	units bitset // in which it is true and the rule was triggered
	held  Tally  // in the part that it was mined from
	added bitset // the units of the last trait
	not   bool   // that it excludes
}

// variant is a rule that looks at files with some statuses.
type variant struct {
	status          []string
	triggered, held bitset
}

// condition returns the condition with which a rule nearly always held, if there is one: a
// status, one or two traits, or both. The first of the variants has no status. found is false if
// no condition is good enough, or none is needed.
func (p *past) condition(traits []trait, variants []variant) (best conditioned, found bool) {
	whole := p.earlyShare(variants[0])
	if whole.Held < leastCondition || whole.share() < leastModerate || whole.share() >= mostModerate {
		return best, false
	}
	for i, v := range variants {
		base := p.earlyShare(v)
		out := Tally{whole.Triggered - base.Triggered, whole.Held - base.Held}
		if i > 0 && (base.Held < leastCondition || float64(base.Held) < leastKept*float64(whole.Held) || !explains(out)) {
			continue
		}
		from := conditioned{Condition: Condition{Status: v.status}, units: v.triggered, held: base}
		c, ok := from, i > 0 && base.share() >= leastConditioned && p.lately(v.triggered, v.held)
		if !ok {
			c, ok = p.traited(traits, from, v.held)
		}
		if ok && (!found || c.bound() > best.bound()) {
			best, found = c, true
		}
	}
	return best, found
}

func (p *past) earlyShare(v variant) Tally { return p.early(v.triggered, v.triggered, v.held, false) }

// traited returns a condition with one or two traits more.
func (p *past) traited(traits []trait, from conditioned, held bitset) (best conditioned, found bool) {
	base, beam := from.held, []conditioned{from}
	for range 2 {
		var next []conditioned
		for _, from := range beam {
			next = append(next, p.refined(traits, from, held, base)...)
		}
		slices.SortStableFunc(next, func(a, b conditioned) int { return cmp.Compare(b.bound(), a.bound()) })
		next = next[:min(len(next), 8)]
		for i := range next {
			c := &next[i]
			if c.not {
				c.units = c.units.without(c.added)
			} else {
				c.units = c.units.and(c.added)
			}
			if c.held.share() >= leastConditioned && p.lately(c.units, held) && (!found || c.bound() > best.bound()) {
				best, found = *c, true
			}
		}
		if found {
			return p.completed(traits, best, held), true
		}
		beam = next[:min(len(next), 4)]
	}
	return best, false
}

// Limits of what a condition that holds leaves out as well: with fewer cases, but clearer ones.
const (
	leastRest = 2    // units that did not hold
	mostRest  = 0.34 // share of the units that hold
	mostTerms = 3
)

// completed returns a condition that leaves out kinds of commits which seldom hold.
func (p *past) completed(traits []trait, c conditioned, held bitset) conditioned {
	for _, t := range traits {
		out := p.earlyShare(variant{triggered: c.units.and(t.units), held: held.and(t.units)})
		if strings.Count(c.Unless, " or ")+2 > mostTerms || strings.Contains(t.text, "count(") || out.Triggered-out.Held < leastRest || out.share() > mostRest {
			continue
		}
		c.held = Tally{c.held.Triggered - out.Triggered, c.held.Held - out.Held}
		c.units = c.units.without(t.units)
		if c.Unless != "" {
			c.Unless += " or "
		}
		c.Unless += t.text
	}
	return c
}

// edited are the statuses that forms are tried with: others are about new files.
var edited = [][]string{nil, {"modified"}, {"added", "modified"}}

// conditional returns the forms that hold under a condition alone.
func (p *past) conditional(forms []scored, traits []trait) []Candidate {
	var found []Candidate
	reading, manifests := 0, 0
	for _, f := range forms {
		keys, keyed := p.keysOf(f)
		if keyed && manifests == mostKeyed {
			continue
		}
		variants := make([]variant, len(edited))
		for i, status := range edited {
			missed := newBitset(len(p.units))
			variants[i] = variant{status, newBitset(len(p.units)), nil}
			p.each(f.form, len(p.paths), func(o occurrence) {
				if e, _ := p.changedIn(o.name, o.unit); !o.present || !p.hasStatus(e.kind, status) {
					return
				}
				if variants[i].triggered.set(o.unit); o.missing != 0 {
					missed.set(o.unit)
				}
			})
			variants[i].held = variants[i].triggered.without(missed)
		}
		var c conditioned
		ok := false
		if keyed {
			manifests++
		} else if c, ok = p.condition(traits, variants); !ok && !p.worthReading(f, variants[0], reading) {
			continue
		} else if !ok {
			reading++
		}
		if !ok {
			c = conditioned{units: variants[0].triggered, held: p.earlyShare(variants[0])}
		}
		r := p.described(f)
		r.When, r.Unless, r.Status, r.Sample = c.When, c.Unless, c.Status, c.Sample
		r.Bound, r.reading, r.Unconditioned = c.bound(), !ok, p.earlyShare(variants[0])
		held := p.outcomesIn(c.units, variants[0].held)
		if keyed {
			r.Keys, r.Ignore = &keys, nil
		}
		if r.reading && r.Ignore == nil && !keyed {
			continue
		}
		r.take(held)
		p.examples(&r, held)
		if r.Label = p.label(r); (r.Label != Lock || keyed) && len(r.Examples) > 0 {
			found = append(found, r)
		}
	}
	return found
}

// Limits of rules that may hold where the contents of files are read.
const (
	leastReading = 0.85
	mostReading  = 10 // rules: reading takes time
	mostKeyed    = 5  // rules about keys of manifests
)

// worthReading reports whether a form may hold as soon as changes of comments and imports alone
// do not count.
func (p *past) worthReading(f scored, v variant, already int) bool {
	share := p.earlyShare(v)
	return already < mostReading && share.share() >= leastReading && share.share() < mostModerate && !f.missedLast && p.lately(v.triggered, v.held)
}

// outcomesIn returns for some units whether a rule held.
func (p *past) outcomesIn(units, held bitset) map[int32]bool {
	outcomes := map[int32]bool{}
	for i := range p.units {
		if at := number(i); units.has(at) {
			outcomes[at] = held.has(at)
		}
	}
	return outcomes
}

// take keeps the units in which a rule applied.
func (r *Candidate) take(held map[int32]bool) {
	r.units = make(map[string]bool, len(held))
	for at := range held {
		r.units[r.past.units[at].commit] = true
	}
}

// explains reports whether units that a term leaves out are others than those that it keeps.
func explains(out Tally) bool {
	return out.Triggered-out.Held >= leastExplained && out.share() <= mostExcluded
}

func (c conditioned) bound() float64 { return lowerBound(c.held.Held, c.held.Triggered) }

// refined returns a condition with each of the traits, where it makes it better. Their units are
// not set yet.
func (p *past) refined(traits []trait, from conditioned, held bitset, base Tally) []conditioned {
	var list []conditioned
	bound := from.bound()
	add := func(t trait, not bool) {
		c := from
		c.held = p.early(from.units, t.units, held, not)
		out := Tally{from.held.Triggered - c.held.Triggered, from.held.Held - c.held.Held}
		if c.held.Held < leastCondition || float64(c.held.Held) < leastKept*float64(base.Held) || c.bound() <= bound || !explains(out) {
			return
		}
		switch {
		case !not:
			c.When, c.Sample = t.text, t.sample
		case c.Unless != "":
			c.Unless += " or " + t.text
		default:
			c.Unless = t.text
		}
		c.added, c.not = t.units, not
		list = append(list, c)
	}
	for _, t := range traits {
		add(t, true)
		if from.When == "" && t.sample != nil {
			add(t, false)
		}
	}
	return list
}

// early counts, in the part that rules are mined from, the units that have a trait, or do not,
// and those of them that held.
func (p *past) early(units, of, held bitset, not bool) (t Tally) {
	for i := range p.split/64 + 1 {
		if int(i) == len(units) {
			break
		}
		word := units[i] & of[i]
		if not {
			word = units[i] &^ of[i]
		}
		if i == p.split/64 {
			word &= 1<<(p.split%64) - 1
		}
		if word != 0 {
			t.Triggered += bits.OnesCount64(word)
			t.Held += bits.OnesCount64(word & held[i])
		}
	}
	return t
}

// lately reports whether a condition holds in the newest part as well, and in its newest two units.
func (p *past) lately(units, held bitset) bool {
	var t Tally
	for at := number(len(p.units)) - 1; at >= p.split; at-- {
		if !units.has(at) {
			continue
		}
		t.Triggered++
		if held.has(at) {
			t.Held++
		} else if t.Triggered <= 2 {
			return false
		}
	}
	return t.Held >= leastLately && t.share() >= leastProven
}
