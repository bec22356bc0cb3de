// Package linediff finds the lines in which two texts differ. It gives the hunks that git
// diff -U0 prints with its default algorithm and the indent heuristic, also where several
// edits are equally short.
package linediff

import "bytes"

// Hunk is a run of changed lines. Lines count from 0; a side without lines of the hunk has the
// position at which they would be.
type Hunk struct {
	OldStart, Removed int
	Start, Added      int
}

// Compare returns the hunks that turn before into after, in order. ok is false if the texts
// are so far apart that git would give up its search for the shortest edit.
func Compare(before, after []byte) (hunks []Hunk, ok bool) {
	before, after = withoutCommonEnd(before, after)
	a, b := classify(before, after)
	if !shortestEdit(a, b) {
		return nil, false
	}
	compact(a, b)
	compact(b, a)
	for i, j := 0, 0; i < len(a.lines) || j < len(b.lines); i, j = i+1, j+1 {
		h := Hunk{OldStart: i, Start: j}
		for ; a.isChanged(i); i++ {
			h.Removed++
		}
		for ; b.isChanged(j); j++ {
			h.Added++
		}
		if h.Removed > 0 || h.Added > 0 {
			hunks = append(hunks, h)
		}
	}
	return hunks, true
}

// Lines splits a text into lines, each with its line end.
func Lines(text []byte) [][]byte {
	var list [][]byte
	for line := range bytes.Lines(text) {
		list = append(list, line)
	}
	return list
}

// side is one of the texts. Equal lines have the same class.
type side struct {
	lines   [][]byte
	class   []int
	changed []bool
}

func (s *side) isChanged(i int) bool { return i < len(s.lines) && s.changed[i] }

// classify splits both texts and gives each distinct line a number.
func classify(before, after []byte) (a, b *side) {
	classes := map[string]int{}
	sides := [2]*side{}
	for i, text := range [][]byte{before, after} {
		s := &side{lines: Lines(text)}
		s.class, s.changed = make([]int, len(s.lines)), make([]bool, len(s.lines))
		for n, line := range s.lines {
			c, known := classes[string(line)]
			if !known {
				c = len(classes)
				classes[string(line)] = c
			}
			s.class[n] = c
		}
		sides[i] = s
	}
	return sides[0], sides[1]
}

// endBlock is the unit in which git drops what both texts end with.
const endBlock = 1024

// withoutCommonEnd drops the common end of both texts as git does where no context is printed:
// in blocks, except for the rest of the line that the last block begins with. How often a line
// occurs, and how far a hunk can slide, depends on it.
func withoutCommonEnd(before, after []byte) (a, b []byte) {
	dropped := 0
	for dropped+endBlock <= min(len(before), len(after)) {
		i, j := len(before)-dropped, len(after)-dropped
		if !bytes.Equal(before[i-endBlock:i], after[j-endBlock:j]) {
			break
		}
		dropped += endBlock
	}
	tail := before[len(before)-dropped:]
	kept := dropped
	if end := bytes.IndexByte(tail, '\n'); end >= 0 {
		kept = end + 1
	}
	return before[:len(before)-dropped+kept], after[:len(after)-dropped+kept]
}
