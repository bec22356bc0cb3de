package diff_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/native"
	"github.com/rulecheck/rulecheck/internal/diff/program"
	"github.com/rulecheck/rulecheck/internal/git"
)

// engines are all engines. Each must give git's answer or refuse: an error that
// wraps diff.ErrNeedsGit is no answer, a wrong answer is a bug.
var engines = []struct {
	name string
	open func(t failer, s *sandbox) (diff.Engine, error)
}{
	{"program", func(t failer, s *sandbox) (diff.Engine, error) {
		p, err := program.Open(t.Context(), git.Options{Dir: s.dir, Env: s.userEnv()})
		if err != nil {
			return nil, err
		}
		// Prompts, scenarios and scripts use small indexes, and the default.
		p.LargeIndexSize = 0
		return p, nil
	}},
	{"embedded", func(_ failer, s *sandbox) (diff.Engine, error) { return openNative(s) }},
}

func openNative(s *sandbox) (diff.Engine, error) {
	e, err := native.Open(native.Options{Dir: s.dir, Env: s.userEnv()})
	if err != nil {
		return nil, err // not a nil engine in an interface
	}
	return e, nil
}

// refused reports whether the native engine left a question to git.
func refused(err error) bool {
	return errors.Is(err, diff.ErrNeedsGit) && errors.As(err, new(*diff.NoVerdictError))
}

// TestEmbedded runs the tests of behaviour with the embedded engine.
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
		{"commit with unborn HEAD", TestCommitWithUnbornHead},
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
		{"search", TestSearch},
		{"search of unreadable files", TestSearchSkipsNoUnreadableFile},
		{"search of missing objects", TestSearchOfMissingObject},
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

func (e skipping) Search(ctx context.Context, head diff.Head, text string, paths []string) ([]string, error) {
	files, err := e.Engine.Search(ctx, head, text, paths)
	e.s.skipRefused(err)
	return files, err
}

func (e skipping) Files(ctx context.Context, head diff.Head) ([]string, error) {
	files, err := e.Engine.Files(ctx, head)
	e.s.skipRefused(err)
	return files, err
}
