package sandbox

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"
)

// supervisorName is the name under which the program starts itself as the supervisor of
// a sandbox.
const supervisorName = "rulecheck-sandbox"

// The supervisor is this program again. It leaves here, before the rest of the program
// is initialised: that takes 6 ms, and the program itself 3.
func init() {
	if len(os.Args) == 1 && os.Args[0] == supervisorName {
		supervise()
	}
}

// Descriptors and orders between the supervisor and the program that started it.
const (
	connection = 3
	killOrder  = "kill"
)

// order is the configuration as the supervisor reads it.
type order struct {
	level   Level
	scratch string
	memory  bool
	workers int
	mounted bool // a mount of the file system in memory comes with the order
	dirs    []string
	write   []string
	show    []string
}

func (c Config) words(level Level, mounted bool) []string {
	words := []string{
		string(level), c.Scratch, strconv.FormatBool(c.Memory && level == Namespaces), strconv.FormatBool(mounted),
		strconv.Itoa(c.Workers), strconv.Itoa(len(c.Dirs)), strconv.Itoa(len(c.Write)),
	}
	return slices.Concat(words, c.Dirs, c.Write, c.Show)
}

func parseOrder(words []string) (o order, err error) {
	const fixed = 7
	var numbers [3]int
	if len(words) < fixed {
		return o, errMessage
	}
	for i, word := range words[fixed-len(numbers) : fixed] {
		if numbers[i], err = strconv.Atoi(word); err != nil {
			return o, err
		}
	}
	o.level, o.scratch, o.memory, o.mounted, o.workers = Level(words[0]), words[1], words[2] == "true", words[3] == "true", numbers[0]
	dirs, write := numbers[1], numbers[2]
	if words = words[fixed:]; dirs+write > len(words) {
		return o, errMessage
	}
	o.dirs, o.write, o.show = words[:dirs], words[dirs:dirs+write], words[dirs+write:]
	return o, nil
}

// supervise is the supervisor. Two threads matter: one is confined and starts the
// programs, which inherit its confinement; the main thread is not, so that programs can
// neither trace nor signal the process, and answers for the system calls that the
// kernel refers to it.
func supervise() {
	// Descriptors that the user's shell or make left open are not for programs.
	_ = unix.CloseRange(connection, ^uint(0), unix.CLOSE_RANGE_CLOEXEC)
	// Short of memory, the kernel is to end the commands first.
	writeText("/proc/self/oom_score_adj", "1000")
	limitProcesses()
	// The memory of this process is not for programs either; and nothing outlives it.
	_ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)
	_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
	s := &supervisor{}
	files, err := s.prepare()
	if err != nil {
		_ = send(connection, message{words: []string{err.Error()}})
		unix.Exit(1)
	}
	listeners := make(chan int)
	go s.serve(files, listeners)
	if listener := <-listeners; listener >= 0 {
		s.mediate(listener)
	}
	select {}
}

// supervisor is the state of the process.
type supervisor struct {
	order
	temps    []string // emptied after each program
	keep     map[string]bool
	writable []string // where programs can change files
}

// prepare reads the order and makes the namespaces' view of the system.
func (s *supervisor) prepare() (files []int, err error) {
	m, err := receive(connection)
	if err != nil {
		return nil, err
	}
	if s.order, err = parseOrder(m.words); err != nil {
		return nil, err
	}
	_ = unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
	if s.level == Namespaces {
		files, err = s.separate(m.files)
	}
	s.writable = slices.Concat(s.write, s.temps)
	for _, name := range s.dirs {
		dir := s.scratch + "/" + name
		s.writable = append(s.writable, dir)
		if made := unix.Mkdir(dir, 0o700); made != nil && !errors.Is(made, unix.EEXIST) {
			err = errors.Join(err, fmt.Errorf("create %s: %w", dir, made))
		}
	}
	return files, err
}

// separate makes the namespaces' view of the system and returns the descriptors for the
// program that started the supervisor.
func (s *supervisor) separate(given []int) (files []int, err error) {
	v := &view{order: s.order, keep: map[string]bool{}}
	if s.mounted && len(given) == 1 {
		v.scratchMount = given[0]
	}
	if files, err = v.make(); err != nil {
		return nil, err
	}
	s.temps, s.keep = v.temps, v.keep
	return files, loopback()
}

// serve confines its thread and starts programs until the connection is closed.
func (s *supervisor) serve(files []int, listeners chan<- int) {
	runtime.LockOSThread()
	listener, err := s.confine()
	listeners <- listener
	if err != nil {
		_ = send(connection, message{words: []string{err.Error()}})
		unix.Exit(1)
	}
	temp := ""
	if len(s.temps) > 0 {
		temp = s.temps[0]
	}
	err = send(connection, message{words: []string{"", temp}, files: files})
	for _, fd := range files {
		_ = unix.Close(fd)
	}
	for err == nil {
		wait([]unix.PollFd{{Fd: connection, Events: unix.POLLIN}})
		var m message
		if m, err = receive(connection); err != nil || len(m.words) == 1 {
			continue // an order to kill what has just ended
		}
		answer := s.execute(m)
		for _, dir := range s.temps {
			s.empty(dir)
		}
		err = send(connection, message{words: answer})
	}
	killAll(s.level == Namespaces, 0, nil)
	unix.Exit(0)
}

// empty removes what a program left in a temporary directory. Nothing else runs.
func (s *supervisor) empty(dir string) {
	d, err := os.Open(dir)
	if err != nil {
		return
	}
	names, _ := d.Readdirnames(-1)
	_ = d.Close()
	for _, name := range names {
		if path := dir + "/" + name; !s.keep[path] {
			_ = os.RemoveAll(path)
		}
	}
}

// maxProcesses is the maximum number of processes of an ordinary user. The kernel counts
// those in the user namespace, or all of the user's before Linux 5.14.
const maxProcesses = 16384

func limitProcesses() {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NPROC, &limit) == nil && limit.Max > maxProcesses {
		_ = unix.Setrlimit(unix.RLIMIT_NPROC, &unix.Rlimit{Cur: min(limit.Cur, maxProcesses), Max: maxProcesses})
	}
}

func writeText(file, text string) {
	if fd, err := unix.Open(file, unix.O_WRONLY|unix.O_CLOEXEC, 0); err == nil {
		_, _ = unix.Write(fd, []byte(text))
		_ = unix.Close(fd)
	}
}
