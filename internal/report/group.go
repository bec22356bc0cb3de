package report

import (
	"cmp"
	"slices"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// Group is one rule with its findings that are not waived.
type Group struct {
	Rule     Rule
	Findings int
	Parts    []Part
	More     int // number of findings that are not listed
}

// Part lists entries that share one text of instructions. A group has one part,
// unless its instructions name the files of each finding.
type Part struct {
	Entries []Entry
	Body    string
}

// Entry is one line of a group: the files that triggered the rule and the files
// it expected. Message is empty where the files alone explain the finding.
type Entry struct {
	Rule     string // id
	Files    []File
	Expected []string
	// ExpectedAny reports whether one of the expected files is enough.
	ExpectedAny bool
	More        int // number of files that are not listed
	// MoreExpected is the number of expected files that are not listed.
	MoreExpected int
	Message      string
	Commits      string                  // of the stack that is checked, whose own changes have the finding; empty: none
	Session      *finding.SessionDetails // nil: not a finding of a session
	Waiver       *finding.Waiver
}

// BetweenExpected returns what separates the expected files in a list: one of them is enough,
// or all are missing.
func (e Entry) BetweenExpected() string {
	if e.ExpectedAny {
		return " or "
	}
	return ", "
}

// FullMessage returns the message, preceded by the session's name if it has one.
func (e Entry) FullMessage() string {
	if e.Session != nil {
		return SessionName(e.Session) + ": " + e.Message
	}
	return e.Message
}

// File is a file as an entry names it.
type File struct {
	Path string
	Line int    // 0: unknown or irrelevant
	Gone string // "deleted" or "renamed" if the head has no such file
}

// MaxListed is how many findings of a rule, waivers, and lines for the files of one
// finding a short report lists.
const MaxListed = 20

// Waivers are findings with a waiver.
type Waivers struct {
	Entries []Entry
	More    int // number of entries that are not listed
}

func (w *Waivers) add(e Entry) {
	if len(w.Entries) == MaxListed {
		w.More++
		return
	}
	w.Entries = append(w.Entries, e)
}

// Groups returns the findings that are not waived by rule, in the order of
// finding.Sort, and separately those with a waiver, honoured or not.
func (r *Report) Groups() (groups []Group, waivers []Entry) { return r.groups(false) }

// ShortGroups returns what [Report.Groups] does with bounded lists, the waivers by
// whether they are honoured.
func (r *Report) ShortGroups() (groups []Group, honoured, refused Waivers) {
	groups, all := r.groups(true)
	for _, e := range all {
		if e.Waiver.NotHonoured == "" {
			honoured.add(e)
		} else {
			refused.add(e)
		}
	}
	return groups, honoured, refused
}

func (r *Report) groups(short bool) (groups []Group, waivers []Entry) {
	gone := goneNames(r)
	for f := range r.EachFinding() {
		info := r.RuleOf(f)
		entries := entriesOf(f, info, gone, short)
		if f.Waiver != nil {
			waivers = append(waivers, entries...)
		}
		if f.Waived() {
			continue
		}
		if n := len(groups); n == 0 || groups[n-1].Rule.ID != f.Rule {
			groups = append(groups, Group{Rule: info})
		}
		last := &groups[len(groups)-1]
		last.Findings++
		if short && last.Findings > MaxListed {
			last.More++
			continue
		}
		last.add(entries, info.Body)
	}
	return groups, waivers
}

func (g *Group) add(entries []Entry, body string) {
	if n := len(g.Parts); n == 0 || g.Parts[n-1].Body != body {
		g.Parts = append(g.Parts, Part{Body: body})
	}
	last := &g.Parts[len(g.Parts)-1]
	if last.Entries == nil {
		last.Entries = entries // may be thousands: not copied
	} else {
		last.Entries = append(last.Entries, entries...)
	}
}

// RuleOf returns the finding's rule, with the finding's own level and
// instructions, whose placeholders are filled in.
func (r *Report) RuleOf(f finding.Finding) Rule {
	info := Rule{Info: rule.Info{ID: f.Rule, Mode: f.Mode}}
	if i := slices.IndexFunc(r.Rules, func(known Rule) bool { return known.ID == f.Rule }); i >= 0 {
		info = r.Rules[i]
	}
	info.Name, info.Level = cmp.Or(f.Name, info.Name, f.Rule), f.Level
	if f.Body != "" {
		info.Body = f.Body
	}
	return info
}

func entriesOf(f finding.Finding, info Rule, gone map[string]string, short bool) []Entry {
	if f.Session != nil {
		file, line := sessionPlace(f)
		return []Entry{{Rule: f.Rule, Files: []File{{Path: file, Line: line}}, Message: ShortMessage(f), Session: f.Session, Waiver: f.Waiver}}
	}
	files := make([]File, 0, len(f.TriggerFiles)+1)
	existing := false // a file that still exists triggered the rule
	for _, path := range f.TriggerFiles {
		file := File{Path: path, Gone: gone[path]}
		if path == f.Path {
			file.Line = f.Line
		}
		existing = existing || file.Gone == ""
		files = append(files, file)
	}
	if len(files) == 0 || !slices.Contains(f.TriggerFiles, f.Path) && (existing || !standIn(f.Path, info)) {
		files = slices.Insert(files, 0, File{Path: f.Path, Line: f.Line})
	}
	ofRule := len(f.Gone) > 0 && f.Gone[0].Commit == "" // a pattern of the rule no longer matches a file
	if ofRule {
		files = []File{{Path: f.Path, Line: f.Line}}
	}
	e := Entry{Rule: f.Rule, Files: files, Expected: f.Expected, ExpectedAny: f.ExpectedAny, Commits: inCommits(f), Waiver: f.Waiver}
	switch {
	case !info.ListByFiles || info.Command || ofRule:
		e.Message = f.Message
	case len(f.Gone) > 0:
		e.Message = finding.GoneText(f.Gone)
	case info.Parts && len(f.TriggerFiles) == 1: // several files are listed, each with its line
		e.Message, e.Expected, files = f.Message, nil, []File{{Path: f.Path, Line: f.Line}}
	}
	if short {
		e.Expected, e.MoreExpected = finding.Few(e.Expected)
	}
	if short || e.Message != "" {
		e.Files, e.More = finding.Few(files)
	}
	if len(e.Expected) > 0 || e.Message != "" || e.Waiver != nil {
		return []Entry{e}
	}
	more := 0
	if short && len(files) > MaxListed {
		files, more = finding.Few(files)
	}
	entries := make([]Entry, 0, len(files))
	for i := range files {
		entries = append(entries, Entry{Rule: f.Rule, Files: files[i : i+1 : i+1], Commits: e.Commits})
	}
	entries[len(entries)-1].More = more
	return entries
}

// standIn reports whether a finding is placed on its rule, or on the configuration, because no
// file that it is about exists.
func standIn(path string, of Rule) bool { return path == of.File || path == ".rulecheck/config.yml" }

// goneNames maps each name that the head no longer has to "deleted" or "renamed".
func goneNames(r *Report) map[string]string {
	gone := map[string]string{}
	for _, changes := range r.Changes {
		for i := range changes {
			if c := &changes[i]; c.Status == diff.Deleted {
				gone[c.Path] = string(c.Status)
			} else if c.Status == diff.Renamed {
				gone[c.OldPath] = string(c.Status)
			}
		}
	}
	return gone
}
