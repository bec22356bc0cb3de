package check_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/report"
)

// scenario is a case of testdata/scenarios.json: what is done to a repository,
// which rules then fire, and what has changed for each base.
type scenario struct {
	ID      string            `json:"id"`
	Initial json.RawMessage   `json:"initial"` // "default", or files
	Origin  *origin           `json:"origin"`
	Unborn  bool              `json:"unborn"`
	Config  map[string]string `json:"git_config"`
	Rules   map[string]string `json:"rules"`
	Steps   []step            `json:"steps"`
	// Promised are the rules somebody says to have seen to; here in a commit's message.
	Promised  []string            `json:"promised"`
	Expected  json.RawMessage     `json:"expected"` // what fired, or {"error": …}
	FileSets  map[string]fileSets `json:"file_sets"`
	CompareTo []string            `json:"compare_to"`
}

// origin is a bare remote that got the first commit.
type origin struct {
	Default string `json:"default"`
	SetHead *bool  `json:"set_head"`
	Remote  string `json:"remote_name"`
}

type fileSets struct {
	Changed []string `json:"changed"`
	Created []string `json:"created"`
}

// step is one thing that is done.
type step struct {
	Op      string            `json:"op"`
	Path    string            `json:"path"`
	Paths   []string          `json:"paths"`
	Content string            `json:"content"`
	From    string            `json:"from"`
	To      string            `json:"to"`
	Mode    string            `json:"mode"`
	Target  string            `json:"target"`
	Name    string            `json:"name"`
	Ref     string            `json:"ref"`
	Onto    string            `json:"onto"`
	Branch  string            `json:"branch"`
	Files   map[string]string `json:"files"`
	Delete  []string          `json:"delete"`
}

// ops are what a step can do.
var ops = map[string]func(r *repository, s step){
	"write":  func(r *repository, s step) { r.write(s.Path, s.Content) },
	"append": func(r *repository, s step) { r.write(s.Path, r.read(s.Path)+s.Content) },
	"delete": func(r *repository, s step) { r.must(os.RemoveAll(r.path(s.Path))) },
	"rename": func(r *repository, s step) {
		r.must(os.MkdirAll(filepath.Dir(r.path(s.To)), 0o755))
		r.must(os.Rename(r.path(s.From), r.path(s.To)))
	},
	"mkdir": func(r *repository, s step) { r.must(os.MkdirAll(r.path(s.Path), 0o755)) },
	"chmod": func(r *repository, s step) {
		mode, err := strconv.ParseUint(s.Mode, 8, 9)
		r.must(err)
		r.must(os.Chmod(r.path(s.Path), os.FileMode(mode)))
	},
	"symlink": func(r *repository, s step) {
		r.must(os.RemoveAll(r.path(s.Path)))
		r.must(os.Symlink(s.Target, r.path(s.Path)))
	},
	"stage":         func(r *repository, s step) { r.git(append([]string{"add", "-A", "--"}, s.Paths...)...) },
	"intent_to_add": func(r *repository, s step) { r.git(append([]string{"add", "-N", "--"}, s.Paths...)...) },
	"commit":        func(r *repository, _ step) { r.commit("work") },
	"amend": func(r *repository, _ step) {
		r.git("add", "-A")
		r.git("commit", "-q", "--amend", "--no-edit")
	},
	"branch":   func(r *repository, s step) { r.git("switch", "-q", "-c", s.Name) },
	"checkout": func(r *repository, s step) { r.git("checkout", "-q", s.Ref) },
	"detach":   func(r *repository, _ step) { r.git("checkout", "-q", "--detach") },
	"push": func(r *repository, s step) {
		r.git("push", "-q", "origin", "HEAD:refs/heads/"+s.Branch)
		r.git("fetch", "-q", "origin")
	},
	"upstream_commit": func(r *repository, s step) {
		r.upstream(s)
		r.git("fetch", "-q", "origin")
	},
	"merge":  func(r *repository, s step) { r.git("merge", "-q", "-m", "merge", s.Ref) },
	"rebase": func(r *repository, s step) { r.git("rebase", "-q", s.Onto) },
	"cd":     func(r *repository, s step) { r.dir = r.path(s.Path) },
}

// differently are the scenarios this program answers in its own way, with what
// it says instead. docs/decisions/002-conformance.md has the reasons.
var differently = map[string][]fired{}

func TestScenarios(t *testing.T) {
	for _, file := range []string{"scenarios.json", "more_scenarios.json"} {
		text, err := os.ReadFile(filepath.Join("testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		var suite struct {
			Count   int               `json:"count"`
			Initial map[string]string `json:"default_initial"`
			Cases   []scenario        `json:"cases"`
		}
		if err := json.Unmarshal(text, &suite); err != nil {
			t.Fatal(err)
		}
		if len(suite.Cases) == 0 || len(suite.Cases) != suite.Count {
			t.Fatalf("%s: %d cases; the suite says %d", file, len(suite.Cases), suite.Count)
		}
		for _, s := range suite.Cases {
			t.Run(s.ID, func(t *testing.T) {
				t.Parallel()
				s.run(t, suite.Initial)
			})
		}
	}
}

// run builds the scenario for real and judges it.
func (s scenario) run(t *testing.T, initial map[string]string) {
	t.Helper()
	r := newRepository(t)
	s.begin(r, initial)
	for _, step := range s.Steps {
		do, ok := ops[step.Op]
		if !ok {
			t.Fatalf("unknown op %q", step.Op)
		}
		step.Path = strings.Replace(step.Path, ".deepwork/", ".rulecheck/", 1)
		do(r, step)
	}
	if len(s.Promised) > 0 {
		r.git("commit", "-q", "--allow-empty", "-m", "<promise>"+strings.Join(s.Promised, "</promise> <promise>")+"</promise>")
	}
	rep := r.check(check.Options{})
	var files []string
	for file := range s.Rules {
		files = append(files, file)
	}
	slices.Sort(files)
	s.compare(t, rep, firedIn(rep, files))
}

// begin makes the first commit, of the initial files and the rules, and the remote.
func (s scenario) begin(r *repository, initial map[string]string) {
	if !bytes.Equal(s.Initial, []byte(`"default"`)) {
		initial = nil
		r.must(json.Unmarshal(s.Initial, &initial))
	}
	branch := "main"
	if s.Origin != nil {
		branch = s.Origin.Default
		r.git("symbolic-ref", "HEAD", "refs/heads/"+branch)
	}
	for key, value := range s.Config {
		r.git("config", key, value)
	}
	for path, content := range initial {
		r.write(path, content)
	}
	for file, text := range s.Rules {
		r.write(".rulecheck/rules/"+file, text)
	}
	if s.Unborn {
		return
	}
	r.commit("first")
	if s.Origin == nil {
		return
	}
	remote := "origin"
	if s.Origin.Remote != "" {
		remote = s.Origin.Remote
	}
	r.git("init", "-q", "--bare", "-b", branch, r.bare())
	r.git("remote", "add", remote, r.bare())
	r.git("push", "-q", remote, branch)
	if s.Origin.SetHead == nil || *s.Origin.SetHead {
		r.git("remote", "set-head", remote, branch)
	}
}

// compare holds the report to what is expected. Only what a rule says of its
// counterparts is held to the violations, where the scenario lists any.
func (s scenario) compare(t *testing.T, rep *report.Report, got []fired) {
	t.Helper()
	var none struct {
		Error string `json:"error"`
	}
	if json.Unmarshal(s.Expected, &none) == nil {
		if len(got) > 0 || rep.Status("") != 3 {
			t.Errorf("fired %v with status %d; want %s, which is status 3", got, rep.Status(""), none.Error)
		}
		return
	}
	var want []fired
	if err := json.Unmarshal(s.Expected, &want); err != nil {
		t.Fatal(err)
	}
	if other, ok := differently[s.ID]; ok {
		if cmp.Equal(sorted(want), sorted(other)) {
			t.Error("this scenario is answered as it expects; want no entry in differently")
		}
		want = other
	}
	if d := cmp.Diff(sorted(want), sorted(got)); d != "" {
		t.Errorf("fired: -want +got:\n%s", d)
	}
	sets := map[string]fileSets{}
	for id, list := range rep.Changes {
		sets[id] = setsOf(list)
	}
	if d := cmp.Diff(s.FileSets, sets); d != "" {
		t.Errorf("file sets: -want +got:\n%s", d)
	}
	if len(rep.Errors) > 0 {
		t.Errorf("unexpected errors %v", rep.Errors)
	}
}

// setsOf are the names that changed and those that were created, rules left out.
func setsOf(list []diff.Change) fileSets {
	var s fileSets
	for _, c := range list {
		if strings.HasPrefix(c.Path, ".rulecheck/") {
			continue
		}
		s.Changed = append(s.Changed, c.Names()...)
		if c.Status == diff.Added {
			s.Created = append(s.Created, c.Path)
		}
	}
	return fileSets{Changed: set(s.Changed), Created: set(s.Created)}
}

// upstream is a commit that somebody else made at the remote.
func (r *repository) upstream(s step) {
	r.t.Helper()
	var stream strings.Builder
	ref := "refs/heads/" + s.Branch
	fmt.Fprintf(&stream, "commit %s\ncommitter B <b@example.com> 0 +0000\ndata 2\nup\nfrom %[1]s^0\n", ref)
	for path, content := range s.Files {
		fmt.Fprintf(&stream, "M 644 inline %s\ndata %d\n%s\n", path, len(content), content)
	}
	for _, path := range s.Delete {
		fmt.Fprintf(&stream, "D %s\n", path)
	}
	r.feed(stream.String(), "-C", r.bare(), "fast-import", "--quiet")
}

// bare is the place of the remote, beside the repository.
func (r *repository) bare() string { return r.env0("HOME") + ".git" }

func (r *repository) path(name string) string { return filepath.Join(r.dir, name) }

func (r *repository) read(name string) string {
	r.t.Helper()
	content, err := os.ReadFile(r.path(name))
	r.must(err)
	return string(content)
}

func (r *repository) must(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
}
