package rule_test

import (
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

const good = "---\ntrigger: a\n---\nDo it.\n"

func file(content string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(content)} }

// load returns the ids of the rules and the problems as text.
func load(t *testing.T, fsys fs.FS) (ids, problems []string) {
	t.Helper()
	rules, found := rule.Load(fsys, "rules", modes(t))
	for _, r := range rules {
		ids = append(ids, r.ID)
	}
	for _, p := range found {
		problems = append(problems, p.Error())
	}
	return ids, problems
}

// keysOf returns the frontmatter keys that rules of some modes may have.
func keysOf(modes policies.Modes) []string {
	keys := rule.CommonKeys()
	for _, name := range modes.Names() {
		mode := modes.Of(name)
		for _, p := range mode.Params {
			key, _, _ := strings.Cut(p.Name, ".")
			keys = append(keys, key)
		}
	}
	return keys
}

// keysFor returns the keys that rules of one mode may have.
func keysFor(modes policies.Modes, mode string) []string {
	var keys []string
	for _, k := range rule.FrontmatterKeys(modes) {
		if len(k.Modes) == 0 || slices.Contains(k.Modes, mode) {
			key, _, _ := strings.Cut(k.Name, ".")
			keys = append(keys, key)
		}
	}
	return keys
}

// quoted lists names as errors do: sorted, each once.
func quoted(names []string) string {
	var quotes []string
	for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		quotes = append(quotes, strconv.Quote(name))
	}
	return strings.Join(quotes, ", ")
}

func TestLoad(t *testing.T) {
	t.Parallel()
	bundled := modes(t)
	for _, test := range []struct {
		name     string
		fsys     fstest.MapFS
		ids      []string
		problems []string
	}{
		{name: "no directory", fsys: fstest.MapFS{}},
		{
			name: "markdown in byte order, not recursive",
			fsys: fstest.MapFS{
				"rules/b.md": file(good), "rules/B.md": file("---\ntrigger: a\nname: Big\n---\nDo it.\n"), "rules/10.md": file(good), "rules/2.md": file(good),
				"rules/.hidden.md": file(good), "rules/a.b.md": file(good),
				"rules/README.md": file("# Rules\n"), "rules/readme.txt": file(""), "rules/.gitkeep": file(""), "rules/b.md~": file(""),
			},
			ids: []string{".hidden", "10", "2", "B", "a.b", "b"},
		},
		{
			name: "what looks like a rule",
			fsys: fstest.MapFS{
				"rules/b.md": file(good), "rules/b.yaml": file(""), "rules/deep/x.md": file("broken"), "rules/lost.md~": file(""),
				"rules/x.MD": file(""), "rules/y.markdown": file(""), "rules/z": file(""), "rules/x.md.example": file(""),
			},
			ids: []string{"b"},
			problems: []string{
				`rules/b.yaml:1:1: "b.yaml" is not read, only "b.md"; want it removed`,
				`rules/deep:1:1: rules in subdirectories are not read; want the files of "deep" in the directory above it`,
				`rules/lost.md~:1:1: "lost.md~" is not read: rules are markdown files; want the name "lost.md"`,
				`rules/x.MD:1:1: "x.MD" is not read: rules are markdown files; want the name "x.md"`,
				`rules/x.md.example:1:1: "x.md.example" is not read: rules are markdown files; want the name "x.md"`,
				`rules/y.markdown:1:1: "y.markdown" is not read: rules are markdown files; want the name "y.md"`,
				`rules/z:1:1: "z" is not read: rules are markdown files; want the name "z.md"`,
			},
		},
		{
			name: "broken rules next to good ones",
			fsys: fstest.MapFS{
				"rules/a.md": file(""), "rules/b.md": file(good), "rules/c.md": file("---\nfoo: 1\nlevel: x\n---\n"),
				"rules/d.md/x": file(""), "rules/.md": file(good), "rules/e.md": file("---\ntrigger: a\nset: [a, b]\n---\nDo it.\n"),
				"rules/f.md": file("---\ntrigger: a\nfoo: 1\n---\nDo it.\n"), "rules/g.md": file("---\ntoken_budget: {max_tokens: 1}\nfoo: 1\n---\nDo it.\n"),
				"rules/h.md": file("---\nset: [a, b]\ntriger: a\n---\nDo it.\n"),
			},
			ids: []string{"b"},
			problems: []string{
				`rules/.md:1:1: bad rule id ""; want a printable file name before .md`,
				`rules/a.md:1:1: the file begins with ""; want a line "---", the frontmatter and another "---"`,
				`rules/c.md:2:1: the rule has no mode; want one of the keys ` + quoted(slices.Collect(maps.Keys(bundled))),
				`rules/c.md:2:1: unknown key "foo"; want one of ` + quoted(keysOf(bundled)),
				`rules/c.md:3:8: "level" is "x"; want one of "error", "warning", "note"`,
				`rules/c.md:4:1: the body is empty; want instructions below the frontmatter, or an "action"`,
				`rules/d.md:1:1: rules in subdirectories are not read; want the files of "d.md" in the directory above it`,
				`rules/e.md:3:1: two modes: "trigger" on line 2 and "set"; want one of ` + quoted(bundled.Names()),
				`rules/f.md:3:1: unknown key "foo"; want one of ` + quoted(keysFor(bundled, "trigger")),
				`rules/g.md:3:1: unknown key "foo"; want one of ` + quoted(keysFor(bundled, "token_budget")),
				`rules/h.md:3:1: unknown key "triger"; did you mean the mode "trigger"? A rule has one mode`,
			},
		},
		{
			name: "names that differ by case alone",
			fsys: fstest.MapFS{
				"rules/a.md": file("---\nname: Größe\ntrigger: a\n---\nDo it.\n"),
				"rules/b.md": file("---\ntrigger: a\nname: GRÖßE\n---\nDo it.\n"),
				"rules/c.md": file("---\ntrigger: a\nname: D\n---\nDo it.\n"),
				"rules/d.md": file(good),
			},
			ids: []string{"a", "c"},
			problems: []string{
				`rules/b.md:3:1: duplicate name "GRÖßE", which rules/a.md has too; want another`,
				`rules/d.md:1:1: duplicate name "d", which rules/c.md has too; want another`,
			},
		},
		{
			name:     "the directory is a file",
			fsys:     fstest.MapFS{"rules": file("")},
			problems: []string{"rules:1:1: cannot read the directory of rules: not implemented"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			ids, problems := load(t, test.fsys)
			if diff := cmp.Diff(test.ids, ids); diff != "" {
				t.Errorf("rules (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.problems, problems); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

// failing is a file system on which a directory can be listed and nothing read.
type failing struct{ fstest.MapFS }

var errDisk = errors.New("the disk is on fire")

func (failing) ReadFile(string) ([]byte, error) { return nil, errDisk }

func TestLoadSaysWhyAFileCannotBeRead(t *testing.T) {
	t.Parallel()
	ids, problems := load(t, failing{fstest.MapFS{"rules/a.md": file(good)}})
	want := []string{"rules/a.md:1:1: cannot read the file: the disk is on fire"}
	if diff := cmp.Diff(want, problems); diff != "" || ids != nil {
		t.Errorf("rules %v, problems (-want +got):\n%s", ids, diff)
	}
}
