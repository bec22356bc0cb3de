package languages_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"go/build"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/rulecheck/rulecheck/internal/content/symbol/languages"
)

// scope says which files a version of an API has.
type scope int

const (
	file      scope = iota
	document        // a file in a txtar archive
	directory       // in an archive
	tree            // all files of the language, in an archive
)

const archived = ".txtar"

// references are programs that print what files export, by the language's own parser, or what changed
// by a tool that compares APIs (scripts/references). Of the repository that the environment variable
// NAME_REPOSITORY names, where NAME is in capital letters without spaces, commits are compared too.
var references = []reference{
	{"TypeScript", ".ts", []string{"node", "typescript/testdata/exported.js"}, [2]string{"export ", ""}, file, false},
	{"PHP", ".php", []string{"php", "php/testdata/exported.php"}, [2]string{"public ", "private "}, file, false},
	{"Ruby", ".rb", []string{"ruby", "ruby/testdata/exported.rb"}, [2]string{"def ", "private def "}, file, false},
	{"Python", ".py", []string{"python3", "python/testdata/declared.py"}, [2]string{"def ", "def _"}, file, false},
	{"Java", ".java", []string{"java", "java/testdata/Exported.java"}, [2]string{"public ", "private "}, file, false},
	{"Go", ".go", []string{"go", "run", "-C", "../../../../scripts/references", ".", "apidiff"}, [2]string{"func ", "func x"}, directory, false},
	{"Protocol Buffers", ".proto", []string{"go", "run", "-C", "../../../../scripts/references", ".", "buf"}, [2]string{"repeated ", ""}, tree, true},
	{"C", ".h", []string{"python3", "cpp/testdata/exported.py"}, [2]string{"extern ", "static "}, file, false},
	{"C++", ".hpp", []string{"python3", "cpp/testdata/exported.py"}, [2]string{"public:", "private:"}, file, false},
	{"OpenAPI", ".yaml", []string{"go", "run", "-C", "../../../../scripts/references", ".", "oasdiff"}, [2]string{"required: true", "required: false"}, document, false},
}

type reference struct {
	language, extension string
	command             []string
	private             [2]string // a word of visibility, and what hides
	scope               scope
	breaks              bool // the reference does not see what is new
}

// version is one text of a file, or of an archive, and what the reference says about it.
type version struct {
	file, text string
	api        []string // nil: it cannot be read
}

// hidden matches the names of Go files that no other module can import.
var hidden = regexp.MustCompile(`(^|/)(internal|testdata|vendor)/`)

// whole returns the text of a version that has one file.
func (r reference) whole(name, text string) string {
	if r.scope == file {
		return text
	}
	return string(txtar.Format(&txtar.Archive{Files: []txtar.File{{Name: name, Data: []byte(text)}}}))
}

// at is the part of a repository that a version of a file has: itself, its directory or all.
func (r reference) at(name string) string {
	switch r.scope {
	case directory:
		return path.Dir(name)
	case tree:
		return ""
	default:
		return name
	}
}

// version returns the text of a version at a commit.
func (r reference) version(git func(args ...string) string, commit, name string) string {
	if r.scope == file {
		return git("show", commit+":"+name)
	}
	list := []string{"ls-tree", "-z", "--name-only", commit, name}
	if r.scope == directory {
		list[len(list)-1] = path.Dir(name) + "/"
	}
	if r.scope == tree {
		list = append(list[:len(list)-1], "-r")
	}
	var all txtar.Archive
	for name := range strings.SplitSeq(git(list...), "\x00") {
		if path.Ext(name) != path.Ext(r.extension) && r.scope != document || name == "" {
			continue
		}
		text := git("show", commit+":"+name)
		if r.language != "Go" || isBuilt(name, text) {
			all.Files = append(all.Files, txtar.File{Name: name, Data: []byte(text)})
		}
	}
	return string(txtar.Format(&all))
}

// isBuilt reports whether a file is of the package on Linux, and no test.
func isBuilt(name, text string) bool {
	where := build.Default
	where.GOOS, where.GOARCH, where.CgoEnabled = "linux", "amd64", true
	where.OpenFile = func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }
	is, err := where.MatchFile("", path.Base(name))
	return err == nil && is && !strings.HasSuffix(name, "_test.go")
}

// read reads texts by the reference, or skips the test where it cannot run.
func (r reference) read(t *testing.T, texts []string) []version {
	t.Helper()
	command, extension := r.command, r.extension
	if r.scope != file {
		extension = archived
	}
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
		if os.Getenv("REFERENCES") == "required" {
			t.Fatal("the reference cannot run: ", err, " ", problems.String())
		}
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

// exported lists what a version exports.
func exported(t *testing.T, v version) ([]string, error) {
	t.Helper()
	files := []txtar.File{{Name: v.file, Data: []byte(v.text)}}
	if filepath.Ext(v.file) == archived {
		files = txtar.Parse([]byte(v.text)).Files
	}
	var api []string
	for _, f := range files {
		symbols, err := languages.Read(t.Context(), f.Name, string(f.Data))
		if err != nil {
			return nil, err
		}
		for _, s := range symbols {
			if s.Exported {
				api = append(api, s.Kind+" "+s.Name+": "+s.Signature)
			}
		}
	}
	slices.Sort(api)
	return slices.Compact(api), nil
}

// compare asks of pairs of texts whether the API changed, or if the reference knows no more, whether
// something in it was changed or removed.
func compare(t *testing.T, versions []version, breaks bool, where func(pair int) string) {
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
		want, got := !slices.Equal(base.api, head.api), !slices.Equal(was, is)
		if breaks {
			got = len(without(was, is)) > 0
		}
		if want {
			changed++
		}
		if got != want {
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
		if s.declarations == nil { // of OpenAPI, whose schemas come last
			return text + "    Added: {type: string}\n"
		}
		return text + s.declarations[random.IntN(len(s.declarations))]
	case 4:
		lines[i] = strings.Replace(lines[i], private[0], private[1], 1)
	case 5:
		lines[i] = strings.TrimSuffix(lines[i], "\n") + " " + cmp.Or(s.comment, "#") + " f(x, \"\n"
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
			language, _ := languages.Of("x" + r.extension)
			dir := strings.ToLower(strings.NewReplacer(" ", "", "Buffers", "buf", "Protocol", "proto").Replace(r.language))
			switch r.language {
			case "Go":
				dir = "golang"
			case "C", "C++":
				dir = "cpp"
			}
			original, err := os.ReadFile(filepath.Join(dir, "testdata", "reference"+r.extension))
			if err != nil {
				original, err = os.ReadFile(filepath.Join(dir, "testdata", "golden"+r.extension))
			}
			if err != nil {
				t.Fatal(err)
			}
			random := rand.New(rand.NewPCG(1, 2))
			var texts []string
			for range 600 { // about a third can be read
				texts = append(texts, r.whole("a"+r.extension, string(original)), r.whole("a"+r.extension, mutated(random, samples[language.Name], string(original), r.private)))
			}
			versions := r.read(t, texts)
			compare(t, versions, r.breaks, func(pair int) string { return fmt.Sprint("mutation ", pair) })
		})
	}
}

func TestAPIOfCommitsChangesAsTheReferenceSays(t *testing.T) {
	for _, r := range references {
		t.Run(r.language, func(t *testing.T) {
			variable := strings.ToUpper(strings.NewReplacer(" ", "", "+", "P").Replace(r.language)) + "_REPOSITORY"
			dir, files, _ := strings.Cut(os.Getenv(variable), ":")
			if dir == "" {
				t.Skip(variable, " is not set")
			}
			if files == "" {
				files = "*" + r.extension
			}
			git := func(args ...string) string {
				out, err := exec.CommandContext(t.Context(), "git", append([]string{"-C", dir}, args...)...).Output()
				if err != nil {
					t.Fatal(args, err)
				}
				return string(out)
			}
			var texts, places []string
			for commit := range strings.Lines(git("log", "--no-merges", "--diff-filter=M", "--format=%H", "-n100", "--", files)) {
				commit = strings.TrimSpace(commit)
				seen := map[string]bool{}
				for name := range strings.SplitSeq(git("diff-tree", "-r", "-z", "--no-renames", "--diff-filter=M", "--name-only", commit+"^", commit, "--", files), "\x00") {
					at := r.at(name)
					if name == "" || seen[at] || r.language == "Go" && hidden.MatchString(name) {
						continue
					}
					seen[at] = true
					places = append(places, commit[:12]+" "+at)
					texts = append(texts, r.version(git, commit+"^", name), r.version(git, commit, name))
				}
			}
			compare(t, r.read(t, texts), r.breaks, func(pair int) string { return places[pair] })
		})
	}
}
