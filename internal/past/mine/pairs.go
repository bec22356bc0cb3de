package mine

import (
	"strings"
	"unicode"
)

// generalize calls emit with every pair of templates: the first matches a, the
// second b, and both capture the same. The first pair is that of the paths themselves.
func generalize(a, b string, emit func(a, b template)) {
	dirA, baseA := split(a)
	dirB, baseB := split(b)
	prefix := commonDirs(dirA, dirB)
	restA, restB := trimDir(dirA, prefix), trimDir(dirB, prefix)
	suffix := commonTail(restA, restB)
	midA, midB := dropTail(restA, suffix), dropTail(restB, suffix)
	first, _, nested := strings.Cut(prefix, "/")

	names := namePairs(baseA, baseB)
	for _, n := range names {
		pair := func(root rootKind, first, midA, midB string, path bool) {
			emit(template{root, path, n.captured, first, midA, n.preA, n.postA},
				template{root, path, n.captured, first, midB, n.preB, n.postB})
		}
		pair(noRoot, "", dirA, dirB, false)
		if suffix != "" {
			pair(noRoot, "", headOf(dirA, suffix), headOf(dirB, suffix), true)
		}
		if prefix == "" {
			continue
		}
		pair(anyRoot, "", restA, restB, false)
		if nested {
			pair(rootedAt, first, restA, restB, false)
		}
		if suffix != "" && midA != "" && midB != "" {
			pair(anyRoot, "", midA, midB, true)
			if nested {
				pair(rootedAt, first, midA, midB, true)
			}
		}
	}
}

// headOf returns a directory without its last parts.
func headOf(dir, tail string) string { return strings.TrimSuffix(strings.TrimSuffix(dir, tail), "/") }

func dropTail(rest, tail string) string {
	if tail == "" {
		return rest
	}
	return headOf(rest, tail)
}

func trimDir(dir, prefix string) string {
	return strings.TrimPrefix(strings.TrimPrefix(dir, prefix), "/")
}

// commonDirs returns the leading directories that two have in common.
func commonDirs(a, b string) string {
	end := 0
	for i := 0; ; i++ {
		atA, atB := i == len(a), i == len(b)
		if (atA || a[i] == '/') && (atB || b[i] == '/') {
			end = i
		}
		if atA || atB || a[i] != b[i] {
			return a[:end]
		}
	}
}

// commonTail returns the trailing directories that two have in common.
func commonTail(a, b string) string {
	best := ""
	for i := 1; ; i++ {
		overA, overB := i > len(a), i > len(b)
		if (overA || a[len(a)-i] == '/') && (overB || b[len(b)-i] == '/') {
			best = a[len(a)-i+1:]
		}
		if overA || overB || a[len(a)-i] != b[len(b)-i] {
			return best
		}
	}
}

// namePair is the names of two files, with their common parts captured or not.
type namePair struct {
	captured                 bool
	preA, postA, preB, postB string
}

// namePairs returns the names of two files as they are, and with their longest common run of
// words captured, if it is at least half of the shorter stem.
func namePairs(a, b string) []namePair {
	pairs := []namePair{{preA: a, preB: b}}
	stemA, stemB := stem(a), stem(b)
	wordsA, wordsB := words(stemA), words(stemB)
	fromA, fromB, length := 0, 0, 0
	for i := range wordsA {
		for j := range wordsB {
			n := 0 // bytes that agree and end at the end of a word in both
			for x, y := i, j; x < len(wordsA) && y < len(wordsB) && wordsA[x] == wordsB[y]; x, y = x+1, y+1 {
				n += len(wordsA[x])
			}
			if n > length {
				fromA, fromB, length = offset(wordsA, i), offset(wordsB, j), n
			}
		}
	}
	run := strings.TrimFunc(stemA[fromA:fromA+length], isDelimiter)
	if letters(run) < 2 || 2*len(run) < min(len(stemA), len(stemB)) {
		return pairs
	}
	fromA += strings.Index(stemA[fromA:], run)
	fromB += strings.Index(stemB[fromB:], run)
	return append(pairs, namePair{
		captured: true,
		preA:     a[:fromA], postA: a[fromA+len(run):],
		preB: b[:fromB], postB: b[fromB+len(run):],
	})
}

// stem returns a name without its extension.
func stem(name string) string {
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		return name[:i]
	}
	return name
}

func isDelimiter(r rune) bool { return r == '_' || r == '-' || r == '.' }

// words splits a stem at delimiters, which are words too, and before capital letters.
func words(stem string) []string {
	var list []string
	from := 0
	last := '.'
	for i, r := range stem {
		if i > from && (isDelimiter(r) || isDelimiter(last) || unicode.IsUpper(r) && !unicode.IsUpper(last)) {
			list = append(list, stem[from:i])
			from = i
		}
		last = r
	}
	if from < len(stem) {
		list = append(list, stem[from:])
	}
	return list
}

func offset(words []string, n int) int {
	sum := 0
	for _, w := range words[:n] {
		sum += len(w)
	}
	return sum
}

func letters(text string) int {
	n := 0
	for _, r := range text {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n
}
