package native

import (
	"cmp"
	"slices"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// Scores range to maxScore, as in git. A rename needs half of it, one that keeps its base name
// three quarters.
const (
	maxScore  = 60000
	minScore  = maxScore / 2
	nameScore = minScore + (maxScore-minScore)/2
)

// chunk counts the bytes of a file in chunks with the same hash.
type chunk struct{ hash, bytes uint32 }

// chunks holds what similarity is computed from: a file's size and its chunks. The
// unterminated last one is separate, because older gits leave it out.
type chunks struct {
	size int
	list []chunk // in order of hash
	tail chunk   // zero bytes: none
}

// chunkBytes bounds a chunk, which otherwise is a line; chunkHashes is the number of hashes.
// Both are git's, and so is the hash function.
const (
	chunkBytes  = 64
	chunkHashes = 107927
)

// chunksOf computes a file's chunks. In text, the CR of a CRLF is ignored.
func chunksOf(content []byte) *chunks {
	p := &chunks{size: len(content)}
	text := !diff.IsBinary(content)
	counts := map[uint32]uint32{}
	var low, high, n uint32
	hash := func() uint32 { return (low + high*0x61) % chunkHashes }
	for i, c := range content {
		if text && c == '\r' && i+1 < len(content) && content[i+1] == '\n' {
			continue
		}
		low, high = low<<7^high>>25+uint32(c), high<<7^low>>25
		if n++; n < chunkBytes && c != '\n' {
			continue
		}
		counts[hash()] += n
		low, high, n = 0, 0, 0
	}
	if n > 0 {
		p.tail = chunk{hash(), n}
	}
	p.list = make([]chunk, 0, len(counts))
	for hash, n := range counts {
		p.list = append(p.list, chunk{hash, n})
	}
	slices.SortFunc(p.list, func(a, b chunk) int { return cmp.Compare(a.hash, b.hash) })
	return p
}

// all returns the chunks, with or without the last one.
func (p *chunks) all(tail bool) []chunk {
	if !tail || p.tail.bytes == 0 {
		return p.list
	}
	at, known := slices.BinarySearchFunc(p.list, p.tail.hash, func(s chunk, hash uint32) int { return cmp.Compare(s.hash, hash) })
	if !known {
		return slices.Insert(slices.Clone(p.list), at, p.tail)
	}
	list := slices.Clone(p.list)
	list[at].bytes += p.tail.bytes
	return list
}

// similarity scores how much of one file is found in another. It returns 0 if the difference
// in size rules out a score of least.
func similarity(a, b *chunks, least int, tail bool) int {
	large, small := max(a.size, b.size), min(a.size, b.size)
	if large*(maxScore-least) < (large-small)*maxScore || b.size == 0 {
		return 0
	}
	common, to := 0, b.all(tail)
	for _, s := range a.all(tail) {
		for len(to) > 0 && to[0].hash < s.hash {
			to = to[1:]
		}
		if len(to) > 0 && to[0].hash == s.hash {
			common += int(min(s.bytes, to[0].bytes))
		}
	}
	return common * maxScore / large
}
