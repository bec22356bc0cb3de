package report

import (
	"cmp"
	"slices"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
)

// group is one rule with its findings that nothing excuses.
type group struct {
	rule     RuleInfo
	findings int
	parts    []part
}

// part is what shares one text of instructions: all of a rule, unless its
// instructions name the files of each finding.
type part struct {
	entries []entry
	body    string
}

// entry is one line of a group: files that fired the rule, what they should
// have brought with them, and, where the files do not tell it all, why.
type entry struct {
	rule     string // id
	files    []place
	expected []string
	more     int // files that are not listed
	message  string
	session  *finding.Session // nil: the finding is of none
	waiver   *finding.Waiver
}

// told is the message, of a session's with whose it is.
func (e entry) told() string {
	if e.session != nil {
		return whose(e.session) + ": " + e.message
	}
	return e.message
}

// place is a file as a line of a report names it.
type place struct {
	path string
	line int    // 0: not known, or of no interest
	fate string // deleted or renamed: the file is no longer there
}

// A line with a message lists this many files, and of more than that a few.
const (
	listable = 5
	fewFiles = 3
)

// filesTellAll are the modes whose findings are told by their files and the
// rule's instructions. A finding of any other mode, and what became of a command,
// is shown with its message.
var filesTellAll = map[string]bool{"created": true, "pair": true, "set": true, "trigger": true}

// grouped returns the findings that nothing excuses by rule, in the order of
// finding.Sort, and apart those that somebody meant to excuse, honoured or not.
func grouped(r *Report) (groups []group, waivers []entry) {
	fates := fatesOf(r)
	for _, f := range r.Findings {
		info := r.ruleOf(f)
		entries := entriesOf(f, info, fates)
		if f.Waiver != nil {
			waivers = append(waivers, entries...)
		}
		if f.Waived() {
			continue
		}
		if n := len(groups); n == 0 || groups[n-1].rule.ID != f.Rule {
			groups = append(groups, group{rule: info})
		}
		last := &groups[len(groups)-1]
		last.add(entries, info.Body)
		last.findings++
	}
	return groups, waivers
}

func (g *group) add(entries []entry, body string) {
	if n := len(g.parts); n == 0 || g.parts[n-1].body != body {
		g.parts = append(g.parts, part{body: body})
	}
	last := &g.parts[len(g.parts)-1]
	if last.entries == nil {
		last.entries = entries // they may be thousands
	} else {
		last.entries = append(last.entries, entries...)
	}
}

// ruleOf is what is known of the finding's rule, with what the finding itself
// says of it: its instructions have their placeholders filled in.
func (r *Report) ruleOf(f finding.Finding) RuleInfo {
	info := RuleInfo{ID: f.Rule, Mode: f.Mode}
	if i := slices.IndexFunc(r.Rules, func(known RuleInfo) bool { return known.ID == f.Rule }); i >= 0 {
		info = r.Rules[i]
	}
	info.Name, info.Level = cmp.Or(f.Name, info.Name, f.Rule), f.Level
	if f.Body != "" {
		info.Body = f.Body
	}
	return info
}

func entriesOf(f finding.Finding, info RuleInfo, fates map[string]string) []entry {
	if f.Session != nil {
		file, line := placeOf(f)
		return []entry{{rule: f.Rule, files: []place{{path: file, line: line}}, message: toldWithin(f), session: f.Session, waiver: f.Waiver}}
	}
	files := make([]place, 0, len(f.TriggerFiles)+1)
	elsewhere := false // a file that still exists fired the rule, but the finding lies in another
	for _, path := range f.TriggerFiles {
		p := place{path: path, fate: fates[path]}
		if path == f.Path {
			p.line = f.Line
		}
		elsewhere = elsewhere || p.fate == ""
		files = append(files, p)
	}
	if len(files) == 0 || elsewhere && !slices.Contains(f.TriggerFiles, f.Path) {
		files = slices.Insert(files, 0, place{path: f.Path, line: f.Line})
	}
	e := entry{rule: f.Rule, files: files, expected: f.Expected, waiver: f.Waiver}
	if !filesTellAll[info.Mode] || info.Command {
		e.message = f.Message
	}
	if e.message != "" && len(files) > listable {
		e.files, e.more = files[:fewFiles], len(files)-fewFiles
	}
	if len(e.expected) > 0 || e.message != "" || e.waiver != nil {
		return []entry{e}
	}
	entries := make([]entry, 0, len(files))
	for i := range files {
		entries = append(entries, entry{rule: f.Rule, files: files[i : i+1 : i+1]})
	}
	return entries
}

// fatesOf says of every name that is gone from the head what became of it.
func fatesOf(r *Report) map[string]string {
	fates := map[string]string{}
	for _, changes := range r.Changes {
		for i := range changes {
			if c := &changes[i]; c.Status == diff.Deleted {
				fates[c.Path] = string(c.Status)
			} else if c.Status == diff.Renamed {
				fates[c.OldPath] = string(c.Status)
			}
		}
	}
	return fates
}
