// Package a has what a package can declare, and imports the standard library alone.
package a

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// Limits.
const (
	First, Second = 1 << iota, "x"
	Third, _
	hidden = 10
)

const Typed Kind = 3

var (
	ErrClosed = errors.New("closed")
	Names     = []string{"a", "b"}
	loose, At int
	Default   = &Options{Name: "x"}
	Table     = map[string]func(int) error{"a": nil}
	Made      = make(chan int, 3)
	Size      = len(Names)
	Ratio     = 1.5
	Text      = "a" + "b"
)

// Kind is a kind.
type Kind int

const (
	Small Kind = iota
	Large
)

func (k Kind) String() string { return fmt.Sprint(int(k)) }

// Options are options.
type Options struct {
	Name, Label string
	Limit       int `json:"limit"`
	io.Reader
	*inner
	secret int
	Next   *Options
	Done   func(ctx context.Context, n int) (bool, error)
	Nested struct {
		A int
		b string
	}
}

type inner struct {
	Shared bool
	own    int
}

func (i *inner) Promoted(n int) string { return fmt.Sprint(i.own, n) }

func (i *inner) quiet() {}

// Store is what others implement.
type Store interface {
	Get(ctx context.Context, key string) ([]byte, error)
	Put(ctx context.Context, key string, value []byte) error
	io.Closer
}

type sealed interface {
	Open() error
	close()
}

// Opened returns what has no exported name.
func Opened() sealed { return nil }

// Pair is generic.
type Pair[K comparable, V any] struct {
	Key   K
	Value V
}

func (p Pair[A, B]) Swap(other B) (A, B) { return p.Key, other }

// Number is a constraint.
type Number interface {
	~int | ~float64
}

// Sum adds.
func Sum[T Number](values ...T) (total T) {
	for _, v := range values {
		total += v
	}
	return total
}

type (
	Alias   = Pair[string, int]
	Handler func(w io.Writer, args ...string) error
	Matrix  [hidden][4]float64
	private map[string]Options
)

func New(name string, options *Options) (*Options, error) {
	if name == "" {
		return nil, ErrClosed
	}
	return &Options{Name: name, Next: options}, nil
}

func helper(p private) int { return len(p) }

func (o *Options) Close() error { return o.check(loose) }

func (o Options) Len() int { return helper(nil) }

func (o *Options) check(n int) error { return nil }

func init() {}
