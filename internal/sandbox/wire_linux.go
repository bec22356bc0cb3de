package sandbox

import (
	"encoding/binary"
	"errors"
	"io"

	"golang.org/x/sys/unix"
)

// message is sent between the two ends of a sandbox: words and file descriptors.
type message struct {
	words []string
	files []int
}

const (
	maxMessage = 16 << 20
	maxFiles   = 253 // of the kernel, for one message
)

var errMessage = errors.New("the sandbox sent a malformed message")

// send writes a message to a stream socket.
func send(conn int, m message) error {
	size := 0
	for _, w := range m.words {
		size += 4 + len(w)
	}
	data := binary.LittleEndian.AppendUint32(make([]byte, 0, 4+size), uint32(size))
	for _, w := range m.words {
		data = append(binary.LittleEndian.AppendUint32(data, uint32(len(w))), w...) //nolint:gosec // messages are small
	}
	var rights []byte
	if len(m.files) > 0 {
		rights = unix.UnixRights(m.files...)
	}
	for len(data) > 0 {
		n, err := unix.SendmsgN(conn, data, rights, nil, unix.MSG_NOSIGNAL)
		if err != nil && !errors.Is(err, unix.EINTR) {
			return err
		}
		if n > 0 {
			data, rights = data[n:], nil
		}
	}
	return nil
}

// receive reads a message from a stream socket.
func receive(conn int) (message, error) {
	var m message
	var head [4]byte
	if err := m.fill(conn, head[:]); err != nil {
		return m, err
	}
	size := binary.LittleEndian.Uint32(head[:])
	if size > maxMessage {
		return m, errMessage
	}
	data := make([]byte, size)
	if err := m.fill(conn, data); err != nil {
		return m, err
	}
	for len(data) > 0 {
		if len(data) < 4 {
			return m, errMessage
		}
		n := binary.LittleEndian.Uint32(data)
		if data = data[4:]; uint64(n) > uint64(len(data)) {
			return m, errMessage
		}
		m.words = append(m.words, string(data[:n]))
		data = data[n:]
	}
	return m, nil
}

// fill reads exactly the bytes of data, and collects the descriptors that come with them.
func (m *message) fill(conn int, data []byte) error {
	var rights []byte
	for len(data) > 0 {
		if rights == nil {
			rights = make([]byte, unix.CmsgSpace(4*maxFiles))
		}
		n, more, _, _, err := unix.Recvmsg(conn, data, rights, unix.MSG_CMSG_CLOEXEC)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return err
		case n == 0:
			return io.ErrUnexpectedEOF
		}
		if more > 0 {
			if err := m.accept(rights[:more]); err != nil {
				return err
			}
		}
		data = data[n:]
	}
	return nil
}

func (m *message) accept(rights []byte) error {
	list, err := unix.ParseSocketControlMessage(rights)
	if err != nil {
		return err
	}
	for i := range list {
		files, err := unix.ParseUnixRights(&list[i])
		if err != nil {
			return err
		}
		m.files = append(m.files, files...)
	}
	return nil
}
