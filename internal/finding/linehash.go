package finding

import (
	"fmt"
	"maps"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	hashWindow = 100   // code units in one hash
	hashFactor = 37    // of the polynomial, modulo 2^64
	endOfFile  = 65535 // the unit that follows the last one of the file
)

// maxHashedFile is the size in bytes up to which a file is read to hash its lines.
const maxHashedFile = 16 << 20

// HashLines fills in the LineHash of findings. The function read returns the first
// limit bytes of files.
func HashLines(findings []Finding, read func(paths []string, limit int64) (map[string][]byte, error)) error {
	lines := map[string][]int{}
	for _, f := range findings {
		lines[f.Path] = append(lines[f.Path], f.Line)
	}
	contents, err := read(slices.Sorted(maps.Keys(lines)), maxHashedFile)
	if err != nil {
		return err
	}
	hashes := map[string]map[int]string{}
	for path, content := range contents {
		hashes[path] = LineHashes(content, lines[path]...)
	}
	for i := range findings {
		findings[i].LineHash = hashes[findings[i].Path][findings[i].Line]
	}
	return nil
}

// LineHashes computes GitHub's primaryLocationLineHash of the wanted lines,
// counted from 1, of a file's content: the value that its upload action
// computes itself and compares with the one in a SARIF file. Lines beyond the
// end of the content have no hash.
//
// A line's hash is a polynomial over the 100 UTF-16 code units that follow its
// start, without blanks and tabs, with each line ending as one line feed, the
// end of the file as 65535 and anything behind it as 0. It is written in
// hexadecimal with the number of lines so far that had the same hash
// (github/codeql-action, src/fingerprints.ts).
func LineHashes(content []byte, lines ...int) map[int]string {
	hashes := make(map[int]string, len(lines))
	wanted := map[int]bool{}
	for _, line := range lines {
		wanted[line] = true
	}
	if len(lines) == 0 {
		return hashes
	}
	units, starts := hashUnits(content, slices.Max(lines))
	seen := map[uint64]int{}
	for i, start := range starts {
		var hash uint64
		for k := range hashWindow {
			hash *= hashFactor
			if start+k < len(units) {
				hash += uint64(units[start+k])
			}
		}
		seen[hash]++
		if wanted[i+1] {
			hashes[i+1] = fmt.Sprintf("%x:%d", hash, seen[hash])
		}
	}
	return hashes
}

// hashUnits returns the code units to hash for the first n lines, and the index
// at which each of these lines starts.
func hashUnits(content []byte, n int) (units []uint16, starts []int) {
	lineStart, afterCR := true, false
	add := func(unit uint16) {
		if lineStart && len(starts) < n {
			starts = append(starts, len(units))
		}
		lineStart = unit == '\n'
		units = append(units, unit)
	}
	for len(content) > 0 {
		if n <= 0 || len(starts) == n && len(units) >= starts[n-1]+hashWindow {
			return units, starts
		}
		r, size := decodeRune(content)
		content = content[size:]
		switch {
		case r == ' ' || r == '\t' || r == '\n' && afterCR:
			afterCR = false
		case r == '\r':
			add('\n')
			afterCR = true
		default:
			afterCR = false
			for _, unit := range utf16.AppendRune(nil, r) {
				add(unit)
			}
		}
	}
	add(endOfFile)
	return units, starts
}

// decodeRune decodes one rune as JavaScript does (the WHATWG's UTF-8 decoder): an
// incomplete sequence is one replacement character, where Go returns one for each
// of its bytes.
func decodeRune(b []byte) (r rune, size int) {
	r, size = utf8.DecodeRune(b)
	if r != utf8.RuneError || size != 1 {
		return r, size
	}
	for size < len(b) && !utf8.FullRune(b[:size+1]) {
		size++
	}
	return r, size
}
