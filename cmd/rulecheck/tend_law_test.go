package main_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// TestTendLaw renames, splits and deletes files that patterns of a rule name, at random. None of
// these changes may be silent; after a rename of all files of a pattern, tend restores the rule
// and changes nothing else. TEND_LAW sets how many changes are tried.
func TestTendLaw(t *testing.T) {
	t.Parallel()
	cases := lawtest.Cases(t, "TEND_LAW", 10)
	w := newReplayWorld(t)
	random := rand.New(rand.NewPCG(35, uint64(cases)))
	counts := map[string]int{}
	for i := range cases {
		counts[w.tendCase(t, random, i)]++
	}
	t.Logf("%d changes: %v", cases, counts)
}

// tendForms are forms of rules: their frontmatter, with the pattern of the files that move in
// place of %s, and whether that one may have wildcards or captures.
var tendForms = []struct{ text, kind string }{
	{"pair: {trigger: a.txt, expects: %s} # both", "literal"},
	{"# Keep this.\npair:\n  trigger: a.txt\n  expects: [%s, other.txt]\nlevel:   warning", "literal"},
	{"set:\n  - a.txt\n  - %s # here", "literal"},
	{"trigger: %s\nname: 'It''s one'", "any"},
	{"pair: {trigger: \"src/{n}.go\", expects: %s}", "capture"},
	{"created: \"src/{n}.go\"\nexpects: %s\nrequire: changed", "capture"},
}

// tendCase tries one change, and returns its kind.
func (w *replayWorld) tendCase(t *testing.T, random *rand.Rand, seed int) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), strconv.Itoa(seed))
	w.run(t, "", "git", "init", "-q", "-b", "main", dir)
	git := func(args ...string) { w.run(t, dir, "git", args...) }
	write := func(name, text string) {
		t.Helper()
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	lines := func(n int, of string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "line %d of %s: %d\n", i, of, random.IntN(1000))
		}
		return b.String()
	}
	form := tendForms[random.IntN(len(tendForms))]
	names := []string{"b.txt", "docs/b.md", "sp ace/x y.txt", "deep/er/c#.txt", "deep/[k].txt", "it's.txt"}
	var source string
	var files []string
	switch form.kind {
	case "capture":
		source, files = []string{"docs/{n}.md", "docs/{n}/**"}[random.IntN(2)], []string{"docs/one.md", "docs/two.md"}
		if strings.HasSuffix(source, "**") {
			files = []string{"docs/one/a.md", "docs/one/b/c.md", "docs/two/a.md"}
		}
	case "any":
		if random.IntN(2) == 0 {
			source, files = "docs/**/*.md", []string{"docs/one.md", "docs/deep/two.md"}
			break
		}
		fallthrough
	default:
		files = []string{names[random.IntN(len(names))]}
		source = regexp.MustCompile(`[\\*?\[\]{}#]`).ReplaceAllString(files[0], `\$0`)
	}
	quoted := []func(string) string{
		strconv.Quote, func(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" },
		func(s string) string {
			if regexp.MustCompile(`^[a-z/.]+$`).MatchString(s) {
				return s
			}
			return strconv.Quote(s)
		},
	}[random.IntN(3)]
	ending := []string{"\n", "\r\n"}[random.IntN(2)]
	front := fmt.Sprintf(form.text, quoted(source))
	text := strings.ReplaceAll("---\n"+front+"\n---\n# Title\n\nBody with "+source+".\n", "\n", ending)
	const ruleFile = ".rulecheck/rules/r.md"
	write(ruleFile, text)
	for _, name := range append([]string{"a.txt", "other.txt", "src/one.go", "src/two.go"}, files...) {
		write(name, lines(12, name))
	}
	git("add", "-A")
	git("commit", "-qm", "start")

	what := []string{"rename", "rename", "split", "delete"}[random.IntN(4)]
	moved := map[string]string{}
	switch what {
	case "rename":
		way := random.IntN(4)
		for _, name := range files {
			below, inDocs := strings.CutPrefix(name, "docs/")
			to := "moved/" + name
			switch {
			case way == 0 && len(files) == 1:
				to = names[random.IntN(len(names))] + ".new"
			case way == 1 && inDocs:
				to = "manual/" + below
			case way == 2 && inDocs:
				to = "docs/v2/pages/" + below
				if strings.Contains(source, "**") { // the pattern matches there as well
					to = "manual/v2/" + below
				}
			case way == 3 && strings.HasSuffix(source, ".md"):
				to = strings.TrimSuffix(name, ".md") + ".adoc"
			}
			moved[name] = to
			write(to, "")
			git("mv", "-f", name, to)
			if random.IntN(2) == 0 {
				old, _ := os.ReadFile(filepath.Join(dir, to))
				write(to, string(old)+"one more line\n")
			}
		}
	case "split":
		for _, name := range files {
			old, _ := os.ReadFile(filepath.Join(dir, name))
			half := bytes.SplitAfter(old, []byte("\n"))
			write("parts/1/"+name, string(bytes.Join(half[:6], nil)))
			write("parts/2/"+name, string(bytes.Join(half[6:], nil)))
			git("rm", "-q", name)
		}
	case "delete":
		git(append([]string{"rm", "-q"}, files...)...)
	}
	git("add", "-A")
	git("commit", "-qm", what)
	found := string(w.run(t, dir, "rulecheck", "--from", "HEAD~1", "--to", "HEAD"))
	if !strings.Contains(found, ruleFile+":") || !strings.Contains(found, "no longer matches a file: ") {
		t.Errorf("case %d: %s of %q is silent:\n%s\n%s", seed, what, files, text, found)
	}
	for i := range random.IntN(3) { // other commits
		write("unrelated.txt", lines(i+1, "unrelated"))
		git("add", "-A")
		git("commit", "-qm", "unrelated")
	}

	out := w.run(t, dir, "rulecheck", "rules", "tend", "--write")
	now, err := os.ReadFile(filepath.Join(dir, ruleFile))
	if err != nil {
		t.Fatal(err)
	}
	if changed := strings.TrimSpace(string(w.run(t, dir, "git", "status", "--porcelain"))); changed != "" && changed != "M "+ruleFile {
		t.Errorf("case %d: tend left %q", seed, changed)
	}
	if what != "rename" {
		if what == "delete" && string(now) != text {
			t.Errorf("case %d: tend edited a rule whose files were deleted:\n%s", seed, now)
		}
		return what
	}
	before, after, _ := strings.Cut(text, quoted(source)) // nothing else may differ
	if !strings.HasPrefix(string(now), before) || !strings.HasSuffix(string(now), after) || string(now) == text {
		t.Errorf("case %d: tend changed\n%q to\n%q\n%s", seed, text, now, out)
	}
	if left := string(w.run(t, dir, "rulecheck", "rules", "tend")); left != "no rule file to edit\n" {
		t.Errorf("case %d: tend again:\n%s", seed, left)
	}
	// The rule concerns the new names as it did the old ones.
	git("commit", "-qam", "tend")
	write("elsewhere/x", "")
	at := 0
	for _, to := range moved {
		at++
		git("mv", to, fmt.Sprintf("elsewhere/%d", at))
	}
	git("commit", "-qm", "once more")
	if found := string(w.run(t, dir, "rulecheck", "--from", "HEAD~1", "--to", "HEAD")); !strings.Contains(found, "no longer matches a file: ") {
		t.Errorf("case %d: the edited pattern matched none of %q:\n%s\n%s", seed, moved, now, found)
	}
	return what
}
