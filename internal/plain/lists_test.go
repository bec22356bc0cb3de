package plain_test

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/plain"
)

type shelf struct {
	Name  string   `json:"name"`
	Books []book   `json:"books"`
	Notes []string `json:"notes,omitzero"`
	Last  int      `json:"last"`
}

type book struct {
	Books []string `json:"books"` // the key of the list, one level further down
	Title string   `json:"title"`
}

// TestWriteJSONLists compares lists that are written one by one with those of the whole value.
func TestWriteJSONLists(t *testing.T) {
	t.Parallel()
	lawtest.Check(t, func(t *rapid.T) {
		name := rapid.OneOf(rapid.String(), rapid.Just("\n  \"books\": []"), rapid.Just("\xff"))
		whole := shelf{Name: name.Draw(t, "name"), Books: []book{}, Last: 7}
		for range rapid.IntRange(0, 3).Draw(t, "books") {
			whole.Books = append(whole.Books, book{rapid.SliceOfN(name, 0, 2).Draw(t, "inner"), name.Draw(t, "title")})
		}
		empty := whole
		empty.Books = []book{}
		if rapid.Bool().Draw(t, "notes") {
			whole.Notes, empty.Notes = append([]string{}, rapid.SliceOfN(name, 0, 3).Draw(t, "of notes")...), []string{}
		}
		var want, got bytes.Buffer
		if err := plain.WriteJSON(&want, whole); err != nil {
			t.Fatal(err)
		}
		err := plain.WriteJSONLists(&got, empty,
			plain.ListOf(1, "books", slices.Values(whole.Books), func(b book) book { return b }),
			plain.ListOf(1, "notes", slices.Values(whole.Notes), func(s string) string { return s }))
		if err != nil || got.String() != want.String() {
			t.Fatalf("%v\n%s\nwant\n%s", err, got.String(), want.String())
		}
	})
}
