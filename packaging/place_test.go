package packaging_test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// place is the content of place.env.
type place struct{ repository, commit, version string }

func readPlace(t *testing.T) place {
	t.Helper()
	text, err := os.ReadFile("place.env")
	if err != nil {
		t.Fatal(err)
	}
	match := regexp.MustCompile(`(?m)^REPOSITORY=([\w.-]+/[\w.-]+)\nCOMMIT=([0-9a-f]{40})\nVERSION=(\S+)$`).FindSubmatch(text)
	if match == nil {
		t.Fatalf("place.env: want REPOSITORY, COMMIT and VERSION:\n%s", text)
	}
	return place{string(match[1]), string(match[2]), string(match[3])}
}

var (
	// addresses match the repository, but not in the path of a Go package.
	addresses = regexp.MustCompile(`(github\.com/|github:|ghcr\.io/|--repo )[\w.-]+/rulecheck\b(/cmd/)?`)
	actionPin = regexp.MustCompile(`(uses: )[\w.-]+/rulecheck(/comment)?@\S+( # [^\n]*)?`)
	hookPin   = regexp.MustCompile(`(https://github\.com/)[\w.-]+/rulecheck(\n +rev: )\S+( # [^\n]*)?`)
)

// in returns the text with this place in it.
func (p place) in(text string) string {
	pinned := p.commit + " # " + p.version
	text = hookPin.ReplaceAllString(text, "${1}"+p.repository+"${2}"+pinned)
	return actionPin.ReplaceAllString(text, "${1}"+p.repository+"${2}@"+pinned)
}

// TestPlace holds that documents, scripts and packages name the repository and pin the commit of
// place.env; UPDATE=1 rewrites them.
func TestPlace(t *testing.T) {
	p := readPlace(t)
	pages, err := filepath.Glob(filepath.Join("..", "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	packages := []string{
		"Dockerfile", "build.sh", "formula.sh", "image.sh", "nfpm.yaml", "release_test.go", "install_test.go",
		"summary.md", "wheel.py", filepath.Join("..", "install.sh"),
	}
	pins := 0
	for _, file := range slices.Concat(packages, []string{filepath.Join("..", "README.md")}, pages) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want := p.in(string(text))
		if slices.Contains(packages, file) {
			want = addresses.ReplaceAllStringFunc(want, func(address string) string {
				if strings.HasSuffix(address, "/cmd/") {
					return address
				}
				return addresses.FindStringSubmatch(address)[1] + p.repository
			})
		}
		pins += strings.Count(want, p.commit)
		switch {
		case want == string(text):
		case os.Getenv("UPDATE") != "":
			if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		default:
			t.Errorf("%s does not have the place in packaging/place.env; run: UPDATE=1 go test ./packaging -run '^TestPlace$'", file)
		}
	}
	if pins < 5 {
		t.Errorf("%d pins found; want those of README.md and docs/integrations.md", pins)
	}
}

// keyTable matches the table of all keys, and keyRow a key in it.
var (
	keyTable = regexp.MustCompile(`(?s)<!-- keys: generated.*?<!-- /keys`)
	keyRow   = regexp.MustCompile("(?m)^\\| `([^`]+)` \\|")
)

// TestPinnedCommit holds that the pinned commit has every mode and key that the documents name: an
// older program would refuse them, or pass what they find.
func TestPinnedCommit(t *testing.T) {
	p := readPlace(t)
	git := func(args ...string) (string, error) {
		out, err := exec.CommandContext(t.Context(), "git", append([]string{"-c", "safe.directory=*", "-C", ".."}, args...)...).Output()
		return string(out), err
	}
	if _, err := git("merge-base", "--is-ancestor", p.commit, "HEAD"); err != nil {
		if shallow, err := git("rev-parse", "--is-shallow-repository"); err != nil || shallow == "true\n" {
			t.Skip("no clone with the pinned commit")
		}
		t.Fatalf("the pinned commit %s is not in the history of HEAD; run: sh packaging/place.sh", p.commit)
	}
	const modes = "policies/rulecheck/modes/"
	old, err := git("ls-tree", "--name-only", p.commit, modes)
	if err != nil {
		t.Fatal(err)
	}
	now, err := os.ReadDir(filepath.Join("..", modes))
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range now {
		if mode.IsDir() && !slices.Contains(strings.Fields(old), modes+mode.Name()) {
			t.Errorf("the pinned commit %.12s lacks the mode %s; commit, run sh packaging/place.sh, and commit again", p.commit, mode.Name())
		}
	}
	pinned, err := git("grep", "-h", "-e", "", p.commit, "--", "docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	var current strings.Builder
	pages, err := filepath.Glob(filepath.Join("..", "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		current.Write(text)
	}
	known := keys(pinned)
	want := keys(current.String())
	if len(want) < 20 || len(known) < 20 {
		t.Fatalf("%d keys found, %d at the pinned commit; want those of the table of keys", len(want), len(known))
	}
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if !known[key] {
			t.Errorf("the pinned commit %.12s lacks the key %s; commit, run sh packaging/place.sh, and commit again", p.commit, key)
		}
	}
}

// keys returns the keys in the tables of a text.
func keys(text string) map[string]bool {
	all := map[string]bool{}
	for _, row := range keyRow.FindAllStringSubmatch(strings.Join(keyTable.FindAllString(text, -1), "\n"), -1) {
		all[row[1]] = true
	}
	return all
}
