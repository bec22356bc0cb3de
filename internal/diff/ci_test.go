package diff_test

import (
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// ciSandbox is a clone, on branch topic, of a repository at ../upstream whose main
// has a commit that topic has not; and their merge, as GitHub makes it.
func ciSandbox(t *testing.T, clone ...string) (s *sandbox, commits map[string]string) {
	t.Helper()
	up := newSandbox(t)
	up.write("a", "a\n")
	commits = map[string]string{"fork": up.commit("fork")}
	up.git("switch", "-qc", "topic")
	up.write("topic", "t\n")
	commits["topic"] = up.commit("topic")
	up.git("switch", "-q", "main")
	up.write("main", "m\n")
	commits["main"] = up.commit("main")
	up.git("merge", "-q", "--no-ff", "-m", "merge", "topic")
	commits["merge"] = up.git("rev-parse", "HEAD")
	up.git("update-ref", "refs/pull/1/merge", "HEAD")
	up.git("reset", "-q", "--hard", commits["main"])
	up.git("config", "uploadpack.allowAnySHA1InWant", "true")
	up.git(append([]string{"clone", "-q", "--no-local", "-b", "topic"}, append(clone, "file://"+up.dir, "../work")...)...)
	return up.at("../work"), commits
}

func (s *sandbox) ciBase(id string, ci diff.CI) (diff.Base, error) {
	s.t.Helper()
	p := s.program()
	return p.Resolve(s.t.Context(), diff.BaseRequest{ID: id, Head: s.head(p, diff.Worktree), CI: &ci})
}

func TestCIBase(t *testing.T) {
	s, commits := ciSandbox(t)
	s.git("fetch", "-q", "origin", "refs/pull/1/merge")
	zeros := strings.Repeat("0", 40)
	pull := diff.CI{Event: "pull_request", BaseRef: "main", HeadSHA: commits["topic"], DefaultBranch: "main"}
	for _, c := range []struct {
		name, at string
		ci       diff.CI
		want     diff.Base
	}{
		{"merge of a pull request", "merge", pull, diff.Base{
			Ref: "main", Commit: commits["main"], FoundBy: "first parent of the pull request's merge into main (GitHub)",
		}},
		{"tip of a pull request", "topic", pull, diff.Base{
			Ref: "origin/main", Commit: commits["fork"], FoundBy: "merge base with origin/main (base of the pull request, GitHub)",
		}},
		{"a merge that is the pull request's own", "merge", diff.CI{Event: "pull_request", BaseRef: "main", HeadSHA: commits["merge"]}, diff.Base{
			Ref: "origin/main", Commit: commits["main"], FoundBy: "merge base with origin/main (base of the pull request, GitHub)",
		}},
		{"a run for the branch the pull request is for", "merge", diff.CI{Event: "pull_request_target", BaseRef: "main", HeadSHA: commits["topic"]}, diff.Base{
			Ref: "main", Commit: commits["main"], FoundBy: "first parent of the pull request's merge into main (GitHub)",
		}},
		{"push", "topic", diff.CI{Event: "push", Before: commits["fork"]}, diff.Base{
			Commit: commits["fork"], FoundBy: "commit before the push (GitHub)",
		}},
		{"push of a new branch", "topic", diff.CI{Event: "push", Before: zeros, DefaultBranch: "main"}, diff.Base{
			Ref: "origin/main", Commit: commits["fork"], FoundBy: "merge base with origin/main (default branch, GitHub)",
		}},
		{"merge group", "merge", diff.CI{Event: "merge_group", BaseSHA: commits["main"]}, diff.Base{
			Commit: commits["main"], FoundBy: "base of the merge group (GitHub)",
		}},
		{"by hand", "topic", diff.CI{Event: "workflow_dispatch"}, diff.Base{
			Ref: "origin/main", Commit: commits["fork"], FoundBy: "merge base with origin/main (origin/HEAD)",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s.git("checkout", "-q", "--detach", commits[c.at])
			for _, id := range []string{diff.MergeBase, diff.Prompt} {
				got, err := s.ciBase(id, c.ci)
				if err != nil {
					t.Fatal(err)
				}
				c.want.ID = id
				equal(t, got, c.want)
			}
			for _, e := range engines {
				other, err := e.open(t, s)
				if err != nil {
					t.Fatal(err)
				}
				got, err := other.Resolve(t.Context(), diff.BaseRequest{ID: c.want.ID, Head: s.head(other, diff.Worktree), CI: &c.ci})
				if err != nil && !refused(err) || err == nil && got != c.want {
					t.Errorf("%s: %v, %v; want %v", e.name, got, err, c.want)
				}
			}
			tip, err := s.ciBase(diff.DefaultTip, c.ci)
			if err != nil || tip.Commit != commits["main"] {
				t.Errorf("default tip %v, %v", tip, err)
			}
		})
	}
}

// TestCIBaseIsNotHere: nothing is fetched, and what is said to be run helps.
func TestCIBaseIsNotHere(t *testing.T) {
	depth := []string{"--depth=1", "--single-branch"}
	for _, c := range []struct {
		name  string
		clone []string
		ci    func(commits map[string]string) diff.CI
		check string // out
		want  string
		fix   string
	}{
		{"merge of a pull request", depth, func(c map[string]string) diff.CI {
			return diff.CI{Event: "pull_request", BaseRef: "main", HeadSHA: c["topic"]}
		}, "merge", "the parents of the pull request's merge commit are not in this shallow clone", "git fetch --depth=2 origin MERGE"},
		{"tip of a pull request", depth, func(c map[string]string) diff.CI {
			return diff.CI{Event: "pull_request", BaseRef: "main", HeadSHA: c["topic"]}
		}, "", `unknown revision "origin/main"`, "git fetch --unshallow origin +main:refs/remotes/origin/main"},
		{
			"push", depth, func(c map[string]string) diff.CI { return diff.CI{Event: "push", Before: c["fork"]} },
			"", "commit before the push (GitHub): FORK is not in this clone", "git fetch --depth=1 origin FORK",
		},
		{
			"push, all of the branch",
			[]string{"--single-branch"},
			func(c map[string]string) diff.CI { return diff.CI{Event: "push", Before: c["main"]} },
			"", "commit before the push (GitHub): MAIN is not in this clone", "git fetch origin MAIN",
		},
		{
			"merge group", depth, func(c map[string]string) diff.CI { return diff.CI{Event: "merge_group", BaseSHA: c["main"]} },
			"", "base of the merge group (GitHub): MAIN is not in this clone", "git fetch --depth=1 origin MAIN",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, commits := ciSandbox(t, c.clone...)
			if c.check != "" {
				s.git("fetch", "-q", "--depth=1", "origin", commits[c.check])
				s.git("checkout", "-q", "--detach", commits[c.check])
			}
			fill := strings.NewReplacer("MERGE", commits["merge"], "FORK", commits["fork"], "MAIN", commits["main"])
			ci := c.ci(commits)
			_, err := s.ciBase(diff.MergeBase, ci)
			noVerdict(t, err, fill.Replace(c.want), fill.Replace(c.fix))
			s.git(strings.Fields(fill.Replace(c.fix))[1:]...)
			if _, err := s.ciBase(diff.MergeBase, ci); err != nil {
				t.Errorf("after %s: %v", c.fix, err)
			}
		})
	}
}

func TestCIEventSaysNothing(t *testing.T) {
	s, _ := ciSandbox(t)
	for event, missing := range map[string]string{
		"push": "the commit before it", "merge_group": "its base", "pull_request": "the branch the pull request is for",
	} {
		_, err := s.ciBase(diff.MergeBase, diff.CI{Event: event})
		noVerdict(t, err, "the event that started this run does not name "+missing, "rulecheck --since REF")
	}
}
