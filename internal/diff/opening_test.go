package diff_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
)

func withOneCommit(t *testing.T) *sandbox {
	t.Helper()
	s := newSandbox(t)
	s.git("init", "-q", "-b", "main")
	s.write("a", "one\n")
	s.git("add", "a")
	s.git("commit", "-q", "-m", "one")
	return s
}

// TestBegin asks for a change ahead: its answer is given to whoever asks the same, and
// nobody else asks git.
func TestBegin(t *testing.T) {
	t.Parallel()
	s := withOneCommit(t)
	s.write("a", "two\n")
	s.git("add", "a")
	var trace bytes.Buffer
	options := git.Options{Dir: s.dir, Env: s.env, Trace: &trace}
	request := diff.BaseRequest{ID: diff.MergeBase, Head: diff.Head{Kind: diff.Index}}
	opening := diff.Begin(t.Context(), options, request)
	p, err := opening.Program(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	head, err := p.Head(t.Context(), diff.Index, "")
	if err != nil {
		t.Fatal(err)
	}
	p.Expect(t.Context(), head)
	base, err := p.Resolve(t.Context(), diff.BaseRequest{ID: diff.MergeBase, Head: head})
	if err != nil {
		t.Fatal(err)
	}
	first, err := p.Changes(t.Context(), base, head)
	if err != nil {
		t.Fatal(err)
	}
	if len(first.Changes) != 1 || first.Changes[0].Path != "a" || first.Base.FoundBy != "merge base with main" {
		t.Errorf("got %+v; want that a was modified", first)
	}
	if lines := bytes.Count(trace.Bytes(), []byte("\n")); lines != 1 {
		t.Errorf("%d processes; want one:\n%s", lines, &trace)
	}
	opening.End()
}

// TestBeginOf asks for each kind of head as a judgement does, and gets what an engine
// says that was asked nothing ahead.
func TestBeginOf(t *testing.T) {
	t.Parallel()
	s := withOneCommit(t)
	s.git("switch", "-q", "-c", "topic")
	s.write("b", "two\n")
	s.git("add", "b")
	s.git("commit", "-q", "-m", "two")
	s.write("c", "three\n")
	s.git("add", "c")
	s.write("d", "four\n")
	for _, request := range []diff.BaseRequest{
		{ID: diff.MergeBase, Head: diff.Head{Kind: diff.Worktree}},
		{ID: diff.MergeBase, Head: diff.Head{Kind: diff.Index}},
		{ID: diff.MergeBase, Head: diff.Head{Kind: diff.Commit, Ref: "topic"}},
		{ID: diff.Since, Ref: "main", Head: diff.Head{Kind: diff.Worktree}},
		{ID: diff.Since, Ref: "main", Head: diff.Head{Kind: diff.Index}},
		{ID: diff.Since, Ref: "main", Head: diff.Head{Kind: diff.Commit, Ref: "HEAD"}},
		{ID: diff.Since, Ref: "nowhere", Head: diff.Head{Kind: diff.Index}},
	} {
		options := git.Options{Dir: s.dir, Env: s.env}
		answer := func(first diff.BaseRequest) (diff.Changeset, error) {
			opening := diff.Begin(t.Context(), options, first)
			defer opening.End()
			p, err := opening.Program(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			asked := request
			if asked.Head, err = p.Head(t.Context(), request.Head.Kind, request.Head.Ref); err != nil {
				t.Fatal(err)
			}
			p.Expect(t.Context(), asked.Head)
			base, err := p.Resolve(t.Context(), asked)
			if err != nil {
				return diff.Changeset{}, err
			}
			return p.Changes(t.Context(), base, asked.Head)
		}
		want, wrong := answer(diff.BaseRequest{})
		got, err := answer(request)
		if (err == nil) != (wrong == nil) || err != nil && err.Error() != wrong.Error() {
			t.Errorf("%+v: error %v; want %v", request, err, wrong)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%+v (-asked then +asked ahead):\n%s", request, d)
		}
		if (wrong == nil) != (len(want.Changes) > 0) {
			t.Errorf("%+v: %d changes, error %v; want either", request, len(want.Changes), wrong)
		}
	}
}
