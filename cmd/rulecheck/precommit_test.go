package main

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// frameworkVariable has a value where the hooks are to be built as the pre-commit
// framework builds them, which takes minutes.
const frameworkVariable = "PRE_COMMIT_FROM_SOURCE"

// TestFrameworkManifest holds what every hook must be, and that each has twins that run
// what is in PATH and the wheel of a release.
func TestFrameworkManifest(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", ".pre-commit-hooks.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	type hook struct {
		ID            string   `yaml:"id"`
		Name          string   `yaml:"name"`
		Description   string   `yaml:"description"`
		Entry         string   `yaml:"entry"`
		Args          []string `yaml:"args"`
		Language      string   `yaml:"language"`
		PassFilenames *bool    `yaml:"pass_filenames"` //nolint:tagliatelle // as the framework has it
		AlwaysRun     bool     `yaml:"always_run"`     //nolint:tagliatelle // as the framework has it
		RequireSerial bool     `yaml:"require_serial"` //nolint:tagliatelle // as the framework has it
		Stages        []string `yaml:"stages"`
	}
	var hooks []hook
	if err := yaml.UnmarshalWithOptions(text, &hooks, yaml.Strict()); err != nil {
		t.Fatal(err)
	}
	byID := map[string]hook{}
	for _, h := range hooks {
		byID[h.ID] = h
		message := strings.Contains(h.ID, "-msg")
		if !h.AlwaysRun || !h.RequireSerial || (h.PassFilenames == nil) != message || h.PassFilenames != nil && *h.PassFilenames {
			t.Errorf("%s: want it always run, serial, and without names of files unless one is the message", h.ID)
		}
		words := slices.Concat(strings.Fields(h.Entry)[1:], h.Args)
		if message {
			words = append(words, "FILE")
		}
		if err := parses(words); err != nil {
			t.Errorf("%s: %v", h.ID, err)
		}
	}
	for _, id := range []string{"rulecheck", "rulecheck-fix", "rulecheck-msg"} {
		built := byID[id]
		if built.Language != "golang" {
			t.Errorf("%s: language %q", id, built.Language)
		}
		for _, language := range []string{"system", "python"} {
			want, got := built, byID[id+"-"+language]
			want.ID, want.Language = got.ID, language
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s-%s differs from %s", id, language, id)
			}
		}
	}
	if len(hooks) != 9 {
		t.Errorf("%d hooks; want each of three and its twins", len(hooks))
	}
}

// TestFramework commits through the hooks of the pre-commit framework, from a clone
// of this working tree, and through those of prek where that is installed.
func TestFramework(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the hooks")
	}
	needBash(t)
	for _, name := range []string{"pre-commit", "prek"} {
		t.Run(name, func(t *testing.T) {
			program, err := exec.LookPath(name)
			if err != nil {
				if name == "pre-commit" && os.Getenv("CI") != "" && runtime.GOOS == "linux" {
					t.Fatal("CI is set, and there is no pre-commit; want: apt-get install pre-commit")
				}
				t.Skip("no " + name + " in PATH")
			}
			testFramework(t, program)
		})
	}
}

func testFramework(t *testing.T, program string) {
	t.Helper()
	home := t.TempDir()
	env, suffix, all := isolated(t, home), "-system", os.Getenv(frameworkVariable) != ""
	if all {
		suffix = ""
	}
	env = append(env, "PRE_COMMIT_HOME="+filepath.Join(home, "cache"), "PREK_HOME="+filepath.Join(home, "cache"),
		"FRAMEWORK="+program, "HOOKS="+hooksOf(t, env, all), "SUFFIX="+suffix)
	dir := filepath.Join(t.TempDir(), "project")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	out := sh(t, env, dir, frameworkScript)
	for _, want := range []string{
		"REFUSED change\n", "REFUSED message\n", "WAIVED\n", "REFUSED deletion\n", "DELETED\n",
		"REFUSED fix\n", "notice: fixed 1 file: a.txt; stage the result and commit again", "FIXED\n",
		"REFUSED range\n", "CLEAN range\n", "REFUSED push\n", "PUSHED\n", "REFUSED first push\n",
	} {
		if !strings.Contains(out+"\n", want) {
			t.Errorf("want %q in:\n%s", want, out)
		}
	}
}

// frameworkScript installs the hooks and commits; it prints REFUSED after commands that
// failed as expected.
const frameworkScript = `
refused() { word=$1; shift; if "$@" >out 2>&1; then cat out; echo "NOT REFUSED $word"; exit 1; fi; cat out; echo "REFUSED $word"; }
git init -q
printf 'out\n' >.git/info/exclude
cat >.pre-commit-config.yaml <<END
repos:
- repo: $HOOKS
  rev: $(git -C "$HOOKS" rev-parse HEAD)
  hooks:
  - id: rulecheck$SUFFIX
  - id: rulecheck-msg$SUFFIX
END
mkdir -p src tests .rulecheck/rules
printf -- '---\npair: {trigger: "src/{path}.py", expects: "tests/{path}_test.py"}\n---\nTest it.\n' >.rulecheck/rules/pairing.md
printf -- '---\ntrigger: "tests/**"\nwhen: change.deleted("tests/**")\n---\nTests stay.\n' >.rulecheck/rules/proof.md
echo a >src/a.py; echo a >tests/a_test.py
git add -A; git commit -qm base
"$FRAMEWORK" install -t pre-commit -t commit-msg -t pre-push >/dev/null
git switch -qc topic

echo b >src/a.py; git add -A
refused change git commit -qm 'change a'
grep -q 'Rulecheck-Waive: pairing REASON' out
refused message git commit -qm 'change a' -m 'Rulecheck-Waive: proof of the wrong rule'
git commit -qm 'change a' -m 'Rulecheck-Waive: pairing generated' >out 2>&1 && echo WAIVED
[ "$(grep -c '^rulecheck.*Passed$' out)" = 2 ] || { cat out; exit 1; } # each hook at its own stage

git rm -q tests/a_test.py
refused deletion git commit -qm 'delete'
git commit -qm 'delete' -m 'Rulecheck-Waive: proof moved
Rulecheck-Waive: pairing moved' && echo DELETED

# a command of a rule changes the working tree, and the next commit has the result
sed -i.bak "s/id: rulecheck$SUFFIX\$/id: rulecheck-fix$SUFFIX/" .pre-commit-config.yaml; rm .pre-commit-config.yaml.bak
printf -- '---\ntrigger: "*.txt"\naction: {command: [sh, -c, "tr a-z A-Z <\\"$1\\" >t && mv t \\"$1\\"", sh, "{file}"]}\n---\n' >.rulecheck/rules/upper.md
echo text >a.txt; git add -A; echo unstaged >>src/a.py
refused fix git commit -qm text
[ "$(cat a.txt)" = TEXT ] && [ "$(tail -n 1 src/a.py)" = unstaged ]
git restore src/a.py; git add -u
git commit -qm text && echo FIXED
[ "$(git show HEAD:a.txt)" = TEXT ]

# ranges: by hand, and at a push
git -c core.hooksPath=/dev/null switch -qc later
echo c >src/c.py; git add -A; git -c core.hooksPath=/dev/null commit -qm c
refused range "$FRAMEWORK" run --from-ref HEAD~1 --to-ref HEAD
grep -q 'src/c.py' out
"$FRAMEWORK" run --from-ref HEAD --to-ref HEAD && echo CLEAN range
git init -q --bare ../remote
git remote add origin ../remote
git -c core.hooksPath=/dev/null push -q origin topic
git fetch -q origin
refused push git push -q origin later
git -c core.hooksPath=/dev/null reset -q --hard topic
git -c core.hooksPath=/dev/null commit -q --allow-empty -m nothing
git push -q origin later && echo PUSHED
# the remote has none of it: all of it is checked
git init -q --bare ../other
git remote add other ../other
echo z >src/z.py; git add -A
git -c core.hooksPath=/dev/null commit -qm z
git -c core.hooksPath=/dev/null push -q origin later
refused 'first push' git push -q other later
`

// hooksOf is a repository with files of this working tree, as the framework clones
// one: all of them, or the manifest alone.
func hooksOf(t *testing.T, env []string, all bool) string {
	t.Helper()
	project, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	names := []string{".pre-commit-hooks.yaml"}
	if all {
		names = strings.Split(sh(t, env, project, "git -c safe.directory='*' ls-files -co --exclude-standard"), "\n")
	}
	dir := t.TempDir()
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(project, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue // deleted, and still in the index
		}
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, name), string(text))
	}
	sh(t, env, dir, "git init -q && git add -A && git commit -qm all")
	return dir
}
