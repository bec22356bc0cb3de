package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// system is the state of a sandbox on Linux.
type system struct {
	config Config
	mutex  sync.Mutex
	first  *Worker // the one that Open made, until it is asked for
	clones []int   // mounts of the file system in memory, for more workers
}

// landlockVersion returns the version of Landlock; tests replace it.
var landlockVersion = landlockABI

// Open makes a sandbox of the strongest level that the system supports: it tries.
func Open(c Config) (*Sandbox, error) {
	s := &Sandbox{Level: cmp.Or(c.Strongest, Namespaces), system: system{config: c}}
	for {
		err := s.begin()
		if inner := (*os.PathError)(nil); errors.As(err, &inner) {
			err = inner.Err // the path is that of this program
		}
		switch {
		case err == nil:
			return s, nil
		case s.Level == Namespaces:
			s.Level, s.Reason = Landlock, "the system denies namespaces ("+err.Error()+")"
		case s.Level == Landlock:
			s.Level, s.Reason = None, join(s.Reason, err.Error())
		default:
			return nil, fmt.Errorf("start the supervisor of commands: %w", err)
		}
	}
}

// begin makes the first worker, which also shows whether the level is supported.
func (s *Sandbox) begin() error {
	first, files, err := s.start(-1)
	if err != nil {
		return err
	}
	s.first, s.Temp, s.InMemory = &Worker{*first}, first.temp, len(files) > 0
	scratch := s.config.Scratch
	if s.InMemory {
		// Through this name the directory is opened anew, which os.Root needs.
		scratch, s.clones = "/proc/self/fd/"+strconv.Itoa(files[0]), files[1:]
		defer unix.Close(files[0])
	}
	if s.Root, err = os.OpenRoot(scratch); err != nil {
		return errors.Join(err, s.Close())
	}
	switch version := landlockVersion(); {
	case s.Level == Namespaces && version < abiTruncate:
		s.Reason = "named pipes outside can be written to: this kernel has no Landlock"
	case s.Level == Landlock && version < abiScopes:
		s.Reason = join(s.Reason, "signals to the user's processes are not restricted: this kernel's Landlock is too old; want Linux 6.12 or newer")
	}
	return nil
}

func join(reasons ...string) string {
	return strings.Join(slices.DeleteFunc(reasons, func(r string) bool { return r == "" }), "; ")
}

// Worker returns a new worker.
func (s *Sandbox) Worker() (*Worker, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if w := s.first; w != nil {
		s.first = nil
		return w, nil
	}
	mount := -1
	if s.InMemory {
		if len(s.clones) == 0 {
			return nil, errors.New("make another sandbox: too many have ended")
		}
		mount, s.clones = s.clones[0], s.clones[1:]
		defer unix.Close(mount)
	}
	w, _, err := s.start(mount)
	if err != nil {
		return nil, fmt.Errorf("make another sandbox: %w", err)
	}
	return &Worker{*w}, nil
}

// Close ends what Open made. Workers are closed by their users.
func (s *Sandbox) Close() error {
	var err error
	if s.first != nil {
		err = s.first.Close()
	}
	for _, fd := range s.clones {
		_ = unix.Close(fd)
	}
	s.first, s.clones = nil, nil
	if s.Root != nil {
		err = errors.Join(err, s.Root.Close())
	}
	return err
}

// worker is a process that starts programs: the supervisor, which is the first process
// of its namespaces if there are any.
type worker struct {
	process *os.Process
	conn    int // socket
	temp    string
}

// start starts a supervisor. mount is a mount of the file system in memory that the
// first supervisor made, or -1. The files are those that the supervisor returned: its
// file system in memory, and mounts of it for more workers.
func (s *Sandbox) start(mount int) (*worker, []int, error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, err
	}
	theirs := os.NewFile(uintptr(pair[1]), "sandbox")
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return nil, nil, errors.Join(err, theirs.Close(), unix.Close(pair[0]))
	}
	// Without an environment: the programs may read that of the supervisor. One processor is
	// for the thread that starts programs, which keeps it, and one for the answers.
	process, err := os.StartProcess("/proc/self/exe", []string{supervisorName}, &os.ProcAttr{
		Dir: "/", Env: []string{"GOMAXPROCS=2", "GOGC=400"},
		Files: []*os.File{null, null, null, theirs}, Sys: attributes(s.Level),
	})
	_, _ = theirs.Close(), null.Close()
	w := &worker{process: process, conn: pair[0]}
	if err != nil {
		return nil, nil, errors.Join(err, unix.Close(pair[0]))
	}
	order := message{words: s.config.words(s.Level, mount >= 0)}
	if mount >= 0 {
		order.files = []int{mount}
	}
	ready, err := w.exchange(order)
	if err == nil && (len(ready.words) != 2 || ready.words[0] != "") {
		err = errMessage
		if len(ready.words) > 0 {
			err = errors.New(ready.words[0])
		}
	}
	if err != nil {
		return nil, nil, errors.Join(err, w.close())
	}
	w.temp = ready.words[1]
	return w, ready.files, nil
}

func (w *worker) exchange(m message) (message, error) {
	if err := send(w.conn, m); err != nil {
		return message{}, err
	}
	return receive(w.conn)
}

// killedDelay is the time that the programs of a call have to end after they were
// killed. A program may hang in the kernel.
const killedDelay = 5 * time.Second

func (w *worker) run(ctx context.Context, c Call) (Exit, error) {
	words := append([]string{c.File, c.Dir, strconv.Itoa(len(c.Argv))}, c.Argv...)
	err := send(w.conn, message{words: append(words, c.Env...), files: []int{int(c.Stdout.Fd()), int(c.Stderr.Fd())}})
	if err != nil {
		return Exit{}, fmt.Errorf("the sandbox has ended: %w", err)
	}
	ordered := make(chan struct{})
	var kill *time.Timer
	stop := context.AfterFunc(ctx, func() {
		defer close(ordered)
		_ = send(w.conn, message{words: []string{killOrder}})
		kill = time.AfterFunc(killedDelay, func() { _ = w.process.Kill() })
	})
	answer, err := receive(w.conn)
	if !stop() {
		<-ordered // the order must not reach the next program
		kill.Stop()
	}
	if err != nil {
		return Exit{}, errors.Join(ctx.Err(), fmt.Errorf("the sandbox has ended: %w", err))
	}
	return exitOf(ctx, answer)
}

func exitOf(ctx context.Context, answer message) (Exit, error) {
	if len(answer.words) < 2 {
		return Exit{}, errMessage
	}
	failed, err := strconv.Atoi(answer.words[0])
	status, err2 := strconv.ParseUint(answer.words[1], 10, 32)
	switch {
	case err != nil || err2 != nil:
		return Exit{}, errMessage
	case failed != 0:
		return Exit{}, unix.Errno(failed)
	}
	e := Exit{Status: syscall.WaitStatus(status), Killed: answer.words[2:]}
	if ctx.Err() != nil && !e.Status.Exited() {
		return e, errors.Join(ctx.Err(), ErrKept)
	}
	return e, nil
}

// close ends the supervisor: it kills everything when its socket is closed.
func (w *worker) close() error {
	err := unix.Close(w.conn)
	ended := time.AfterFunc(killedDelay, func() { _ = w.process.Kill() })
	defer ended.Stop()
	_, waited := w.process.Wait()
	return errors.Join(err, waited)
}
