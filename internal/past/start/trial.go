package start

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing/fstest"

	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/past/history"
	"github.com/rulecheck/rulecheck/internal/past/mine"
	"github.com/rulecheck/rulecheck/internal/past/propose"
	"github.com/rulecheck/rulecheck/internal/past/replay"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/ruletest"
	"github.com/rulecheck/rulecheck/internal/setup"
	"github.com/rulecheck/rulecheck/policies"
)

// Rule is a rule that was tried on the past.
type Rule struct {
	ID    string
	Name  string
	Pack  string // bundled/go; empty: it was mined
	Why   string // it is not written; empty: the past followed it
	Count *replay.RuleHistory

	of   *rule.Rule
	text string // of its file
}

// trial tries the rules of packs and mined ones on the past.
type trial struct {
	files  []string // of the working tree
	root   fs.FS
	config string
	start  *Start
}

// run replays all rules, with the configuration that will be written, and decides which are
// written.
func (t *trial) run(ctx context.Context, engine diff.Engine, repo *git.Repo, o Options) error {
	draft, err := t.draft()
	if err != nil {
		return err
	}
	options := replay.Options{
		Range: history.Range{Max: triedOn}, MaxFiles: replay.DefaultMaxFiles,
		Check: check.Options{RulesFrom: check.RulesFromWorktree, Draft: &draft, Version: o.Version, Now: o.Now, Agents: o.Agents},
		Progress: func(done, all int) {
			o.doing("trying rules on past commits", done, all)
		},
	}
	s := t.start
	s.Past, err = replay.Run(ctx, engine, repo, options)
	if unread := (*diff.NoVerdictError)(nil); errors.As(err, &unread) {
		s.Past, s.Unread = nil, unread.Error() // a rule that was not tried is not written
		return nil
	}
	if err != nil {
		return err
	}
	if err := t.decide(draft); err != nil {
		return err
	}
	s.Examples, err = examples(ctx, repo, s)
	return err
}

// draft returns the configuration, the mined rules and the packs that fit.
func (t *trial) draft() (setup.Draft, error) {
	memory := fstest.MapFS{setup.ConfigFile: {Data: []byte(t.config)}}
	for _, r := range t.start.Found.Rules {
		memory[rulePath(r.ID)] = &fstest.MapFile{Data: []byte(r.Text)}
	}
	config, problems := rule.LoadConfig(memory, setup.ConfigFile)
	if len(problems) > 0 {
		return setup.Draft{}, problems[0]
	}
	extended := config
	extended.Extends = t.start.Packs
	return setup.Draft{Config: &config, Rules: rule.Tiers(extended, memory, nil)}, nil
}

func rulePath(id string) string { return path.Join(setup.Dir, "rules", id+".md") }

// decide sets for each rule whether it is written.
func (t *trial) decide(draft setup.Draft) error {
	builtin, err := policies.Load()
	if err != nil {
		return err
	}
	loaded := rule.LoadTiers(draft.Rules, builtin.Modes)
	if len(loaded.Problems) > 0 {
		return loaded.Problems[0]
	}
	refused := refusedLocks(t.root)
	for _, of := range loaded.Rules {
		r := Rule{ID: of.ID, Name: of.Name, of: of}
		if i := slices.IndexFunc(t.start.Past.Rules, func(h replay.RuleHistory) bool { return h.ID == of.ID }); i >= 0 {
			r.Count = &t.start.Past.Rules[i]
		}
		if of.Tier == rule.BundledTier {
			r.Pack = path.Dir(of.File)
		}
		if r.Why = refused.why(of, t.files); r.Why == "" {
			r.Why = t.why(r, builtin.Modes)
		}
		source, err := rule.Content(draft.Rules, of.File)
		if err != nil {
			return err
		}
		if r.text, err = t.write(r, string(source)); err != nil {
			return err
		}
		if r.Pack == "" && (r.Why == WhyNoFile || r.Why == WhyNeverApplied) {
			t.start.Found.Weaker++ // as far as anyone can see who did not ask for it
			continue
		}
		t.start.Rules = append(t.start.Rules, r)
	}
	return nil
}

// The cases in which a rule must have been followed.
const (
	leastCases  = 10
	leastShare  = 0.9
	newestCases = 10 // see replay.RuleHistory.Last
	leastNewest = 8  // of the newest cases, whatever the share; fewer, and doctor warns
	mostUnknown = 50 // one in so many cases may be a file that cannot be read
)

// why explains why a rule is not written; empty if the past followed it.
func (t *trial) why(r Rule, modes policies.Modes) string {
	h := r.Count
	if h == nil {
		return WhyAgents
	}
	switch cases := h.Held + h.Fired; {
	case h.Unknown*mostUnknown > h.Triggered:
		t.start.Problem = cmp.Or(t.start.Problem, strings.TrimPrefix(h.Problem, "rule "+r.ID+": "))
		return WhyUnknown
	case h.NotRun > 0:
		return "its command decides, which was not run"
	case t.dead(r.of, modes):
		return WhyNoFile
	case h.Triggered == 0:
		return WhyNeverApplied
	case trivial(r.of) != "":
		return "is about " + trivial(r.of)
	case h.Fired >= leastCases && r.of.Mode == modeForbid:
		return fmt.Sprintf("such lines were added in %d", h.Fired)
	case h.Share == nil:
		return fmt.Sprintf("only reminds: %d times", h.Triggered)
	case cases < leastCases:
		return fmt.Sprintf("followed in %d of only %d", h.Held, cases)
	case h.Last.Held+h.Last.Fired == newestCases && float64(h.Last.Held) >= leastShare*newestCases:
		return ""
	case *h.Share < leastShare:
		return fmt.Sprintf("followed in %d of %d", h.Held, cases)
	case h.Last.Held+h.Last.Fired == newestCases && h.Last.Held < leastNewest:
		return fmt.Sprintf("followed in %d of %d, of the newest ten in %d", h.Held, cases, h.Last.Held)
	default:
		return ""
	}
}

// Reasons that many rules share.
const (
	WhyAgents       = "agents"        // it is about what agents do, which git does not record
	WhyNoFile       = "no file"       // one of its patterns matches none
	WhyNeverApplied = "never applied" // in the commits that were read
	WhyUnknown      = "unknown"       // it could not be checked on too many commits: see Start.Problem
)

// trivial explains why a rule of a pack needs no check, as [mine.Candidate.Trivial] does.
func trivial(r *rule.Rule) string {
	c := mine.Candidate{Mode: r.Mode}
	for param, patterns := range r.Patterns {
		for _, p := range patterns {
			switch param {
			case rule.Safety, rule.Exclude:
			case "expects", "pair.expects":
				c.Expects = append(c.Expects, p.String())
			default:
				c.Triggers = append(c.Triggers, p.String())
			}
		}
	}
	return c.Trivial()
}

// modeForbid is the mode whose rules hold in every commit that adds no forbidden line: how often
// they held does not show the habits of people who write such lines.
const modeForbid = "forbid"

// dead reports whether no file matches a pattern, so that the rule cannot fire, or cannot
// hold: one of a set, or all of another parameter.
func (t *trial) dead(r *rule.Rule, modes policies.Modes) bool {
	for _, param := range modes.Of(r.Mode).Params {
		patterns := r.Patterns[param.Name]
		if len(patterns) == 0 || param.Name == rule.Safety || param.Name == rule.Exclude {
			continue
		}
		alive := func(p *pattern.Pattern) bool {
			return slices.ContainsFunc(t.files, func(file string) bool {
				_, ok := p.Match(file)
				return ok
			})
		}
		dead := slices.IndexFunc(patterns, func(p *pattern.Pattern) bool { return !alive(p) })
		if dead >= 0 && (param.Captures == policies.CapturesSame || !slices.ContainsFunc(patterns, alive)) {
			return true
		}
	}
	return false
}

// write returns the text of a rule's file: its evidence has the counts of a replay, and
// its level is a warning at most.
func (t *trial) write(r Rule, source string) (string, error) {
	evidence := "# yaml-language-server: $schema=../schema/rule.json\n"
	if h := r.Count; h != nil {
		evidence += t.origin(r) + fmt.Sprintf("# In %s up to %.12s it applied to %d: %d followed it, %d did not%s%s.\n",
			commits(t.start.Past.Units), t.start.Found.Commit, h.Triggered, h.Held, h.Fired, some(h.Waived, "waived it"), some(h.Unknown, "could not be checked"))
	}
	if r.Pack == "" {
		i := slices.IndexFunc(t.start.Found.Rules, func(p propose.Proposed) bool { return p.ID == r.ID })
		return t.start.Found.Rules[i].With(evidence), nil
	}
	front, body, ok := strings.Cut(strings.TrimPrefix(source, "---\n"), "\n---\n")
	if !ok {
		return "", errors.New(r.of.File + " has no frontmatter")
	}
	return "---\n" + evidence + withLevel(front, r.of.Level) + "\n---\n" + body, nil
}

// origin returns a comment that names the source of a rule.
func (t *trial) origin(r Rule) string {
	if r.Pack != "" {
		return "# Copied from " + r.Pack + ".\n"
	}
	return fmt.Sprintf("# Mined from %d commits of the main line.\n", t.start.Found.Units)
}

func some(n int, what string) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", %d %s", n, what)
}

func commits(n int) string {
	if n == 1 {
		return "the only commit"
	}
	return fmt.Sprintf("the newest %d commits", n)
}

// withLevel returns a frontmatter whose level is a warning if it was an error: a rule that a
// program wrote fails no run until a person raises its level.
func withLevel(front string, level finding.Level) string {
	if level != finding.Error {
		return front
	}
	lines := slices.DeleteFunc(strings.Split(front, "\n"), func(line string) bool { return strings.HasPrefix(line, "level:") })
	return strings.Join(append(lines, "level: "+string(finding.Warning)), "\n")
}

// files returns the files of the rules that are written.
func (s *Start) files() []ruletest.File {
	var files []ruletest.File
	for _, r := range s.Rules {
		if r.Why == "" {
			files = append(files, ruletest.File{Path: rulePath(r.ID), Content: r.text})
		}
	}
	return files
}
