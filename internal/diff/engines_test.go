package diff_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/objects"
)

// engines are all engines. Each must give git's answer or refuse: an error that
// wraps diff.ErrNeedsGit is no answer, a wrong answer is a bug.
var engines = []struct {
	name string
	open func(t failer, s *sandbox) (diff.Engine, error)
}{
	{"program", func(t failer, s *sandbox) (diff.Engine, error) {
		options := git.Options{Dir: s.dir, Env: s.env}
		repo, err := git.Open(t.Context(), options)
		if err != nil {
			return nil, err
		}
		p, err := diff.Begin(t.Context(), options, diff.BaseRequest{}).Program(t.Context())
		if err != nil {
			return nil, err
		}
		if d := cmp.Diff(repo, p.Repo(), cmpopts.IgnoreFields(git.Repo{}, "Runner")); d != "" {
			t.Fatalf("the repository (-as git says, +as it was opened):\n%s", d)
		}
		// Prompts, scenarios and scripts have small indexes, and the program as it is.
		p.TakeIndexForLarge()
		return p, nil
	}},
	{"embedded", func(t failer, s *sandbox) (diff.Engine, error) {
		return openEmbedded(t.Context(), s)
	}},
}

func openEmbedded(ctx context.Context, s *sandbox) (diff.Engine, error) {
	return diff.OpenEmbedded(ctx, diff.EmbeddedOptions{
		Dir: s.dir, Env: s.env,
		Objects: func(dirs []string) diff.ObjectStore { return objects.Open(dirs) },
	})
}

// TestEmbeddedWithoutObjects: without anything that reads objects there is an error,
// before anything is read.
func TestEmbeddedWithoutObjects(t *testing.T) {
	t.Parallel()
	const want = "the embedded engine was given nothing that reads objects; hand in objects.Open as EmbeddedOptions.Objects"
	if _, err := diff.OpenEmbedded(t.Context(), diff.EmbeddedOptions{Dir: t.TempDir()}); err == nil || err.Error() != want {
		t.Errorf("error %v; want %s", err, want)
	}
}

// refused reports whether err says that the embedded engine leaves a case to git.
func refused(err error) bool {
	return errors.Is(err, diff.ErrNeedsGit) && errors.As(err, new(*diff.UnjudgeableError))
}

// TestEmbedded runs the tests of behaviour once more, with the embedded engine.
// A case that it refuses is skipped.
func TestEmbedded(t *testing.T) {
	for _, test := range []struct {
		name string
		run  func(*testing.T)
	}{
		{"default branch", TestDefaultBranch},
		{"bases", TestBases},
		{"head", TestHead},
		{"bare", TestBare},
		{"commit beside unborn HEAD", TestCommitBesideUnbornHead},
		{"merging", TestMerging},
		{"criss-cross", TestCrissCross},
		{"no base", TestNoBase},
		{"worktree changes", TestWorktreeChanges},
		{"untracked without deletions", TestUntrackedWithoutDeletions},
		{"renames", TestRenames},
		{"rename with two candidates", TestRenameWithTwoCandidates},
		{"only out of the index", TestOnlyOutOfTheIndex},
		{"odd names", TestOddNames},
		{"submodules", TestSubmodules},
		{"unborn", TestUnborn},
		{"staged", TestStaged},
		{"user touches nothing", TestUserTouchesNothing},
		{"unmerged", TestUnmerged},
		{"edit in the same instant", TestEditInTheSameInstant},
		{"too many renames", TestTooManyRenames},
		{"environment", TestEnvironmentChangesNothing},
		{"ignore and filter settings", TestIgnoreAndFilterSettingsCount},
		{"places", TestPlaces},
		{"sparse checkout", TestSparseCheckout},
		{"another index", TestAnotherIndex},
		{"contents", TestContents},
		{"missing object", TestMissingObject},
		{"files", TestFiles},
		{"tree", TestTree},
		{"tree keeps inside", TestTreeKeepsInside},
		{"tree is a file system", TestTreeIsAFileSystem},
		{"lines", TestLines},
		{"many names", TestManyNames},
		{"details", TestDetails},
		{"details of lfs", TestDetailsOfLFS},
	} {
		t.Run(test.name, test.run)
	}
}

// open starts the engine that a test is for, in the sandbox's directory: under
// TestEmbedded that one, else the program.
func (s *sandbox) open() engine {
	s.t.Helper()
	row := engines[0]
	if test, named := s.t.(interface{ Name() string }); named && strings.HasPrefix(test.Name(), "TestEmbedded/") {
		row = engines[1]
	}
	e, err := row.open(s.t, s)
	if err != nil {
		s.skipRefused(err)
		s.t.Fatalf("open: %v", err)
	}
	return skipping{e, s}
}

// skipRefused ends a test whose question the embedded engine refused.
func (s *sandbox) skipRefused(err error) {
	if test, skips := s.t.(interface{ Skip(args ...any) }); skips && refused(err) {
		test.Skip(err)
	}
}

// skipping is an engine whose refusals end the test.
type skipping struct {
	diff.Engine
	s *sandbox
}

func (e skipping) Changes(ctx context.Context, base diff.Base, head diff.Head) (diff.Changeset, error) {
	set, err := e.Engine.Changes(ctx, base, head)
	e.s.skipRefused(err)
	return set, err
}

func (e skipping) Files(ctx context.Context, head diff.Head) ([]string, error) {
	files, err := e.Engine.Files(ctx, head)
	e.s.skipRefused(err)
	return files, err
}
