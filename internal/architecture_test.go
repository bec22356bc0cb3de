package internal_test

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/golden"
)

const architecture = "../docs/architecture.md"

// TestArchitectureDocument compares the tables of packages with floors and with the first
// sentences of the package comments.
func TestArchitectureDocument(t *testing.T) {
	rows := map[string][]string{} // by ring
	for _, p := range list(t) {
		name := strings.TrimPrefix(p.ImportPath, module)
		floor := slices.IndexFunc(floors, func(packages []string) bool {
			return slices.ContainsFunc(packages, func(of string) bool { ok, _ := path.Match(of, name); return ok })
		})
		if floor < 0 {
			continue // TestFloors wants one, except for tests and tools
		}
		purpose := regexp.MustCompile(`^(Package|Command) [a-z]+ (.*)\.$`).FindStringSubmatch(p.Doc)
		if purpose == nil {
			t.Errorf("the first sentence about %s is %q; want its name, a verb and a full stop", name, p.Doc)
			continue
		}
		ring := ringOf(name)
		rows[ring] = append(rows[ring], fmt.Sprintf("| %2d | `%s` | %s |\n", floor, name, strings.ReplaceAll(purpose[2], "|", `\|`)))
	}
	var tables strings.Builder
	for _, ring := range []string{"Inner ring", "Outer ring", "The program"} {
		fmt.Fprintf(&tables, "### %s\n\n| floor | package | purpose |\n|---|---|---|\n", ring)
		slices.SortFunc(rows[ring], func(a, b string) int { // the highest floor first
			return cmp.Or(strings.Compare(b[:4], a[:4]), strings.Compare(a, b))
		})
		tables.WriteString(strings.Join(rows[ring], "") + "\n")
	}
	golden.Part(t, architecture, "packages", tables.String())
	var bounds strings.Builder
	bounds.WriteString("| package | packages | lines |\n|---|---|---|\n")
	for _, r := range reaches {
		fmt.Fprintf(&bounds, "| `%s` | %d | %d |\n", r.name, r.packages, r.lines)
	}
	golden.Part(t, architecture, "reach", bounds.String())
}

func ringOf(name string) string {
	switch {
	case strings.HasPrefix(name, "cmd/"):
		return "The program"
	case isOuter(name):
		return "Outer ring"
	}
	return "Inner ring"
}

// TestPathOfACheck looks for the functions that the document names.
func TestPathOfACheck(t *testing.T) {
	text, err := os.ReadFile(architecture)
	if err != nil {
		t.Fatal(err)
	}
	steps := regexp.MustCompile(`(?m)^((?:cmd|internal)/[a-z/]+) +(\w+)  `).FindAllStringSubmatch(string(text), -1)
	if len(steps) < 20 {
		t.Fatalf("%s names %d functions; want the path of a check", architecture, len(steps))
	}
	for _, step := range steps {
		found := false
		files, _ := filepath.Glob(filepath.Join("..", step[1], "*.go"))
		for _, file := range files {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			found = found || regexp.MustCompile(`(?m)^func (\(\w+ \*?\w+\) )?`+step[2]+`\(`).Match(source)
		}
		if !found {
			t.Errorf("%s has no function %s, which %s names", step[1], step[2], architecture)
		}
	}
}

// TestDependencyDocument compares the modules in the document with go.mod.
func TestDependencyDocument(t *testing.T) {
	document, err := os.ReadFile(filepath.Join("..", "docs", "decisions", "001-dependencies.md"))
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join("..", "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	var documented []string
	for _, row := range regexp.MustCompile(`(?m)^\| ([^|]*[./][^|]*) \|`).FindAllStringSubmatch(string(document), -1) {
		documented = append(documented, strings.Split(row[1], ", ")...)
	}
	var direct []string
	for _, row := range regexp.MustCompile(`(?m)^\t(\S+) v\S+$`).FindAllStringSubmatch(string(mod), -1) {
		module := regexp.MustCompile(`/v\d+$`).ReplaceAllString(row[1], "")
		direct = append(direct, strings.TrimPrefix(module, "github.com/"))
	}
	covers := func(name, module string) bool { return name == module || strings.HasPrefix(name, module+"/") }
	for _, module := range direct {
		if !slices.ContainsFunc(documented, func(name string) bool { return covers(name, module) }) {
			t.Errorf("%s has no row in 001-dependencies.md", module)
		}
	}
	for _, name := range documented {
		if !slices.ContainsFunc(direct, func(module string) bool { return covers(name, module) }) {
			t.Errorf("001-dependencies.md has %s, which is no direct dependency in go.mod", name)
		}
	}
	if len(direct) < 20 {
		t.Errorf("%d direct dependencies; want all of go.mod", len(direct))
	}
}
