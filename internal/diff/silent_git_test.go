package diff_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/program"
	"github.com/rulecheck/rulecheck/internal/git"
)

// silenceGit puts a git on PATH that succeeds and prints only the first bytes, or nothing, for
// one subcommand.
func silenceGit(t *testing.T, subcommand, bytes string) {
	t.Helper()
	gitPath, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	script := "#!/bin/sh\nfor a; do\n  case $a in\n  -c) ;;\n  " + subcommand + ") " +
		`"` + gitPath + `" "$@" | head -c ` + bytes + "\n     exit 0;;\n  esac\ndone\nexec \"" + gitPath + "\" \"$@\"\n"
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// TestSilentGit has no question that takes silence for an answer.
func TestSilentGit(t *testing.T) {
	s := newSandbox(t)
	s.write("file", "1\n2\n")
	s.write("same", "1\n")
	base := s.commit("base")
	s.git("checkout", "-q", "-b", "topic")
	s.write("file", "1\n3\n")
	topic := s.commit("topic")
	s.write("untracked", "u\n")
	s.write("file", "1\n4\n")

	ctx := context.Background()
	changes := func(kind diff.HeadKind, from string) func(*program.Engine) error {
		return func(p *program.Engine) error {
			ref := ""
			if kind == diff.Commit {
				ref = "HEAD"
			}
			head, err := p.Head(ctx, kind, ref)
			if err == nil {
				_, err = p.Changes(ctx, diff.Base{ID: diff.From, Ref: from, Commit: from}, head)
			}
			return err
		}
	}
	listed := []diff.Change{{Path: "file", Status: diff.Modified, Mode: "100644", Kind: diff.File}}
	for _, c := range []struct {
		subcommand, question string
		ask                  func(*program.Engine) error
	}{
		{"rev-parse", "opening", changes(diff.Commit, base)},
		{"merge-base", "base", func(p *program.Engine) error {
			_, err := p.Resolve(ctx, diff.BaseRequest{ID: diff.MergeBase, Head: diff.Head{Kind: diff.Worktree, Commit: topic}})
			return err
		}},
		{"for-each-ref", "default branch", func(p *program.Engine) error {
			_, err := p.Resolve(ctx, diff.BaseRequest{ID: diff.DefaultTip, Head: diff.Head{Kind: diff.Worktree, Commit: topic}})
			return err
		}},
		{"diff", "changes of a commit", changes(diff.Commit, base)},
		{"diff", "changes of the working tree", changes(diff.Worktree, base)},
		{"diff-index", "changes of the index", changes(diff.Index, base)},
		{"ls-files", "untracked files", changes(diff.Worktree, base)},
		{"diff", "lines", func(p *program.Engine) error {
			_, err := p.Lines(ctx, diff.Base{Commit: base}, diff.Head{Kind: diff.Commit, Commit: topic}, listed)
			return err
		}},
		{"diff", "edits", func(p *program.Engine) error {
			_, err := p.Details(ctx, diff.Base{Commit: base}, diff.Head{Kind: diff.Worktree}, listed, []diff.Part{diff.PartAddedLines})
			return err
		}},
		{"cat-file", "content", func(p *program.Engine) error {
			_, err := p.Contents(ctx, diff.Head{Kind: diff.Commit, Commit: topic}, []string{"file"}, -1)
			return err
		}},
		{"cat-file", "size", func(p *program.Engine) error {
			_, err := p.Details(ctx, diff.Base{Commit: base}, diff.Head{Kind: diff.Commit, Commit: topic}, listed, []diff.Part{diff.PartSize})
			return err
		}},
		{"check-attr", "filters", func(p *program.Engine) error {
			_, err := p.Details(ctx, diff.Base{Commit: base}, diff.Head{Kind: diff.Worktree}, listed, []diff.Part{diff.PartLFS})
			return err
		}},
		{"diff-tree", "names of commits", func(p *program.Engine) error {
			_, err := p.Touched(ctx, []string{topic})
			return err
		}},
		{"grep", "files with a text", func(p *program.Engine) error {
			_, err := p.Search(ctx, diff.Head{Kind: diff.Commit, Commit: topic}, "1", nil)
			return err
		}},
		{"rev-parse", "hook", func(p *program.Engine) error {
			_, err := p.Hook(ctx, "pre-commit")
			return err
		}},
	} {
		for _, bytes := range []string{"0", "7"} {
			t.Run(c.subcommand+" "+c.question+" "+bytes, func(t *testing.T) {
				whole, err := program.Open(ctx, git.Options{Dir: s.dir, Env: s.env})
				if err == nil {
					err = c.ask(whole)
				}
				if err != nil {
					t.Fatalf("a git that answers: %v", err)
				}
				silenceGit(t, c.subcommand, bytes)
				p, err := program.Open(ctx, git.Options{Dir: s.dir, Env: s.env})
				if err == nil {
					err = c.ask(p)
				}
				if err == nil {
					t.Errorf("git %s, cut after %s bytes, is believed", c.subcommand, bytes)
				}
			})
		}
	}
}

// TestNothingChanged: a comparison without changes is one where git does answer.
func TestNothingChanged(t *testing.T) {
	s := newSandbox(t)
	for _, files := range []int{0, 1} { // an empty commit, and one with a file
		if files > 0 {
			s.write("file", "1\n")
		}
		base := s.commit("base")
		for _, kind := range heads {
			equal(t, s.changes(kind, base), []string{})
		}
		tree := s.git("hash-object", "-t", "tree", "--stdin")
		for _, kind := range heads {
			e := s.open()
			set, err := e.Changes(t.Context(), diff.Base{Commit: tree}, s.head(e, kind))
			if err != nil || len(set.Changes) != files {
				t.Errorf("%s from the empty tree: %v, %v; want %d changes", kind, set.Changes, err, files)
			}
		}
	}
}
