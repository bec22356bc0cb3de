package install_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tailscale/hujson"

	"github.com/rulecheck/rulecheck/internal/agents/hook/install"
	"github.com/rulecheck/rulecheck/internal/agents/profile"
)

// place is a working tree with settings of one agent.
type place struct {
	t failer
	profile.Profile
	install.Options
}

// failer is a test, or a check of a law.
type failer interface {
	Helper()
	Fatal(args ...any)
}

func newPlace(t *testing.T, agentName string) *place {
	t.Helper()
	for _, d := range install.Agents() {
		if d.Name == agentName {
			root := filepath.Join(t.TempDir(), "my project's [files]")
			p := &place{t, d, install.Options{Root: root, GitDir: filepath.Join(root, ".git")}}
			p.must(os.MkdirAll(p.GitDir, 0o700))
			return p
		}
	}
	t.Fatalf("no agent %s", agentName)
	return nil
}

func (p *place) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

func (p *place) file() string { return filepath.Join(p.Root, filepath.FromSlash(p.Settings.File)) }

func (p *place) write(text string) {
	p.t.Helper()
	p.must(os.MkdirAll(filepath.Dir(p.file()), 0o755))
	p.must(os.WriteFile(p.file(), []byte(text), 0o600))
}

// read returns the settings; empty if there are none.
func (p *place) read() string {
	p.t.Helper()
	text, err := os.ReadFile(p.file())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		p.t.Fatal(err)
	}
	return string(text)
}

func (p *place) install() install.Result {
	p.t.Helper()
	r, err := install.Install(p.Profile, p.Options)
	p.must(err)
	return r
}

func (p *place) uninstall() install.Result {
	p.t.Helper()
	r, err := install.Uninstall(p.Profile, p.Options)
	p.must(err)
	return r
}

// forget removes what is remembered of the installation, as in another clone.
func (p *place) forget() {
	p.t.Helper()
	p.must(os.RemoveAll(filepath.Join(p.GitDir, "rulecheck")))
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// decode returns settings as values.
func decode(t *testing.T, text string) map[string]any {
	t.Helper()
	standard, err := hujson.Standardize([]byte(strings.TrimPrefix(text, "\ufeff")))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var root map[string]any
	dec := json.NewDecoder(strings.NewReader(string(standard)))
	dec.UseNumber()
	if err := dec.Decode(&root); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return root
}

// TestAgents walks the table. Each event of each agent is registered, in a new file that
// disappears again; a second call and a second removal change nothing. UPDATE=1 rewrites
// the goldens.
func TestAgents(t *testing.T) {
	var names []string
	for _, d := range install.Agents() {
		names = append(names, d.Name)
		t.Run(d.Name, func(t *testing.T) {
			p := newPlace(t, d.Name)
			equal(t, "nothing", p.uninstall().Text, "not installed")
			r := p.install()
			equal(t, "installed", r.Text, "created")
			first := p.read()
			equal(t, "after", string(r.After), first)
			equal(t, "again", p.install().Text, "already installed")
			equal(t, "twice", p.read(), first)
			equal(t, "settings", first, wanted(t, d.Name, filepath.Ext(d.Settings.File), first))
			for _, e := range d.Events {
				if !strings.Contains(first, `"`+e.Name+`"`) && len(d.Settings.Also) == 0 {
					t.Errorf("%s is not registered", e.Name)
				}
			}
			if strings.Contains(first, p.Root) || strings.Contains(first, os.Args[0]) {
				t.Errorf("the settings name a directory:\n%s", first)
			}
			equal(t, "removed", p.uninstall().Text, "removed")
			equal(t, "removed again", p.uninstall().Text, "not installed")
			left, err := os.ReadDir(p.Root)
			if err != nil || len(left) != 1 {
				t.Errorf("left in the working tree: %v, %v", left, err)
			}
			records, _ := filepath.Glob(filepath.Join(p.GitDir, "rulecheck/installed/*"))
			equal(t, "records", records, []string(nil))
		})
	}
	var want []string
	for _, p := range profile.All() {
		if len(p.Events) > 0 && p.Name != profile.ClaudeLike {
			want = append(want, p.Name)
		}
	}
	equal(t, "agents", names, want)
}

// shim returns the plugin of OpenCode.
func shim() string {
	p, _ := profile.Named("opencode")
	return p.Settings.Shim
}

// wanted returns the settings that an agent gets: the plugin that is embedded, or a golden.
func wanted(t *testing.T, agent, extension, got string) string {
	t.Helper()
	if p, _ := profile.Named(agent); p.Settings.Shim != "" {
		return p.Settings.Shim
	}
	golden := filepath.Join("testdata", agent+extension)
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatalf("%v; run: make update", err)
	}
	return string(want)
}

// contents are settings with other content, in every style.
var contents = map[string]string{
	"empty":            "{}",
	"empty, line":      "{}\n",
	"empty, lines":     "{\n\n}\n",
	"compact":          `{"permissions":{"allow":["Bash(ls)"]},"model":"x"}`,
	"two blanks":       "{\n  \"model\": \"x\",\n  \"permissions\": {\n    \"allow\": [\"Bash(ls)\"]\n  }\n}\n",
	"four blanks":      "{\n    \"model\": \"x\",\n    \"permissions\": {\"allow\": []}\n}",
	"tabs":             "{\n\t\"model\": \"x\"\n}\n",
	"odd":              "{ \"model\" : \"x\"\n,   \"env\":{ }\n     }\n\n",
	"no indentation":   "{\n\"model\": \"x\"\n}\n",
	"windows":          "{\r\n  \"model\": \"x\",\r\n  \"env\": {}\r\n}\r\n",
	"byte order mark":  "\ufeff{\r\n  \"model\": \"é\"\r\n}\r\n",
	"comments":         "// mine\n{\n  // of the model\n  \"model\": \"x\", // a fast one\n  \"env\": {} // none\n  /* the end */\n}\n// after\n",
	"only comments":    "{\n  // nothing yet\n}\n",
	"comment in line":  "{ /* nothing */ }",
	"trailing commas":  "{\n  \"model\": \"x\",\n  \"hooks\": {\n    \"Other\": [1, 2,],\n  },\n}\n",
	"escapes":          `{"mod\u0065l": "\u00e9\ud83d\ude00", "n": 1e400, "big": 12345678901234567890}` + "\n",
	"order":            "{\n  \"z\": 1,\n  \"a\": 2,\n  \"hooks\": {\n    \"Zzz\": []\n  },\n  \"b\": 3\n}\n",
	"other hooks":      "{\n  \"hooks\": {\n    \"%E\": [\n      {\n        \"matcher\": \"Bash\",\n        \"hooks\": [{\"type\": \"command\", \"command\": \"make lint\", \"timeout\": 5}]\n      }\n    ]\n  }\n}\n",
	"other, in line":   "{\n  \"hooks\": {\"%E\": [{\"command\": \"echo 'rulecheck hook claude'\"}]}\n}\n",
	"empty lists":      "{\n  \"hooks\": {\n    \"%E\": []\n  }\n}\n",
	"an empty object":  "{\n  \"hooks\": {}\n}\n",
	"versioned":        "{\n  \"version\": 1,\n  \"hooks\": {\n  }\n}\n",
	"rulecheck's name": "{\n  \"rulecheck\": {\n    \"enabled\": true\n  }\n}\n",
	"mentions":         "{\n  \"permissions\": {\"allow\": [\"Bash(rulecheck hook claude)\"]},\n  \"note\": {\"command\": \"rulecheck hook claude\"}\n}\n",
}

// TestOtherContent installs into settings of every style. Every other byte stays where it
// was, a second call changes nothing, and removing restores the file, byte for byte.
func TestOtherContent(t *testing.T) {
	for _, d := range install.Agents() {
		if d.Settings.Shim != "" {
			continue
		}
		for name, text := range contents {
			t.Run(d.Name+"/"+name, func(t *testing.T) {
				t.Parallel()
				p := newPlace(t, d.Name)
				text := strings.ReplaceAll(text, "%E", d.Events[0].Name)
				p.write(text)
				p.must(os.Chmod(p.file(), 0o640))
				equal(t, "installed", p.install().Text, "installed")
				with := p.read()
				if !within(text, with) {
					t.Errorf("something else changed:\n%s\n---\n%s", text, with)
				}
				before, after := decode(t, text), decode(t, with)
				for key, value := range before {
					if key != "hooks" && key != "rulecheck" {
						equal(t, key, after[key], value)
					}
				}
				if eol := strings.Count(with, "\r\n"); eol > 0 && eol != strings.Count(with, "\n") {
					t.Errorf("two kinds of line ends:\n%q", with)
				}
				equal(t, "again", p.install().Text, "already installed")
				equal(t, "twice", p.read(), with)
				if info, err := os.Stat(p.file()); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm() != 0o640) {
					t.Errorf("permissions %v, %v; want 0640", info.Mode(), err)
				}
				equal(t, "removed", p.uninstall().Text, "removed")
				equal(t, "restored", p.read(), text)
				// Elsewhere, nothing is remembered: what was there stays.
				p.install()
				p.forget()
				p.uninstall()
				if rest := p.read(); rest != "" {
					equal(t, "removed elsewhere", dropEmpty(decode(t, rest)), dropEmpty(before))
				} else if len(dropEmpty(before)) > 0 {
					t.Error("the file was removed")
				}
			})
		}
	}
}

// within reports whether text is longer without some of its bytes.
func within(text, longer string) bool {
	for i := range len(longer) {
		if text != "" && longer[i] == text[0] {
			text = text[1:]
		}
	}
	return text == ""
}

// dropEmpty removes empty lists and objects, and the version.
func dropEmpty(value map[string]any) map[string]any {
	kept := map[string]any{}
	for key, v := range value {
		switch v := v.(type) {
		case map[string]any:
			if inner := dropEmpty(v); len(inner) > 0 {
				kept[key] = inner
			}
			continue
		case []any:
			if len(v) == 0 {
				continue
			}
		}
		if key != "version" {
			kept[key] = v
		}
	}
	return kept
}

// TestExactElsewhere restores most files byte for byte even if nothing is remembered.
func TestExactElsewhere(t *testing.T) {
	for _, name := range []string{
		"compact", "two blanks", "four blanks", "tabs", "no indentation", "windows", "byte order mark", "comments", "escapes", "other hooks",
		"other, in line", "order", "trailing commas", "mentions",
	} {
		p := newPlace(t, "claude")
		text := strings.ReplaceAll(contents[name], "%E", "Stop")
		p.write(text)
		p.install()
		p.forget()
		p.uninstall()
		equal(t, name, p.read(), text)
	}
}

// TestRefused leaves settings alone that cannot be edited.
func TestRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                                ":1:1: ",
		"{":                               ":1:2: ",
		"{\n  \"a\": 1\n  \"b\": 2\n}":    ":3:3: invalid character",
		"[]":                              ":1:1: want an object",
		"{\n  \"hooks\": []\n}":           `:2:12: "hooks" is no object`,
		"{\"hooks\": {\"Stop\": {}}}":     `:1:20: "Stop" is no array`,
		"{\"hooks\": {}, \"hooks\": {}}":  `:1:15: the member "hooks" exists twice`,
		"{\"hooks\": {\"a\":1, \"a\":2}}": `:1:19: the member "a" exists twice`,
		"{\"a\": \"\xff\"}":               "is not UTF-8",
		"\xff\xfe{\x00}\x00":              "is not UTF-8",
		"hooks: {}\n":                     ":1:1: invalid",
	} {
		p := newPlace(t, "claude")
		p.write(text)
		_, err := install.Install(p.Profile, p.Options)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), ".claude/settings.json:") || !strings.HasSuffix(err.Error(), "nothing was changed") {
			t.Errorf("%q: %v; want %q", text, err, want)
		}
		equal(t, "settings", p.read(), text)
	}
}

// TestObserve switches between deciding and recording, and removes either.
func TestObserve(t *testing.T) {
	for _, d := range install.Agents() {
		for _, remembered := range []bool{true, false} {
			p := newPlace(t, d.Name)
			text := ""
			if d.Settings.Shim == "" {
				text = "{\n  \"a\": 1\n}\n"
				p.write(text)
			}
			p.install()
			decides := p.read()
			p.Observe = true
			p.install()
			observes := p.read()
			if strings.Contains(decides, "--observe") || strings.Count(observes, "--observe") < len(d.Events) && text != "" || !strings.Contains(observes, "--observe") {
				t.Errorf("%s:\n%s", d.Name, observes)
			}
			equal(t, "again", p.install().Text, "already installed")
			if !remembered {
				p.forget()
			}
			p.Observe = false
			p.install()
			equal(t, d.Name, p.read(), decides)
			p.uninstall()
			if left := p.read(); remembered || d.Settings.Version == 0 {
				equal(t, d.Name, left, text)
			} else { // it could be the user's
				equal(t, d.Name, left, "{\n  \"a\": 1,\n  \"version\": 1\n}\n")
			}
		}
	}
}

// TestDryRun writes nothing.
func TestDryRun(t *testing.T) {
	p := newPlace(t, "claude")
	p.DryRun = true
	r := p.install()
	if r.Text != "created" || r.Before != nil || !strings.Contains(string(r.After), "rulecheck hook claude") {
		t.Errorf("%+v", r)
	}
	if _, err := os.Stat(filepath.Dir(p.file())); err == nil {
		t.Error("the directory was made")
	}
	p.DryRun = false
	p.install()
	text := p.read()
	p.DryRun = true
	if r := p.uninstall(); r.Text != "removed" || r.After != nil {
		t.Errorf("%+v", r)
	}
	equal(t, "settings", p.read(), text)
}

// TestTurnedOff gets a notice if settings turn all hooks off, or if the agent ignores them.
func TestTurnedOff(t *testing.T) {
	for agentName, text := range map[string]string{
		"claude": "{\n  // none\n  \"disableAllHooks\": true\n}\n", "gemini": `{"hooksConfig": {"enabled": false}}`,
		"antigravity": "{\n  // mine\n  \"rulecheck\": {\"enabled\": false}\n}\n",
	} {
		p := newPlace(t, agentName)
		p.write(text)
		notices := strings.Join(p.install().Notices, "\n")
		if !strings.Contains(notices, "all hooks are turned off: ") || agentName == "antigravity" && !strings.Contains(notices, "ignores the whole file") {
			t.Errorf("%s: %s", agentName, notices)
		}
	}
}

// TestLinks keeps links and changes what they lead to.
func TestLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("symlinks need a privilege there")
	}
	p := newPlace(t, "claude")
	shared := filepath.Join(t.TempDir(), "shared.json")
	p.must(os.WriteFile(shared, []byte("{}\n"), 0o600))
	p.must(os.MkdirAll(filepath.Dir(p.file()), 0o755))
	p.must(os.Symlink(shared, p.file()))
	r := p.install()
	if target, err := filepath.EvalSymlinks(shared); err != nil || r.Target != target || !strings.Contains(p.read(), "rulecheck hook") {
		t.Errorf("%q, %v", r.Target, err)
	}
	if to, err := os.Readlink(p.file()); to != shared {
		t.Errorf("the link leads to %q, %v", to, err)
	}
	p.uninstall()
	equal(t, "restored", p.read(), "{}\n")
	p.must(os.Remove(shared))
	if _, err := install.Install(p.Profile, p.Options); err == nil || !strings.Contains(err.Error(), "is a link to a file that does not exist") {
		t.Errorf("a dangling link: %v", err)
	}
	// The directory is a link
	p = newPlace(t, "codex")
	elsewhere := t.TempDir()
	p.must(os.Symlink(elsewhere, filepath.Dir(p.file())))
	p.install()
	p.uninstall()
	if left, _ := os.ReadDir(elsewhere); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// TestUnwritable changes nothing where nothing can be written.
func TestUnwritable(t *testing.T) {
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		t.Skip("nothing is read-only for root: see TestReadOnlyDisk")
	}
	p := newPlace(t, "claude")
	p.write("{}")
	dir := filepath.Dir(p.file())
	p.must(os.Chmod(dir, 0o500))
	t.Cleanup(func() { p.must(os.Chmod(dir, 0o700)) })
	if _, err := install.Install(p.Profile, p.Options); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("%v", err)
	}
	equal(t, "settings", p.read(), "{}")
}

// TestInTheWay finds other things where the settings belong.
func TestInTheWay(t *testing.T) {
	p := newPlace(t, "claude")
	p.must(os.MkdirAll(p.file(), 0o755))
	if _, err := install.Install(p.Profile, p.Options); err == nil {
		t.Error("a directory is no error")
	}
	p = newPlace(t, "opencode")
	p.write("export const Mine = () => ({})\n")
	if _, err := install.Install(p.Profile, p.Options); err == nil || !strings.Contains(err.Error(), "is not rulecheck's") {
		t.Errorf("another plugin: %v", err)
	}
	equal(t, "not removed", p.uninstall().Text, "not installed by rulecheck; not changed")
	p.write(strings.Replace(shim(), "LIMIT = 10_000", "LIMIT = 5_000", 1))
	equal(t, "an older plugin", p.install().Text, "updated")
	equal(t, "plugin", p.read(), shim())
}

// TestDamagedRecord removes entries without it.
func TestDamagedRecord(t *testing.T) {
	for _, damage := range []string{"", "{", `{"digest": 1}`, "SPANS"} {
		p := newPlace(t, "claude")
		p.write("{\n  \"a\": 1\n}\n")
		p.install()
		name := filepath.Join(p.GitDir, "rulecheck/installed/claude.json")
		text, err := os.ReadFile(name)
		p.must(err)
		if damage == "SPANS" {
			damage = strings.ReplaceAll(string(text), `"length":`, `"length":9`)
		}
		p.must(os.WriteFile(name, []byte(damage), 0o600))
		p.uninstall()
		equal(t, damage, p.read(), "{\n  \"a\": 1\n}\n")
	}
}
