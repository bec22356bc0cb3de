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
+ 22-29:6 type Node: [ any , comparable , ] struct
+ 23-23:2 field Node.Name: string
+ 23-23:8 field Node.Text: string
+ 24-24:5 field Node.Reader: embedded io.Reader
+ 25-25:3 field Node.impl: embedded * impl
- 26-26:2 field Node.at: int
+ 27-27:2 field Node.Next: * Node [ $1 , $2 , ]
+ 28-28:2 field Node.Do: func ( int , int , ) ( int , error , )
- 31-31:6 type impl: struct
+ 31-31:19 field impl.X: int
- 31-31:22 field impl.y: int
- 33-33:6 type loose: struct
- 33-33:20 field loose.Z: int
+ 35-39:6 type Doer: interface fmt.Stringer ; sealed
+ 36-36:2 method Doer.Do: func ( gopkg.in/yaml.v3.Node , ... string , ) ( <- chan ( int ) , )
- 38-38:2 method Doer.done: func ( )
+ 41-41:6 type Name: = string
+ 43-43:22 method Node.Walk: (*) func ( func ( $1 , ) ( $2 , ) , )
+ 45-45:13 method impl.Close: func ( ) ( error , )
+ 47-47:6 function New: [ any , ] func ( $1 , ... Option , ) ( * impl , map [ string ] [ ] $1 , )
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
