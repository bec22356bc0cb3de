package audit

// memo keeps what a function returns for texts, which sessions repeat.
type memo[V any] struct {
	of    func(text string) V
	known map[string]V
	size  int
}

// maxMemo is how many bytes of texts a memo keeps.
const maxMemo = 1 << 20

func newMemo[V any](of func(string) V) *memo[V] { return &memo[V]{of: of, known: map[string]V{}} }

func (m *memo[V]) get(text string) V {
	v, ok := m.known[text]
	if ok {
		return v
	}
	v = m.of(text)
	const entry = 256 // bytes, with an excerpt
	if m.size += len(text) + entry; m.size > maxMemo {
		clear(m.known)
		m.size = len(text) + entry
	}
	m.known[text] = v
	return v
}
