package sandbox_test

import (
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/rulecheck/rulecheck/internal/sandbox"
)

// dial connects a socket.
func dial(domain, kind, protocol int, to unix.Sockaddr) error {
	fd, err := unix.Socket(domain, kind|unix.SOCK_CLOEXEC, protocol)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	if err := unix.Connect(fd, to); err != nil {
		return err
	}
	_, err = unix.Write(fd, []byte("x"))
	return err
}

// message sends a datagram without connecting.
func message(fd int, err error, flags int, to unix.Sockaddr) error {
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	return unix.Sendto(fd, []byte("x"), flags, to)
}

func v4(port int) *unix.SockaddrInet4 {
	return &unix.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}}
}

func v6(port int) *unix.SockaddrInet6 { return &unix.SockaddrInet6{Port: port, Addr: [16]byte{15: 1}} }

func network(name string, do func(w *world) error) attack {
	return attack{group: "Networks and sockets", name: name, do: do, effect: (*outside).reached}
}

// family tries to open a kind of socket, in a network that is not its own.
func family(name string, root bool, domain, kind, protocol int) attack {
	return attack{group: "Networks and sockets", name: "open a socket: " + name, root: root, rare: true, do: func(w *world) error {
		fd, err := unix.Socket(domain, kind, protocol)
		if err == nil {
			unix.Close(fd)
			if domain == unix.AF_INET || domain == unix.AF_PACKET || domain == unix.AF_NETLINK {
				err = elsewhere(w)
			}
		}
		return err
	}}
}

const multipath = 262 // protocol

var networkAttacks = []attack{
	network("TCP", func(w *world) error { return dial(unix.AF_INET, unix.SOCK_STREAM, 0, v4(w.TCP[0])) }),
	{group: "Networks and sockets", name: "TCP over IPv6", rare: true, do: func(w *world) error { return dial(unix.AF_INET6, unix.SOCK_STREAM, 0, v6(w.TCP[1])) }, effect: (*outside).reached},
	{group: "Networks and sockets", name: "multipath TCP", rare: true, do: func(w *world) error { return dial(unix.AF_INET, unix.SOCK_STREAM, multipath, v4(w.TCP[0])) }, effect: (*outside).reached},
	network("TCP Fast Open", func(w *world) error {
		fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
		return message(fd, err, unix.MSG_FASTOPEN, v4(w.TCP[0]))
	}),
	network("UDP", func(w *world) error {
		fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
		return message(fd, err, 0, v4(w.UDP))
	}),
	network("UDP, connected", func(w *world) error { return dial(unix.AF_INET, unix.SOCK_DGRAM, 0, v4(w.UDP)) }),
	{group: "Networks and sockets", name: "listen without an address", do: func(w *world) error {
		fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
		if err != nil {
			return err
		}
		defer unix.Close(fd)
		return errors.Join(unix.Listen(fd, 1), elsewhere(w))
	}},
	{group: "Networks and sockets", name: "listen at an address", do: func(w *world) error {
		fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
		if err != nil {
			return err
		}
		defer unix.Close(fd)
		return errors.Join(unix.Bind(fd, v4(0)), unix.Listen(fd, 1), elsewhere(w))
	}},
	network("a socket with a path", func(w *world) error {
		return dial(unix.AF_UNIX, unix.SOCK_STREAM, 0, &unix.SockaddrUnix{Name: w.Stream})
	}),
	network("a socket with a path, for packets", func(w *world) error {
		return dial(unix.AF_UNIX, unix.SOCK_SEQPACKET, 0, &unix.SockaddrUnix{Name: w.Packets})
	}),
	network("a socket with a path, for datagrams", func(w *world) error {
		fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_DGRAM, 0)
		return message(fd, err, 0, &unix.SockaddrUnix{Name: w.Dgram})
	}),
	network("a datagram through a pair of sockets", func(w *world) error {
		pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_DGRAM, 0)
		return message(pair[0], err, 0, &unix.SockaddrUnix{Name: w.Dgram})
	}),
	network("a socket with a path, by a symlink of the copy", func(w *world) error {
		_ = os.Symlink(w.Stream, w.Scratch+"/socket")
		return dial(unix.AF_UNIX, unix.SOCK_STREAM, 0, &unix.SockaddrUnix{Name: w.Scratch + "/socket"})
	}),
	network("a socket with a path, from its directory", func(w *world) error {
		if err := os.Chdir(filepath.Dir(w.Stream)); err != nil {
			return err
		}
		return dial(unix.AF_UNIX, unix.SOCK_STREAM, 0, &unix.SockaddrUnix{Name: filepath.Base(w.Stream)})
	}),
	network("a socket with a path, by /proc/self/fd", func(w *world) error {
		fd, err := unix.Open(w.Stream, unix.O_PATH, 0)
		if err != nil {
			return err
		}
		return dial(unix.AF_UNIX, unix.SOCK_STREAM, 0, &unix.SockaddrUnix{Name: self(fd)})
	}),
	// Connections to sockets of the copy are not accepted, so connecting must not wait for room
	// in their queue.
	race(network("a socket with a path that alternates with one of the copy", func(w *world) error {
		own, err := listenAt(w.Scratch + "/own.sock")
		if err != nil {
			return err
		}
		defer unix.Close(own)
		alternate(func(i int) {
			_ = os.Symlink([]string{w.Scratch + "/own.sock", w.Stream}[i], w.Scratch+"/next.sock")
			_ = os.Rename(w.Scratch+"/next.sock", w.Scratch+"/alternating.sock")
		}, func() {
			_ = dial(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_NONBLOCK, 0, &unix.SockaddrUnix{Name: w.Scratch + "/alternating.sock"})
		})
		return nil
	})),
	race(network("a descriptor that alternates between kinds of sockets", func(w *world) error {
		alternate(func(i int) {
			fd, err := unix.Socket([]int{unix.AF_NETLINK, unix.AF_UNIX}[i], []int{unix.SOCK_RAW, unix.SOCK_STREAM}[i], 0)
			if err == nil {
				_ = unix.Dup2(fd, 100)
				unix.Close(fd)
			}
		}, func() { _ = unix.Connect(100, &unix.SockaddrUnix{Name: w.Stream}) })
		return nil
	})),
	race(network("an address that changes during the call", func(w *world) error {
		own, err := listenAt(w.Scratch + "/own2.sock")
		if err != nil {
			return err
		}
		defer unix.Close(own)
		address := unix.RawSockaddrUnix{Family: unix.AF_UNIX}
		alternate(func(i int) {
			for n, c := range append([]byte([]string{w.Scratch + "/own2.sock", w.Stream}[i]), 0) {
				address.Path[n] = int8(c)
			}
		}, func() {
			if fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_NONBLOCK, 0); err == nil {
				_ = raw(unix.SYS_CONNECT, uintptr(fd), uintptr(unsafe.Pointer(&address)), unsafe.Sizeof(address))
				unix.Close(fd)
			}
		})
		return nil
	})),
	network("an abstract socket", func(w *world) error {
		return dial(unix.AF_UNIX, unix.SOCK_STREAM, 0, &unix.SockaddrUnix{Name: "@" + w.Name})
	}),
	network("an abstract socket for datagrams", func(w *world) error {
		fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_DGRAM, 0)
		return message(fd, err, 0, &unix.SockaddrUnix{Name: "@" + w.Name + "-dgram"})
	}),
	{group: "Networks and sockets", name: "take the name of an abstract socket", open: []sandbox.Level{sandbox.Landlock}, do: func(w *world) error {
		fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
		if err != nil {
			return err
		}
		defer unix.Close(fd)
		return errors.Join(unix.Bind(fd, &unix.SockaddrUnix{Name: "@" + w.Name + "-taken"}), elsewhere(w))
	}},
	family("raw IP", true, unix.AF_INET, unix.SOCK_RAW, unix.IPPROTO_ICMP),
	family("ping", false, unix.AF_INET, unix.SOCK_DGRAM, unix.IPPROTO_ICMP),
	family("packet", true, unix.AF_PACKET, unix.SOCK_RAW, 0),
	family("vsock", false, unix.AF_VSOCK, unix.SOCK_STREAM, 0),
	family("kernel cryptography", false, unix.AF_ALG, unix.SOCK_SEQPACKET, 0),
	family("Bluetooth", false, unix.AF_BLUETOOTH, unix.SOCK_RAW, 1),
	family("CAN", false, unix.AF_CAN, unix.SOCK_RAW, 1),
	family("TIPC", false, unix.AF_TIPC, unix.SOCK_RDM, 0),
	family("XDP", false, unix.AF_XDP, unix.SOCK_RAW, 0),
	family("key management", true, unix.AF_KEY, unix.SOCK_RAW, 2),
	family("netlink of devices", false, unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_KOBJECT_UEVENT),
	family("netlink of auditing", false, unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_AUDIT),
	family("netlink of users", false, unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_USERSOCK),
}

// alternations is how often each side of a race is repeated.
const alternations = 1000

// alternate calls change with 0 and 1 in turn while it calls attempt, until both were
// called so often that on any machine many calls met.
func alternate(change func(i int), attempt func()) {
	var changes atomic.Int64
	var ended atomic.Bool
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := 0; !ended.Load(); i++ {
			change(i % 2)
			changes.Add(1)
		}
	}()
	for n := 0; n < alternations || changes.Load() < alternations; n++ {
		attempt()
	}
	ended.Store(true)
	<-done
}

// listenAt makes a socket with a path that never answers.
func listenAt(name string) (int, error) {
	_ = os.Remove(name)
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		return -1, err
	}
	return fd, errors.Join(unix.Bind(fd, &unix.SockaddrUnix{Name: name}), syscall.Listen(fd, 4096))
}
