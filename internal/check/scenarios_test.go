package check_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/native"
	"github.com/rulecheck/rulecheck/internal/diff/program"
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
	// Promised are the rules that a commit's message promises to follow.
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

// scene is a repository and its remote.
type scene struct {
	*repository
	remote string // its name
	bare   string // its place
}

// ops are the operations of steps.
var ops = map[string]func(r *scene, s step){
	"write":  func(r *scene, s step) { r.Write(s.Path, s.Content) },
	"append": func(r *scene, s step) { r.Write(s.Path, r.read(s.Path)+s.Content) },
	"delete": func(r *scene, s step) { r.must(os.RemoveAll(r.path(s.Path))) },
	"rename": func(r *scene, s step) {
		r.must(os.MkdirAll(filepath.Dir(r.path(s.To)), 0o755))
		r.must(os.Rename(r.path(s.From), r.path(s.To)))
	},
	"mkdir": func(r *scene, s step) { r.must(os.MkdirAll(r.path(s.Path), 0o755)) },
	"chmod": func(r *scene, s step) {
		mode, err := strconv.ParseUint(s.Mode, 8, 9)
		r.must(err)
		r.must(os.Chmod(r.path(s.Path), os.FileMode(mode)))
	},
	"symlink": func(r *scene, s step) {
		r.must(os.RemoveAll(r.path(s.Path)))
		r.must(os.Symlink(s.Target, r.path(s.Path)))
	},
	"stage":         func(r *scene, s step) { r.Git(append([]string{"add", "-A", "--"}, s.Paths...)...) },
	"intent_to_add": func(r *scene, s step) { r.Git(append([]string{"add", "-N", "--"}, s.Paths...)...) },
	"commit":        func(r *scene, _ step) { r.Commit("work") },
	"amend": func(r *scene, _ step) {
		r.Git("add", "-A")
		r.Git("commit", "-q", "--amend", "--no-edit")
	},
	"branch":   func(r *scene, s step) { r.Git("switch", "-q", "-c", s.Name) },
	"checkout": func(r *scene, s step) { r.Git("checkout", "-q", s.Ref) },
	"detach":   func(r *scene, _ step) { r.Git("checkout", "-q", "--detach") },
	"push": func(r *scene, s step) {
		r.Git("push", "-q", r.remote, "HEAD:refs/heads/"+s.Branch)
		r.Git("fetch", "-q", r.remote)
	},
	"upstream_commit": func(r *scene, s step) {
		r.upstream(s)
		r.Git("fetch", "-q", r.remote)
	},
	"prompt": func(r *scene, _ step) {
		_, err := r.Open().(*program.Engine).Capture(r.T.Context(), time.Now())
		r.must(err)
	},
	"merge":  func(r *scene, s step) { r.Git("merge", "-q", "-m", "merge", s.Ref) },
	"rebase": func(r *scene, s step) { r.Git("rebase", "-q", s.Onto) },
	"cd":     func(r *scene, s step) { r.Dir = r.path(s.Path) },
}

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

// run builds the scenario in a repository and checks it with every engine.
func (s scenario) run(t *testing.T, initial map[string]string) {
	t.Helper()
	r := &scene{repository: newRepository(t), bare: t.TempDir(), remote: "origin"}
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
		r.Git("commit", "-q", "--allow-empty", "-m", "<promise>"+strings.Join(s.Promised, "</promise> <promise>")+"</promise>")
	}
	t.Run("program", func(t *testing.T) { s.check(t, r.Open()) })
	t.Run("embedded", func(t *testing.T) {
		engine, err := native.Open(native.Options{
			Dir: r.Dir, Env: r.Env,
		})
		if err != nil {
			t.Fatal(err)
		}
		s.check(t, engine)
	})
}

// check compares the findings with an engine with the expected ones.
func (s scenario) check(t *testing.T, engine diff.Engine) {
	t.Helper()
	rep, err := check.Run(t.Context(), engine, check.Options{})
	if err != nil {
		t.Fatal(err)
	}
	// Of all that is done here only a captured prompt needs the git program.
	if slices.ContainsFunc(s.Steps, func(s step) bool { return s.Op == "prompt" }) {
		for _, e := range rep.Errors {
			if strings.Contains(e.Message, diff.ErrNeedsGit.Error()) {
				t.Skip(e.Message)
			}
		}
	}
	var files []string
	for file := range s.Rules {
		files = append(files, file)
	}
	slices.Sort(files)
	s.compare(t, rep, firedIn(rep, files))
}

// begin makes the first commit, of the initial files and the rules, and the remote.
func (s scenario) begin(r *scene, initial map[string]string) {
	if !bytes.Equal(s.Initial, []byte(`"default"`)) {
		initial = nil
		r.must(json.Unmarshal(s.Initial, &initial))
	}
	branch := "main"
	if s.Origin != nil {
		branch = s.Origin.Default
		r.Git("symbolic-ref", "HEAD", "refs/heads/"+branch)
	}
	for key, value := range s.Config {
		r.Git("config", key, value)
	}
	for path, content := range initial {
		r.Write(path, content)
	}
	for file, text := range s.Rules {
		r.Write(".rulecheck/rules/"+file, text)
	}
	if s.Unborn {
		return
	}
	r.Commit("first")
	if s.Origin == nil {
		return
	}
	r.remote = cmp.Or(s.Origin.Remote, r.remote)
	r.Git("init", "-q", "--bare", "-b", branch, r.bare)
	r.Git("remote", "add", r.remote, r.bare)
	r.Git("push", "-q", r.remote, branch)
	if s.Origin.SetHead == nil || *s.Origin.SetHead {
		r.Git("remote", "set-head", r.remote, branch)
	}
}

// compare compares the report with the expectation. If the scenario lists violations, the
// expected files of each finding are compared as well.
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
	if d := gocmp.Diff(sorted(want), sorted(got)); d != "" {
		t.Errorf("fired: -want +got:\n%s", d)
	}
	sets := map[string]fileSets{}
	for id, list := range rep.Changes {
		sets[id] = setsOf(list)
	}
	if d := gocmp.Diff(s.FileSets, sets); d != "" {
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

// upstream makes a commit at the remote, as another user would.
func (r *scene) upstream(s step) {
	r.T.Helper()
	var stream strings.Builder
	fmt.Fprintf(&stream, "commit refs/heads/%s\ncommitter B <b@example.com> 0 +0000\ndata 2\nup\nfrom refs/heads/%[1]s^0\n", s.Branch)
	for path, content := range s.Files {
		fmt.Fprintf(&stream, "M 644 inline %s\ndata %d\n%s\n", path, len(content), content)
	}
	for _, path := range s.Delete {
		fmt.Fprintf(&stream, "D %s\n", path)
	}
	cmd := exec.CommandContext(r.T.Context(), "git", "-C", r.bare, "fast-import", "--quiet")
	cmd.Env, cmd.Stdin = r.Env, strings.NewReader(stream.String())
	r.must(cmd.Run())
}

func (r *scene) path(name string) string { return filepath.Join(r.Dir, name) }

func (r *scene) read(name string) string {
	r.T.Helper()
	content, err := os.ReadFile(r.path(name))
	r.must(err)
	return string(content)
}

func (r *scene) must(err error) {
	r.T.Helper()
	if err != nil {
		r.T.Fatal(err)
	}
}
