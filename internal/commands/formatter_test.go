package commands_test

import (
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/commands"
)

// formatters are real ones, with what they read besides the files they are given.
var formatters = map[string]struct {
	argv   []string // the program first
	files  map[string]string
	others map[string]string
	// want must be in the results, to show that every configuration is used.
	want map[string]string
}{
	"gofmt": {
		argv: []string{"gofmt", "-w"},
		files: map[string]string{
			"main.go": "package main\nfunc  main ( ) { println( 1 ) }\n", "sub/pkg/a.go": "package pkg\nvar  x=map[string]int{\n\"a\":1,\n\"long\":2,\n}\n",
		},
		others: map[string]string{"go.mod": "module example.com/x\n\ngo 1.21\n", "sub/go.mod": "module example.com/x/sub\n\ngo 1.17\n"},
		want:   map[string]string{"main.go": "func main() { println(1) }", "sub/pkg/a.go": "\"a\":    1,"},
	},
	"prettier": {
		argv: []string{"prettier", "--write"},
		files: map[string]string{
			"a.js": "const a = { b : \"c\" };\nif (a) { a.b() }\n", "sub/b.js": "const a = { b : \"c\" };\nif (a) { a.b() }\n", "sub/deep/c.json": "{\"a\":[1,\n2]}",
			"wide/d.css": "a{color:red}",
		},
		others: map[string]string{
			"prettier.config.mjs": "import semi from 'shared-style';\nexport default { semi };\n", "sub/.prettierrc": "singleQuote: true\n",
			".editorconfig": "root = true\n[*]\nindent_style = space\nindent_size = 3\n", "wide/.editorconfig": "[*.css]\nindent_style = tab\n",
			"node_modules/shared-style/package.json": `{"name": "shared-style", "type": "module", "exports": "./index.js"}`,
			"node_modules/shared-style/index.js":     "export default false;\n", ".prettierignore": "dist\n",
		},
		want: map[string]string{"a.js": "{ b: \"c\" }\n", "sub/b.js": "{ b: 'c' };\n", "wide/d.css": "\tcolor"},
	},
	"black": {
		argv: []string{"black", "-q"},
		files: map[string]string{
			"a.py": "def f(first, second, third, fourth): return 'x'\n", "sub/b.py": "def f(first, second, third, fourth): return 'x'\n", "sub/deep/c.pyi": "def f( ) : ...\n",
		},
		others: map[string]string{
			"pyproject.toml": "[tool.black]\nline-length = 30\n", "sub/pyproject.toml": "[tool.black]\nskip-string-normalization = true\n",
		},
		want: map[string]string{"a.py": "def f(\n    first,", "sub/b.py": "return 'x'"},
	},
}

// find is where a formatter is: in PATH, or where scripts/formatters.sh puts it.
func find(tb testing.TB, name string) string {
	tb.Helper()
	if file, err := exec.LookPath(name); err == nil {
		return file
	}
	tools, err := filepath.Glob("../../.tools/" + name + "-*/node_modules/.bin/" + name)
	if err != nil || len(tools) == 0 {
		tb.Skipf("there is no %s; run scripts/formatters.sh, or install it", name)
	}
	file, err := filepath.Abs(tools[len(tools)-1])
	if err != nil {
		tb.Fatal(err)
	}
	return file
}

// TestFormatters have the same result in a copy as in place, with Landlock and
// where links must not be trusted, and head's configuration counts where the
// working tree's is another.
func TestFormatters(t *testing.T) {
	if testing.Short() {
		t.Skip("runs formatters")
	}
	for name, f := range formatters {
		t.Run(name, func(t *testing.T) {
			argv := append([]string{find(t, name)}, f.argv[1:]...)
			want := inPlace(t, argv, f.files, f.others, 1)
			for file, part := range f.want {
				if !strings.Contains(want[file], part) {
					t.Fatalf("in place, %s is\n%s\nwant in it %q", file, want[file], part)
				}
			}
			for _, sandbox := range []string{"required", "off"} {
				w := newProject(t, f.files)
				w.options.Sandbox = sandbox
				w.options.Tree.All = every(slices.Concat(slices.Collect(maps.Keys(f.files)), slices.Collect(maps.Keys(f.others)))...)
				for file, content := range f.others {
					w.put(t, file, content, false)
				}
				each := w.job("each", append(argv, "{file}")...)
				all := w.batch("all", append(argv, "{files}")...)
				same(t, want, f.files, w.run(t, each))
				same(t, inPlace(t, argv, f.files, f.others, len(f.files)), f.files, w.run(t, all))

				for file := range f.others {
					if !strings.HasPrefix(file, "node_modules/") {
						w.put(t, file, "a configuration that is not staged, and wrong", false)
						w.options.Tree.Differ = append(w.options.Tree.Differ, commands.Sibling{File: commands.File{Path: file, Content: []byte(f.others[file])}})
					}
				}
				w.put(t, ".prettierrc.json", "{}", false)
				w.put(t, "sub/.prettierrc.json", "{}", false)
				for _, file := range []string{".prettierrc.json", "sub/.prettierrc.json"} {
					w.options.Tree.Differ = append(w.options.Tree.Differ, commands.Sibling{File: commands.File{Path: file}, Absent: true})
				}
				same(t, want, f.files, w.run(t, each))
			}
		})
	}
}

// same fails unless a run left the files as want has them.
func same(t *testing.T, want, files map[string]string, r commands.Total) {
	t.Helper()
	got := maps.Clone(files)
	maps.Copy(got, kept(r))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("in a copy (- in place)\n%s", diff)
	}
	for _, o := range r.Outcomes {
		if o.Exit != 0 || o.Failed != "" || !o.Idempotent {
			t.Errorf("%q: %d %s\n%s%s", o.Argv, o.Exit, o.Failed, o.Stderr, o.Difference)
		}
	}
	if len(r.Notices) > 0 {
		t.Errorf("got %q", r.Notices)
	}
}

// inPlace returns the result of running a formatter on files by hand, with so many
// files at a time.
func inPlace(t *testing.T, argv []string, files, others map[string]string, most int) map[string]string {
	t.Helper()
	w := newProject(t, files)
	for file, content := range others {
		w.put(t, file, content, false)
	}
	if err := os.Mkdir(filepath.Join(w.root, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	result := map[string]string{}
	for given := range slices.Chunk(slices.Sorted(maps.Keys(files)), most) {
		cmd := exec.CommandContext(t.Context(), argv[0], slices.Concat(argv[1:], given)...)
		cmd.Dir = w.root
		cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+w.options.Cache)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%q: %v\n%s", argv, err, out)
		}
	}
	root := os.DirFS(w.root)
	for file := range files {
		content, err := fs.ReadFile(root, file)
		if err != nil {
			t.Fatal(err)
		}
		result[file] = string(content)
	}
	return result
}
