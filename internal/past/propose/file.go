package propose

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
	"github.com/rulecheck/rulecheck/internal/past/mine"
	"github.com/rulecheck/rulecheck/internal/past/written"
)

// Proposed is a mined rule with the text of its file.
type Proposed struct {
	ID    string        `json:"id"`
	Name  string        `json:"name"`
	Level finding.Level `json:"level"`
	mine.Candidate
	Stated *written.Statement `json:"stated,omitempty"` // where documents state it
	Text   string             `json:"text"`             // of the rule file
}

// warningFrom is the lower bound of the share of commits in which a rule of the level warning
// holds. None is an error: the bound measures the past, and a rule can end from one day to the
// next, when files are moved.
const warningFrom = 0.90

func levelOf(bound float64) finding.Level {
	if bound >= warningFrom {
		return finding.Warning
	}
	return finding.Note
}

// named returns the rule with its id and name.
func (r Proposed) named(n *namer) Proposed {
	r.ID, r.Name, r.Level = n.id(r.Candidate), n.name(r.Candidate), levelOf(r.Bound)
	return r
}

// filed returns a counted rule with its file.
func (p *Proposal) filed(r Proposed) Proposed {
	r.Level = levelOf(r.Bound)
	r.Text = r.With(p.evidence(r))
	return r
}

// With returns the rule file with lines of evidence, which are comments.
func (r Proposed) With(evidence string) string {
	return "---\n" + evidence + frontmatter(r) + "---\n" + instructions(r.Candidate) + examples(r.Candidate)
}

// evidence describes where the rule comes from, as a comment.
func (p *Proposal) evidence(r Proposed) string {
	fired := ""
	if r.Missed > 0 {
		fired = fmt.Sprintf("# Commits in which it did not hold: %d; the missing files followed within 30 days: %d.\n", r.Missed, r.Repaired)
		if r.Wildcard() {
			fired = fmt.Sprintf("# Commits in which it did not hold: %d.\n", r.Missed)
		}
	}
	if without := r.Without(); without != "" {
		fired += fmt.Sprintf("# The same %s: followed by %d of %d commits before %s.\n",
			without, r.Unconditioned.Held, r.Unconditioned.Triggered, p.Split.UTC().Format(time.DateOnly))
	}
	if r.Begun != nil {
		fired += fmt.Sprintf("# Commits before %s do not count: the expected files did not exist.\n", r.Begun.UTC().Format(time.DateOnly))
	}
	source, heldOut := "Mined from", ", which were held out"
	switch {
	case p.Taught != "":
		source, fired = "Tried on", "# "+p.Taught+"\n"+fired
	case r.Stated != nil:
		source, heldOut = "Tried on", ""
		fired = fmt.Sprintf("# Stated in %s:%d: %s\n", printable(r.Stated.File), r.Stated.Line, printable(r.Stated.Quote)) + fired
	}
	followed := fmt.Sprintf("%d of %d commits before %s, and by %d of %d since%s",
		r.Before.Held, r.Before.Triggered, p.Split.UTC().Format(time.DateOnly), r.Since.Held, r.Since.Triggered, heldOut)
	if p.Taught != "" {
		followed = fmt.Sprintf("%d of %d commits", r.Before.Held+r.Since.Held, r.Before.Triggered+r.Since.Triggered)
	}
	return fmt.Sprintf("# %s %d commits of the main line, from %s up to %.12s.\n# Followed by %s.\n",
		source, p.Units, p.From.UTC().Format(time.DateOnly), p.Commit, followed) + fired
}

// printable replaces the characters of a text that a comment in YAML cannot have.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '\uFFFD'
	}, text)
}

func frontmatter(r Proposed) string {
	var b strings.Builder
	line := func(key, value string) { b.WriteString(key + ": " + value + "\n") }
	line("name", strconv.Quote(r.Name))
	switch r.Mode {
	case mine.ModeSet:
		line("set", list(r.Triggers))
	case mine.ModePair:
		b.WriteString("pair:\n")
		line("  trigger", list(r.Written()[:1]))
		expects := list(r.Expects)
		if r.Any {
			expects = "{any: " + expects + "}"
		}
		line("  expects", expects)
	default:
		line("created", list(r.Triggers))
		line("expects", list(r.Expects))
	}
	if r.Mode == mine.ModeCreated && r.Require != mine.RequireExists || r.Mode != mine.ModeCreated && r.Require != mine.RequireChanged {
		line("require", r.Require)
	}
	if len(r.Exclude) > 0 {
		line("exclude", list(r.Exclude))
	}
	for _, c := range []struct {
		key   string
		words []string
	}{{"ignore", r.Ignore}, {"status", r.Status}} {
		if len(c.words) > 0 {
			line(c.key, "["+strings.Join(c.words, ", ")+"]")
		}
	}
	for _, c := range []struct{ key, expression string }{{"when", r.When}, {"unless", r.Unless}} {
		if c.expression != "" {
			line(c.key, "'"+strings.ReplaceAll(c.expression, "'", "''")+"'")
		}
	}
	line("level", string(r.Level))
	return b.String()
}

// list writes patterns, none of which has a character that a YAML string would escape.
func list(patterns []string) string {
	quoted := make([]string, 0, len(patterns))
	for _, p := range patterns {
		quoted = append(quoted, strconv.Quote(p))
	}
	if len(quoted) == 1 {
		return quoted[0]
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

func instructions(m mine.Candidate) string {
	switch {
	case m.Mode == mine.ModeSet:
		return "These files change together. {trigger_files} changed: check whether {expected_files} must change too.\n"
	case m.Any:
		return "When {trigger_files} changed in the past, one of these usually changed too: {expected_files}. Check whether one must change here.\n"
	case m.Mode == mine.ModePair:
		return "When {trigger_files} changed in the past, {expected_files} usually changed too. Check whether that is needed here.\n"
	case m.Require != mine.RequireExists:
		return "New files such as {created_files} usually changed {expected_files}. Check whether that is needed here.\n"
	default:
		return "New files such as {created_files} usually came with {expected_files}. Add what is missing.\n"
	}
}

const fence = "```"

// examples writes the units in which the rule held, and the first again without its
// counterparts.
func examples(m mine.Candidate) string {
	var b strings.Builder
	block := func(comment, outcome string, lines ...string) {
		b.WriteString("\n" + fence + "rulecheck\n# " + comment + "\n" + strings.Join(lines, "\n") + "\n--\n" + outcome + "\n" + fence + "\n")
	}
	trigger, with := "M ", "M "
	if m.Mode == mine.ModeCreated {
		trigger = "A "
	}
	if m.Require == mine.RequireExists {
		with = "= "
	}
	for i, c := range m.Examples {
		if i > 0 && c.File == m.Examples[0].File && slices.Equal(c.With, m.Examples[0].With) {
			continue // the same files again
		}
		if len(m.Status) > 0 && c.New {
			trigger = "A "
		}
		held := append(slices.Clone(m.Sample), trigger+c.File)
		if m.Keys != nil {
			held = append(held, m.Keys.Edit...)
		}
		without := slices.Clone(held)
		for _, file := range c.With {
			held = append(held, with+file)
			if m.Require != mine.RequireExists && !m.Wildcard() {
				without = append(without, "= "+file)
			}
		}
		for _, file := range c.Others {
			held, without = append(held, "= "+file), append(without, "= "+file)
		}
		block("It held in "+fmt.Sprintf("%.12s", c.Commit)+" of "+c.Time.UTC().Format(time.DateOnly)+":", "silent", held...)
		if i == 0 {
			expected := slices.Sorted(slices.Values(slices.Concat(c.With, c.Others)))
			if m.Wildcard() {
				expected = m.Expects
			}
			block("It fires without the counterpart:", c.File+" -> "+strings.Join(expected, ", "), without...)
		}
	}
	return b.String()
}

// namer gives ids and names that are not taken.
type namer struct{ taken map[string]bool }

func newNamer(taken []string) *namer {
	n := &namer{taken: map[string]bool{}}
	for _, name := range taken {
		n.taken[strings.ToLower(name)] = true
	}
	return n
}

// free returns the name, or with the first number that is free.
func (n *namer) free(name, between string) string {
	unique := name
	for i := 2; n.taken[strings.ToLower(unique)]; i++ {
		unique = name + between + strconv.Itoa(i)
	}
	n.taken[strings.ToLower(unique)] = true
	return unique
}

var notInID = lazyregexp.New(`[^a-z0-9]+`)

// id makes an id of the names of the first two files.
func (n *namer) id(m mine.Candidate) string {
	first, second := shortNames(m.Patterns())
	var words []string
	for _, p := range []string{first, second} {
		name := strings.ReplaceAll(strings.ReplaceAll(p, "{name}", ""), "{**root}", "")
		if word := strings.Trim(notInID().ReplaceAllString(strings.ToLower(name), "-"), "-"); word != "" {
			words = append(words, word)
		}
	}
	id := strings.Join(slices.Compact(words), "-with-")
	if m.Mode == mine.ModeCreated {
		id = "new-" + id
	}
	if len(id) > 60 {
		id = strings.TrimRight(id[:60], "-")
	}
	if id == "" || id == "readme" { // README.md is no rule
		id = "mined-" + id
	}
	return n.free(strings.Trim(id, "-"), "-")
}

func (n *namer) name(m mine.Candidate) string {
	patterns := m.Patterns()
	first, rest := shortNames(patterns)
	switch {
	case m.Any && len(patterns) == 3:
		rest += " or " + lastName(patterns)
	case m.Any:
		rest += fmt.Sprintf(" or %d others", len(patterns)-2)
	case len(patterns) > 2:
		rest += fmt.Sprintf(" and %d more", len(patterns)-2)
	}
	name := first + " changes with " + rest
	if m.Mode == mine.ModeCreated {
		name = "New " + first + " has " + rest
		if m.Require != mine.RequireExists {
			name = "New " + first + " changes " + rest
		}
	}
	return n.free(name, " ")
}

// lastName returns the last pattern's file, with as many directories as it needs to differ
// from the others.
func lastName(patterns []string) string {
	last := len(patterns) - 1
	name := ""
	for _, other := range patterns[:last] {
		if _, long := shortNames([]string{other, patterns[last]}); len(long) > len(name) {
			name = long
		}
	}
	return name
}

// shortNames returns the names of the first two patterns' files, with as many directories
// as they need to differ.
func shortNames(patterns []string) (first, second string) {
	a, b := strings.Split(patterns[0], "/"), strings.Split(patterns[1], "/")
	if strings.Contains(patterns[0]+patterns[1], "*") {
		return patterns[0], patterns[1]
	}
	for n := 1; ; n++ {
		first, second = path.Join(a[max(0, len(a)-n):]...), path.Join(b[max(0, len(b)-n):]...)
		if first != second || n >= max(len(a), len(b)) {
			return first, second
		}
	}
}
