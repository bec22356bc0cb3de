//go:build unix

package main_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// manifests are the parts of manifests that hold commands.
type manifests struct {
	Spec struct { // Kubernetes
		Template struct {
			Spec struct {
				Containers []struct {
					Command []string                       `yaml:"command"`
					Env     []struct{ Name, Value string } `yaml:"env"`
				} `yaml:"containers"`
			} `yaml:"spec"`
		} `yaml:"template"`
	} `yaml:"spec"`
	Env  map[string]string `yaml:"env"` // GitHub
	Jobs map[string]struct {
		Env   map[string]string `yaml:"env"`
		Steps []struct {
			Run string `yaml:"run"`
		} `yaml:"steps"`
	} `yaml:"jobs"`
	Common struct { // GitLab
		Variables map[string]string `yaml:"variables"`
	} `yaml:".rulecheck-fleet"` //nolint:tagliatelle // the name of a job
	Shard struct {
		Script []string `yaml:"script"`
	} `yaml:"rulecheck-fleet"` //nolint:tagliatelle // the name of a job
	Merge struct {
		Script []string `yaml:"script"`
	} `yaml:"rulecheck-fleet-merge"` //nolint:tagliatelle // the name of a job
}

// sbatch replaces Slurm's: it runs the tasks of an array, or one job, and prints an id.
const sbatch = `#!/bin/sh
for arg; do case $arg in
	--array=0-*) last=${arg#--array=0-};;
	--wrap=*) command=${arg#--wrap=};;
	--dependency=afterany:17) after=1;;
esac; done
if [ -z "${last:-}" ]; then [ -n "$after" ] && exec sh -c "$command"; fi
for i in $(seq 0 "$last"); do
	SLURM_ARRAY_TASK_ID=$i SLURM_ARRAY_TASK_COUNT=$((last + 1)) SLURM_ARRAY_TASK_MIN=0 sh -c "$command" >&2 || exit
done
echo '17;cluster'
`

// TestFleetManifests runs the commands of each manifest as processes, with the variables of its
// scheduler, and compares the report with that of a run without shards.
func TestFleetManifests(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("jq"); err != nil && os.Getenv("CI") == "" {
		t.Skip(err)
	}
	w := newFleetWorld(t)
	w.clones(w.mirror(), 4)
	w.broken(true)
	w.must(os.WriteFile(filepath.Join(w.dir, "a list.ndjson"), []byte(strings.Join(w.units, "\n")), 0o644))
	w.must(os.WriteFile(filepath.Join(w.dir, "sbatch"), []byte(sbatch), 0o755))
	for i, kv := range w.env {
		if path, ok := strings.CutPrefix(kv, "PATH="); ok {
			w.env[i] = "PATH=" + w.dir + ":" + path
		}
	}
	w.script("rulecheck fleet --list 'a list.ndjson' --ledger-only", nil)
	want, status := w.script("rulecheck fleet merge fleet.ndjson", nil)
	if status != 3 || !strings.Contains(want, "error: lost: ") {
		t.Fatalf("exit status %d\n%s", status, want)
	}
	for engine, run := range map[string]func(text string) (string, int){
		"kubernetes": w.kubernetes, "github": w.github, "gitlab": w.gitlab,
		"slurm": func(text string) (string, int) { return w.script(text, nil) },
	} {
		text, _ := w.script("rulecheck fleet manifest "+engine+" --shards 3 --list 'a list.ndjson' --ledgers "+engine+"/", nil)
		got, status := run(text)
		if got != want || status != 3 {
			t.Errorf("%s: exit status %d; want 3, and the report of one run:\n%s", engine, status, got)
		}
		if shards, err := filepath.Glob(filepath.Join(w.dir, engine, "*-of-3.ndjson")); len(shards) != 3 || err != nil {
			t.Errorf("%s: ledgers %q, %v", engine, shards, err)
		}
	}
}

// script runs a script and returns its output and exit status.
func (w *fleetWorld) script(text string, env []string) (string, int) {
	w.Helper()
	cmd := w.command("bash", "-eo", "pipefail", "-c", text)
	cmd.Env = append(cmd.Env, env...)
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		w.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

func (w *fleetWorld) decode(text string) (m manifests) {
	w.Helper()
	w.must(yaml.Unmarshal([]byte(text), &m))
	return m
}

func (w *fleetWorld) kubernetes(text string) (string, int) {
	w.Helper()
	shard, merge, _ := strings.Cut(text, "\n---\n")
	container := w.decode(shard).Spec.Template.Spec.Containers[0]
	for i := range 3 {
		env := []string{"JOB_COMPLETION_INDEX=" + strconv.Itoa(i)}
		for _, v := range container.Env {
			env = append(env, v.Name+"="+v.Value)
		}
		w.succeeds(container.Command, env)
	}
	cmd := w.command("env", w.decode(merge).Spec.Template.Spec.Containers[0].Command...)
	out, _ := cmd.Output()
	return string(out), cmd.ProcessState.ExitCode()
}

func (w *fleetWorld) succeeds(argv, env []string) {
	w.Helper()
	cmd := w.command("env", append(env, argv...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		w.Errorf("%q: %v\n%s", argv, err, out)
	}
}

func (w *fleetWorld) github(text string) (string, int) {
	w.Helper()
	m := w.decode(text)
	script := func(job, number string) string {
		lines := []string{"set -e"}
		for _, env := range []map[string]string{m.Env, m.Jobs[job].Env} {
			for key, value := range env {
				lines = append(lines, "export "+key+"='"+strings.ReplaceAll(value, "${{ matrix.shard }}", number)+"'")
			}
		}
		for _, step := range m.Jobs[job].Steps {
			if !strings.HasSuffix(step.Run, " install ./cmd/rulecheck") {
				lines = append(lines, step.Run)
			}
		}
		return strings.Join(lines, "\n")
	}
	for i := range 3 {
		w.succeeds([]string{"bash", "-eo", "pipefail", "-c", script("shard", strconv.Itoa(i+1))}, nil)
	}
	return w.script(script("merge", ""), nil)
}

func (w *fleetWorld) gitlab(text string) (string, int) {
	w.Helper()
	m := w.decode(text)
	var env []string
	for key, value := range m.Common.Variables {
		env = append(env, key+"="+value)
	}
	for i := range 3 {
		w.succeeds([]string{"sh", "-ec", strings.Join(m.Shard.Script, "\n")}, append(env, "CI_NODE_INDEX="+strconv.Itoa(i+1), "CI_NODE_TOTAL=3"))
	}
	return w.script(strings.Join(m.Merge.Script, "\n"), env)
}
