package main

import (
	"context"
	"io"
	"os"
	"os/signal"
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
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt) // some commands run until then
	status := p.run(ctx)
	stop()
	os.Exit(status)
}

// withoutNotice removes the notice about the engine from a report, so that the
// expected outputs of scripts are the same for both engines.
type withoutNotice struct{ io.Writer }

var engineNotice = regexp.MustCompile(`notice: checked by the embedded engine.*\n(\n)?`)

func (w withoutNotice) Write(b []byte) (int, error) {
	_, err := w.Writer.Write(engineNotice.ReplaceAll(b, nil))
	return len(b), err
}

// programScripts lists the scripts that need the git program or test the engines.
var programScripts = []string{
	"agent_memory.txtar", "agent_prompt_base.txtar", "nested_collapsed.txtar",
	"commit_messages.txtar",
	"uninstall_purge.txtar", "install_places.txtar", "doctor_tools.txtar", // hooks are installed with git
	"hook_hangs.txtar",                  // filters need the program
	"audit_advice.txtar",                // hooks run in the program
	"snapshot.txtar",                    // snapshots need the program
	"agent_hook.txtar",                  // the same, at a prompt
	"commands.txtar",                    // writing back needs the program
	"doctor.txtar",                      // reports on the program
	"engines.txtar",                     // selects the engine itself
	"install.txtar",                     // hooks run in the program
	"formats.txtar",                     // formats differ in how they show the notice
	"bare_own.txtar",                    // the embedded engine refuses them all
	"agent_hook_real.txtar",             // prompts are captured
	"hook_contract.txtar",               // hooks are installed with git
	"install_agents.txtar",              // the same
	"doctor_probe.txtar",                // the same
	"replay.txtar",                      // the past needs the program
	"lsp_nvim.txtar", "lsp_emacs.txtar", // likewise, and writing back
	"replay_edges.txtar",    // likewise
	"silence_cli.txtar",     // closed streams of the program itself
	"prompts_link.txtar",    // snapshots need the program
	"trust_own.txtar",       // installs hooks
	"silence_sparse.txtar",  // the embedded engine refuses sparse checkouts
	"one_head.txtar",        // likewise, and marked files
	"fix_modes.txtar",       // writing back needs the program
	"tool_cache.txtar",      // likewise
	"usage.txtar",           // --verbose prints git processes
	"conditions.txtar",      // replays, and compares both engines
	"conditions_once.txtar", // --verbose prints git processes
	"stack.txtar",           // stacks need the program
	"attest.txtar",          // verification needs the program
	"brief.txtar",           // a notice names the engine
}

// TestScriptsEmbedded runs all other scripts with the embedded engine.
func TestScriptsEmbedded(t *testing.T) {
	if testing.Short() {
		t.Skip("runs every script a second time")
	}
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
