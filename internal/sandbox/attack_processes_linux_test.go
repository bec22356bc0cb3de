package sandbox_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/rulecheck/rulecheck/internal/sandbox"
)

// spawnIn starts a program in new namespaces.
func spawnIn(flags uintptr) error {
	cmd := exec.Command("true")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: flags}
	return cmd.Run()
}

// linger starts a program that does not end.
func linger(w *world, attr *syscall.SysProcAttr, env ...string) error {
	cmd := exec.Command("sleep", sleeper(w))
	cmd.Env, cmd.SysProcAttr = append([]string{}, env...), attr
	return cmd.Start()
}

// traced tries to attach to a process.
func traced(pid int) error {
	const seize = 0x4206
	if err := raw(unix.SYS_PTRACE, seize, uintptr(pid), 0, 0); err != nil {
		return err
	}
	return nil
}

// openedFile opens a file of another process through /proc.
func openedFile(pid int) error {
	names, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	if len(names) == 0 {
		return errors.Join(err, errors.New("there are none"))
	}
	for _, name := range names {
		if fd, failed := unix.Open(name, unix.O_RDONLY|unix.O_NONBLOCK, 0); failed == nil {
			unix.Close(fd)
			return nil
		} else if !errors.Is(failed, unix.ENXIO) { // a socket
			err = failed
		}
	}
	return errors.Join(err, errors.New("none can be opened"))
}

// secretOf looks for the secret in the environment of every process but its own family.
func secretOf(w *world) error {
	names, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err == nil && strings.HasPrefix(name, fmt.Sprintf("/proc/%d/", w.Linter)) && bytes.Contains(data, []byte(w.Secret)) {
			return nil
		}
	}
	return errors.New("it is in no environment")
}

const processes = "Processes"

var processAttacks = []attack{
	{group: processes, name: "kill a process of the user", do: func(w *world) error { return unix.Kill(w.Pid, unix.SIGKILL) }, effect: (*outside).ended},
	{group: processes, name: "stop a process of the user", do: func(w *world) error { return unix.Kill(w.Pid, unix.SIGSTOP) }, effect: (*outside).ended},
	{group: processes, name: "signal a thread of the user", do: func(w *world) error { return unix.Tgkill(w.Pid, w.Pid, unix.SIGKILL) }, effect: (*outside).ended},
	{group: processes, name: "signal the group of a process", do: func(w *world) error {
		group, err := unix.Getpgid(w.Pid)
		if err != nil {
			return err
		}
		return unix.Kill(-group, 0)
	}},
	{group: processes, name: "signal through a process descriptor", do: func(w *world) error {
		fd, err := unix.PidfdOpen(w.Pid, 0)
		if err != nil {
			return err
		}
		return unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0)
	}, effect: (*outside).ended},
	{group: processes, name: "have the kernel send a signal (F_SETOWN)", do: func(w *world) error {
		pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
		if err != nil {
			return err
		}
		for _, set := range [][2]int{{unix.F_SETOWN, w.Pid}, {unix.F_SETSIG, int(unix.SIGKILL)}, {unix.F_SETFL, unix.O_ASYNC}} {
			if _, err := unix.FcntlInt(uintptr(pair[0]), set[0], set[1]); err != nil {
				return err
			}
		}
		_, err = unix.Write(pair[1], []byte("x"))
		return err
	}, effect: (*outside).ended},
	{group: processes, name: "signal the linter", do: func(w *world) error { return unix.Kill(w.Linter, 0) }},
	{group: processes, name: "trace a process of the user", rare: true, do: func(w *world) error { return traced(w.Pid) }},
	{group: processes, name: "trace the linter", rare: true, do: func(w *world) error { return traced(w.Linter) }},
	{group: processes, name: "read the memory of the linter", rare: true, do: func(w *world) error {
		var data [16]byte
		_, err := unix.ProcessVMReadv(w.Linter, []unix.Iovec{{Base: &data[0], Len: 16}}, []unix.RemoteIovec{{Base: uintptr(w.Address), Len: 16}}, 0)
		return err
	}},
	{group: processes, name: "write the memory of the linter", rare: true, do: func(w *world) error {
		data := [16]byte{1}
		_, err := unix.ProcessVMWritev(w.Linter, []unix.Iovec{{Base: &data[0], Len: 16}}, []unix.RemoteIovec{{Base: uintptr(w.Address), Len: 16}}, 0)
		return err
	}, effect: func(*outside) bool { return linterVariable[0] != 0 }},
	{group: processes, name: "write the memory of the linter through /proc", rare: true, do: func(w *world) error {
		file, err := os.OpenFile(fmt.Sprintf("/proc/%d/mem", w.Linter), os.O_RDWR, 0)
		if err != nil {
			return err
		}
		_, err = file.WriteAt([]byte{1}, int64(w.Address))
		return err
	}, effect: func(*outside) bool { return linterVariable[0] != 0 }},
	{group: processes, name: "read the environment of the linter", do: secretOf},
	{group: processes, name: "open the files of the linter", do: func(w *world) error { return openedFile(w.Linter) }},
	file(processes, "write through the root of the linter in /proc", func(w *world) error {
		return put(fmt.Sprintf("/proc/%d/root%s", w.Linter, w.Victim), unix.O_WRONLY)
	}),
	{group: processes, name: "write through the root of the supervisor in /proc", supervised: true, do: func(w *world) error {
		return put(fmt.Sprintf("/proc/%d/root%s", os.Getppid(), w.Victim), unix.O_WRONLY)
	}, effect: (*outside).changed},
	{group: processes, name: "copy a descriptor of the linter", rare: true, do: func(w *world) error {
		fd, err := unix.PidfdOpen(w.Linter, 0)
		if err != nil {
			return err
		}
		_, err = unix.PidfdGetfd(fd, 0, 0)
		return err
	}},
	{group: processes, name: "lower the priority of a process", do: func(w *world) error { return unix.Setpriority(unix.PRIO_PROCESS, w.Pid, 19) }, effect: func(o *outside) bool {
		ours, err := unix.Getpriority(unix.PRIO_PROCESS, 0) // the tests may run under nice(1)
		theirs, failed := unix.Getpriority(unix.PRIO_PROCESS, o.world.Pid)
		return err == nil && failed == nil && theirs != ours
	}},
	{group: processes, name: "pin a process to a processor", do: func(w *world) error {
		var set unix.CPUSet
		if err := unix.SchedGetaffinity(w.Pid, &set); err != nil {
			return err
		}
		return unix.SchedSetaffinity(w.Pid, &set)
	}},
	{group: processes, name: "change the limits of a process", do: func(w *world) error {
		return unix.Prlimit(w.Pid, unix.RLIMIT_CORE, &unix.Rlimit{}, nil)
	}},
	{group: processes, name: "change the input and output priority of a process", do: func(w *world) error {
		return raw(unix.SYS_IOPRIO_SET, 1, uintptr(w.Pid), 2<<13|7)
	}},
	{group: processes, name: "change which process is killed for lack of memory", do: func(w *world) error {
		return put2(fmt.Sprintf("/proc/%d/oom_score_adj", w.Pid), "500")
	}},
	{group: processes, name: "kill the supervisor", do: func(w *world) error {
		if w.unconfined() {
			return unix.Kill(os.Getppid(), 0) // the other attacks need it
		}
		return unix.Kill(os.Getppid(), unix.SIGKILL)
	}},
	{group: processes, name: "trace the supervisor", supervised: true, do: func(*world) error { return traced(os.Getppid()) }},
	{group: processes, name: "read the memory of the supervisor", do: func(*world) error {
		_, err := os.OpenFile(fmt.Sprintf("/proc/%d/mem", os.Getppid()), os.O_RDONLY, 0)
		return err
	}, root: true},
	{group: processes, name: "open the files of the supervisor", root: true, do: func(*world) error { return openedFile(os.Getppid()) }},
	{group: processes, name: "become root by a program that is set-user-ID", rare: true, do: func(*world) error {
		if os.Getuid() == 0 {
			return errors.New("it is root")
		}
		out, err := exec.Command("su", "-c", "id -u").CombinedOutput()
		if err == nil && strings.TrimSpace(string(out)) != "0" {
			err = errors.New("it is not root")
		}
		return err
	}},
	{group: processes, name: "get a capability back", root: true, do: func(*world) error {
		header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
		var sets [2]unix.CapUserData
		if err := unix.Capget(&header, &sets[0]); err != nil {
			return err
		}
		if sets[0].Permitted|sets[1].Permitted|sets[0].Effective == 0 {
			return errors.New("there is none")
		}
		return nil
	}},
	{group: "What a command leaves", supervised: true, name: "a program in its group", do: func(w *world) error { return linger(w, nil) }, effect: (*outside).survived},
	{group: "What a command leaves", supervised: true, name: "a program in a new session", do: func(w *world) error { return linger(w, &syscall.SysProcAttr{Setsid: true}) }, effect: (*outside).survived},
	{group: "What a command leaves", supervised: true, name: "a program that has the output open", do: func(w *world) error {
		cmd := exec.Command("sleep", sleeper(w))
		cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = os.Stdout, os.Stderr, &syscall.SysProcAttr{Setsid: true}
		return cmd.Start()
	}, effect: (*outside).survived},
	{group: "What a command leaves", supervised: true, name: "a program whose parents ended, without environment", do: func(w *world) error {
		cmd := exec.Command("setsid", "sh", "-c", "trap '' HUP TERM INT; (setsid sleep "+sleeper(w)+" &) & exit")
		cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
		return cmd.Run()
	}, effect: (*outside).survived},
	{group: "What a command leaves", supervised: true, name: "a program that is a child of its parent (CLONE_PARENT)", do: func(w *world) error {
		return linger(w, &syscall.SysProcAttr{Cloneflags: unix.CLONE_PARENT, Setsid: true})
	}, effect: (*outside).survived},
	{group: "What a command leaves", supervised: true, name: "many programs that start each other", do: func(w *world) error {
		script := "for i in 1 2 3 4 5 6 7 8; do (for j in 1 2 3 4; do setsid sleep " + sleeper(w) + " & done) & done; wait"
		return exec.Command("setsid", "sh", "-c", script+" & sleep 0.05").Run()
	}, effect: (*outside).survived},
	{group: "What a command leaves", supervised: true, name: "a program that starts the next one and ends, for ever", do: func(w *world) error {
		if err := os.WriteFile(w.Scratch+"/next.sh", []byte("#!/bin/sh\ntrap '' PIPE\necho x >&\"$2\"\nsleep 0.001\nsetsid \"$0\" \"$1\" \"$2\" &\n"), 0o700); err != nil {
			return err
		}
		read, write, err := os.Pipe()
		if err != nil {
			return err
		}
		cmd := exec.Command("setsid", w.Scratch+"/next.sh", sleeper(w), "3")
		cmd.ExtraFiles = []*os.File{write}
		if err := cmd.Start(); err != nil {
			return err
		}
		_, err = io.ReadFull(read, make([]byte, 20)) // ten programs
		return err
	}, effect: (*outside).survived},
}

// unconfined reports whether there is no sandbox: it has not even no_new_privs.
func (*world) unconfined() bool {
	set, err := unix.PrctlRetInt(unix.PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0)
	return err == nil && set == 0
}

func put2(name, text string) error {
	fd, err := unix.Open(name, unix.O_WRONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	_, err = unix.Write(fd, []byte(text))
	return err
}

var ipcAttacks = []attack{
	{group: "Memory, queues and keys", name: "attach shared memory of the user", do: func(w *world) error {
		memory, err := unix.SysvShmAttach(w.Memory, 0, 0)
		if err == nil {
			err = unix.SysvShmDetach(memory)
		}
		return err
	}},
	{group: "Memory, queues and keys", name: "remove shared memory of the user", do: func(w *world) error {
		_, err := unix.SysvShmCtl(w.Memory, unix.IPC_STAT, new(unix.SysvShmDesc))
		return err
	}},
	{group: "Memory, queues and keys", name: "send to a message queue of the user", do: func(w *world) error {
		message := struct {
			kind int64
			text [8]byte
		}{kind: 1}
		return raw(unix.SYS_MSGSND, uintptr(w.Queue), uintptr(unsafe.Pointer(&message)), 1, unix.IPC_NOWAIT)
	}},
	{group: "Memory, queues and keys", name: "open a POSIX message queue of the user", rare: true, do: func(w *world) error {
		return raw(unix.SYS_MQ_OPEN, text(w.Posix), unix.O_RDWR, 0, 0)
	}},
	{group: "Memory, queues and keys", name: "find a key in the session's keyring", rare: true, do: func(w *world) error {
		_, err := unix.KeyctlSearch(unix.KEY_SPEC_SESSION_KEYRING, "user", w.Key, 0)
		return err
	}},
	{group: "Memory, queues and keys", name: "request a key", rare: true, do: func(w *world) error {
		_, err := unix.RequestKey("user", w.Key, "", 0)
		return err
	}},
	{group: "Memory, queues and keys", name: "add a key to the user's keyring", rare: true, do: func(w *world) error {
		id, err := unix.AddKey("user", w.Key+"-new", []byte("x"), unix.KEY_SPEC_USER_KEYRING)
		if err == nil {
			_, _ = unix.KeyctlInt(unix.KEYCTL_UNLINK, id, unix.KEY_SPEC_USER_KEYRING, 0, 0)
		}
		return err
	}},
}

var exhaustionAttacks = []attack{
	{group: "Exhaustion", supervised: true, name: "have another process killed for lack of memory", do: func(*world) error {
		data, err := os.ReadFile("/proc/self/oom_score_adj")
		if err != nil {
			return err
		}
		if score, _ := strconv.Atoi(strings.TrimSpace(string(data))); score == 1000 {
			return errors.New("this is the first to be killed")
		}
		return nil
	}},
	{group: "Exhaustion", name: "fill the disk by temporary files", open: []sandbox.Level{sandbox.Landlock}, do: func(*world) error {
		var all unix.Sysinfo_t
		if err := unix.Sysinfo(&all); err != nil {
			return err
		}
		var temp unix.Statfs_t
		if err := unix.Statfs("/tmp", &temp); err != nil {
			return err
		}
		if temp.Type == unix.TMPFS_MAGIC && temp.Blocks*uint64(temp.Bsize) <= uint64(all.Totalram)*uint64(all.Unit)*26/100 { //nolint:unconvert // it depends on the architecture
			return errors.New("they are in memory and bounded")
		}
		return nil
	}},
	{group: "Exhaustion", name: "leave a core dump", rare: true, do: func(*world) error {
		var limit unix.Rlimit
		if err := unix.Getrlimit(unix.RLIMIT_CORE, &limit); err != nil {
			return err
		}
		if limit.Max == 0 {
			return errors.New("the limit is 0")
		}
		return nil
	}},
}
