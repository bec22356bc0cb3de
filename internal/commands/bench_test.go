package commands_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/commands"
)

// BenchmarkPerFile formats 500 small files one by one, compared with what xargs takes
// for the same command: the first runs are to take at most 1.15 times as long.
// The second runs, which prove the first, are reported apart.
func BenchmarkPerFile(b *testing.B) {
	gofmt, err := exec.LookPath("gofmt")
	if err != nil {
		b.Skip(err)
	}
	files := map[string]string{}
	var list strings.Builder
	for i := range 500 {
		name := fmt.Sprintf("dir%d/file%d.go", i%20, i)
		files[name] = fmt.Sprintf("package  dir\nfunc  f%d( ) int { return %d }\n", i, i)
		list.WriteString(name + "\x00")
	}
	ours, proof, theirs := time.Hour, time.Hour, time.Hour // the least of each: what else the machine does only adds
	for b.Loop() {
		w := newProject(b, files)
		began := time.Now()
		var first time.Time // when the first runs were over
		w.options.OnProgress = func(e commands.Progress) {
			if !e.Proof && e.Done {
				first = time.Now()
			}
		}
		r, err := commands.Run(b.Context(), []commands.Job{w.job("fmt", gofmt, "-l", "-w", "{file}")}, w.options)
		if err != nil || len(r.Edits) != len(files) {
			b.Fatal(err, len(r.Edits))
		}
		ours, proof = min(ours, first.Sub(began)), min(proof, time.Since(first))

		began = time.Now()
		xargs := exec.CommandContext(b.Context(), "sh", "-c", `xargs -0 -P"$(nproc)" -n1 "$0" -l -w`, gofmt)
		xargs.Dir, xargs.Stdin = w.root, strings.NewReader(list.String())
		if err := xargs.Run(); err != nil {
			b.Fatal(err)
		}
		theirs = min(theirs, time.Since(began))
		if content, err := os.ReadFile(filepath.Join(w.root, "dir0/file0.go")); err != nil || string(content) != string(r.Edits[0].After) {
			b.Fatalf("%v: xargs made %s of what we made %s of", err, content, r.Edits[0].After)
		}
	}
	b.ReportMetric(float64(ours.Milliseconds()), "first-ms")
	b.ReportMetric(float64(proof.Milliseconds()), "proof-ms")
	b.ReportMetric(float64(theirs.Milliseconds()), "xargs-ms")
	b.ReportMetric(ours.Seconds()/theirs.Seconds(), "times-xargs")
}
