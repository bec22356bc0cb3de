package policies

import (
	"maps"
	"slices"
)

// Modes has modes by their names. Those of the program are read when they are first asked
// for, because most runs need few of them. It may be used concurrently.
type Modes map[string]func() Mode

// NewModes returns modes by their names.
func NewModes(list ...Mode) Modes {
	modes := Modes{}
	for _, mode := range list {
		modes.add(mode)
	}
	return modes
}

func (m Modes) add(mode Mode) { m[mode.Name] = func() Mode { return mode } }

// Has reports whether there is a mode of the name.
func (m Modes) Has(name string) bool { return m[name] != nil }

// Of returns the mode of the name, or the zero Mode if there is none.
func (m Modes) Of(name string) Mode {
	if !m.Has(name) {
		return Mode{}
	}
	return m[name]()
}

// Names lists the names in byte order.
func (m Modes) Names() []string { return slices.Sorted(maps.Keys(m)) }
