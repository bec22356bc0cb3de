package git

import (
	"bytes"
	"io"
	"os"
)

// output collects the output of a process in a file in memory, which needs no
// goroutine to read it, or in a buffer if the system has no such files.
type output struct {
	file   *os.File // nil: buffer is used
	buffer bytes.Buffer
}

func newOutput() *output { return &output{file: memoryFile()} }

func (o *output) writer() io.Writer {
	if o.file != nil {
		return o.file
	}
	return &o.buffer
}

// take returns what was written. It may be called once.
func (o *output) take() ([]byte, error) {
	if o.file == nil {
		return o.buffer.Bytes(), nil
	}
	defer o.file.Close()
	info, err := o.file.Stat()
	if err != nil || info.Size() == 0 {
		return nil, err
	}
	all := make([]byte, info.Size())
	n, err := o.file.ReadAt(all, 0)
	return all[:n], err
}
