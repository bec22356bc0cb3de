package written_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rulecheck/rulecheck/internal/past/written"
	"github.com/rulecheck/rulecheck/internal/regular"
)

// read returns the pairs of globs that documents state: near ones with "=", others with "~".
func read(t *testing.T, tree map[string]string, names ...string) []string {
	t.Helper()
	root := fstest.MapFS{}
	var files []string
	for name, text := range tree {
		root[name] = &fstest.MapFile{Data: []byte(text)}
		files = append(files, name)
	}
	slices.Sort(files)
	found, err := written.Read(root, names, files)
	if err != nil {
		t.Fatal(err)
	}
	var pairs []string
	for _, s := range found {
		sign := "~"
		if s.Near {
			sign = "="
		}
		pairs = append(pairs, fmt.Sprintf("%s:%d %s %s %s", s.File, s.Line, s.A, sign, s.B))
	}
	return pairs
}

func TestRead(t *testing.T) {
	t.Parallel()
	tree := func(document, text string) map[string]string {
		return map[string]string{
			document: text, "src/a.proto": "", "gen/a.pb.go": "", "docs/cli.md": "", "CHANGELOG.md": "", "src/cmd/list.go": "", "src/cmd/x.go": "",
			"Makefile":       "proto: src/a.proto\n\t./scripts/gen.sh\nPB := $(patsubst %.proto,%.pb.go,$(ALL))\n",
			"scripts/gen.sh": "protoc src/*.proto\nmv out gen/a.pb.go\n",
		}
	}
	for _, c := range []struct{ name, document, text, want string }{
		{"sentence", "A.md", "x\n\nChange `src/a.proto` with `docs/cli.md`.", "A.md:3 src/a.proto = docs/cli.md"},
		{"extension", "A.md", "A `.proto` file changes `gen/`.", "A.md:1 **/*.proto = gen/**"},
		{"glob and base name", "A.md", "`src/*.proto` and cli.md", "A.md:1 src/*.proto = docs/cli.md"},
		{"placeholder", "A.md", "`src/<name>.proto`, `docs/cli.md`", "A.md:1 src/<name>.proto = docs/cli.md"},
		{"link", "docs/B.md", "[here](../src/a.proto), [cli](cli.md)", "docs/B.md:1 src/a.proto = docs/cli.md"},
		{"forge", "A.md", "[x](https://forge.example/o/r/blob/main/src/a.proto#L1) `docs/cli.md`", "A.md:1 src/a.proto = docs/cli.md"},
		{"word", "A.md", "Add `src/a.proto` to the changelog", "A.md:1 src/a.proto = CHANGELOG.md"},
		{"row", "A.md", "| a | b |\n|---|---|\n| `src/a.proto` | `docs/cli.md` |", "A.md:3 src/a.proto = docs/cli.md"},
		{"section", "A.md", "- `src/a.proto`\n- `docs/cli.md`\n", "A.md:2 src/a.proto ~ docs/cli.md"},
		{"addition", "A.md", "Register it in `src/cmd/list.go`.", "A.md:1 src/cmd/** = src/cmd/list.go"},
		{"paths", ".github/workflows/a.yml", "on:\n  push:\n    paths:\n      - 'src/*.proto'\n      - gen/**\n", ".github/workflows/a.yml:5 src/*.proto = gen/**"},
		{"target", "A.md", "After `docs/cli.md`, run `make proto`.", "A.md:1 docs/cli.md ~ gen/a.pb.go"},
		{"script of a target", "A.md", "```sh\nmake proto\n```\n", "A.md:0 gen/a.pb.go ~ src/*.proto"},
		{"makefile", "Makefile", "PB := $(patsubst %.proto,%.pb.go,$(ALL))\n", "Makefile:1 **/%.proto = **/%.pb.go"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := read(t, tree(c.document, c.text), c.document); !slices.Contains(got, c.want) {
				t.Errorf("found\n%s\nwant %s", strings.Join(got, "\n"), c.want)
			}
		})
	}
}

func TestReadNothing(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "Words without files.", "`missing.go` and `other.go`", "`src/a.go`", "# `src/a.go`\n\ntext\n\n# `docs/b.md`\n",
		"<https://example.com/src/a.go> and <https://example.com/docs/b.md>", "`rm -rf /` `$(reboot)` `../../etc/passwd`",
	} {
		if got := read(t, map[string]string{"A.md": text, "src/a.go": "", "docs/b.md": ""}, "A.md"); len(got) > 0 {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// TestReadIsBounded reads a document that names very many files, and programs that run each other.
func TestReadIsBounded(t *testing.T) {
	t.Parallel()
	tree := map[string]string{"Makefile": "a: b\n\tmake a b\nb: a\n\t./scripts/x.sh\n", "scripts/x.sh": "./scripts/y.sh\n", "scripts/y.sh": "./scripts/x.sh src/f1.go src/f2.go\n"}
	var b strings.Builder
	for i := range 1500 {
		name := fmt.Sprintf("src/f%d.go", i)
		tree[name] = ""
		fmt.Fprintf(&b, "`%s` `src/f%d.go` `src/f%d.go`\n\n", name, (i*7)%1500, (i*31)%1500)
	}
	b.WriteString("Run `make a`.\n" + strings.Repeat("`src/f1.go` ", 20_000))
	tree["A.md"] = b.String()
	if got := read(t, tree, "A.md"); len(got) != 4000 {
		t.Errorf("%d statements; want 4000", len(got))
	}
	if _, err := written.Read(fstest.MapFS{"A.md": {Data: make([]byte, regular.Text+1)}}, []string{"A.md"}, []string{"A.md"}); !errors.Is(err, regular.ErrTooLarge) {
		t.Errorf("a large document: %v", err)
	}
	if _, err := written.Read(fstest.MapFS{}, []string{"A.md"}, nil); !errors.As(err, new(*written.MissingError)) {
		t.Errorf("a missing document: %v", err)
	}
}
