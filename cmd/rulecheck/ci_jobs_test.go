package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// jobs are the parts of the configurations in docs/ci.md and templates that hold commands.
type jobs struct {
	Jobs map[string]struct {
		Steps []struct {
			Run string `yaml:"run"`
		} `yaml:"steps"`
	} `yaml:"jobs"` // CircleCI
	Steps []struct {
		Command []string `yaml:"command"` // Buildkite
		Script  string   `yaml:"script"`  // Azure
	} `yaml:"steps"`
	Pipelines map[string]map[string][]struct {
		Step struct {
			Script []string `yaml:"script"`
		} `yaml:"step"`
	} `yaml:"pipelines"` // Bitbucket
	Rulecheck struct {
		Script []string `yaml:"script"`
	} `yaml:"rulecheck"` // GitLab
}

func ciPage(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "ci.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// ciBlock returns the block of docs/ci.md in a language below a heading.
func ciBlock(t *testing.T, heading, language string) string {
	t.Helper()
	_, section, found := strings.Cut(ciPage(t), "\n## "+heading+"\n")
	_, block, ok := strings.Cut(section, "\n```"+language+"\n")
	if !found || !ok {
		t.Fatalf("docs/ci.md: no block in %s below %q", language, heading)
	}
	block, _, _ = strings.Cut(block, "```")
	return block
}

// circleStep is a step that is a word, like checkout.
var circleStep = regexp.MustCompile(`(?m)^( +- )checkout$`)

// commandsOf returns the commands of a configuration, as one script.
func commandsOf(t *testing.T, text string) string {
	t.Helper()
	var of jobs
	if err := yaml.Unmarshal([]byte(circleStep.ReplaceAllString(text, "${1}{checkout: {}}")), &of); err != nil {
		t.Fatal(err)
	}
	lines := of.Rulecheck.Script
	for _, step := range of.Jobs["rulecheck"].Steps {
		lines = append(lines, step.Run)
	}
	for _, step := range of.Steps {
		lines = append(append(lines, step.Command...), step.Script)
	}
	for _, step := range of.Pipelines["pull-requests"]["**"] {
		lines = append(lines, step.Step.Script...)
	}
	return strings.ReplaceAll(strings.Join(lines, "\n"), "$$", "$")
}

// gitLabCommands returns the commands of the template for GitLab. The first installs rulecheck.
func gitLabCommands(t *testing.T) string {
	t.Helper()
	template, err := os.ReadFile(filepath.Join("..", "..", "templates", "rulecheck.yml"))
	if err != nil {
		t.Fatal(err)
	}
	_, job, _ := strings.Cut(string(template), "\n---\n")
	return commandsOf(t, strings.NewReplacer("$[[ inputs.version ]]", "main", "$[[ inputs.repository ]]", "https://github.com/OWNER/rulecheck").Replace(job))
}

var jenkinsShell = regexp.MustCompile(`(?m)^ +sh '(.*)'$`)

// TestJobs runs the commands of each configuration in a clone as its system makes it. Stand-ins
// for git and go take the clone of rulecheck and the build of it.
func TestJobs(t *testing.T) {
	t.Parallel()
	needBash(t)
	env, up, fill := hostedRepository(t)
	bin := filepath.Dir(asProgram(t))
	goroot := filepath.Join(t.TempDir(), "go")
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(goroot, "go"), `#!/bin/sh
case $1 in
-C) [ -e "$2/cloned" ] && [ "$3 $4" = 'install ./cmd/rulecheck' ] ;;
env) echo '`+filepath.Dir(bin)+`' ;;
*) exit 9 ;;
esac
`)
	write(t, filepath.Join(goroot, "git"), `#!/bin/sh
case $1 in
clone)
	case $3 in https://github.com/*/rulecheck) touch "$4/cloned" ;; *) exit 9 ;; esac
	exit
	;;
-C)
	[ ! -e "$2/cloned" ] || exit 0
	;;
esac
exec '`+git+`' "$@"
`)
	for _, name := range []string{"go", "git"} {
		if err := os.Chmod(filepath.Join(goroot, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Rename(bin, filepath.Join(filepath.Dir(bin), "bin")); err != nil {
		t.Fatal(err)
	}
	gitLab := gitLabCommands(t)
	var jenkins []string
	for _, match := range jenkinsShell.FindAllStringSubmatch(ciBlock(t, "Jenkins", "groovy"), -1) {
		jenkins = append(jenkins, match[1])
	}
	request := []string{
		"GITLAB_CI=true", "CI_PIPELINE_SOURCE=merge_request_event", "CI_COMMIT_SHA={t3}", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main",
		"CI_PROJECT_PATH=someone/project", "CI_MERGE_REQUEST_PROJECT_PATH=someone/project", "CI_DEFAULT_BRANCH=main",
	}
	for _, tt := range []struct {
		baseCase
		script string
		files  []string // that are written
		log    string
	}{
		{
			baseCase{
				name: "GitLab", clone: onGitLab, ref: "refs/merge-requests/1/head",
				env: append(request, "CI_MERGE_REQUEST_SOURCE_PROJECT_PATH=someone/project"), foundBy: "merge base with origin/main (base of the merge request, GitLab)",
			},
			gitLab,
			[]string{"rulecheck.json", "gl-code-quality-report.json"},
			"3 changes, 1 rule\n",
		},
		{
			baseCase{
				name: "GitLab, fork", clone: onGitLab, ref: "refs/merge-requests/1/head",
				env: append(request, "CI_MERGE_REQUEST_SOURCE_PROJECT_PATH=other/project"), foundBy: "merge base with origin/main (base of the merge request, GitLab)",
			},
			gitLab,
			[]string{"rulecheck.json", "gl-code-quality-report.json"},
			"1 rule (from " + fill.Replace("{two}")[:7] + ")\n",
		},
		{
			baseCase{
				name: "GitLab, push", clone: onGitLab, ref: "refs/heads/main",
				env: []string{"GITLAB_CI=true", "CI_PIPELINE_SOURCE=push", "CI_COMMIT_BRANCH=main", "CI_COMMIT_BEFORE_SHA={one}", "CI_PROJECT_PATH=someone/project"}, foundBy: "commit before the push (GitLab)",
			},
			gitLab,
			[]string{"rulecheck.json", "gl-code-quality-report.json"},
			"src/two",
		},
		{
			baseCase{name: "CircleCI", clone: whole, ref: "refs/heads/topic", env: []string{"CIRCLECI=true"}, foundBy: "merge base with origin/main (origin/HEAD)"},
			commandsOf(t, ciBlock(t, "CircleCI", "yaml")),
			[]string{"rulecheck.xml"},
			"src/t1",
		},
		{
			baseCase{
				name: "Jenkins", clone: onJenkins, ref: "refs/heads/topic", target: "main",
				env: []string{"JENKINS_URL=https://ci.example", "CHANGE_TARGET=main"}, foundBy: "merge base with origin/main (base of the pull request, Jenkins)",
			},
			strings.Join(jenkins, "\n"),
			[]string{"rulecheck.xml"},
			"src/t1",
		},
		{
			baseCase{
				name: "Buildkite", clone: whole, ref: "refs/pull/1/head",
				env: []string{"BUILDKITE=true", "BUILDKITE_PULL_REQUEST_BASE_BRANCH=main"}, foundBy: "merge base with origin/main (base of the pull request, Buildkite)",
			},
			commandsOf(t, ciBlock(t, "Buildkite", "yaml")),
			nil,
			"src/t1",
		},
		{
			baseCase{
				name: "Azure", clone: onAzure, ref: "refs/pull/1/merge",
				env:     []string{"TF_BUILD=True", "SYSTEM_PULLREQUEST_TARGETBRANCH=refs/heads/main", "BUILD_SOURCEVERSION={pull1}", "SYSTEM_PULLREQUEST_SOURCECOMMITID={t3}"},
				foundBy: "first parent of the pull request's merge into main (Azure)",
			},
			commandsOf(t, ciBlock(t, "Azure Pipelines", "yaml")),
			[]string{"rulecheck.xml"},
			"src/t1",
		},
		{
			baseCase{
				name: "Bitbucket", clone: onBitbucket, ref: "refs/heads/topic", target: "main",
				env: []string{"BITBUCKET_BUILD_NUMBER=1", "BITBUCKET_PR_DESTINATION_BRANCH=main"}, foundBy: "merge base with origin/main (base of the pull request, Bitbucket)",
			},
			commandsOf(t, ciBlock(t, "Bitbucket Pipelines", "yaml")),
			nil,
			"src/t1",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := checkOutCase(t, env, up, tt.baseCase)
			cmd := exec.CommandContext(t.Context(), "bash", "-e", "-o", "pipefail", "-c", tt.script)
			cmd.Dir = dir
			path := goroot + ":" + filepath.Join(filepath.Dir(bin), "bin") + ":" + os.Getenv("PATH")
			if strings.Contains(tt.script, "go env GOPATH") {
				path = goroot + ":" + os.Getenv("PATH")
			}
			cmd.Env = append(append([]string(nil), env...), "CI=true", "PATH="+path)
			for _, variable := range tt.env {
				cmd.Env = append(cmd.Env, fill.Replace(variable))
			}
			out, err := cmd.CombinedOutput()
			exit := (*exec.ExitError)(nil)
			if !errors.As(err, &exit) || exit.ExitCode() != 1 {
				t.Errorf("%v; want exit status 1", err)
			}
			for _, want := range []string{"error: created\n", ", " + tt.foundBy + "\n", tt.log} {
				if !strings.Contains(string(out), want) {
					t.Errorf("want %q in the log", want)
				}
			}
			for _, file := range tt.files {
				if info, err := os.Stat(filepath.Join(dir, file)); err != nil || info.Size() == 0 {
					t.Errorf("%s was not written: %v", file, err)
				}
			}
			if t.Failed() {
				t.Logf("%s\n%s", tt.script, out)
			}
		})
	}
}

var inputName = regexp.MustCompile(`\$\[\[ inputs\.([\w-]+) \]\]`)

// TestTemplates checks that the templates for GitLab declare the inputs that they use, and
// have those that docs/ci.md sets; and that they run a script that exists.
func TestTemplates(t *testing.T) {
	declared := map[string]map[string]any{}
	for _, name := range []string{"rulecheck.yml", "rulecheck-comment.yml"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "templates", name))
		if err != nil {
			t.Fatal(err)
		}
		head, body, _ := strings.Cut(string(text), "\n---\n")
		var spec struct {
			Spec struct {
				Inputs map[string]any `yaml:"inputs"`
			} `yaml:"spec"`
		}
		if err := yaml.Unmarshal([]byte(head), &spec); err != nil {
			t.Fatal(err)
		}
		declared[name] = spec.Spec.Inputs
		used := map[string]bool{}
		for _, match := range inputName.FindAllStringSubmatch(body, -1) {
			if used[match[1]] = true; spec.Spec.Inputs[match[1]] == nil {
				t.Errorf("%s: no input %q", name, match[1])
			}
		}
		if len(used) != len(spec.Spec.Inputs) {
			t.Errorf("%s uses %v of the inputs %v", name, used, spec.Spec.Inputs)
		}
		var parsed map[string]map[string]any
		if err := yaml.Unmarshal([]byte(inputName.ReplaceAllString(body, "x")), &parsed); err != nil || len(parsed) == 0 {
			t.Errorf("%s: %v, %v", name, parsed, err)
		}
		if _, after, found := strings.Cut(body, `"$source/`); found {
			script, _, _ := strings.Cut(after, `"`)
			if _, err := os.Stat(filepath.Join("..", "..", script)); err != nil {
				t.Error(err)
			}
		}
	}
	includes := 0
	for _, block := range strings.Split(ciPage(t), "```yaml\n")[1:] {
		block, _, _ = strings.Cut(block, "```")
		var of struct {
			Include []struct {
				Remote string         `yaml:"remote"`
				Inputs map[string]any `yaml:"inputs"`
			} `yaml:"include"`
		}
		if err := yaml.Unmarshal([]byte(block), &of); err != nil {
			t.Errorf("%v\n%s", err, block)
		}
		for _, include := range of.Include {
			includes++
			inputs := declared[filepath.Base(include.Remote)]
			for name := range include.Inputs {
				if inputs[name] == nil {
					t.Errorf("%s has no input %q", include.Remote, name)
				}
			}
		}
	}
	if includes != 3 {
		t.Errorf("%d includes were read", includes)
	}
}
