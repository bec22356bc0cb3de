package diff

import (
	"bytes"
	"cmp"
	"slices"
)

// Scores run to maxScore, as in git; a rename needs half, one that keeps its
// name and is looked for first three quarters.
const (
	maxScore  = 60000
	minScore  = maxScore / 2
	nameScore = minScore + (maxScore-minScore)/2
)

// chunk is how many bytes of a file fall to chunks with one hash.
type chunk struct{ hash, bytes uint32 }

// chunks are what similarity is computed from: a file's size and its chunks, with
// the unterminated last one apart. Older gits leave that one out.
type chunks struct {
	size int
	list []chunk // in order of hash
	tail chunk   // no bytes: there is none
}

// chunkBytes bounds a chunk, which otherwise is a line; chunkHashes is the number
// of hashes. Both are git's, as is the hash.
const (
	chunkBytes  = 64
	chunkHashes = 107927
)

// binaryProbe is how much of a file git looks at for a NUL to call it binary.
const binaryProbe = 8000

// IsBinary reports whether git takes content for binary where no attribute says so.
func IsBinary(content []byte) bool {
	return bytes.IndexByte(content[:min(len(content), binaryProbe)], 0) >= 0
}

// chunksOf computes a file's chunks. In text the CR of a CRLF is as good as absent.
func chunksOf(content []byte) *chunks {
	p := &chunks{size: len(content)}
	text := !IsBinary(content)
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

// all are the chunks, with the last one or without.
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

// similarity scores how much of one file is found in another; 0 where their sizes
// alone are too far apart for a score of least.
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
