package git

import (
	"bytes"
	"io"
	"os"
)

// output takes what a process writes. A file in memory has it without anybody
// here reading along, who would have to wait for a processor while others work;
// where there is none, a buffer has it.
type output struct {
	file   *os.File // nil: buffer
	buffer bytes.Buffer
}

func newOutput() *output { return &output{file: memoryFile()} }

func (o *output) writer() io.Writer {
	if o.file != nil {
		return o.file
	}
	return &o.buffer
}

// take gives what was written, once.
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
