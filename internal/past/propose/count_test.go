package propose_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/gittest"
	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/past/propose"
	"github.com/rulecheck/rulecheck/internal/past/replay"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// drawn is a random history as git fast-import reads it.
type drawn struct {
	strings.Builder

	files map[string]string
	n     int
}

// edit changes a file, or creates it: most of its text stays.
func (d *drawn) edit(path string) {
	text, known := d.files[path]
	if !known {
		text = strings.Repeat("a line of "+path+"\n", 8)
	}
	text += fmt.Sprintf("%d\n", d.n)
	d.files[path] = text
	fmt.Fprintf(d, "M 644 inline %s\ndata %d\n%s\n", path, len(text), text)
}

func (d *drawn) remove(path string) {
	if _, known := d.files[path]; known {
		delete(d.files, path)
		fmt.Fprintf(d, "D %s\n", path)
	}
}

// move renames a file, edits it, and leaves nothing under the old name.
func (d *drawn) move(from, to string) {
	text, known := d.files[from]
	if _, taken := d.files[to]; !known || taken {
		return
	}
	d.remove(from)
	d.files[to] = text
	d.edit(to)
}

// history draws a past in which some files mostly follow others.
func history(t *rapid.T) string {
	d := &drawn{files: map[string]string{}}
	names := []string{"alpha", "beta", "gamma", "delta"}
	seldom := rapid.SampledFrom([]int{5, 15, 40}).Draw(t, "seldom")
	for d.n = range 150 {
		rare := func(what string) bool { return rapid.IntRange(0, seldom).Draw(t, what) == 0 }
		message := rapid.SampledFrom([]string{"feat: change", "fix: change", "change [chore]"}).Draw(t, "message")
		if rare("waived") {
			message += "\n\nRulecheck-Waive: *: not now\n"
		}
		fmt.Fprintf(d, "commit refs/heads/main\ncommitter A <a@example.com> %d +0000\ndata %d\n%s\n", 1700000000+d.n*86400, len(message), message)
		name := rapid.SampledFrom(names).Draw(t, "name")
		code, test := "src/"+name+".go", "src/"+name+"_test.go"
		switch rapid.IntRange(0, 5).Draw(t, "kind") {
		case 0, 1, 2:
			d.edit(code)
			if !rare("miss") {
				d.edit(test)
			}
			if rare("gone") {
				d.remove(test)
			}
		case 3:
			d.edit(fmt.Sprintf("docs/page%d.md", d.n))
			if !rare("miss") {
				d.edit("mkdocs.yml")
			}
		case 4:
			d.edit("VERSION")
			if !rare("miss") {
				d.edit("CHANGELOG.md")
			}
			if rare("move") {
				d.move(code, "lib/"+name+".go")
				d.move(test, "lib/"+name+"_test.go")
			}
		default:
			d.move("lib/"+name+".go", code)
			d.remove(fmt.Sprintf("docs/page%d.md", rapid.IntRange(0, d.n).Draw(t, "page")))
			d.edit(fmt.Sprintf("data/%d.txt", d.n%7))
		}
	}
	return d.String()
}

// TestFiguresAreThoseOfReplay compares the figures of proposed rules with what a replay counts
// for them as they are written.
func TestFiguresAreThoseOfReplay(t *testing.T) {
	t.Parallel()
	compared := 0
	lawtest.Check(t, func(rt *rapid.T) {
		r := gittest.New(t)
		cmd := exec.CommandContext(t.Context(), "git", "fast-import", "--quiet", "--force")
		cmd.Dir, cmd.Env, cmd.Stdin = r.Dir, r.Env, strings.NewReader(history(rt))
		if out, err := cmd.CombinedOutput(); err != nil {
			rt.Fatalf("%v\n%s", err, out)
		}
		repo, err := git.Open(t.Context(), git.Options{Dir: r.Dir, Env: r.Env})
		if err != nil {
			rt.Fatal(err)
		}
		config := rule.Config{RulesDir: ".rulecheck/rules"}
		found, err := propose.Find(t.Context(), r.Open(), repo, propose.Options{Min: 0.5, Config: config, Now: time.Unix(0, 0)})
		if err != nil {
			rt.Fatal(err)
		}
		root, err := os.OpenRoot(r.Dir)
		if err != nil {
			rt.Fatal(err)
		}
		defer root.Close()
		if _, err := propose.Write(root, config.RulesDir, found.Rules); err != nil {
			rt.Fatal(err)
		}
		report, err := replay.Run(t.Context(), r.Open(), repo, replay.Options{MaxFiles: replay.DefaultMaxFiles, Check: check.Options{RulesFrom: check.RulesFromWorktree, Now: time.Unix(0, 0)}})
		if err != nil {
			rt.Fatal(err)
		}
		type figures struct{ Held, Of, Missed int }
		want, got := map[string]figures{}, map[string]figures{}
		for _, h := range report.Rules {
			want[h.ID] = figures{h.Held, h.Held + h.Fired, h.Fired}
		}
		for _, p := range found.Rules {
			got[p.ID] = figures{p.Before.Held + p.Since.Held, p.Before.Triggered + p.Since.Triggered, p.Missed}
			compared++
		}
		if d := cmp.Diff(want, got); d != "" {
			rt.Fatalf("replay (-), proposed (+):\n%s", d)
		}
	})
	if compared == 0 {
		t.Error("no rule was compared")
	}
}
