package correspondence

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/content/language"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/gitfile"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// Source gives what facts depend on besides names; every [diff.Engine] does.
type Source interface {
	Detailer
	Contents(ctx context.Context, head diff.Head, paths []string, limit int64) (map[string][]byte, error)
}

// ignoredChanges are the changes that trigger nothing, by index, because only parts of their files
// changed that the rule ignores.
type ignoredChanges map[int]bool

// readIgnored finds for each active rule that ignores parts of files the changes that are in
// such parts alone. It reads only files that would trigger such a rule.
func (m *Matched) readIgnored(ctx context.Context, from Source, c diff.Changeset, active func(int) bool) map[int]error {
	r := &ignoredReader{from: from, changeset: c, known: map[ignoredQuestion]bool{}}
	asking := map[int][]int{} // by rule, the changes that may trigger it
	for _, i := range m.ignoring {
		if !active(i) || !m.concerns(i) || m.silenced(i) {
			continue
		}
		asking[i] = m.triggering(i)
		for _, change := range asking[i] {
			r.ask(change, m.rules[i].Ignore)
		}
	}
	failed := map[int]error{}
	if err := r.read(ctx); err != nil {
		for i := range asking {
			failed[i] = err
		}
		return failed
	}
	for i, changes := range asking {
		ignored := ignoredChanges{}
		for _, change := range changes {
			if r.ignores(change, m.rules[i].Ignore) {
				ignored[change] = true
			}
		}
		m.ignored[i] = ignored
	}
	return failed
}

// triggering returns the changes that may trigger a rule, by index.
func (m *Matched) triggering(i int) []int {
	f := m.builder(i)
	var changes []int
	for _, p := range m.modes.Of(f.rule.Mode).Params {
		if !canTrigger(p) {
			continue
		}
		for at, hits := range f.hits[p.Name] {
			for _, h := range hits {
				if f.mayTrigger(f.rule.Patterns[p.Name][at], h) {
					changes = append(changes, f.names[h.name].change)
				}
			}
		}
	}
	slices.Sort(changes)
	return slices.Compact(changes)
}

// ignoredQuestion asks whether a change is in some parts of its file alone.
type ignoredQuestion struct {
	change    int
	parts     language.Parts
	generated bool
}

// ignoredReader answers questions of all rules, each once.
type ignoredReader struct {
	from      Source
	changeset diff.Changeset
	known     map[ignoredQuestion]bool
	generated *gitfile.Attributes
}

// questionsAbout returns what must be known of a change for a rule: whether its file is generated, and
// whether some parts of it alone changed. Only a file that stays where it is, and what it is,
// changes in parts.
func (r *ignoredReader) questionsAbout(change int, kinds []string) (list []ignoredQuestion) {
	c := &r.changeset.Changes[change]
	if c.Kind != diff.File || c.Status == diff.Unmerged || c.Status == diff.TypeChanged {
		return nil
	}
	if slices.Contains(kinds, language.Generated) {
		list = append(list, ignoredQuestion{change: change, generated: true})
	}
	if parts := language.PartsOf(kinds); parts != (language.Parts{}) && c.Status == diff.Modified && !c.ModeChanged {
		list = append(list, ignoredQuestion{change: change, parts: parts})
	}
	return list
}

func (r *ignoredReader) ask(change int, kinds []string) {
	for _, q := range r.questionsAbout(change, kinds) {
		r.known[q] = false
	}
}

func (r *ignoredReader) ignores(change int, kinds []string) bool {
	return slices.ContainsFunc(r.questionsAbout(change, kinds), func(q ignoredQuestion) bool { return r.known[q] })
}

// atOnce is the number of files whose contents are in memory together.
const atOnce = 500

// read answers the questions.
func (r *ignoredReader) read(ctx context.Context) error {
	all := make([]ignoredQuestion, 0, len(r.known))
	var marked []string // files that attributes may call generated
	for q := range r.known {
		all = append(all, q)
		if q.generated {
			marked = append(marked, r.changeset.Changes[q.change].Path)
		}
	}
	if len(all) == 0 {
		return nil
	}
	if err := r.readAttributes(ctx, marked); err != nil {
		return err
	}
	slices.SortFunc(all, func(a, b ignoredQuestion) int {
		return cmp.Or(a.change-b.change, order(a.generated)-order(b.generated))
	})
	for some := range slices.Chunk(all, atOnce) {
		var list []diff.Change
		for i, q := range some {
			if i == 0 || some[i-1].change != q.change {
				list = append(list, r.changeset.Changes[q.change])
			}
		}
		details, err := r.from.Details(ctx, r.changeset.Base, r.changeset.Head, list, []diff.Part{diff.PartContent})
		if err != nil {
			return err
		}
		for _, q := range some {
			c := &r.changeset.Changes[q.change]
			if d := details[c.Path]; d != nil && d.Content != nil {
				r.known[q] = r.answer(q, c, *d.Content)
			}
		}
	}
	return nil
}

// answer answers a question about a change. Of a file that is binary, larger than
// [diff.ContentLimit] or in Git LFS, nothing is known but its attributes.
func (r *ignoredReader) answer(q ignoredQuestion, c *diff.Change, content diff.Content) bool {
	before, after := content.Base, content.Head
	if q.generated {
		says := func(text *string, absent bool) bool { return absent || text != nil && language.IsGenerated(*text) }
		return r.generated.Set(c.Path) || says(before, c.Status == diff.Added) && says(after, c.Status == diff.Deleted)
	}
	if before == nil || after == nil || diff.IsLFSPointer([]byte(*before)) || diff.IsLFSPointer([]byte(*after)) {
		return false
	}
	return language.SameBut(c.Path, *before, *after, q.parts)
}

// attributesName is the name of files of attributes.
const attributesName = ".gitattributes"

// readAttributes reads the files of attributes at head that apply to some files.
func (r *ignoredReader) readAttributes(ctx context.Context, paths []string) error {
	r.generated = gitfile.NewAttributes("linguist-generated")
	dirs := map[string]bool{}
	for _, p := range paths {
		for dir := path.Dir(p); ; dir = path.Dir(dir) {
			if dir == "." || dirs[dir+"/"] {
				break
			}
			dirs[dir+"/"] = true
		}
	}
	if len(paths) == 0 {
		return nil
	}
	names := []string{attributesName}
	for dir := range dirs {
		names = append(names, dir+attributesName)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(strings.Count(a, "/")-strings.Count(b, "/"), strings.Compare(a, b))
	})
	contents, err := r.from.Contents(ctx, r.changeset.Head, names, diff.ContentLimit)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := r.generated.Add(strings.TrimSuffix(name, attributesName), string(contents[name])); err != nil {
			return err
		}
	}
	return nil
}

// ignoredNames returns the names of the changes that are in parts of files alone that the rule
// ignores.
func (m *Matched) ignoredNames(i int) map[string]bool {
	if len(m.ignored[i]) == 0 {
		return nil
	}
	names := map[string]bool{}
	for change := range m.ignored[i] {
		for _, name := range m.changes[change].Names() {
			names[name] = true
		}
	}
	return names
}

// ignoring reports whether a rule ignores parts of files.
func ignoring(r *rule.Rule) bool { return len(r.Ignore) > 0 }
