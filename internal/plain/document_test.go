package plain_test

import (
	"bytes"
	"encoding/json"
	"io"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/plain"
)

type part struct {
	Name string `json:"name"`
}

type custom struct{ n int }

func (c custom) MarshalJSON() ([]byte, error) { return json.Marshal([]int{c.n, c.n}) }

// whole has every kind of member that encoding/json distinguishes.
type whole struct {
	part

	Untagged string
	Skipped  string         `json:"-"`
	Quoted   int            `json:"quoted,string"`
	Number   *int64         `json:"number"`
	At       time.Time      `json:"at,omitzero"`
	Custom   custom         `json:"custom"`
	Any      any            `json:"any"`
	Map      map[string]int `json:"map"`
}

type outer struct {
	Text    string         `json:"text"`
	Empty   string         `json:"empty,omitempty"`
	Zero    []part         `json:"zero,omitzero"`
	None    []part         `json:"none,omitempty"`
	Bytes   []byte         `json:"bytes"`
	Hidden  string         `json:"-"`
	List    []whole        `json:"list"`
	Lists   [][]int        `json:"lists"`
	Inner   *outer         `json:"inner"`
	Member  part           `json:"member,omitzero"`
	Flag    bool           `json:"flag,omitempty"`
	At      time.Time      `json:"at,omitzero"`
	Later   *time.Time     `json:"later,omitempty"`
	Customs []custom       `json:"customs"`
	Map     map[string]any `json:"map,omitempty"`
	None2   struct{}       `json:"none2"`
}

// TestWriteJSONIsThatOfTheLibrary compares documents written in pieces with those of
// encoding/json.
func TestWriteJSONIsThatOfTheLibrary(t *testing.T) {
	lawtest.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune(`ab"\{}[]:,/` + "\n\t<&")))
		var drawOuter func(depth int) *outer
		drawOuter = func(depth int) *outer {
			o := &outer{Text: text.Draw(t, "text"), Empty: text.Draw(t, "empty"), Flag: rapid.Bool().Draw(t, "flag"), Hidden: "hidden"}
			if rapid.Bool().Draw(t, "lists") {
				o.Zero, o.None, o.Bytes, o.List, o.Lists = []part{}, []part{}, []byte(o.Text), []whole{}, [][]int{nil, {}, {1, 2}}
				o.Customs, o.Later, o.Map = []custom{{1}, {2}}, new(time.Unix(1, 0).UTC()), map[string]any{o.Text: []any{nil, map[string]any{}}}
			}
			for n := range rapid.IntRange(0, 3).Draw(t, "elements") {
				o.List = append(o.List, whole{part{o.Text}, o.Text, "x", n, nil, o.At, custom{n}, []any{o.Text, n}, map[string]int{o.Text: n}})
				o.Zero, o.None, o.At, o.Member.Name = append(o.Zero, part{o.Empty}), append(o.None, part{}), time.Unix(int64(n), 0).UTC(), o.Empty
			}
			if depth > 0 && rapid.Bool().Draw(t, "inner") {
				o.Inner = drawOuter(depth - 1)
			}
			return o
		}
		o := drawOuter(2)
		for _, v := range []any{o, *o, o.List, []*outer{o, nil}, o.Map, o.Text, nil, (*outer)(nil), [2]part{}} {
			compareJSON(t, v, "  ", plain.WriteJSON)
			compareJSON(t, v, "", plain.WriteJSONLine)
			compareJSON(t, v, "", func(w io.Writer, v any) error {
				lines := plain.NewJSONLines(w)
				if err := lines.Write(v); err != nil {
					return err
				}
				return lines.Flush()
			})
		}
	})
}

func compareJSON(t *rapid.T, v any, indent string, write func(io.Writer, any) error) {
	t.Helper()
	var got, want bytes.Buffer
	if err := write(&got, v); err != nil {
		t.Fatal(err)
	}
	enc := json.NewEncoder(&want)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want.String(), got.String()); diff != "" {
		t.Fatalf("(-encoding/json +got):\n%s", diff)
	}
}

// TestWriteJSONFails holds that what cannot be written is an error wherever it is.
func TestWriteJSONFails(t *testing.T) {
	for _, v := range []any{func() {}, []any{1, func() {}}, struct{ List []any }{[]any{func() {}}}, struct{ F func() }{}} {
		if err := plain.WriteJSON(io.Discard, v); err == nil {
			t.Errorf("%T was written", v)
		}
	}
}
