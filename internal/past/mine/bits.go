package mine

import "math/bits"

// bitset is a set of units.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (b bitset) set(i int32) { b[i/64] |= 1 << (i % 64) }

func (b bitset) has(i int32) bool { return b[i/64]&(1<<(i%64)) != 0 }

// and returns the units of both sets.
func (b bitset) and(o bitset) bitset {
	both := make(bitset, len(b))
	for i := range b {
		both[i] = b[i] & o[i]
	}
	return both
}

// without returns the units that another set lacks.
func (b bitset) without(o bitset) bitset {
	rest := make(bitset, len(b))
	for i := range b {
		rest[i] = b[i] &^ o[i]
	}
	return rest
}

func (b bitset) count() int {
	n := 0
	for _, word := range b {
		n += bits.OnesCount64(word)
	}
	return n
}

// first returns the first unit, or 0.
func (b bitset) first() int32 {
	for i, word := range b {
		if word != 0 {
			return number(64*i + bits.TrailingZeros64(word))
		}
	}
	return 0
}

// below returns the units before an end.
func (b bitset) below(end int32) bitset {
	head := make(bitset, len(b))
	copy(head, b[:end/64])
	if int(end/64) < len(b) {
		head[end/64] = b[end/64] & (1<<(end%64) - 1)
	}
	return head
}

// share returns how many of the units another set has.
func (b bitset) share(o bitset) Tally {
	var t Tally
	for i, word := range b {
		t.Triggered += bits.OnesCount64(word)
		t.Held += bits.OnesCount64(word & o[i])
	}
	return t
}
