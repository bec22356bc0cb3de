package symbol

import "context"

// Language reads the symbols of files in one language.
type Language struct {
	Name       string
	Extensions []string // with the dot
	Package    bool     // the files of a directory are one package: a symbol may move between them
	Exported   string   // which symbols are exported, for the documentation
	// Read returns the symbols of a file in its order. A problem with its text is a *part.Error.
	Read func(ctx context.Context, path, text string) ([]Symbol, error)
	// After returns what Read returns, in less time, for a text that is an edited version of the
	// one before; may be nil.
	After func(ctx context.Context, path, before, text string) ([]Symbol, error)
	// Open loads what Read needs, so that it takes less time; may be nil.
	Open func()
}
