package languages_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/content/symbol/languages"
)

// references are programs that print what files export, by the language's own parser. Of the
// environment variable NAME_REPOSITORY, where NAME is in capital letters, commits are compared too.
var references = []struct {
	language, extension string
	command             []string
	private             [2]string // a word of visibility, and what hides
}{
	{"TypeScript", ".ts", []string{"node", "typescript/testdata/exported.js"}, [2]string{"export ", ""}},
	{"PHP", ".php", []string{"php", "php/testdata/exported.php"}, [2]string{"public ", "private "}},
	{"Ruby", ".rb", []string{"ruby", "ruby/testdata/exported.rb"}, [2]string{"def ", "private def "}},
}

// version is one text of a file and what the reference says about it.
type version struct {
	file, text string
	api        []string // nil: it cannot be read
}

// reference reads texts by a reference, or skips the test where it cannot run.
func reference(t *testing.T, command []string, extension string, texts []string) []version {
	t.Helper()
	dir := t.TempDir()
	versions := make([]version, len(texts))
	var names []string
	for i, text := range texts {
		versions[i] = version{file: filepath.Join(dir, strconv.Itoa(i)+extension), text: text}
		if err := os.WriteFile(versions[i].file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		names = append(names, versions[i].file)
	}
	run := exec.CommandContext(t.Context(), command[0], command[1:]...)
	run.Stdin = strings.NewReader(strings.Join(names, "\n"))
	var problems bytes.Buffer
	run.Stderr = &problems
	out, err := run.Output()
	if err != nil {
		line, _, _ := strings.Cut(problems.String(), "\n")
		t.Skip("the reference cannot run: ", err, " ", line)
	}
	for line := range strings.Lines(string(out)) {
		var answer struct {
			File string
			API  []string
		}
		if err := json.Unmarshal([]byte(line), &answer); err != nil {
			t.Fatal(err)
		}
		if i := slices.Index(names, answer.File); i >= 0 {
			versions[i].api = answer.API
		}
	}
	return versions
}

// exported lists what a text exports, by the name of its file.
func exported(t *testing.T, v version) ([]string, error) {
	t.Helper()
	symbols, err := languages.Read(t.Context(), v.file, v.text)
	var api []string
	for _, s := range symbols {
		if s.Exported {
			api = append(api, s.Kind+" "+s.Name+": "+s.Signature)
		}
	}
	slices.Sort(api)
	return slices.Compact(api), err
}

// compare asks of pairs of texts whether the API changed.
func compare(t *testing.T, versions []version, where func(pair int) string) {
	t.Helper()
	pairs, changed, refused := 0, 0, 0
	for i := 0; i+1 < len(versions); i += 2 {
		base, head := versions[i], versions[i+1]
		if base.api == nil || head.api == nil {
			continue
		}
		was, wrong := exported(t, base)
		is, refusal := exported(t, head)
		if wrong != nil || refusal != nil {
			refused++
			t.Log("refused: ", where(i/2), wrong, refusal)
			continue
		}
		pairs++
		want := !slices.Equal(base.api, head.api)
		if want {
			changed++
		}
		if got := !slices.Equal(was, is); got != want {
			t.Errorf("%s: API changed: %v; the reference says %v\nonly here: %q\nnow: %q\nreference: %q\nnow: %q", where(i/2),
				got, want, without(was, is), without(is, was), without(base.api, head.api), without(head.api, base.api))
		}
	}
	t.Logf("%d pairs, of which %d changed the API; %d refused", pairs, changed, refused)
	if changed == 0 || changed == pairs || refused*20 > pairs {
		t.Errorf("of %d pairs %d changed the API, and %d were refused", pairs, changed, refused)
	}
}

func without(list, others []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(others, s) })
}

var word = regexp.MustCompile(`[A-Za-z_]\w*`)

// mutated returns a text with one change: of a name, a line, the visibility, the order or the layout.
func mutated(random *rand.Rand, s sample, text string, private [2]string) string {
	lines := strings.SplitAfter(text, "\n")
	i, j := random.IntN(len(lines)), random.IntN(len(lines))
	switch random.IntN(8) {
	case 0, 1:
		at := word.FindAllStringIndex(text, -1)
		w := at[random.IntN(len(at))]
		return text[:w[0]] + text[w[0]:w[1]] + "Z" + text[w[1]:]
	case 2:
		lines = slices.Delete(lines, i, min(i+1+random.IntN(3), len(lines)))
	case 3:
		return text + s.declarations[random.IntN(len(s.declarations))]
	case 4:
		lines[i] = strings.Replace(lines[i], private[0], private[1], 1)
	case 5:
		lines[i] = strings.TrimSuffix(lines[i], "\n") + " " + s.comment + " f(x, \"\n"
	case 6:
		lines[i] = strings.Replace(lines[i], " ", "   ", 1)
		lines[j] = strings.Replace(lines[j], ", ", ",\t", 1)
	case 7:
		lines[i], lines[j] = lines[j], lines[i]
	}
	return strings.Join(lines, "")
}

func TestAPIChangesAsTheReferenceSays(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	for _, r := range references {
		t.Run(r.language, func(t *testing.T) {
			golden, err := os.ReadFile(filepath.Join(strings.ToLower(r.language), "testdata", "golden"+r.extension))
			if err != nil {
				t.Fatal(err)
			}
			random := rand.New(rand.NewPCG(1, 2))
			var texts []string
			for range 600 { // about a third can be read
				texts = append(texts, string(golden), mutated(random, samples[r.language], string(golden), r.private))
			}
			versions := reference(t, r.command, r.extension, texts)
			compare(t, versions, func(pair int) string { return fmt.Sprint("mutation ", pair) })
		})
	}
}

func TestAPIOfCommitsChangesAsTheReferenceSays(t *testing.T) {
	for _, r := range references {
		t.Run(r.language, func(t *testing.T) {
			variable := strings.ToUpper(r.language) + "_REPOSITORY"
			dir := os.Getenv(variable)
			if dir == "" {
				t.Skip(variable, " is not set")
			}
			git := func(args ...string) string {
				out, err := exec.CommandContext(t.Context(), "git", append([]string{"-C", dir}, args...)...).Output()
				if err != nil {
					t.Fatal(args, err)
				}
				return string(out)
			}
			var texts, places []string
			for commit := range strings.Lines(git("log", "--no-merges", "--diff-filter=M", "--format=%H", "-n100", "--", "*"+r.extension)) {
				commit = strings.TrimSpace(commit)
				for name := range strings.SplitSeq(git("diff-tree", "-r", "-z", "--no-renames", "--diff-filter=M", "--name-only", commit+"^", commit, "--", "*"+r.extension), "\x00") {
					if name != "" {
						places = append(places, commit[:12]+" "+name)
						texts = append(texts, git("show", commit+"^:"+name), git("show", commit+":"+name))
					}
				}
			}
			compare(t, reference(t, r.command, r.extension, texts), func(pair int) string { return places[pair] })
		})
	}
}
