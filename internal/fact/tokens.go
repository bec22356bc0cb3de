package fact

import "math"

// TokenCount counts tokens by their kind. A nil number is unknown.
type TokenCount struct {
	Input      *int64 `json:"input"`  // uncached
	Output     *int64 `json:"output"` // reasoning included
	CacheRead  *int64 `json:"cache_read"`
	CacheWrite *int64 `json:"cache_write"`
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

// Add adds the parts of other that are known.
func (t *TokenCount) Add(other TokenCount) {
	for _, part := range []struct {
		sum **int64
		n   *int64
	}{
		{&t.Input, other.Input}, {&t.Output, other.Output}, {&t.CacheRead, other.CacheRead}, {&t.CacheWrite, other.CacheWrite},
	} {
		if part.n == nil {
			continue
		}
		sum := *part.n
		if *part.sum != nil {
			sum = SaturatedSum(sum, **part.sum)
		}
		*part.sum = &sum
	}
}

// SaturatedSum returns the sum of two counts, at most [math.MaxInt64].
func SaturatedSum(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}
