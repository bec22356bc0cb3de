package fleet

import (
	"bufio"
	"container/heap"
	"errors"
	"io"
	"iter"
	"os"
	"slices"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
)

// maxHeld is the size of the rows, in bytes, whose findings are held to be sorted.
const maxHeld = 2 << 20

// sorter sorts findings that may be too many to hold. It sorts parts of them, writes those to a
// temporary file, and merges them when they are read.
type sorter struct {
	held []finding.Finding
	size int      // of the rows of held
	file *os.File // nil: all findings are held
	end  int64    // of file
	runs []run
}

// run is a part of the file with sorted findings.
type run struct{ offset, size int64 }

// add adds the findings of a row of a size.
func (s *sorter) add(findings []finding.Finding, size int) error {
	s.held = append(s.held, findings...)
	if s.size += size; s.size < maxHeld {
		return nil
	}
	return s.spill()
}

// spill writes the held findings to the file.
func (s *sorter) spill() (err error) {
	if s.file == nil {
		if s.file, err = os.CreateTemp("", "rulecheck-fleet-"); err != nil {
			return err
		}
		_ = os.Remove(s.file.Name()) // where an open file can be removed, a killed process leaves none
	}
	finding.Sort(s.held)
	out, begin := bufio.NewWriter(io.NewOffsetWriter(s.file, s.end)), s.end
	for _, f := range s.held {
		line, err := report.MarshalFinding(f)
		if err != nil {
			return err
		}
		if _, err := out.Write(line); err != nil {
			return err
		}
		s.end += int64(len(line))
	}
	clear(s.held)
	s.held, s.size, s.runs = s.held[:0], 0, append(s.runs, run{begin, s.end - begin})
	return out.Flush()
}

// finish is called after the last add.
func (s *sorter) finish() error {
	finding.Sort(s.held)
	if s.file == nil {
		return nil
	}
	err := s.spill()
	s.held = nil
	return err
}

// each lists the findings in their order. An error ends the list and is passed to failed.
func (s *sorter) each(failed func(error)) iter.Seq[finding.Finding] {
	if s.file == nil {
		return slices.Values(s.held)
	}
	return func(yield func(finding.Finding) bool) {
		var next cursors
		for i, r := range s.runs {
			c := &cursor{run: i, lines: bufio.NewReaderSize(io.NewSectionReader(s.file, r.offset, r.size), 8<<10)}
			next = append(next, c)
			c.next()
		}
		heap.Init(&next)
		for len(next) > 0 {
			c := next[0]
			switch {
			case errors.Is(c.err, io.EOF):
				heap.Pop(&next)
				continue
			case c.err != nil:
				failed(c.err)
				return
			case !yield(c.first):
				return
			}
			c.next()
			heap.Fix(&next, 0)
		}
	}
}

func (s *sorter) close() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	if gone := os.Remove(s.file.Name()); !errors.Is(gone, os.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}

// cursor reads a run.
type cursor struct {
	run   int
	lines *bufio.Reader
	first finding.Finding
	err   error // io.EOF: there is no finding
}

func (c *cursor) next() {
	line, err := c.lines.ReadBytes('\n')
	if c.err = err; err == nil {
		c.first, c.err = report.ReadFinding(line)
	}
}

// cursors is a heap, the next finding first; one that has ended or failed is before all others.
// Equal findings keep the order of their units.
type cursors []*cursor

func (c cursors) Len() int { return len(c) }

func (c cursors) Less(i, j int) bool {
	if c[i].err != nil || c[j].err != nil {
		return c[i].err != nil && c[j].err == nil
	}
	order := finding.Compare(c[i].first, c[j].first)
	return order < 0 || order == 0 && c[i].run < c[j].run
}

func (c cursors) Swap(i, j int) { c[i], c[j] = c[j], c[i] }

func (c *cursors) Push(x any) { *c = append(*c, x.(*cursor)) } //nolint:forcetypeassert // heap pushes what it pops

func (c *cursors) Pop() any {
	last := (*c)[len(*c)-1]
	*c = (*c)[:len(*c)-1]
	return last
}
