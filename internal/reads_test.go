package internal_test

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

// wholeReads are the files that read something to its end other than by
// [internal/regular], and the bound or the reason.
var wholeReads = map[string]string{
	"internal/regular/regular.go":                   "has the bounds",
	"internal/agents/hook/gate/answer.go":           "the end of a log, up to a limit",
	"internal/git/remote.go":                        "git's answers, up to the caller's limit",
	"internal/git/call.go":                          "git's answers: names and objects of the repository, in git's own memory before",
	"internal/gitfile/store.go":                     "objects up to regular.Most",
	"internal/diff/program/entries.go":              "blobs up to the caller's limit",
	"internal/diff/read/contents.go":                "files up to the caller's limit",
	"internal/diff/read/hook.go":                    "hooks up to a limit",
	"internal/agents/workflow/store/read.go":        "the end of a journal, up to regular.Most",
	"internal/condition/library.go":                 "files of the program",
	"internal/content/symbol/treesitter/runtime.go": "files of the program",
	"internal/agents/agentlog/store.go":             "databases that are compressed, up to a limit",
	"internal/trust/store.go":                       "records up to a limit",
	"internal/commands/scratch.go":                  "what commands leave, up to a limit",
	"internal/fleet/list/list.go":                   "an export, up to a limit",
	"internal/sandbox/execute_linux.go":             "/proc",
	"internal/sandbox/process_linux.go":             "/proc",
	"internal/sandbox/mediate_linux.go":             "/proc",
	"cmd/rulecheck/hook.go":                         "a payload up to a limit",
	"cmd/rulecheck/workflow.go":                     "standard input up to a limit",
	"cmd/rulecheck/try.go":                          "standard input up to a limit",
}

var wholeRead = regexp.MustCompile(`\b(?:os|fs|ioutil)\.ReadFile\(|\bio\.ReadAll\(|\.ReadFrom\(|\bconditionFiles\.ReadFile\(`)

// TestWholeReadsAreBounded finds what reads all there is. What is read was made by others.
func TestWholeReadsAreBounded(t *testing.T) {
	seen := map[string]bool{}
	err := fs.WalkDir(os.DirFS(".."), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (path.Base(name) == "testdata" || name == "scripts" || name != "." && strings.HasPrefix(d.Name(), ".")) {
			return fs.SkipDir
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "internal/gittest/") || strings.HasPrefix(name, "internal/golden/") {
			return nil
		}
		text, err := os.ReadFile(path.Join("..", name))
		if err == nil && wholeRead.Match(text) {
			if seen[name] = true; wholeReads[name] == "" {
				t.Errorf("%s reads something whole; want regular.ReadAtMost, regular.ReadFS, or its bound in wholeReads", name)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range wholeReads {
		if !seen[name] && !strings.HasSuffix(name, "_linux.go") {
			t.Errorf("wholeReads names %s, which reads nothing whole", name)
		}
	}
}
