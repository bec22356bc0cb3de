//go:build bench

package main_test

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

	"github.com/google/go-cmp/cmp"
)

// peer is a program doing the same job as others, in a table of benchmarks.
type peer struct {
	needs string // the program that has to be installed; empty: it always is
	says  string // the command as the table shows it
	argv  []string
}

// TestBenchmarkPeers measures other hook runners on the same job: one process of
// gofmt for all staged files.
func TestBenchmarkPeers(t *testing.T) {
	program, at := programs(t)
	dir := commandRepository(t, "gofmt -l {files}", "all_matches", true)
	writeFiles(t, dir, map[string]string{
		"lefthook.yml":            "output: false\npre-commit:\n  commands:\n    fmt:\n      glob: '*.go'\n      run: gofmt -l {staged_files}\n",
		".lintstagedrc.json":      `{"*.go": "gofmt -l"}`,
		".pre-commit-config.yaml": "repos:\n  - repo: local\n    hooks:\n      - {id: fmt, name: fmt, language: system, entry: gofmt -l, files: '\\.go$', require_serial: true}\n",
	})
	run(t, dir, "git", "add", ".pre-commit-config.yaml") // prek refuses one that git does not know
	run(t, dir, "git", "-c", "user.name=b", "-c", "user.email=b@example.com", "commit", "-q", "-m", "x", ".pre-commit-config.yaml")
	git := "git diff --cached --name-only -z | xargs -0 gofmt -l"
	versus(t, dir, fmt.Sprintf("Compared with other hook runners: %d staged files, one gofmt for all of them", stagedFiles), []peer{
		{"", git, []string{"sh", "-c", git}},
		{"", "rulecheck --staged --quiet", []string{program, "--staged", "--quiet"}},
		{at("prek"), "prek run --quiet", []string{at("prek"), "run", "--quiet"}},
		{at("lefthook"), "lefthook run pre-commit", []string{at("lefthook"), "run", "pre-commit"}},
		{at("lint-staged"), "lint-staged --quiet --no-stash", []string{at("lint-staged"), "--quiet", "--no-stash"}},
		{at("lint-staged"), "lint-staged --quiet", []string{at("lint-staged"), "--quiet"}},
	}, nil)
}

// TestBenchmarkPeerRules compares tools that can report that a file changed without
// another. Each must find what the others find.
func TestBenchmarkPeerRules(t *testing.T) {
	program, at := programs(t)
	const changed, alone = 500, 10
	dir := t.TempDir()
	run(t, dir, "git", "init", "-q", "-b", "main")
	commit := func() {
		run(t, dir, "git", "add", "-A")
		run(t, dir, "git", "-c", "user.name=b", "-c", "user.email=b@example.com", "commit", "-q", "-m", "x")
	}
	files := map[string]string{
		".rulecheck/rules/pairs.md": "---\npair: {trigger: 'src/{path}.py', expects: 'tests/{path}_test.py'}\n---\nChange the test too.\n",
		"dangerfile.js": `const changed = new Set([...danger.git.modified_files, ...danger.git.created_files, ...danger.git.deleted_files])
for (const file of changed) {
  const m = /^src\/(.+)\.py$/.exec(file)
  if (m && !changed.has("tests/" + m[1] + "_test.py")) fail(file + " changed without tests/" + m[1] + "_test.py")
}
`,
		"policy/pairs.rego": "package main\n\ndeny contains message if {\n\tsome file in input.changed\n" +
			"\tcaptures := regex.find_all_string_submatch_n(`^src/(.+)\\.py$`, file, 1)[0]\n" +
			"\texpected := sprintf(\"tests/%s_test.py\", [captures[1]])\n\tnot expected in input.changed\n" +
			"\tmessage := sprintf(\"%s changed without %s\", [file, expected])\n}\n",
	}
	edits := map[string]string{}
	var wanted []string
	for i := range 2 * changed {
		source, test := fmt.Sprintf("src/p%02d/unit%d.py", i%20, i), fmt.Sprintf("tests/p%02d/unit%d_test.py", i%20, i)
		files[source], files[test] = "a\n", "a\n"
		if i < changed {
			edits[source] = "b\n"
		}
		if i < alone {
			wanted = append(wanted, source)
		}
		if i >= alone && i < changed {
			edits[test] = "b\n"
		}
	}
	writeFiles(t, dir, files)
	commit()
	run(t, dir, "git", "switch", "-q", "-c", "feature")
	writeFiles(t, dir, edits)
	commit()
	list := `{ echo changed:; git diff --name-only main...HEAD | sed 's/.*/- "&"/'; } | `
	versus(t, dir, fmt.Sprintf("Compared with other change checkers: %d sources and %d tests changed, one rule", changed, changed-alone), []peer{
		{"", "rulecheck --since main --to HEAD --quiet", []string{program, "--since", "main", "--to", "HEAD", "--quiet"}},
		{at("conftest"), list + "conftest test --parser yaml -", []string{"sh", "-c", list + at("conftest") + " test --no-color --parser yaml -"}},
		{at("danger"), "danger local --base main --failOnErrors", []string{at("danger"), "local", "--base", "main", "--failOnErrors"}},
	}, wanted, "ifttt-lint is in neither npm nor the Go proxy, and was not measured.")
}

// programs gives rulecheck, and where each of the others would be.
func programs(t *testing.T) (program string, at func(name string) string) {
	t.Helper()
	peers := os.Getenv("PEERS")
	if peers == "" {
		t.Skip("PEERS names no directory of programs; see make bench")
	}
	program, err := filepath.Abs(filepath.Join("..", "..", "bin", "rulecheck"))
	if err != nil {
		t.Fatal(err)
	}
	return program, func(name string) string { return filepath.Join(peers, name) }
}

// versus writes a section with the peers that are installed. Each must name
// the files that are wanted, no other, and fail; pass if there are none.
func versus(t *testing.T, dir, title string, peers []peer, wanted []string, more ...string) {
	t.Helper()
	var rows []peer
	var list []measured
	var remarks []string
	ours := 0
	for _, p := range peers {
		if _, err := os.Stat(p.needs); p.needs != "" && err != nil {
			remarks = append(remarks, fmt.Sprintf("`%s` could not be installed where this was measured.", p.says))
			continue
		}
		if strings.HasPrefix(p.says, "rulecheck") {
			ours = len(rows)
		}
		list = append(list, measured{argv: p.argv, same: len(rows)})
		rows = append(rows, p)
		cmd := exec.Command(p.argv[0], p.argv[1:]...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if exit := (*exec.ExitError)(nil); (len(wanted) == 0) != (err == nil) || err != nil && !errors.As(err, &exit) {
			t.Fatalf("%s: %v\n%s", p.says, err, out)
		}
		named := regexp.MustCompile(`src/[a-z0-9/]+\.py`).FindAllString(string(out), -1)
		slices.Sort(named)
		if diff := cmp.Diff(slices.Sorted(slices.Values(wanted)), slices.Compact(named)); len(wanted) > 0 && diff != "" {
			t.Fatalf("%s names (-want +got):\n%s", p.says, diff)
		}
	}
	times := measure(t, dir, list)
	var doc strings.Builder
	fmt.Fprintf(&doc, "\n## %s\n\n| command | median ms | vs. rulecheck |\n|---|--:|--:|\n", title)
	for i, p := range rows {
		fmt.Fprintf(&doc, "| `%s` | %.0f | %.2f |\n", strings.ReplaceAll(p.says, "|", `\|`), milliseconds(times[i]), milliseconds(times[i])/milliseconds(times[ours]))
	}
	for _, remark := range append(remarks, more...) {
		doc.WriteString("\n" + remark + "\n")
	}
	record(t, doc.String())
}

func writeFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
