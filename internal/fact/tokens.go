package fact

import "math"

// TokenCount counts tokens by their kind. A nil number is unknown.
type TokenCount struct {
	Input      *int64 `json:"input"`  // uncached
	Output     *int64 `json:"output"` // reasoning included
	CacheRead  *int64 `json:"cache_read"`
	CacheWrite *int64 `json:"cache_write"`
	// LongWrite counts those of CacheWrite that the cache keeps for an hour; nil: the log does not say.
	LongWrite *int64 `json:"cache_write_1h,omitempty"`
}

// Parts returns the places of all counts.
func (t *TokenCount) Parts() [5]**int64 {
	return [...]**int64{&t.Input, &t.Output, &t.CacheRead, &t.CacheWrite, &t.LongWrite}
}

// Part returns the named part of the tokens; nil if it is unknown.
func (t *TokenCount) Part(name string) *int64 {
	switch name {
	case "input":
		return t.Input
	case "output":
		return t.Output
	case "cache_read":
		return t.CacheRead
	case "cache_write":
		return t.CacheWrite
	}
	return nil
}

// Used returns the input and output tokens that are known.
func (t *TokenCount) Used() int64 { return sumOf(t.Input, t.Output) }

// Cached returns the tokens that are known to be read from or written to a cache.
func (t *TokenCount) Cached() int64 { return sumOf(t.CacheRead, t.CacheWrite) }

func sumOf(counts ...*int64) (sum int64) {
	for _, n := range counts {
		if n != nil {
			sum = SaturatedSum(sum, *n)
		}
	}
	return sum
}

// Add adds the parts of other that are known.
func (t *TokenCount) Add(other TokenCount) {
	for i, n := range other.Parts() {
		if part := t.Parts()[i]; *n != nil {
			*part = new(sumOf(*n, *part))
		}
	}
}

// SaturatedSum returns the sum of two counts, at most [math.MaxInt64].
func SaturatedSum(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}
