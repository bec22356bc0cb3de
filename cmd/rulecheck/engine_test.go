package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// testEngine is the variable by which a script's runs of rulecheck get another
// engine than that by default.
const testEngine = "RULECHECK_TEST_ENGINE"

// rulecheckCommand is rulecheck as scripts run it.
func rulecheckCommand() {
	if os.Getenv(testEngine) != engineEmbedded {
		main()
		return
	}
	p := &process{
		args: os.Args[1:], env: os.Environ(), stdin: os.Stdin, stdout: withoutNotice{os.Stdout}, stderr: os.Stderr, engine: engineEmbedded,
	}
	os.Exit(p.run(context.Background()))
}

// withoutNotice leaves out of a report what only tells of the engine, so that
// the scripts want the same of both.
type withoutNotice struct{ io.Writer }

var engineNotice = regexp.MustCompile(`notice: judged by the embedded engine.*\n(\n)?`)

func (w withoutNotice) Write(b []byte) (int, error) {
	_, err := w.Writer.Write(engineNotice.ReplaceAll(b, nil))
	return len(b), err
}

// programScripts are about the git program, or about the engines themselves.
var programScripts = []string{
	"ahead.txtar",    // git is at work ahead
	"baseline.txtar", // a snapshot needs the program
	"commands.txtar", // so does writing back
	"doctor.txtar",   // tells of the program
	"engines.txtar",  // says itself which engine
	"install.txtar",  // hooks are the program's
	"formats.txtar",  // each format has the notice in its own way
	"usage.txtar",    // --verbose tells of git processes
}

// TestScriptsEmbedded runs the other scripts with the embedded engine.
func TestScriptsEmbedded(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the embedded engine refuses every repository on " + runtime.GOOS)
	}
	all, err := filepath.Glob(filepath.Join("testdata", "script", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	params := scripts(engineEmbedded)
	for _, name := range all {
		if !slices.Contains(programScripts, filepath.Base(name)) {
			params.Files = append(params.Files, name)
		}
	}
	testscript.Run(t, params)
}
