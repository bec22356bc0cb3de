package async

import "sync"

// Memo finds each value once, by its key, also for callers that ask at the same time. The zero
// value is ready.
type Memo[K comparable, V any] struct {
	mutex sync.Mutex
	known map[K]func() (V, error)
}

// Get returns the value of a key, or its error, which the first call finds.
func (m *Memo[K, V]) Get(key K, find func() (V, error)) (V, error) {
	m.mutex.Lock()
	value := m.known[key]
	if value == nil {
		if m.known == nil {
			m.known = map[K]func() (V, error){}
		}
		value = sync.OnceValues(find)
		m.known[key] = value
	}
	m.mutex.Unlock()
	return value()
}
