package format

import (
	"cmp"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
	"github.com/rulecheck/rulecheck/internal/markdown"
	"github.com/rulecheck/rulecheck/internal/report"
)

// Bounds of a brief. It has at most briefLines lines of at most briefLine bytes.
const (
	briefLines = 80
	briefLine  = 600
	briefItems = 12  // of one section
	briefParts = 6   // of one file
	briefText  = 100 // characters of a path, message or signature
	briefName  = 50  // of a symbol or key
)

// brief is a page that is being written, section by section.
type brief struct{ lines []markdown.Text }

// writeBrief writes what a reviewer wants to know before reading the change. What fails comes
// first, what is cut last.
func writeBrief(w io.Writer, r *report.Report, _ Options) error {
	b := &brief{}
	b.lines = append(b.lines, markdown.Line(r.Verdict()))
	for _, base := range r.Baselines {
		b.lines = append(b.lines, "", markdown.Line(base.String()))
	}
	if behind := r.BehindLine(); behind != "" {
		b.lines = append(b.lines, "", markdown.Line(behind))
	}
	groups, honoured, refused := r.ShortGroups()
	var problems, fired, waived []markdown.Text
	for _, p := range r.Errors {
		problems = append(problems, placed(report.Position(p.File, p.Line, p.Column), p.Message))
	}
	for _, g := range groups {
		for _, p := range g.Parts {
			for _, e := range p.Entries {
				fired = append(fired, markdown.Sprintf("- %s, ", g.Rule.Level)+briefEntry(g.Rule.Name, e))
			}
		}
	}
	for _, e := range slices.Concat(refused.Entries, honoured.Entries) {
		waived = append(waived, "- "+briefEntry(e.Rule, e)+": "+markdown.Line(report.Truncate(report.WaiverText(e.Waiver), briefText)))
	}
	b.section("Could not be checked", problems)
	b.section("Rules that fired", fired)
	b.section("Waived", waived)
	b.section("Stack, oldest commit first", markdownItems(stackLines(r)))
	of := r.Inside
	if of == nil {
		of = &report.Inside{}
	}
	var api, keys []markdown.Text
	for _, f := range of.Files {
		api = appendParts(api, f.Path, f.API)
		keys = appendParts(keys, f.Path, f.Keys)
	}
	b.section("Exported symbols", api)
	b.section("Keys", keys)
	if of.Unread+of.Left > 0 {
		b.add("", markdown.Line("The symbols and keys of "+report.Count(of.Unread+of.Left, "file")+" are not known."))
	}
	b.section("Changed files", places(r))
	b.ids("Rules that files triggered, without a finding: ", of.Held)
	b.ids("Rules at rest: ", of.Resting)
	var sessions []markdown.Text
	for s := range r.EachSession() {
		sessions = append(sessions, "- "+markdown.Line(strings.TrimSpace(s.Agent+" "+report.ShortID(s.ID)))+
			": "+markdown.Line(strings.Join([]string{report.Count(s.Prompts, "prompt"), report.Count(s.Commands, "command"), report.Count(s.Edits, "edit")}, ", ")))
	}
	b.section("Sessions", sessions)
	b.section("Notices", markdownItems(r.Notices))
	return markdown.Fprint(w, markdown.Join(b.bounded(), "\n")+"\n")
}

func (b *brief) add(lines ...markdown.Text) { b.lines = append(b.lines, lines...) }

// section adds a list, if it has an item.
func (b *brief) section(heading markdown.Text, items []markdown.Text) {
	if len(items) == 0 {
		return
	}
	b.add("", "## "+heading, "")
	b.add(items[:min(len(items), briefItems)]...)
	if more := len(items) - briefItems; more > 0 {
		b.add(markdown.Sprintf("- and %d more", more))
	}
}

// ids adds a line with ids of rules, if there are any.
func (b *brief) ids(what markdown.Text, ids []string) {
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	if len(ids) > 0 {
		shown := ids[:min(len(ids), briefItems)]
		b.add("", what+markdown.Line(strings.Join(shown, ", ")+report.AndMore(len(ids)-len(shown))))
	}
}

// bounded returns the lines that fit. A line that is too long is left out whole: half of one could
// be other markup.
func (b *brief) bounded() []markdown.Text {
	lines := b.lines[:min(len(b.lines), briefLines-1)]
	for i, line := range lines {
		if len(line) > briefLine {
			lines[i] = "- a line that is too long for a brief; see the format markdown"
		}
	}
	if len(lines) < len(b.lines) {
		lines = append(slices.Clone(lines), "The rest is in the format markdown.")
	}
	return lines
}

// briefEntry names a rule, the files of a finding and what it misses.
func briefEntry(rule string, e report.Entry) markdown.Text {
	names := make([]string, 0, len(e.Files))
	for _, f := range e.Files {
		names = append(names, report.Position(f.Path, f.Line))
	}
	text := markdown.Line(report.Truncate(rule, briefText)) + ": " + few(names, e.More)
	if len(e.Expected) > 0 {
		text += " → " + few(e.Expected, e.MoreExpected)
	} else if e.Message != "" {
		text += ": " + markdown.Line(report.Truncate(e.FullMessage(), briefText))
	}
	return text
}

// few lists the first few names as code.
func few(names []string, more int) markdown.Text {
	const most = 2
	shown := make([]markdown.Text, 0, most)
	for _, name := range names[:min(len(names), most)] {
		shown = append(shown, markdown.Code(report.Truncate(name, briefText)))
	}
	return markdown.Join(shown, ", ") + andMore(more+len(names)-len(shown))
}

// appendParts adds a line with the changed parts of a file.
func appendParts(lines []markdown.Text, file string, parts []report.InsidePart) []markdown.Text {
	if len(parts) == 0 {
		return lines
	}
	parts = slices.Clone(parts)
	slices.SortStableFunc(parts, func(a, b report.InsidePart) int { return cmp.Compare(briefRank(a), briefRank(b)) })
	signs := map[string]markdown.Text{"added": "new ", "deleted": "gone "}
	shown := make([]markdown.Text, 0, briefParts)
	for _, p := range parts[:min(len(parts), briefParts)] {
		shown = append(shown, signs[p.Status]+markdown.Code(report.Truncate(p.Name, briefName)))
	}
	line := "- " + markdown.Code(report.Truncate(file, briefText)) + ": " + markdown.Join(shown, ", ") + andMore(len(parts)-len(shown))
	lines = append(lines, line)
	for _, p := range parts[:min(len(parts), briefParts)] {
		if p.Before != "" && p.After != "" && p.Before != p.After {
			lines = append(lines, "  - "+markdown.Code(report.Truncate(written(p.Before), briefText))+" → "+markdown.Code(report.Truncate(written(p.After), briefText)))
		}
	}
	return lines
}

var (
	spaceBefore = lazyregexp.New(`(?: ,)? ([)\]])| ([(\[,:;]|::)`)
	spaceAfter  = lazyregexp.New(`([(\[]|::) `)
)

// written returns a signature, whose tokens have spaces between them, as one writes it.
func written(signature string) string {
	return spaceAfter().ReplaceAllString(spaceBefore().ReplaceAllString(signature, "$1$2"), "$1")
}

// briefRank puts first what those notice who use a part already.
func briefRank(p report.InsidePart) int {
	return slices.Index([]string{"deleted", "modified", "added"}, p.Status)
}

// places counts the changed files by their top directories.
func places(r *report.Report) []markdown.Text {
	counts := map[string]map[diff.Status]int{}
	seen := map[string]bool{}
	for _, changes := range r.Changes {
		for i := range changes {
			c := &changes[i]
			if seen[c.Path] {
				continue
			}
			seen[c.Path] = true
			dir := "."
			if top := strings.SplitN(path.Dir(c.Path), "/", 3); top[0] != "." {
				dir = strings.Join(top[:min(len(top), 2)], "/")
			}
			if counts[dir] == nil {
				counts[dir] = map[diff.Status]int{}
			}
			counts[dir][c.Status]++
		}
	}
	total := func(of map[diff.Status]int) (n int) {
		for _, count := range of {
			n += count
		}
		return n
	}
	dirs := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(total(counts[b]), total(counts[a])), cmp.Compare(a, b))
	})
	items := make([]markdown.Text, 0, len(dirs))
	for _, dir := range dirs {
		var words []string
		for _, status := range slices.Sorted(maps.Keys(counts[dir])) {
			words = append(words, report.Number(int64(counts[dir][status]))+" "+string(status))
		}
		items = append(items, "- "+markdown.Code(report.Truncate(dir, briefText))+": "+markdown.Line(strings.Join(words, ", ")))
	}
	return items
}
