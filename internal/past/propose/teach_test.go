package propose_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/gittest"
	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/past/mine"
	"github.com/rulecheck/rulecheck/internal/past/propose"
	"github.com/rulecheck/rulecheck/internal/pattern"
	rules "github.com/rulecheck/rulecheck/internal/rule"
)

// hiddenRule is a rule that the commits of a repository follow, with its files.
type hiddenRule struct {
	mode     string
	triggers []string
	expects  []string
	require  string
	pairs    [][2]string // files that trigger it, and their counterparts
}

// hide draws a rule of one of the forms that are mined.
func hide(r *rand.Rand) hiddenRule {
	top := pick(r, "src", "lib", "pkg", "server/core", "app")
	other := pick(r, "docs", "test", "spec/unit", "web/gen", "schemas")
	ext, with := pick(r, ".go", ".py", ".proto", ".ts"), pick(r, ".md", ".json", ".yml", ".txt")
	names := []string{"alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliett", "kilo", "lima"}
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	subs := []string{"one", "two/deep", "three", "four", "five", "six/deep"}
	var pairs [][2]string
	each := func(list []string, n int, trigger, counterpart func(name string) string) {
		for _, name := range list[:n] {
			pairs = append(pairs, [2]string{trigger(name), counterpart(name)})
		}
	}
	n := 4 + r.IntN(7)
	in := func(dir, end string) func(string) string {
		return func(name string) string { return dir + "/" + name + end }
	}
	is := func(file string) func(string) string { return func(string) string { return file } }
	switch r.IntN(9) {
	case 0:
		each(names, 1, is(top+"/VERSION"), is("CHANGELOG"+with))
		return hiddenRule{mine.ModePair, []string{top + "/VERSION"}, []string{"CHANGELOG" + with}, mine.RequireChanged, pairs}
	case 1:
		each(names, n, in(top, ext), in(other, with))
		return hiddenRule{mine.ModePair, []string{top + "/{name}" + ext}, []string{other + "/{name}" + with}, mine.RequireChanged, pairs}
	case 2:
		each(names, n, in(top, ext), in(top, "_gen"+ext))
		return hiddenRule{mine.ModePair, []string{top + "/{name}" + ext}, []string{top + "/{name}_gen" + ext}, mine.RequireChangedIfExists, pairs}
	case 3:
		each(subs, len(subs), in(top, "/input"+ext), in(top, "/output"+with))
		return hiddenRule{mine.ModePair, []string{top + "/{**root}/input" + ext}, []string{top + "/{**root}/output" + with}, mine.RequireChanged, pairs}
	case 4:
		each(names, 1, is(top+"/settings"+ext), is(other+"/settings"+with))
		return hiddenRule{mine.ModeSet, []string{top + "/settings" + ext, other + "/settings" + with}, nil, mine.RequireChanged, pairs}
	case 5:
		each(names, n, in(top, ext), in(other, with))
		return hiddenRule{mine.ModeSet, []string{top + "/{name}" + ext, other + "/{name}" + with}, nil, mine.RequireChanged, pairs}
	case 6:
		return hiddenRule{mine.ModeCreated, []string{top + "/{name}" + ext}, []string{other + "/{name}" + with}, mine.RequireExists, nil}
	case 7:
		return hiddenRule{mine.ModeCreated, []string{top + "/{name}" + ext}, []string{"index" + with}, mine.RequireChanged, nil}
	default:
		each(names, n, in(top, ext), is("index"+with))
		return hiddenRule{mine.ModePair, []string{top + "/{name}" + ext}, []string{"index" + with}, mine.RequireChanged, pairs}
	}
}

func pick(r *rand.Rand, list ...string) string { return list[r.IntN(len(list))] }

// hiddenPast is a repository whose commits mostly follow a rule.
type hiddenPast struct {
	commits   []map[string]bool // changed files; true: new
	held, bad []int             // commits that follow the rule, and those that do not
	files     map[string]int    // by the commit that added them
}

func (h *hiddenPast) commit(files ...string) int {
	change := map[string]bool{}
	for _, file := range files {
		if file != "" {
			_, known := h.files[file]
			change[file] = !known
		}
	}
	for file, fresh := range change {
		if fresh {
			h.files[file] = len(h.commits)
		}
	}
	h.commits = append(h.commits, change)
	return len(h.commits) - 1
}

// follow makes commits that follow a rule, with others between them and noise in all.
func follow(r *rand.Rand, rule hiddenRule) *hiddenPast {
	h := &hiddenPast{files: map[string]int{}}
	noise := make([]string, 30)
	for i := range noise {
		noise[i] = pick(r, "src", "lib", "docs", "test", "tools", "app") + fmt.Sprintf("/n%02d", i) + pick(r, ".go", ".py", ".md", ".json", ".ts")
	}
	some := func() []string {
		var list []string
		for range r.IntN(5) {
			list = append(list, noise[int(float64(len(noise))*r.Float64()*r.Float64())])
		}
		return list
	}
	all := slices.Clone(noise)
	for _, p := range rule.pairs {
		all = append(all, p[0], p[1])
	}
	h.commit(append(all, rule.fixed()...)...)
	created := 0
	missed := 3 + r.IntN(10) // of a hundred
	for n := 200 + r.IntN(200); n > 0 || len(h.bad) == 0; n-- {
		files := some()
		miss := r.IntN(100) < missed
		switch roll := r.IntN(10); {
		case roll < 3 && rule.mode == mine.ModeCreated:
			created++
			name := fmt.Sprintf("item%c%d", 'a'+created%26, created)
			trigger := strings.ReplaceAll(rule.triggers[0], "{name}", name)
			files = append(files, trigger)
			if !miss {
				files = append(files, strings.ReplaceAll(rule.expects[0], "{name}", name))
			}
			h.add(miss, files)
		case roll < 3:
			for range 1 + r.IntN(2) {
				p := rule.pairs[r.IntN(len(rule.pairs))]
				if files = append(files, p[0]); !miss {
					files = append(files, p[1])
				} else {
					files = slices.DeleteFunc(files, func(f string) bool { return f == p[1] })
				}
			}
			if miss && rule.mode == mine.ModeSet && r.IntN(2) == 0 {
				for i, f := range files { // the other way round
					for _, p := range rule.pairs {
						if f == p[0] {
							files[i] = p[1]
						}
					}
				}
			}
			h.add(miss, files)
		case roll < 5 && rule.mode == mine.ModePair:
			h.commit(append(files, rule.pairs[r.IntN(len(rule.pairs))][1])...)
		case roll < 5 && rule.mode == mine.ModeCreated && created > 0:
			name := fmt.Sprintf("item%c%d", 'a'+created%26, created)
			h.commit(append(files, strings.ReplaceAll(rule.triggers[0], "{name}", name))...)
		default:
			h.commit(append(files, some()...)...)
		}
	}
	return h
}

// fixed returns the counterparts without captures.
func (rule hiddenRule) fixed() []string {
	if len(rule.expects) == 1 && !strings.Contains(rule.expects[0], "{") {
		return rule.expects
	}
	return nil
}

func (h *hiddenPast) add(miss bool, files []string) {
	at := h.commit(files...)
	if miss {
		h.bad = append(h.bad, at)
	} else {
		h.held = append(h.held, at)
	}
}

// write makes the commits with git, and returns their ids.
func (h *hiddenPast) write(t *testing.T, repo *gittest.Repository) []string {
	t.Helper()
	var b bytes.Buffer
	fmt.Fprintln(&b, "reset refs/heads/main")
	for i, change := range h.commits {
		fmt.Fprintf(&b, "commit refs/heads/main\nmark :%d\ncommitter A <a@example.com> %d +0000\ndata 6\nchange\n", i+1, 1_700_000_000+i*86_400)
		for _, file := range slices.Sorted(maps.Keys(change)) {
			fmt.Fprintf(&b, "M 644 inline %s\ndata 5\n%05d\n", file, i)
		}
	}
	cmd := exec.CommandContext(t.Context(), "git", "fast-import", "--quiet", "--force")
	cmd.Dir, cmd.Env, cmd.Stdin = repo.Dir, repo.Env, &b
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git fast-import: %v\n%s", err, out)
	}
	repo.Git("symbolic-ref", "HEAD", "refs/heads/main")
	log := exec.CommandContext(t.Context(), "git", "rev-list", "--reverse", "main")
	log.Dir, log.Env = repo.Dir, repo.Env
	out, err := log.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(out))
}

// outcomes returns, by commit and file, whether a rule fires on it: an own reading of the rule.
func (h *hiddenPast) outcomes(t *testing.T, mode string, triggers, expects []string, require string) map[string]bool {
	t.Helper()
	compiled := func(sources []string) []*pattern.Pattern {
		var list []*pattern.Pattern
		for _, source := range sources {
			p, err := pattern.Compile(source)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, p)
		}
		return list
	}
	from := compiled(triggers)
	to := compiled(expects)
	if mode == mine.ModeSet {
		to = from
	}
	outcomes := map[string]bool{}
	for at, change := range h.commits {
		for file, fresh := range change {
			for i, p := range from {
				captures, ok := p.Match(file)
				if !ok || mode == mine.ModeCreated && !fresh || mode != mine.ModeSet && to[0].LiteralBytes(file) > p.LiteralBytes(file) && matches(to[0], file) {
					continue
				}
				for j, q := range to {
					if mode == mine.ModeSet && i == j {
						continue
					}
					partner := q.Expand(captures)
					added, known := h.files[partner]
					exists := known && added <= at
					_, changed := change[partner]
					switch {
					case partner == file:
					case require == mine.RequireExists:
						outcomes[fmt.Sprint(at, file)] = !exists
					case exists:
						outcomes[fmt.Sprint(at, file)] = !changed
					}
				}
			}
		}
	}
	return outcomes
}

func matches(p *pattern.Pattern, file string) bool {
	_, ok := p.Match(file)
	return ok
}

// choose returns at most three commits: mostly two good ones and a bad one.
func (h *hiddenPast) choose(r *rand.Rand) (good, bad []int) {
	first := r.IntN(len(h.held) - 1)
	bad = []int{h.bad[r.IntN(len(h.bad))]}
	switch r.IntN(6) {
	case 0:
		return nil, bad
	case 1:
		return h.held[first : first+1], bad
	case 2:
		return h.held[first : first+1], h.bad[:min(2, len(h.bad))]
	default:
		return h.held[first : first+2], bad
	}
}

func named(ids []string, commits []int) []string {
	var list []string
	for _, at := range commits {
		list = append(list, ids[at])
	}
	return list
}

// leastTaught is the share of hidden rules that are found first.
const leastTaught = 0.8

// TestTeachFindsHiddenRules teaches rules that random repositories follow, with at most three
// commits, and wants the hidden one first, or one that fires as it does.
func TestTeachFindsHiddenRules(t *testing.T) {
	t.Parallel()
	cases := lawtest.Cases(t, "HIDDEN_RULES", 10)
	found := 0
	for seed := range cases {
		r := rand.New(rand.NewPCG(uint64(seed), 35))
		rule := hide(r)
		h := follow(r, rule)
		if len(h.bad) == 0 || len(h.held) < 3 {
			t.Fatalf("case %d: %d commits follow the rule, and %d do not", seed, len(h.held), len(h.bad))
		}
		repository := gittest.New(t)
		ids := h.write(t, repository)
		repo, err := git.Open(t.Context(), git.Options{Dir: repository.Dir, Env: repository.Env})
		if err != nil {
			t.Fatal(err)
		}
		good, bad := h.choose(r)
		taught, err := propose.Teach(t.Context(), repository.Open(), repo, named(ids, good), named(ids, bad), propose.Options{Commits: propose.Commits, Config: rules.Config{RulesDir: ".rulecheck/rules"}, Now: time.Unix(0, 0)})
		if err != nil {
			t.Logf("case %d: %s %q %q: %v", seed, rule.mode, rule.triggers, rule.expects, err)
			continue
		}
		best := taught.Rules[0]
		want := h.outcomes(t, rule.mode, rule.triggers, rule.expects, rule.require)
		if len(want) < len(h.held)+len(h.bad) {
			t.Fatalf("case %d: the model finds %d cases in %d commits", seed, len(want), len(h.held)+len(h.bad))
		}
		if got := h.outcomes(t, best.Mode, best.Triggers, best.Expects, best.Require); maps.Equal(got, want) {
			found++
			continue
		}
		t.Logf("case %d: want %s %q %q; found %s %q %q %s, %+v and %+v", seed, rule.mode, rule.triggers, rule.expects, best.Mode, best.Triggers, best.Expects, best.Require, best.Before, best.Since)
	}
	t.Logf("%d of %d hidden rules are first", found, cases)
	if float64(found) < leastTaught*float64(cases) {
		t.Errorf("%d of %d hidden rules are first; want %v of them", found, cases, leastTaught)
	}
}
