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
	// addresses match the repository; the files that are rewritten name no package of Go.
	addresses  = regexp.MustCompile(`(github\.com/|github:|ghcr\.io/|--repo )[\w.-]+/rulecheck\b`)
	rawAddress = regexp.MustCompile(`(raw\.githubusercontent\.com/)[\w.-]+/rulecheck/[^/\s]+`)
	actionPin  = regexp.MustCompile(`(uses: )[\w.-]+/rulecheck(/comment)?@\S+( # [^\n]*)?`)
	hookPin    = regexp.MustCompile(`(/rulecheck\n +rev: )\S+( # [^\n]*)?`)
	clonePin   = regexp.MustCompile(`(/rulecheck "\${1,2}d" && git -C "\${1,2}d" checkout -q )\S+`)
	inputPin   = regexp.MustCompile(`(description: Commit or tag of rulecheck\n +default: )\S+( # [^\n]*)?`)
)

// passages have the text of documents before there is a public repository, and after it.
var passages = [][2]string{
	{
		"Nothing is published yet: no release, no package and no public repository. Build rulecheck from a clone of the repository that you are reading,\n" +
			"whose address or directory is `URL` here. You need",
		"Install a [package](docs/integrations.md#packages) of the [latest release](https://github.com/PLACE/releases/latest), or build rulecheck from a\n" +
			"clone. You need",
	},
	{"git clone URL rulecheck", "git clone https://github.com/PLACE rulecheck"},
	{
		"in `.pre-commit-config.yaml`. `OWNER/rulecheck` is a repository to which you pushed your clone:",
		"in `.pre-commit-config.yaml`:",
	},
	{
		"or in any other CI system. Nothing is published yet, so all\nintegrations build rulecheck from source, which requires Go. " +
			"Push your [clone](../README.md#install) to a repository that they can read: the\nexamples call it `OWNER/rulecheck`.",
		"or in any other CI system. The examples build rulecheck\nfrom source, which requires Go.",
	},
	{
		"Nothing is published yet: push your [clone](../README.md#install) to a repository that the jobs can read. The examples call it\n" +
			"`OWNER/rulecheck` and build the program of a commit in it.",
		"The examples build the program of a commit of rulecheck.",
	},
	{
		"There is no release yet, so no registry has these packages. `make packages` builds them in `bin/packages`. None needs",
		"Each [release](https://github.com/PLACE/releases) has these files. None needs",
	},
}

// in returns the text with this place in it.
func (p place) in(text string) string {
	pinned := p.commit + " # " + p.version
	text = actionPin.ReplaceAllString(text, "${1}"+p.repository+"${2}@"+pinned)
	text = addresses.ReplaceAllString(text, "${1}"+p.repository)
	text = rawAddress.ReplaceAllString(text, "${1}"+p.repository+"/"+p.commit)
	text = clonePin.ReplaceAllString(text, "${1}"+p.commit)
	for _, pin := range []*regexp.Regexp{hookPin, inputPin} {
		text = pin.ReplaceAllString(text, "${1}"+pinned)
	}
	for _, passage := range passages {
		before, after := passage[0], strings.ReplaceAll(passage[1], "PLACE", p.repository)
		if p.published() {
			text = strings.ReplaceAll(text, before, after)
		}
	}
	return text
}

// published reports whether there is a public repository.
func (p place) published() bool { return !strings.HasPrefix(p.repository, "OWNER/") }

// TestPlace holds that documents, scripts and packages name the repository and pin the commit of
// place.env; UPDATE=1 rewrites them.
func TestPlace(t *testing.T) {
	p := readPlace(t)
	files := []string{
		"Dockerfile", "build.sh", "formula.sh", "image.sh", "nfpm.yaml", "release_test.go", "install_test.go", "summary.md", "wheel.py",
		"../install.sh", "../README.md", "../mkdocs.yml", "vscode/package.json", "vscode/README.md",
	}
	for _, pattern := range []string{"../docs/*.md", "../templates/*.yml", "../internal/fleet/manifest/templates/*.yaml", "../internal/fleet/manifest/testdata/*.golden"} {
		more, err := filepath.Glob(filepath.FromSlash(pattern))
		if err != nil || len(more) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(more), err)
		}
		files = append(files, more...)
	}
	public := place{"some/rulecheck", strings.Repeat("ab", 20), "v1.2.0"}
	unpublished := regexp.MustCompile("OWNER/rulecheck|git clone URL|Nothing is published|no release yet")
	pins, said := 0, 0
	for _, file := range files {
		text, err := os.ReadFile(filepath.FromSlash(file))
		if err != nil {
			t.Fatal(err)
		}
		want := p.in(string(text))
		pins += strings.Count(want, p.commit)
		for _, passage := range passages {
			said += strings.Count(want, passage[0])
		}
		if left := unpublished.FindString(public.in(string(text))); left != "" {
			t.Errorf("%s says %q after a release", file, left)
		}
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
	if pins < 20 {
		t.Errorf("%d pins found; want those of README.md, pages and templates", pins)
	}
	if !p.published() && said != len(passages) {
		t.Errorf("%d of %d passages found; change those in place_test.go with the documents", said, len(passages))
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
