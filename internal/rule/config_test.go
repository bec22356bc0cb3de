package rule_test

import (
	"bytes"
	"io/fs"
	"os"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/golden"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// bySource compares patterns by their text.
var bySource = cmp.Comparer(func(a, b *pattern.Pattern) bool { return a.String() == b.String() })

func compiled(t *testing.T, sources ...string) []*pattern.Pattern {
	t.Helper()
	patterns := make([]*pattern.Pattern, 0, len(sources))
	for _, s := range sources {
		p, err := pattern.Compile(s)
		if err != nil {
			t.Fatal(err)
		}
		patterns = append(patterns, p)
	}
	return patterns
}

func defaults() rule.Config {
	return rule.Config{
		Enabled:  true,
		RulesDir: ".rulecheck/rules",
		FailOn:   finding.Error,
		Commands: rule.CommandsConfig{Sandbox: rule.SandboxBestEffort, Timeout: time.Minute},
	}
}

const configFile = ".rulecheck/config.yml"

func configOf(content string) fs.FS {
	return fstest.MapFS{configFile: {Data: []byte(content)}}
}

func TestConfigDefaults(t *testing.T) {
	t.Parallel()
	for name, fsys := range map[string]fs.FS{
		"no file":       fstest.MapFS{},
		"empty":         configOf(""),
		"comments only": configOf("# nothing\n\n# here\n"),
		"empty mapping": configOf("{}\n"),
		"said":          configOf("\ufeff---\r\nrules: {enabled: true}\r\n"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, problems := rule.LoadConfig(fsys, configFile)
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			if diff := cmp.Diff(defaults(), got, bySource); diff != "" {
				t.Errorf("config (-want +got):\n%s", diff)
			}
		})
	}
}

func TestConfigEveryKey(t *testing.T) {
	t.Parallel()
	got, problems := rule.LoadConfig(configOf(`# everything
rules:
  enabled: false
  rules_dir: .deepwork/rules
min_version: 1.10.0-rc.1
default_branch: release/1.x
exclude: [vendor/**, "{path}.pb.go"]
sessions: logs
fail_on: warning
jobs: 012
commands:
  sandbox: required
  write: [build, .cache]
  env: [CI, GOFLAGS]
  timeout: 2m
  trust_head: true
  binary: skip
waivers: {trust: True}
`), configFile)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	want := rule.Config{
		RulesDir:      ".deepwork/rules",
		MinVersion:    "1.10.0-rc.1",
		DefaultBranch: "release/1.x",
		Exclude:       compiled(t, "vendor/**", "{path}.pb.go"),
		Sessions:      []string{"logs"},
		FailOn:        finding.Warning,
		Jobs:          12,
		Commands: rule.CommandsConfig{
			Sandbox:   rule.SandboxRequired,
			Write:     []string{"build", ".cache"},
			Env:       []string{"CI", "GOFLAGS"},
			Timeout:   2 * time.Minute,
			TrustHead: true,

			SkipBinary: true,
		},
		TrustWaivers: true,
	}
	if diff := cmp.Diff(want, got, bySource); diff != "" {
		t.Errorf("config (-want +got):\n%s", diff)
	}
}

// A key with a problem leaves the others as they are, and its own default.
func TestConfigKeepsWhatIsGood(t *testing.T) {
	t.Parallel()
	got, problems := rule.LoadConfig(configOf("jobs: 4\nfail_on: never\n"), configFile)
	if len(problems) != 1 {
		t.Fatalf("problems %v; want one", problems)
	}
	want := defaults()
	want.Jobs = 4
	if diff := cmp.Diff(want, got, bySource); diff != "" {
		t.Errorf("config (-want +got):\n%s", diff)
	}
}

func TestConfigUnreadable(t *testing.T) {
	t.Parallel()
	got, problems := rule.LoadConfig(fstest.MapFS{configFile + "/x": {}}, configFile)
	if len(problems) != 1 || problems[0].Code != "unreadable" {
		t.Errorf("problems %v; want one with the code unreadable", problems)
	}
	if diff := cmp.Diff(defaults(), got, bySource); diff != "" {
		t.Errorf("config (-want +got):\n%s", diff)
	}
}

func TestBadConfigs(t *testing.T) {
	t.Parallel()
	fsys := os.DirFS("testdata")
	files, err := fs.Glob(fsys, "config/*.yml")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	var all bytes.Buffer
	for _, file := range files {
		_, problems := rule.LoadConfig(fsys, file)
		if len(problems) == 0 {
			t.Errorf("%s: no problem", file)
		}
		all.Write(excerpts(t, problems))
	}
	golden.Compare(t, "testdata/config.golden", all.String())
}
