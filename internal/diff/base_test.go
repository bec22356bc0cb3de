package diff_test

import (
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/diff"
)

func (s *sandbox) resolve(kind diff.HeadKind, r diff.BaseRequest) (diff.Base, error) {
	e := s.open()
	r.Head = s.head(e, kind)
	return e.Resolve(s.t.Context(), r)
}

// TestDefaultBranch walks the search, one step missing at a time.
func TestDefaultBranch(t *testing.T) {
	for _, tt := range []struct {
		name       string
		setup      []string // git commands after one commit on main
		configured string
		ref, found string
	}{
		{"no remote, main", nil, "", "main", "tip of main"},
		{"no remote, master", []string{"branch -m main master"}, "", "master", "tip of master"},
		{"main before master", []string{"branch master"}, "", "main", "tip of main"},
		{
			"no remote, no such branch",
			[]string{"branch -m main trunk"},
			"",
			"HEAD", "tip of HEAD (the only branch)",
		},
		{
			"origin/HEAD",
			[]string{
				"remote add origin .", "fetch -q origin main:refs/remotes/origin/release/2.x",
				"symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/release/2.x",
			},
			"", "origin/release/2.x", "tip of origin/release/2.x (origin/HEAD)",
		},
		{
			"origin/HEAD that leads nowhere",
			[]string{
				"remote add origin .", "fetch -q origin main:refs/remotes/origin/main",
				"symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/gone",
			},
			"", "origin/main", "tip of origin/main",
		},
		{
			"origin/master",
			[]string{"remote add origin .", "update-ref refs/remotes/origin/master HEAD"},
			"", "origin/master", "tip of origin/master",
		},
		{"a remote that was not fetched", []string{"remote add origin ."}, "", "main", "tip of main"},
		{
			"the only remote, by another name",
			[]string{"remote add up/stream .", "fetch -q up/stream main:refs/remotes/up/stream/main"},
			"", "up/stream/main", "tip of up/stream/main",
		},
		{
			"the branch's own remote before origin",
			[]string{
				"remote add origin .", "remote add fork .", "fetch -q origin", "fetch -q fork",
				"config branch.main.remote fork",
			},
			"", "fork/main", "tip of fork/main",
		},
		{
			"a branch that tracks a local one",
			[]string{"remote add origin .", "fetch -q origin", "config branch.main.remote ."},
			"", "origin/main", "tip of origin/main",
		},
		{
			"a detached HEAD",
			[]string{"remote add origin .", "remote add fork .", "fetch -q origin", "checkout -q --detach"},
			"", "origin/main", "tip of origin/main",
		},
		{
			"several remotes, none of them meant",
			[]string{"remote add a .", "remote add b .", "fetch -q a", "fetch -q b"},
			"", "main", "tip of main",
		},
		{"configured", []string{"branch release/2.x"}, "release/2.x", "release/2.x", "tip of release/2.x (default_branch)"},
		{
			"configured, at the remote",
			[]string{"remote add origin .", "branch dev", "fetch -q origin"},
			"dev", "origin/dev", "tip of origin/dev (default_branch)",
		},
		{
			"configured with its remote",
			[]string{"remote add origin .", "branch dev", "fetch -q origin"},
			"origin/dev", "origin/dev", "tip of origin/dev (default_branch)",
		},
		{"configured in full", nil, "refs/heads/main", "main", "tip of main (default_branch)"},
		{"configured as a tag", []string{"tag v1"}, "v1", "v1", "tip of v1 (default_branch)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newSandbox(t)
			s.write("a", "1\n")
			commit := s.commit("base")
			for _, command := range tt.setup {
				s.git(strings.Fields(command)...)
			}
			r := diff.BaseRequest{ID: diff.DefaultTip, DefaultBranch: tt.configured}
			got, err := s.resolve(diff.Worktree, r)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, got, diff.Base{ID: diff.DefaultTip, Ref: tt.ref, Commit: commit, FoundBy: tt.found})
			r.ID = diff.MergeBase
			got, err = s.resolve(diff.Index, r)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, got, diff.Base{
				ID: diff.MergeBase, Ref: tt.ref, Commit: commit,
				FoundBy: "merge base with" + strings.TrimPrefix(tt.found, "tip of"),
			})
		})
	}
}

// forked is a history with a branch: base – main and base – feature, HEAD at
// feature.
func forked(t *testing.T) (s *sandbox, base, main, feature string) {
	t.Helper()
	s = newSandbox(t)
	s.write("a", "1\n")
	base = s.commit("base")
	s.git("checkout", "-q", "-b", "feature")
	s.write("f", text("f", 9))
	feature = s.commit("feature")
	s.git("checkout", "-q", "main")
	s.write("m", text("m", 9))
	main = s.commit("main")
	s.git("checkout", "-q", "feature")
	return s, base, main, feature
}

func TestBases(t *testing.T) {
	s, base, main, feature := forked(t)
	s.write("m", text("m", 9))
	for _, tt := range []struct {
		name    string
		request diff.BaseRequest
		want    diff.Base
		changes []string
	}{
		{
			"base",
			diff.BaseRequest{ID: diff.MergeBase},
			diff.Base{ID: "base", Ref: "main", Commit: base, FoundBy: "merge base with main"},
			[]string{"added f", "added m untracked"},
		},
		{
			"default tip",
			diff.BaseRequest{ID: diff.DefaultTip},
			diff.Base{ID: "default_tip", Ref: "main", Commit: main, FoundBy: "tip of main"},
			[]string{"added f"},
		},
		{
			"since",
			diff.BaseRequest{ID: diff.Since, Ref: "main"},
			diff.Base{ID: "since", Ref: "main", Commit: base, FoundBy: "merge base with main"},
			[]string{"added f", "added m untracked"},
		},
		{
			"from",
			diff.BaseRequest{ID: diff.From, Ref: "main"},
			diff.Base{ID: "from", Ref: "main", Commit: main, FoundBy: "--from"},
			[]string{"added f"},
		},
		{
			"from HEAD",
			diff.BaseRequest{ID: diff.From, Ref: "HEAD"},
			diff.Base{ID: "from", Ref: "HEAD", Commit: feature, FoundBy: "--from"},
			[]string{"added m untracked"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := s.open()
			head := s.head(e, diff.Worktree)
			tt.request.Head = head
			got, err := e.Resolve(t.Context(), tt.request)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, got, tt.want)
			equal(t, changed(t, e, got, head), tt.changes)
		})
	}
}

func TestHead(t *testing.T) {
	s, base, main, feature := forked(t)
	e := s.open()
	for _, tt := range []struct {
		kind diff.HeadKind
		ref  string
		want diff.Head
	}{
		{diff.Worktree, "", diff.Head{Kind: diff.Worktree, Commit: feature, Branch: "feature"}},
		{diff.Index, "", diff.Head{Kind: diff.Index, Commit: feature, Branch: "feature"}},
		{diff.Commit, "main", diff.Head{Kind: diff.Commit, Ref: "main", Commit: main, Branch: "feature"}},
		{diff.Commit, "HEAD~1", diff.Head{Kind: diff.Commit, Ref: "HEAD~1", Commit: base, Branch: "feature"}},
	} {
		got, err := e.Head(t.Context(), tt.kind, tt.ref)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, got, tt.want)
	}
	s.git("checkout", "-q", "--detach")
	equal(t, s.head(s.open(), diff.Index), diff.Head{Kind: diff.Index, Commit: feature})

	if _, err := e.Head(t.Context(), "stash", ""); err == nil || !strings.Contains(err.Error(), "worktree, index, commit") {
		t.Errorf("head stash: %v; want an error that names the kinds", err)
	}
	if _, err := e.Resolve(t.Context(), diff.BaseRequest{ID: "stash"}); err == nil || !strings.Contains(err.Error(), "base, default_tip, prompt, since, from") {
		t.Errorf("base stash: %v; want an error that names the bases", err)
	}
}

func TestBare(t *testing.T) {
	s, base, main, _ := forked(t)
	bare := s.at("../bare")
	s.git("clone", "-q", "--bare", "--branch", "main", ".", bare.dir)
	equal(t, bare.changes(diff.Commit, base), []string{"added m"})
	e := bare.open()
	equal(t, bare.head(e, diff.Commit), diff.Head{Kind: diff.Commit, Ref: "HEAD", Commit: main, Branch: "main"})
	_, err := e.Head(t.Context(), diff.Worktree, "")
	noVerdict(t, err, "there is no working tree here", "rulecheck --to HEAD")
}

// TestCommitWithUnbornHead: a commit can be checked on a branch that has none.
func TestCommitWithUnbornHead(t *testing.T) {
	s, base, _, _ := forked(t)
	s.git("symbolic-ref", "HEAD", "refs/heads/new")
	e := s.open()
	head, err := e.Head(t.Context(), diff.Commit, "feature")
	if err != nil {
		t.Fatal(err)
	}
	got, err := e.Resolve(t.Context(), diff.BaseRequest{ID: diff.MergeBase, Head: head})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, got, diff.Base{ID: "base", Ref: "main", Commit: base, FoundBy: "merge base with main"})
	s.git("branch", "-m", "main", "trunk")
	_, err = e.Resolve(t.Context(), diff.BaseRequest{ID: diff.MergeBase, Head: head})
	noVerdict(t, err, `unknown revision "HEAD"`, "")
}

func TestMerging(t *testing.T) {
	s, base, main, feature := forked(t)
	s.git("merge", "-q", "--no-commit", "main")
	want := diff.Base{
		ID: "base", Ref: "main", Commit: main, FoundBy: "merge base of main with HEAD and MERGE_HEAD",
	}
	for _, kind := range []diff.HeadKind{diff.Worktree, diff.Index} {
		got, err := s.resolve(kind, diff.BaseRequest{ID: diff.MergeBase})
		if err != nil {
			t.Fatal(err)
		}
		equal(t, got, want)
		equal(t, s.changes(kind, got.Commit), []string{"added f"})
	}
	got, err := s.resolve(diff.Commit, diff.BaseRequest{ID: diff.MergeBase})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, got, diff.Base{ID: "base", Ref: "main", Commit: base, FoundBy: "merge base with main"})
	equal(t, s.git("rev-parse", "HEAD"), feature)
}

func TestCrissCross(t *testing.T) {
	s, _, main, feature := forked(t)
	s.git("merge", "-q", "-m", "main into feature", main)
	s.git("checkout", "-q", "main")
	s.git("merge", "-q", "-m", "feature into main", feature)
	s.git("checkout", "-q", "feature")
	got, err := s.resolve(diff.Worktree, diff.BaseRequest{ID: diff.MergeBase})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, got, diff.Base{
		ID: "base", Ref: "main", Commit: s.git("merge-base", "main", "HEAD"),
		FoundBy: "merge base with main, git's first of 2",
	})
}

func TestNoBase(t *testing.T) {
	s, _, _, _ := forked(t)
	s.git("checkout", "-q", "main")
	shallow := s.at("../shallow")
	s.git("clone", "-q", "--depth=1", "--no-single-branch", "file://"+s.dir, shallow.dir)
	shallow.git("checkout", "-q", "feature")
	single := s.at("../single")
	s.git("clone", "-q", "--depth=1", "--branch=feature", "file://"+s.dir, single.dir)
	orphan := s.at("../orphan")
	s.git("clone", "-q", ".", orphan.dir)
	orphan.git("checkout", "-q", "--orphan", "alone")
	orphan.commit("alone")
	remotes := s.at("../remotes")
	s.git("clone", "-q", "--branch=feature", "-o", "x", ".", remotes.dir)
	remotes.git("remote", "add", "y", ".")
	remotes.git("config", "--unset", "branch.feature.remote")
	oid := strings.Repeat("1", 40)

	for _, tt := range []struct {
		name        string
		in          *sandbox
		request     diff.BaseRequest
		reason, fix string
	}{
		{
			"shallow", shallow,
			diff.BaseRequest{ID: diff.MergeBase},
			"no merge base with origin/main: the history of this shallow clone is too short", "git fetch --unshallow",
		},
		{
			"not fetched", single,
			diff.BaseRequest{ID: diff.MergeBase},
			"no default branch: there is no origin/HEAD, origin/main, origin/master, main or master",
			"git fetch --unshallow origin +main:refs/remotes/origin/main",
		},
		{
			"unrelated", orphan,
			diff.BaseRequest{ID: diff.MergeBase},
			"no merge base with origin/main: the histories have no commit in common", "rulecheck --from origin/main",
		},
		{
			"several remotes", remotes,
			diff.BaseRequest{ID: diff.DefaultTip},
			"no default branch: none of the remotes x, y is the branch's own or called origin, " +
				"and there is no branch main or master",
			"rulecheck --since x/main",
		},
		{
			"unknown branch", orphan,
			diff.BaseRequest{ID: diff.Since, Ref: "release/2"},
			`unknown revision "release/2"`, "git fetch origin release/2:release/2",
		},
		{
			"unknown remote branch", orphan,
			diff.BaseRequest{ID: diff.From, Ref: "origin/dev"},
			`unknown revision "origin/dev"`, "git fetch origin +dev:refs/remotes/origin/dev",
		},
		{
			"unknown commit", orphan,
			diff.BaseRequest{ID: diff.From, Ref: oid},
			`unknown revision "` + oid + `"`, "git fetch origin " + oid,
		},
		{
			"behind the shallow end", shallow,
			diff.BaseRequest{ID: diff.From, Ref: "HEAD~9"},
			`unknown revision "HEAD~9"`, "git fetch --unshallow",
		},
		{"no commit there", orphan, diff.BaseRequest{ID: diff.From, Ref: "HEAD~9"}, `unknown revision "HEAD~9"`, "git branch --all"},
		{"no revision at all", orphan, diff.BaseRequest{ID: diff.Since, Ref: "--all"}, `unknown revision "--all"`, "git branch --all"},
		{"an exclusion", orphan, diff.BaseRequest{ID: diff.From, Ref: "^HEAD"}, `unknown revision "^HEAD"`, "git branch --all"},
		{"a tree", orphan, diff.BaseRequest{ID: diff.From, Ref: "HEAD^{tree}"}, `unknown revision "HEAD^{tree}"`, "git branch --all"},
		{"an empty name", orphan, diff.BaseRequest{ID: diff.From}, `unknown revision ""`, "git branch --all"},
		{"no remote to ask", s, diff.BaseRequest{ID: diff.From, Ref: "dev"}, `unknown revision "dev"`, "git branch --all"},
		{
			"configured branch", orphan,
			diff.BaseRequest{ID: diff.MergeBase, DefaultBranch: "dev"},
			`unknown revision "dev"`, "git fetch origin dev:dev",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := tt.in.resolve(diff.Worktree, tt.request)
			noVerdict(t, err, tt.reason, tt.fix)
			if got.Commit != "" {
				t.Errorf("the base is %+v with the error", got)
			}
		})
	}
}
