package golang_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/content/symbol/languages/golang"
)

const sample = `package a

import (
	"io"
	yaml "gopkg.in/yaml.v3"
)

// Limits.
const (
	A, B = 1 << iota, "x"
	C, _
	hidden = 1
)

var (
	Err      = errors.New("a")
	List     = []string{"a"}
	p, Q int
	At       = &Node{}
	Any      func(interface{}, any, byte, uint8, ...rune)
)

type Node[T any, K comparable] struct {
	Name, Text string // two
	io.Reader
	*impl
	at   int
	Next *Node[T, K]
	Do   func(a, b int) (n int, err error)
}

type impl struct{ X, y int }

type loose struct{ Z int }

type Doer interface {
	Do(x yaml.Node, more ...string) <-chan int
	fmt.Stringer
	done()
}

type Name = string

func (n *Node[E, F]) Walk(visit func(E) F) {}

func (impl) Close() error { return nil }

func New[V any](v V, opts ...Option) (*impl, map[string][]V) { return nil, nil }

func init() {}
`

func TestSymbols(t *testing.T) {
	symbols, err := golang.Language.Read(t.Context(), "a/a.go", sample)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, s := range symbols {
		mark := "-"
		if s.Exported {
			mark = "+"
		}
		fmt.Fprintf(&got, "%s %d-%d:%d %s %s: %s\n", mark, s.Line, s.EndLine, s.Column, s.Kind, s.Name, s.Signature)
	}
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

const want = `+ 10-10:2 constant A: = 1 << 0
+ 10-10:5 constant B: = "x"
+ 11-11:2 constant C: = 1 << 1
- 12-12:2 constant hidden: = 1
+ 16-16:2 variable Err: errors.New ( )
+ 17-17:2 variable List: [ ] string
- 18-18:2 variable p: int
+ 18-18:5 variable Q: int
+ 19-19:2 variable At: * Node
+ 20-20:2 variable Any: func ( any , any , uint8 , uint8 , ... int32 , )
+ 23-30:6 type Node: [ any , comparable , ] struct
+ 24-24:2 field Node.Name: string
+ 24-24:8 field Node.Text: string
+ 25-25:5 field Node.Reader: embedded io.Reader
+ 26-26:3 field Node.impl: embedded * impl
- 27-27:2 field Node.at: int
+ 28-28:2 field Node.Next: * Node [ $1 , $2 , ]
+ 29-29:2 field Node.Do: func ( int , int , ) ( int , error , )
- 32-32:6 type impl: struct
+ 32-32:19 field impl.X: int
- 32-32:22 field impl.y: int
- 34-34:6 type loose: struct
- 34-34:20 field loose.Z: int
+ 36-40:6 type Doer: interface fmt.Stringer ; sealed
+ 37-37:2 method Doer.Do: func ( gopkg.in/yaml.v3.Node , ... string , ) ( <- chan ( int ) , )
- 39-39:2 method Doer.done: func ( )
+ 42-42:6 type Name: = string
+ 44-44:22 method Node.Walk: (*) func ( func ( $1 , ) ( $2 , ) , )
+ 46-46:13 method impl.Close: func ( ) ( error , )
+ 48-48:6 function New: [ any , ] func ( $1 , ... Option , ) ( * impl , map [ string ] [ ] $1 , )
`

// What others cannot import exports nothing.
func TestExported(t *testing.T) {
	for name, exported := range map[string]bool{
		"a.go": true, "x/a.go": true, "x/a_test.go": false, "internal/a.go": false, "x/internal/y/a.go": false,
		"testdata/a.go": false, "vendor/x/a.go": false, "internals/a.go": true,
	} {
		symbols, err := golang.Language.Read(t.Context(), name, "package a\nfunc F() {}\n")
		if err != nil || len(symbols) != 1 || symbols[0].Exported != exported {
			t.Errorf("%s: %+v, %v; want exported: %v", name, symbols, err, exported)
		}
	}
	symbols, _ := golang.Language.Read(t.Context(), "cmd/a.go", "package main\nfunc F() {}\n")
	if len(symbols) != 1 || symbols[0].Exported {
		t.Errorf("of package main: %+v; want no export", symbols)
	}
}
