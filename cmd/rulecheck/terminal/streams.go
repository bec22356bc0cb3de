// Package terminal has the standard streams of a run and its progress on a terminal.
package terminal

import (
	"context"
	"io"
	"sync"
)

// Sink is standard output. It keeps the first error, so that no command ends as if its
// answer had been read.
type Sink struct {
	mutex sync.Mutex
	w     io.Writer
	err   error
}

// NewSink returns a sink that writes to w.
func NewSink(w io.Writer) *Sink { return &Sink{w: w} }

// NewInterruptible returns a reader of r whose reads end with ctx.
func NewInterruptible(ctx context.Context, r io.Reader) *Interruptible { return &Interruptible{ctx, r} }

func (s *Sink) Write(b []byte) (int, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.w.Write(b)
	s.err = err
	return n, err
}

// Err returns the first error of a write.
func (s *Sink) Err() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.err
}

// Interruptible is standard input whose reads end when the run is interrupted.
type Interruptible struct {
	ctx context.Context //nolint:containedctx // io.Reader has no parameter for it
	r   io.Reader
}

func (i *Interruptible) Read(b []byte) (int, error) {
	type result struct {
		n   int
		err error
	}
	read, buf := make(chan result, 1), make([]byte, len(b))
	go func() {
		n, err := i.r.Read(buf)
		read <- result{n, err}
	}()
	select {
	case done := <-read:
		return copy(b, buf[:done.n]), done.err
	case <-i.ctx.Done():
		return 0, i.ctx.Err()
	}
}
