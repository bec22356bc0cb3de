//go:build !linux

package sandbox

import (
	"context"
	"errors"
	"os"
	"runtime"
)

// system is empty: there is no sandbox here.
type system struct{}

// Open returns a sandbox that restricts nothing.
func Open(c Config) (*Sandbox, error) {
	root, err := os.OpenRoot(c.Scratch)
	if err != nil {
		return nil, err
	}
	for _, name := range c.Dirs {
		if err := root.Mkdir(name, 0o700); err != nil {
			return nil, errors.Join(err, root.Close())
		}
	}
	s := &Sandbox{Level: None, Root: root}
	if c.Strongest != None {
		s.Reason = runtime.GOOS + " has no sandbox for commands"
	}
	return s, nil
}

// Worker returns a new worker.
func (s *Sandbox) Worker() (*Worker, error) { return &Worker{}, nil }

// Close closes the root.
func (s *Sandbox) Close() error { return s.Root.Close() }

type worker struct{}

// run runs a program. When ctx or the program ends, it is killed, with the processes it
// started if the system has process groups.
func (worker) run(ctx context.Context, c Call) (Exit, error) {
	null, err := os.OpenFile(os.DevNull, os.O_RDONLY, 0)
	if err != nil {
		return Exit{}, err
	}
	process, err := os.StartProcess(c.File, c.Argv, &os.ProcAttr{Dir: c.Dir, Env: c.Env, Files: []*os.File{null, c.Stdout, c.Stderr}, Sys: ownGroup()})
	_ = null.Close()
	if err != nil {
		return Exit{}, err
	}
	stop := context.AfterFunc(ctx, func() { killGroup(process) })
	defer stop()
	state, err := process.Wait()
	killGroup(process)
	if err != nil {
		return Exit{}, err
	}
	e := Exit{Status: waitStatus(state)}
	if ctx.Err() != nil && !e.Status.Exited() {
		return e, errors.Join(ctx.Err(), ErrKept)
	}
	return e, nil
}

func (worker) close() error { return nil }
