package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// documents are the README and those it lists, by their paths from here.
func documents(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "docs", "*.md"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d documents, %v", len(files), err)
	}
	decisions, err := filepath.Glob(filepath.Join("..", "..", "docs", "decisions", "*.md"))
	if err != nil || len(decisions) == 0 {
		t.Fatalf("%d decisions, %v", len(decisions), err)
	}
	root := filepath.Join("..", "..")
	return slices.Concat(files, decisions, []string{filepath.Join(root, "README.md"), filepath.Join(root, "CONTRIBUTING.md"), filepath.Join(root, "SECURITY.md")})
}

func readDocument(t *testing.T, file ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(file...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestCallsInDocuments checks the calls in the "sh" blocks of all documents: arguments
// of rulecheck parse, targets of make exist, and packages that go installs exist.
func TestCallsInDocuments(t *testing.T) {
	makefile := readDocument(t, "..", "..", "Makefile")
	calls := 0
	for _, file := range documents(t) {
		for _, b := range codeBlocks(readDocument(t, file)) {
			if b.language != "sh" || b.file != "" {
				continue // a script
			}
			for line := range strings.Lines(b.body) {
				call, _, _ := strings.Cut(line, "#")
				words := shellWord.FindAllString(strings.ReplaceAll(call, `"`, ""), -1)
				if len(words) == 0 {
					continue
				}
				calls++
				if err := readable(words, makefile); err != nil {
					t.Errorf("%s: %q: %v", file, line, err)
				}
			}
		}
	}
	if calls == 0 {
		t.Error("no call was read")
	}
}

// readable returns an error if a call in a document is not valid.
func readable(words []string, makefile string) error {
	last := words[len(words)-1]
	switch words[0] {
	case "git":
		return nil
	case "rulecheck":
		return parses(words[1:])
	case "make":
		target := slices.IndexFunc(words[1:], func(w string) bool { return !strings.Contains(w, "=") }) + 1
		if !strings.Contains(makefile, "\n"+words[target]+": ") {
			return fmt.Errorf("the Makefile has no target %s", words[target])
		}
		return nil
	case "cd":
		return nil
	case "sh": // a script of the repository
		_, err := os.Stat(filepath.Join("..", "..", words[1]))
		return err
	case "go":
		const module = "github.com/rulecheck/rulecheck/"
		directory, _, _ := strings.Cut(strings.TrimPrefix(last, module), "@")
		_, err := os.Stat(filepath.Join("..", "..", directory))
		return err
	case "docker": // run … IMAGE, and the arguments of rulecheck
		image := slices.Index(words, "IMAGE")
		if image < 0 {
			return errors.New("docker runs no IMAGE")
		}
		return parses(words[image+1:])
	default:
		return fmt.Errorf("%s is not one of rulecheck, git, make, cd, sh, go and docker", words[0])
	}
}

// TestEveryConsoleIsRun checks that a test runs every console in a document.
func TestEveryConsoleIsRun(t *testing.T) {
	for _, file := range documents(t) {
		name, err := filepath.Rel(filepath.Join("..", "..", "docs"), file)
		if err != nil {
			t.Fatal(err)
		}
		if name = filepath.ToSlash(name); slices.Contains(consoleDocuments, name) {
			continue
		}
		if strings.Contains(readDocument(t, file), "\n```console\n") {
			t.Errorf("%s has consoles and is not in consoleDocuments", name)
		}
	}
}

// TestIndex checks that docs/README.md and the navigation of the site list every page.
func TestIndex(t *testing.T) {
	index, site := readDocument(t, "..", "..", "docs", "README.md"), readDocument(t, "..", "..", "mkdocs.yml")
	pages, err := filepath.Glob(filepath.Join("..", "..", "docs", "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	for _, file := range pages {
		name := filepath.Base(file)
		if name != "README.md" && !strings.Contains(index, "]("+name+")") {
			t.Errorf("docs/README.md does not link to %s", name)
		}
		if !strings.Contains(site, ": "+name+"\n") {
			t.Errorf("the nav of mkdocs.yml does not list %s", name)
		}
	}
}

// TestFixedCommits checks that the commits of rulecheck that README.md and
// docs/integrations.md install are in the history of HEAD. A shallow clone lacks it.
func TestFixedCommits(t *testing.T) {
	text := readDocument(t, "..", "..", "README.md") + readDocument(t, "..", "..", "docs", "integrations.md")
	pinned := regexp.MustCompile(`(?:/rulecheck|/comment)@([0-9a-f]{40})\b|rev: ([0-9a-f]{40})\b`).FindAllStringSubmatch(text, -1)
	if len(pinned) < 3 {
		t.Errorf("%d commits are named; want those of pre-commit and the action", len(pinned))
	}
	git := func(args ...string) (string, error) {
		out, err := exec.CommandContext(t.Context(), "git", args...).CombinedOutput()
		return strings.TrimSpace(string(out)), err
	}
	if shallow, err := git("rev-parse", "--is-shallow-repository"); err != nil || shallow == "true" {
		t.Skip("the history is not here")
	}
	for _, m := range pinned {
		if out, err := git("merge-base", "--is-ancestor", m[1]+m[2], "HEAD"); err != nil {
			t.Errorf("%s is not in the history of HEAD: %v %s", m[0], err, out)
		}
	}
}

var (
	link    = regexp.MustCompile(`\]\(([^)#\s]*)(?:#([^)\s]+))?\)`)
	code    = regexp.MustCompile("(?s)\n(`{3,}).*?\n`{3,}\n|`[^`\n]+`")
	heading = regexp.MustCompile(`(?m)^#+ (.+)$`)
	unslug  = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
)

// TestLinksInDocuments follows the links from each document to others, and to
// headings in them, by the anchors that GitHub gives.
func TestLinksInDocuments(t *testing.T) {
	for _, file := range documents(t) {
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(readDocument(t, file), ""), -1) {
			to, anchor := m[1], m[2]
			if strings.Contains(to, "://") {
				continue
			}
			target := file
			if to != "" {
				target = filepath.Join(filepath.Dir(file), filepath.FromSlash(to))
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: %v", file, err)
			} else if anchor != "" && !slices.Contains(anchors(readDocument(t, target)), anchor) {
				t.Errorf("%s: no heading of %s is #%s", file, target, anchor)
			}
		}
	}
}

func anchors(document string) []string {
	var all []string
	for _, m := range heading.FindAllStringSubmatch(document, -1) {
		all = append(all, strings.ReplaceAll(unslug.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-"))
	}
	return all
}

// TestReadmeIntegrations checks that the configuration in README.md is also in
// docs/integrations.md, which another test checks.
func TestReadmeIntegrations(t *testing.T) {
	known := map[string]bool{}
	for line := range strings.Lines(readDocument(t, "..", "..", "docs", "integrations.md")) {
		known[strings.TrimSpace(line)] = true
	}
	blocks := strings.Split(readDocument(t, "..", "..", "README.md"), "\n```yaml\n")[1:]
	for _, block := range blocks {
		block, _, _ = strings.Cut(block, "```")
		for line := range strings.Lines(block) {
			if !known[strings.TrimSpace(line)] {
				t.Errorf("docs/integrations.md does not have the line %q", line)
			}
		}
	}
	if len(blocks) == 0 {
		t.Error("README.md shows no integration")
	}
}

// TestSecurityDocument checks that SECURITY.md names calls that parse, files and sections that
// exist, and no address.
func TestSecurityDocument(t *testing.T) {
	text := readDocument(t, "..", "..", "SECURITY.md")
	calls := 0
	for _, code := range regexp.MustCompile("`(rulecheck[^`]*)`").FindAllStringSubmatch(text, -1) {
		if strings.HasSuffix(code[1], "…") {
			continue
		}
		calls++
		if err := parses(strings.Fields(code[1])[1:]); err != nil {
			t.Errorf("%s: %v", code[1], err)
		}
	}
	links := 0
	for _, link := range regexp.MustCompile(`\]\(([^)]*)\)`).FindAllStringSubmatch(text, -1) {
		if strings.HasPrefix(link[1], "https://docs.github.com/") {
			continue
		}
		links++
		file, section, _ := strings.Cut(link[1], "#")
		heading := "(?mi)^#+ " + strings.ReplaceAll(section, "-", "[ -]") + "$"
		if !regexp.MustCompile(heading).MatchString(readDocument(t, "..", "..", file)) {
			t.Errorf("%s: no such section", link[1])
		}
	}
	if calls < 8 || links < 3 || strings.Contains(text, "@") {
		t.Errorf("%d calls and %d links, an address %v", calls, links, strings.Contains(text, "@"))
	}
}
