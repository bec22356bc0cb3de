package record

import (
	"encoding/binary"
	"encoding/hex"
	"hash/fnv"
	"hash/maphash"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/session"
)

// Fingerprint identifies an event that several logs may hold. With 128 bits no two events
// share one.
type Fingerprint [2]uint64

var seeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

// FingerprintOf identifies an event by texts.
func FingerprintOf(texts ...string) Fingerprint {
	var f Fingerprint
	for i := range f {
		var h maphash.Hash
		h.SetSeed(seeds[i])
		for _, text := range texts {
			_, _ = h.WriteString(text)
			_ = h.WriteByte(0)
		}
		f[i] = h.Sum64()
	}
	return f
}

// Hashes is a set of hashes. An entry takes 9 bytes; one with a number as its key takes 16, because the compiler
// pads the empty value to the size of the key.
type Hashes map[[8]byte]struct{}

// Add adds a hash.
func (s Hashes) Add(hash uint64) {
	var key [8]byte
	binary.NativeEndian.PutUint64(key[:], hash)
	s[key] = struct{}{}
}

// Has reports whether a hash was added.
func (s Hashes) Has(hash uint64) bool {
	var key [8]byte
	binary.NativeEndian.PutUint64(key[:], hash)
	_, ok := s[key]
	return ok
}

// CallKey identifies a tool call. Some models number their calls from 0, so that an id
// identifies a call only together with its origin and with what it does.
func CallKey(c *session.ToolCall, origin string) Fingerprint {
	return FingerprintOf("call", c.ID, origin, c.Name, c.Command, strings.Join(c.Paths, "\x00"))
}

// RowID identifies an event without an id by its row: copies of a file have equal rows,
// and the same row may be in one file several times.
func (l *Log) RowID() string {
	return l.Numbered("row " + TextID(l.Row))
}

// TextID identifies a text that is not kept.
func TextID(text []byte) string {
	h := fnv.New128a()
	_, _ = h.Write(text)
	return hex.EncodeToString(h.Sum(nil))
}

// Numbered returns a text with the number of its occurrence.
func (l *Log) Numbered(text string) string {
	l.repeats[text]++
	return text + "#" + strconv.Itoa(l.repeats[text])
}
