// Package sandbox runs programs that can change only the directories they are given,
// reach no network and no process outside, and leave nothing running.
package sandbox

import (
	"context"
	"errors"
	"os"
	"strings"
	"syscall"
)

// Level is the kind of confinement.
type Level string

// The levels, strongest first.
const (
	// Namespaces gives programs their own view of the system: a read-only root, their
	// own temporary directories, devices, processes and network.
	Namespaces Level = "namespaces"
	// Landlock denies system calls to programs that share the user's view.
	Landlock Level = "landlock"
	// None restricts nothing.
	None Level = "none"
)

// temporary are the directories of temporary files that every program may use. In namespaces
// each program has its own.
var temporary = []string{"/tmp", "/var/tmp", sharedMemory}

const sharedMemory = "/dev/shm"

// Hides returns the directory because of which programs at a level may not see a file; empty:
// none.
func Hides(level Level, file string) string {
	for _, dir := range temporary {
		if level == Namespaces && strings.HasPrefix(file, dir+"/") {
			return dir
		}
	}
	return ""
}

// Config describes a sandbox. All paths are absolute and without symlinks.
type Config struct {
	// Strongest is the strongest level to use; empty: Namespaces.
	Strongest Level
	// Scratch is an existing directory for the programs' files, and Dirs are names of
	// directories to create in it. Programs can change what is in Dirs.
	Scratch string
	Dirs    []string
	Write   []string // other existing files and directories that programs can change
	Show    []string // paths that programs must see even if they are below a temporary directory
	// Memory asks for a file system in memory over Scratch. Only Namespaces have it.
	Memory bool
	// Workers is the number of workers that may exist at the same time, MaxWorkers at most.
	Workers int
}

// Call is one run of a program.
type Call struct {
	File           string // absolute, or relative to Dir with a slash
	Argv, Env      []string
	Dir            string
	Stdout, Stderr *os.File
}

// Exit is the end of a program. Everything it had started has ended too.
type Exit struct {
	Status syscall.WaitStatus
	// Killed names the programs that had left the program's process group and were
	// still running at its end.
	Killed []string
}

// Sandbox makes workers. It is made by Open and closed by Close.
type Sandbox struct {
	Level Level
	// Reason explains what the level lacks; empty if it lacks nothing.
	Reason string
	// Temp is the directory for temporary files in the view of the programs, which each
	// worker empties after each program; empty: the caller has to provide one.
	Temp string
	// Root is the scratch directory, opened before any program ran.
	Root *os.Root
	// InMemory reports whether Root is a file system in memory, which disappears with the
	// sandbox.
	InMemory bool

	system
}

// MaxWorkers is the maximum number of workers of one sandbox.
const MaxWorkers = 200

// Worker runs one program at a time, in its own sandbox.
type Worker struct{ worker }

// Run runs a program and waits until it and everything it started have ended. If ctx
// ends first, they are killed, and the error is that of ctx. An error of starting the
// program is a syscall.Errno.
func (w *Worker) Run(ctx context.Context, c Call) (Exit, error) { return w.run(ctx, c) }

// Close ends the worker's sandbox.
func (w *Worker) Close() error { return w.close() }

// ErrKept is the error of a call that was killed because its context ended, if the worker
// can run others.
var ErrKept = errors.New("the program was killed")
