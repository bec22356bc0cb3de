package packaging_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// workflow has the parts of a workflow that the tests read.
type workflow struct {
	Jobs map[string]struct {
		Steps []struct {
			Run  string         `yaml:"run"`
			Uses string         `yaml:"uses"`
			With map[string]any `yaml:"with"`
		} `yaml:"steps"`
	} `yaml:"jobs"`
}

// TestWorkflowNamesExist checks that workflows run only scripts and targets that there are,
// and that actions are pinned to commits.
func TestWorkflowNamesExist(t *testing.T) {
	makefile, err := os.ReadFile(filepath.Join("..", "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	script, target := regexp.MustCompile(`(?:sh |\./)?((?:packaging|scripts|\.ci)/[\w./-]+)`), regexp.MustCompile(`\bmake (?:-\S+ )*([a-z][\w-]*)`)
	pinned := regexp.MustCompile(`^(\./|[\w./-]+@[0-9a-f]{40}$)`)
	files, err := filepath.Glob(filepath.Join("..", ".github", "workflows", "*.yml"))
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	found := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var flow workflow
		if err := yaml.Unmarshal(text, &flow); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for name, job := range flow.Jobs {
			for _, step := range job.Steps {
				if step.Uses != "" && !pinned.MatchString(step.Uses) {
					t.Errorf("%s: %s: %q is not pinned to a commit", file, name, step.Uses)
				}
				for _, match := range script.FindAllStringSubmatch(step.Run, -1) {
					found++
					if _, err := os.Stat(filepath.Join("..", match[1])); err != nil {
						t.Errorf("%s: %s: %v", file, name, err)
					}
				}
				for _, match := range target.FindAllStringSubmatch(step.Run, -1) {
					found++
					if !regexp.MustCompile(`(?m)^` + match[1] + `:`).Match(makefile) {
						t.Errorf("%s: %s: there is no target %q in the Makefile", file, name, match[1])
					}
				}
			}
		}
	}
	if found < 6 {
		t.Errorf("%d scripts and targets found; want those of the release and CI", found)
	}
}

// TestPublish runs the scripts of a release with programs that record how they are called.
func TestPublish(t *testing.T) {
	for _, test := range []struct {
		tag, registries string
		want, not       []string
	}{
		{"v1.2.0", "true", []string{
			"docker buildx build --push --platform linux/amd64,linux/arm64 ", " --tag ghcr.io/OWNER/rulecheck:v1.2.0 --tag ghcr.io/OWNER/rulecheck:latest ",
			"gh release create v1.2.0 --verify-tag --notes-file DIR/notes.md DIR/", "npx --yes npm@11.6.2 publish --provenance --access public --tag latest DIR/npm/", "uv publish --trusted-publishing always DIR/",
		}, []string{"--prerelease"}},
		{"v1.2.0-rc.1", "true", []string{" --notes-file DIR/notes.md --prerelease DIR/", "--tag next DIR/npm/"}, []string{":latest", "--tag latest"}},
		{"v1.2.0", "", []string{"gh release create v1.2.0 "}, []string{"npx", "uv publish"}},
	} {
		t.Run(test.tag+" "+test.registries, func(t *testing.T) {
			dir := built(t, strings.TrimPrefix(test.tag, "v"))
			path, calls := t.TempDir(), filepath.Join(t.TempDir(), "calls")
			for _, name := range []string{"docker", "gh", "npx", "pipx"} {
				script(t, filepath.Join(path, name), `echo "`+name+` $*" >>'`+calls+`'; echo '{"containerimage.digest": "sha256:1234"}' >'`+dir+`/image.json'`)
			}
			output := filepath.Join(dir, "output")
			root := t.TempDir() // with the changelog of a release
			if err := os.CopyFS(filepath.Join(root, "packaging"), os.DirFS(".")); err != nil {
				t.Fatal(err)
			}
			script(t, filepath.Join(root, "CHANGELOG.md"), "# Changelog\n\n## "+test.tag+" (2026-01-02)\n\n- Find more\n\n## v1.1.0 (2026-01-01)\n\n- Begin\n")
			for _, name := range []string{"image.sh", "publish.sh"} {
				if name == "image.sh" {
					if _, err := exec.LookPath("jq"); err != nil {
						continue
					}
				}
				runs(t, true, []string{"PATH=" + path + ":" + os.Getenv("PATH"), "GITHUB_OUTPUT=" + output, "GITHUB_SHA=1234", "REGISTRIES=" + test.registries}, filepath.Join(root, "packaging", name), test.tag, dir)
			}
			if notes, err := os.ReadFile(filepath.Join(dir, "notes.md")); err != nil || string(notes) != "\n- Find more\n\n" {
				t.Errorf("the notes are %q, %v", notes, err)
			}
			text, err := os.ReadFile(calls)
			if err != nil {
				t.Fatal(err)
			}
			got := strings.ReplaceAll(string(text), dir, "DIR")
			for _, want := range test.want {
				if !strings.Contains(got, want) && (!strings.Contains(want, "ghcr.io") && !strings.HasPrefix(want, "docker") || strings.Contains(got, "docker")) {
					t.Errorf("want %q in:\n%s", want, got)
				}
			}
			for _, not := range test.not {
				if strings.Contains(got, not) {
					t.Errorf("want no %q in:\n%s", not, got)
				}
			}
			release := regexp.MustCompile(`(?m)^gh release create.*`).FindString(got)
			for _, name := range append(names(t, filepath.Join(dir, "checksums.txt")), "checksums.txt", "rulecheck.rb") {
				if !strings.Contains(release+" ", "/"+name+" ") {
					t.Errorf("the release lacks %s", name)
				}
			}
			if strings.Contains(got, "npx") && strings.LastIndex(got, "DIR/npm/rulecheck-1") < strings.LastIndex(got, "npx --yes npm@11.6.2 publish --provenance --access public --tag next DIR/npm/rulecheck-l") {
				t.Errorf("the main package is not the last:\n%s", got)
			}
		})
	}
}

// TestTag creates a tag in a copy of the packaging, and checks others.
func TestTag(t *testing.T) {
	root := t.TempDir()
	if err := os.CopyFS(filepath.Join(root, "packaging"), os.DirFS(".")); err != nil {
		t.Fatal(err)
	}
	environ := append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_AUTHOR_NAME=n", "GIT_AUTHOR_EMAIL=e@example.com", "GIT_COMMITTER_NAME=n", "GIT_COMMITTER_EMAIL=e@example.com")
	git := func(args ...string) string {
		cmd := exec.CommandContext(t.Context(), "git", append([]string{"-C", root}, args...)...)
		cmd.Env = environ
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
		return string(out)
	}
	git("init", "-q")
	git("add", "-A")
	git("commit", "-qm", "one")
	tag := filepath.Join(root, "packaging", "tag.sh")
	for _, bad := range []string{"", "1.2.0", "v1.2", "v1.2.0-x", "v1.2.0;id", "v1.2.0\nv1.2.0"} {
		runs(t, false, environ, tag, bad)
	}
	runs(t, false, environ, tag, "--check", "v1.2.0")
	runs(t, true, environ, tag, "v1.2.0")
	runs(t, true, environ, tag, "--check", "v1.2.0")
	runs(t, false, environ, tag, "--check", "v1.3.0")
	runs(t, true, environ, tag, "v1.3.0-rc.1")
	runs(t, true, environ, tag, "--check", "v1.3.0-rc.1")
	if got := git("show", "v1.3.0-rc.1:packaging/requirement.py"); !strings.Contains(got, `VERSION = "1.3.0rc1" `) {
		t.Errorf("the tag has:\n%s", got)
	}
	if err := os.WriteFile(filepath.Join(root, "new"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	runs(t, false, environ, tag, "v1.4.0")
}

// TestRelease makes two releases of a copy of the packaging, whose packages are not built.
func TestRelease(t *testing.T) {
	root := t.TempDir()
	if err := os.CopyFS(filepath.Join(root, "packaging"), os.DirFS(".")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"build.sh", "test.sh"} {
		script(t, filepath.Join(root, "packaging", name), `echo "`+name+` $*"`)
	}
	environ := append(os.Environ(), "GO=true", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_AUTHOR_NAME=n", "GIT_AUTHOR_EMAIL=e@example.com", "GIT_COMMITTER_NAME=n", "GIT_COMMITTER_EMAIL=e@example.com")
	git := func(args ...string) string {
		cmd := exec.CommandContext(t.Context(), "git", append([]string{"-C", root}, args...)...)
		cmd.Env = environ
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "-q")
	git("add", "-A")
	git("commit", "-qm", "Begin")
	git("commit", "-qm", "Find more", "--allow-empty")
	place := filepath.Join(root, "packaging", "place.env")
	text, err := os.ReadFile(place)
	if err != nil {
		t.Fatal(err)
	}
	script(t, place, regexp.MustCompile(`COMMIT=.*`).ReplaceAllString(strings.ReplaceAll(string(text), "#!/bin/sh\n", ""), "COMMIT="+git("rev-parse", "HEAD")))
	release := filepath.Join(root, "packaging", "release.sh")
	if out := runs(t, false, environ, release, "v1.2.0"); !strings.Contains(out, "uncommitted changes; commit them first") {
		t.Errorf("of a checkout that is not clean: %s", out)
	}
	git("commit", "-qam", "Set the place")
	if out := runs(t, false, environ, release, ""); !strings.Contains(out, "want one such as v1.2.0") {
		t.Errorf("without a version: %s", out)
	}
	if out := runs(t, false, environ, release, "v1.2.0"); !strings.Contains(out, "run: make release VERSION=v1.2.0 REPOSITORY=owner/name") {
		t.Errorf("without a public repository: %s", out)
	}
	if out := runs(t, true, environ, release, "v1.2.0", "some/rulecheck"); !strings.Contains(out, "build.sh v1.2.0 bin/release\ntest.sh bin/release\n") {
		t.Errorf("what was built: %s", out)
	}
	if out := runs(t, false, environ, release, "v1.2.0"); !strings.Contains(out, "there is a tag v1.2.0; want a newer version") {
		t.Errorf("the same version: %s", out)
	}
	want := "REPOSITORY=some/rulecheck\nCOMMIT=" + git("rev-parse", "v1.2.0^{commit}") + "\nVERSION=v1.2.0"
	if got := git("show", "HEAD:packaging/place.env"); !strings.HasSuffix(got, want) {
		t.Errorf("want %s in:\n%s", want, got)
	}
	git("commit", "-qm", "Find even more", "--allow-empty")
	runs(t, true, environ, release, "1.3.0")
	got := regexp.MustCompile(`\(.*?\)`).ReplaceAllString(git("show", "v1.3.0:CHANGELOG.md"), "(DATE)")
	if want := "# Changelog\n\n## v1.3.0 (DATE)\n\n- Find even more\n- Pin v1.2.0 in the documents\n\n## v1.2.0 (DATE)\n\n" +
		"- The first release"; got != want {
		t.Errorf("the changelog is:\n%s\nwant:\n%s", got, want)
	}
	if status := git("status", "--porcelain"); status != "" {
		t.Errorf("left over: %s", status)
	}
}

// TestLinkedVariables checks that the variables that build.sh sets exist: the linker ignores others.
func TestLinkedVariables(t *testing.T) {
	text, err := os.ReadFile("build.sh")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`-X \$module/([\w/]+)\.(\w+)=`).FindAllStringSubmatch(string(text), -1)
	if len(found) < 2 {
		t.Fatalf("%d variables found in build.sh", len(found))
	}
	for _, match := range found {
		files, err := filepath.Glob(filepath.Join("..", match[1], "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(files, func(file string) bool {
			source, err := os.ReadFile(file)
			return err == nil && regexp.MustCompile("\nvar "+match[2]+" = \"[^\"]*\"\n").Match(source)
		}) {
			t.Errorf("build.sh sets %s.%s, which does not exist", match[1], match[2])
		}
	}
}

// TestFormula checks that the formula has the archives with their checksums, and that there is
// none without them.
func TestFormula(t *testing.T) {
	dir := built(t, "1.2.0")
	checksums := filepath.Join(dir, "checksums.txt")
	got := runs(t, true, nil, "formula.sh", "v1.2.0", checksums)
	for i, platform := range []string{"darwin_arm64", "darwin_amd64", "linux_arm64", "linux_amd64"} {
		url := `url "https://github.com/OWNER/rulecheck/releases/download/v1.2.0/rulecheck_1.2.0_` + platform + `.tar.gz"` + "\n"
		_, after, ok := strings.Cut(got, url)
		if want := fmt.Sprintf("      sha256 %q\n", sum("rulecheck_1.2.0_"+platform+".tar.gz")); !ok || !strings.HasPrefix(after, want) {
			t.Errorf("%d: want %s%s in:\n%s", i, url, want, got)
		}
	}
	if out := runs(t, false, nil, "formula.sh", "v1.3.0", checksums); !strings.Contains(out, "has no line for rulecheck_1.3.0_darwin_arm64.tar.gz") {
		t.Errorf("of a version that is not there: %s", out)
	}
}

// built returns a directory with the names of files that build.sh writes.
func built(t *testing.T, version string) string {
	t.Helper()
	dir := t.TempDir()
	all := []string{"install.sh", "npm/rulecheck-" + version + ".tgz"}
	for _, platform := range []string{"linux_amd64", "linux_arm64", "darwin_amd64", "darwin_arm64", "windows_amd64"} {
		name, suffix := "rulecheck_"+version+"_"+platform, ".tar.gz"
		if strings.HasPrefix(platform, "windows") {
			suffix = ".zip"
		}
		all = append(all, name+suffix, name+".cdx.json", name+".whl", name+".deb", name+".rpm", "npm/rulecheck-"+strings.ReplaceAll(platform, "_", "-")+"-"+version+".tgz")
	}
	var lines strings.Builder
	for _, name := range all {
		fmt.Fprintf(&lines, "%s  %s\n", sum(filepath.Base(name)), filepath.Base(name))
	}
	if err := os.Mkdir(filepath.Join(dir, "npm"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range append(all, "checksums.txt", "rulecheck.rb") {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(lines.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// sum returns 64 hexadecimal digits that belong to the name.
func sum(name string) string {
	digits := fmt.Sprintf("%x", name)
	return strings.Repeat("0", 64-min(len(digits), 64)) + digits[max(0, len(digits)-64):]
}

// names returns the names in a file of checksums.
func names(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for line := range strings.Lines(string(text)) {
		all = append(all, strings.Fields(line)[1])
	}
	return all
}

// runs runs a script of this directory and returns its output.
func runs(t *testing.T, succeeds bool, environ []string, args ...string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("releases are built on Linux")
	}
	cmd := exec.CommandContext(t.Context(), "sh", args...)
	if environ != nil {
		cmd.Env = slices.Clone(environ)
	}
	out, err := cmd.CombinedOutput()
	if (err == nil) != succeeds {
		t.Fatalf("%q: %v\n%s", args, err, out)
	}
	return string(out)
}
