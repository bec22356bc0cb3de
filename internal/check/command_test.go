package check_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/report"
)

// withCommands are options by which commands run.
func withCommands(t *testing.T) check.Options {
	t.Helper()
	return check.Options{Commands: check.Commands{
		Temps: []string{t.TempDir()}, Cache: filepath.Join(t.TempDir(), "cache"), Environ: []string{"PATH=" + os.Getenv("PATH")},
		Now: func() time.Time { return time.Time{} },
	}}
}

// shell is a rule for Python files whose command is a line of shell.
func shell(line string) string {
	return "---\ntrigger: '**/*.py'\naction: {command: [sh, -c, \"" + line + "\", sh, '{file}']}\n---\n"
}

func TestACommandThatChangesNothingPasses(t *testing.T) {
	r := project(t, "fmt", shell("test -f $1"))
	r.Write("src/a.py", "changed\n")
	rep := r.check(withCommands(t))
	equal(t, rep.Summary, report.Summary{Changes: 1, Rules: 1})
	equal(t, rep.Status(finding.Note), 0)
	equal(t, len(rep.Commands), 1)
	equal(t, rep.Commands[0].Files, []string{"src/a.py"})
	equal(t, rep.Commands[0].Idempotent, true)
}

func TestCommandFindings(t *testing.T) {
	for _, tc := range []struct{ name, rule, want string }{
		{"changes", shell("echo done > $1"), "fmt: `sh -c 'echo done > $1' sh src/a.py` changes src/a.py; run: rulecheck --fix"},
		{"must not fix", strings.Replace(shell("echo done > $1"), "action: {", "action: {fix: false, ", 1), "fmt: `sh -c 'echo done > $1' sh src/a.py` changes src/a.py"},
		{"fails", shell("exit 7"), "fmt: `sh -c 'exit 7' sh src/a.py` ended with status 7"},
		{"grows", shell("echo x >> $1"), "fmt: `sh -c 'echo x >> $1' sh src/a.py` is not idempotent: run on its own result it changes it again"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := project(t, "fmt", tc.rule)
			r.Write("src/a.py", "changed\n")
			rep := r.check(withCommands(t))
			equal(t, messages(rep), []string{tc.want})
			equal(t, rep.Status(finding.Error), 1)
			equal(t, rep.Findings[0].TriggerFiles, []string{"src/a.py"})
			content, err := os.ReadFile(filepath.Join(r.Dir, "src/a.py"))
			equal(t, string(content), "changed\n")
			equal(t, err, nil)
		})
	}
}

func TestOutputOfAFailingCommandIsInTheBody(t *testing.T) {
	r := project(t, "fmt", shell("echo told; echo '```' >&2; exit 1"))
	r.Write("src/a.py", "changed\n")
	equal(t, r.check(withCommands(t)).Findings[0].Body, "standard output:\n\n```\ntold\n```\n\nstandard error:\n\n````\n```\n````")
}

func TestCommandsGetExistingTextFiles(t *testing.T) {
	r := project(t, "fmt", shell("echo done > $1"))
	r.Write("src/gone.py", "x\n")
	r.Commit("more")
	r.Git("rm", "-q", "src/gone.py")
	r.Write("src/binary.py", "a\x00b")
	r.Write("src/lfs.py", pointer)
	if err := os.Symlink("a.py", filepath.Join(r.Dir, "src/link.py")); err != nil {
		t.Fatal(err)
	}
	o := withCommands(t)
	o.From = "HEAD"
	rep := r.check(o)
	equal(t, rep.Commands, []report.Command(nil))
	equal(t, rep.Notices, []string{"2 files not given to commands: binary, or stored in Git LFS"})
	equal(t, len(rep.Errors), 1)
	equal(t, rep.Errors[0].Message, "rule fmt: its command does not run on src/binary.py, src/lfs.py: binary, or stored in Git LFS, and not so at the base; exclude it, or set commands: {binary: skip}")
	equal(t, rep.Summary.NotEvaluable, 1)

	r.Write(".rulecheck/config.yml", "commands: {binary: skip}\n")
	equal(t, len(r.check(o).Errors), 0)
}

const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"

// A file that was binary at the base, and one in a format without lines, are left out.
func TestCommandsLeaveOutFilesThatWereBinary(t *testing.T) {
	r := project(t, "fmt", shell("echo done > $1"))
	r.Write("src/binary.py", "a\x00b")
	r.Write("src/lfs.py", pointer)
	r.Commit("more")
	r.Write("src/binary.py", "a\x00c")
	r.Write("src/lfs.py", strings.Replace(pointer, "12345", "1", 1))
	o := withCommands(t)
	o.From = "HEAD"
	rep := r.check(o)
	equal(t, rep.Notices, []string{"2 files not given to commands: binary, or stored in Git LFS"})
	equal(t, len(rep.Errors), 0)
}

func TestFixKeepsWhatCommandsChange(t *testing.T) {
	r := project(t, "fmt", shell("echo done > $1"))
	r.Write("src/a.py", "changed\n")
	o := withCommands(t)
	repo, err := git.Open(t.Context(), git.Options{Dir: r.Dir, Env: r.Env})
	if err != nil {
		t.Fatal(err)
	}
	o.Commands.Fix, o.Commands.Repo = true, repo
	rep := r.check(o)
	equal(t, rep.Notices, []string{"fixed 1 file: src/a.py"})
	equal(t, len(rep.Findings), 0)
	content, err := os.ReadFile(filepath.Join(r.Dir, "src/a.py"))
	equal(t, string(content), "done\n")
	equal(t, err, nil)
}

func TestCommandsOfAnUntrustedChangeDoNotRun(t *testing.T) {
	r := project(t, "fmt", shell("exit 1"))
	r.Write("src/a.py", "changed\n")
	r.Commit("change")
	o := withCommands(t)
	o.RulesFrom = check.RulesFromBase
	rep := r.check(o)
	equal(t, len(rep.Findings), 0)
	equal(t, rep.Notices, []string{"1 command did not run: the change may not choose what is run; commands.trust_head is not set where the rules come from (fmt)"})
	r.Git("checkout", "-q", "main")
	r.Write(".rulecheck/config.yml", "commands: {trust_head: true}\n")
	r.Commit("trust")
	r.Git("checkout", "-q", "topic")
	r.Git("merge", "-q", "--no-edit", "main")
	equal(t, len(r.check(o).Findings), 1)
}

// TestToolCaches keeps the programs that the commands of one repository put into their
// cache from those of another.
func TestToolCaches(t *testing.T) {
	options := withCommands(t)
	for i, want := range []string{"", "", "planted"} {
		r := project(t, "fmt", shell("cat $XDG_CACHE_HOME/planted; echo planted > $XDG_CACHE_HOME/planted; exit 1"))
		r.Write("src/a.py", "changed\n")
		rep := r.check(options)
		if i == 2 { // the same repository again
			rep = r.check(options)
		}
		equal(t, strings.TrimSpace(rep.Commands[0].Stdout), want)
	}
}
