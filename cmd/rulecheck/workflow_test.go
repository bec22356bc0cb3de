package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// stepCommand is "step STATUS ARG...": it runs rulecheck workflow, which writes
// what it keeps, and wants that exit status.
func stepCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: step STATUS [ARG...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec("rulecheck", append([]string{"workflow"}, args[1:]...)...)
	status := 0
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		status = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if status != want {
		ts.Fatalf("exit status %d, want %d", status, want)
	}
}

// journalCommand is "journal TIMES ROW": it appends a row to the journal of the
// repository's hooks, as if it happened that often just now; $now in it is when.
func journalCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: journal TIMES ROW")
	}
	times, err := strconv.Atoi(args[0])
	ts.Check(err)
	name := filepath.Join(ts.MkAbs("."), ".rulecheck", "sessions", "hooks.jsonl")
	ts.Check(os.MkdirAll(filepath.Dir(name), 0o755))
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	ts.Check(err)
	for range times {
		_, err := fmt.Fprintln(f, os.Expand(args[1], func(string) string { return time.Now().UTC().Format(time.RFC3339Nano) }))
		ts.Check(err)
	}
	ts.Check(f.Close())
}
