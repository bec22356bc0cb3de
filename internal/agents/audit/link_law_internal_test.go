package audit

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/gittest"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// workshop is a repository in whose working trees sessions and people make commits. It knows who is
// behind each commit, whatever git does to it.
type workshop struct {
	*gittest.Repository

	t       *rapid.T
	now     time.Time
	trees   []*tree
	workers []*worker
	behind  map[string]map[int]bool // workers, by commit; 0 is a person
	files   int
}

// tree is a working tree and its branch.
type tree struct{ dir, branch string }

// worker is a session; outputs is whether its log has the output of git.
type worker struct {
	session.Session

	outputs bool
}

func (w *workshop) git(dir string, args ...string) string {
	w.t.Helper()
	cmd := exec.CommandContext(w.T.Context(), "git", args...)
	at := w.now.Format(time.RFC3339)
	cmd.Dir, cmd.Env = dir, append(slices.Clone(w.Env), "GIT_AUTHOR_DATE="+at, "GIT_COMMITTER_DATE="+at, "GIT_EDITOR=true")
	out, err := cmd.CombinedOutput()
	if err != nil {
		w.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

func (w *workshop) head(dir string) string { return strings.TrimSpace(w.git(dir, "rev-parse", "HEAD")) }

// commits lists commits, oldest first.
func (w *workshop) commits(dir, which string) []string {
	return strings.Fields(w.git(dir, "rev-list", "--reverse", "--no-merges", which))
}

func (w *workshop) pass(most int) {
	w.now = w.now.Add(time.Duration(rapid.SampledFrom([]int{0, 0, 1, 3, 40, most}).Draw(w.t, "seconds")) * time.Second)
}

// commit makes a commit of a worker, or of a person.
func (w *workshop) commit(who int, in *tree) {
	w.files++
	if err := os.WriteFile(filepath.Join(in.dir, fmt.Sprintf("f%d", w.files)), []byte("x\n"), 0o600); err != nil {
		w.t.Fatal(err)
	}
	w.git(in.dir, "add", "-A")
	subject := rapid.SampledFrom([]string{"wip", "Fix it", "Add a", "a"}).Draw(w.t, "subject")
	out := w.git(in.dir, "commit", "-m", subject)
	w.behind[w.head(in.dir)] = map[int]bool{who: true}
	if who == 0 {
		return
	}
	s := w.workers[who-1]
	if rapid.IntRange(0, 3).Draw(w.t, "edits") > 0 {
		s.Calls = append(s.Calls, session.ToolCall{Kind: fact.FileEdit, Status: fact.OK, Paths: []string{filepath.Join(in.dir, fmt.Sprintf("f%d", w.files))}, At: w.now})
	}
	command := rapid.SampledFrom([]string{
		"git commit -m '" + subject + "'", "git add -A && git commit -qam \"" + subject + "\"", "git commit -F message",
		"git commit -F - <<'EOF'\n" + subject + "\n\nbody\nEOF",
	}).Draw(w.t, "command")
	call := session.ToolCall{Kind: fact.Command, Command: command, Status: fact.OK, At: w.now}
	if rapid.Bool().Draw(w.t, "has an end") {
		call.End = w.now.Add(time.Second)
	}
	if first, rest, ok := strings.Cut(out, "] "); s.outputs && ok && !strings.Contains(command, "-q") {
		name, _, _ := strings.Cut(rest, "\n")
		call.Made = []session.Made{{Commit: first[strings.LastIndexByte(first, ' ')+1:], Subject: name}}
	}
	s.Calls = append(s.Calls, call)
	s.live(w.now)
}

func (s *worker) live(at time.Time) {
	if s.Start.IsZero() || at.Before(s.Start) {
		s.Start = at
	}
	if at.After(s.End) {
		s.End = at
	}
}

// rewritten notes that one list of commits became another: each became one, or all became one.
func (w *workshop) rewritten(before, after []string) {
	for i, id := range after {
		if w.behind[id] == nil {
			w.behind[id] = map[int]bool{}
		}
		from := before
		if len(before) == len(after) {
			from = before[i : i+1]
		}
		for _, old := range from {
			maps.Copy(w.behind[id], w.behind[old])
		}
	}
}

// rewrite does to a branch what people do to theirs.
func (w *workshop) rewrite(in *tree) {
	top := w.trees[0]
	own := w.commits(in.dir, "main..HEAD")
	switch rapid.SampledFrom([]string{"rebase", "squash", "cherry-pick", "merge", "reword", "combine"}).Draw(w.t, "rewrite") {
	case "rebase":
		w.git(in.dir, "rebase", "-q", "main")
		w.rewritten(own, w.commits(in.dir, "main..HEAD"))
	case "squash":
		if len(own) > 0 {
			before := w.head(top.dir)
			w.git(top.dir, "merge", "-q", "--squash", in.branch)
			if w.git(top.dir, "status", "--porcelain") == "" {
				return // all is there
			}
			w.git(top.dir, "commit", "-qm", rapid.SampledFrom([]string{"Fix it", "Add all (#7)"}).Draw(w.t, "squashed"))
			w.rewritten(own, w.commits(top.dir, before+"..HEAD"))
		}
	case "cherry-pick":
		to := rapid.SampledFrom(w.trees).Draw(w.t, "to")
		if len(own) > 0 && to != in {
			id := rapid.SampledFrom(own).Draw(w.t, "picked")
			before := w.head(to.dir)
			w.git(to.dir, "cherry-pick", "--allow-empty", "--keep-redundant-commits", id)
			w.rewritten([]string{id}, w.commits(to.dir, before+"..HEAD"))
		}
	case "merge":
		w.git(in.dir, "merge", "-q", "--no-edit", "main")
	case "reword":
		if last := w.head(in.dir); len(own) > 0 && own[len(own)-1] == last {
			w.git(in.dir, "commit", "-q", "--amend", "-m", rapid.SampledFrom([]string{"wip", "Fix it", "b"}).Draw(w.t, "reworded"))
			w.rewritten([]string{last}, []string{w.head(in.dir)})
		}
	case "combine": // the newest two become one
		if n := len(own); n > 1 && w.git(in.dir, "rev-list", "--merges", "main..HEAD") == "" {
			w.git(in.dir, "reset", "-q", "--soft", "HEAD~2")
			w.git(in.dir, "commit", "-qC", own[n-1])
			w.rewritten(own[n-2:], []string{w.head(in.dir)})
		}
	}
}

func newWorkshop(t *testing.T, rt *rapid.T) *workshop {
	t.Helper()
	w := &workshop{Repository: gittest.New(t), t: rt, now: time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC), behind: map[string]map[int]bool{}}
	w.git(w.Dir, "config", "gc.auto", "0")
	w.git(w.Dir, "commit", "-q", "--allow-empty", "-m", "base")
	w.trees = []*tree{{w.Dir, "main"}}
	for i := range rapid.IntRange(1, 3).Draw(rt, "trees") {
		in := &tree{filepath.Join(t.TempDir(), "tree"), fmt.Sprintf("topic%d", i)}
		w.git(w.Dir, "worktree", "add", "-q", "-b", in.branch, in.dir)
		w.trees = append(w.trees, in)
	}
	w.now = w.now.Add(time.Hour)
	return w
}

// TestLinksLaw generates histories of several working trees in which sessions and people commit, perhaps at the
// same time, and in which commits are rebased, squashed, combined, reworded, merged and picked. No session is
// linked to a change that it is not behind, unless the link is reported as uncertain. One whose commit is in the
// change as it was made, and that git named, is always linked.
func TestLinksLaw(t *testing.T) {
	certain, uncertain, missed, refused := 0, 0, 0, 0
	lawtest.CheckN(t, 40, func(rt *rapid.T) {
		w := newWorkshop(t, rt)
		at := map[int]*tree{}
		for n := range rapid.IntRange(1, 4).Draw(rt, "sessions") {
			s := &worker{outputs: rapid.Bool().Draw(rt, "has output")}
			in := rapid.SampledFrom(w.trees).Draw(rt, "tree")
			s.ID = fmt.Sprint("s", n+1)
			s.Sources = []session.Source{{File: "/logs/" + s.ID}}
			if rapid.IntRange(0, 3).Draw(rt, "has a place") > 0 {
				s.Cwd, s.GitBranch = in.dir, in.branch
			}
			w.workers = append(w.workers, s)
			at[n+1] = in
		}
		for range rapid.IntRange(2, 9).Draw(rt, "steps") {
			w.pass(4000)
			switch who := rapid.IntRange(-2, len(w.workers)).Draw(rt, "who"); who {
			case -2:
				w.rewrite(rapid.SampledFrom(w.trees[1:]).Draw(rt, "rewritten"))
			case -1: // a session changes its tree
				n := rapid.IntRange(1, len(w.workers)).Draw(rt, "moves")
				at[n] = rapid.SampledFrom(w.trees).Draw(rt, "to")
				if s := w.workers[n-1]; s.GitBranch != "" {
					s.OnBranch(at[n].branch)
					s.live(w.now)
				}
			case 0:
				w.commit(0, rapid.SampledFrom(w.trees).Draw(rt, "place"))
			default:
				w.commit(who, at[who])
			}
		}
		for _, in := range w.trees {
			base, head := "main", w.head(in.dir)
			if in.branch == "main" {
				base = strings.Fields(w.git(w.Dir, "rev-list", "--max-parents=0", "HEAD"))[0]
			}
			baseID := strings.TrimSpace(w.git(in.dir, "merge-base", base, "HEAD"))
			if baseID == head {
				continue
			}
			repo := *w.Repository
			repo.Dir = in.dir
			c := &diff.Changeset{Base: diff.Base{Ref: base, Commit: baseID}, Head: diff.Head{Kind: diff.Commit, Commit: head, Branch: in.branch}}
			b := newBelonging(t.Context(), repo.Open(), c, nil)
			b.rootOf = func(s *session.Session) string {
				for _, of := range w.trees {
					if len(s.Calls) > 0 && len(s.Calls[0].Paths) > 0 && strings.HasPrefix(s.Calls[0].Paths[0], of.dir+"/") {
						return of.dir
					}
				}
				return s.Cwd
			}
			b.isOurs = func(s *session.Session) bool { return s.Cwd != "" }
			when, err := b.when()
			if err != nil {
				rt.Fatal(err)
			}
			inRange := w.commits(in.dir, baseID+".."+head)
			found := make([]*link, len(w.workers))
			for i, s := range w.workers {
				copied := s.Session
				copied.Calls = slices.Clone(s.Calls)
				if _, found[i], err = b.of(&copied); err != nil {
					rt.Fatal(err)
				}
			}
			b.settle()
			for i, s := range w.workers {
				made, asMade := false, false
				for _, id := range inRange {
					made = made || w.behind[id][i+1]
					for _, c := range s.Calls {
						asMade = asMade || len(c.Made) > 0 && strings.HasPrefix(id, c.Made[0].Commit)
					}
				}
				onIt := s.GitBranch == in.branch && !s.Start.IsZero() && !s.End.Before(when.first) && !s.Start.After(when.last)
				l := found[i]
				switch {
				case l != nil && l.Uncertain == "" && !made && !onIt:
					rt.Fatalf("%s is linked to %s by %v, and is not behind it: %+v", s.ID, in.branch, l.Belonging, s.Calls)
				case asMade && (l == nil || len(l.Commits) == 0):
					rt.Fatalf("%s made a commit of %s, and is not linked to it", s.ID, in.branch)
				case l == nil && made:
					missed++
				case l == nil:
					refused++
				case l.Uncertain != "":
					uncertain++
				default:
					certain++
				}
				if l == nil {
					continue
				}
				for _, id := range l.Commits {
					if !w.behind[id][i+1] {
						rt.Fatalf("%s is linked to commit %s, which it did not make", s.ID, id)
					}
				}
			}
		}
	})
	t.Logf("links: %d certain, %d uncertain; %d sessions of a change were not linked, %d of others were not", certain, uncertain, missed, refused)
	if certain == 0 || uncertain == 0 {
		t.Error("want certain and uncertain links")
	}
}
