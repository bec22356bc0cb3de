package check_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/finding"
)

// ifChangeCase is a case of testdata/ifchange_cases.json: two versions of some files,
// and the findings of a rule about all files. Other lists of findings may be right, too.
type ifChangeCase struct {
	ID            string            `json:"id"`
	FilesBefore   map[string]string `json:"files_before"`
	FilesAfter    map[string]string `json:"files_after"`
	ModeAfter     map[string]string `json:"files_mode_after"`
	CommitMessage string            `json:"commit_message"`
	Expect        []expectation     `json:"expect"`
	Alternatives  [][]expectation   `json:"alternatives"`
}

type expectation struct {
	Path        string   `json:"path"`
	Line        int      `json:"line"`
	Kind        string   `json:"kind"`
	Target      string   `json:"target"`
	AcceptLines []int    `json:"accept_lines"`
	AcceptKinds []string `json:"accept_kinds"`
	Optional    bool     `json:"optional"`
}

// TestIfChangeCases runs the corpus of directives, each case as two commits.
func TestIfChangeCases(t *testing.T) {
	text, err := os.ReadFile("testdata/ifchange_cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []ifChangeCase
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	r := newRepository(t)
	r.importCases(cases)
	for i, c := range cases {
		t.Run(c.ID, func(t *testing.T) {
			rep, err := check.Run(t.Context(), r.Open(), check.Options{From: fmt.Sprintf("case%d~", i), To: fmt.Sprintf("case%d", i)})
			if err != nil {
				t.Fatal(err)
			}
			if len(rep.Errors) > 0 {
				t.Fatalf("problems %v", rep.Errors)
			}
			found := slices.DeleteFunc(rep.Findings, finding.Finding.Waived)
			if slices.ContainsFunc(append(c.Alternatives, c.Expect), func(list []expectation) bool { return assign(found, list) }) {
				return
			}
			for _, f := range found {
				t.Errorf("found %s:%d: %s", f.Path, f.Line, f.Message)
			}
			t.Errorf("want %+v", c.Expect)
		})
	}
}

// importCases makes two commits for each case.
func (r *repository) importCases(cases []ifChangeCase) {
	r.T.Helper()
	var b strings.Builder
	commit := func(ref, message string, files, modes map[string]string) {
		fmt.Fprintf(&b, "commit refs/heads/%s\ncommitter a <a@example.org> 1700000000 +0000\ndata %d\n%s\n", ref, len(message), message)
		b.WriteString("deleteall\n")
		files = maps.Clone(files)
		files[".rulecheck/rules/directives.md"] = "---\nifchange: \"**\"\n---\nKeep them in step.\n"
		for _, name := range slices.Sorted(maps.Keys(files)) {
			mode := "100644"
			if modes[name] != "" {
				mode = modes[name]
			}
			fmt.Fprintf(&b, "M %s inline %s\ndata %d\n%s\n", mode, name, len(files[name]), files[name])
		}
	}
	for i, c := range cases {
		ref := fmt.Sprintf("case%d", i)
		commit(ref, "base", c.FilesBefore, nil)
		message := c.CommitMessage
		if message == "" {
			message = "change"
		}
		commit(ref, message, c.FilesAfter, c.ModeAfter)
	}
	cmd := exec.CommandContext(r.T.Context(), "git", "fast-import", "--quiet", "--force")
	cmd.Dir, cmd.Env, cmd.Stdin = r.Dir, r.Env, strings.NewReader(b.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		r.T.Fatalf("git fast-import: %v\n%s", err, out)
	}
}

// assign reports whether findings fulfil expectations one to one.
func assign(found []finding.Finding, list []expectation) bool {
	if len(found) == 0 {
		return !slices.ContainsFunc(list, func(e expectation) bool { return !e.Optional })
	}
	for i, e := range list {
		if e.fits(found[0]) && assign(found[1:], slices.Delete(slices.Clone(list), i, i+1)) {
			return true
		}
	}
	return false
}

func (e expectation) fits(f finding.Finding) bool {
	kind, target := kindOf(f)
	return f.Path == e.Path && (f.Line == e.Line || slices.Contains(e.AcceptLines, f.Line)) &&
		(kind == e.Kind || slices.Contains(e.AcceptKinds, kind)) &&
		(target == "" || e.Target == "" || target == e.Target || kind != e.Kind)
}

// kindOf returns the kind of a finding and the target that it names.
func kindOf(f finding.Finding) (kind, target string) {
	if rest, ok := strings.CutPrefix(f.Message, "this block changed without "); ok {
		return "missing_change", rest
	}
	if rest, ok := strings.CutPrefix(f.Message, "missing target "); ok {
		target, _, _ = strings.Cut(rest, ": no such")
		return "missing_target", target
	}
	if rest, ok := strings.CutPrefix(f.Message, "missing label "); ok {
		label, rest, _ := strings.Cut(rest, " in ")
		file, _, _ := strings.Cut(rest, "; want")
		return "missing_label", file + ":" + strings.Trim(label, `"`)
	}
	for beginning, kind := range map[string]string{"malformed": "malformed", "orphan": "orphan", "duplicate label": "duplicate_label", "nested": "nested"} {
		if strings.HasPrefix(f.Message, beginning) {
			return kind, ""
		}
	}
	return f.Message, ""
}
