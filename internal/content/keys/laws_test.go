package keys_test

import (
	"sort"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/content/keys"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// TestKeysLaw compares the changed keys of random documents with the keys of their models, and
// the keys of one document in two layouts with none.
func TestKeysLaw(t *testing.T) {
	for _, format := range keys.Formats() {
		t.Run(format.Name, func(t *testing.T) {
			lawtest.Check(t, func(t *rapid.T) {
				if format.Name == "go.mod" {
					before, after := goMod(t), goMod(t)
					compare(t, "go.mod", before, after, writeGoMod)
					return
				}
				l, ok := languages[format.Name]
				if !ok {
					t.Fatalf("no model of %s; want one in languages", format.Name)
				}
				before := l.generate(t, 0)
				compare(t, l.file, before, l.edit(t, before, 0), l.write)
			})
		})
	}
}

func compare(t *rapid.T, file string, before, after *value, write func(*rapid.T, *value) string) {
	t.Helper()
	old, head, again := write(t, before), write(t, after), write(t, after)
	if diff := cmp.Diff(differences(before, after), changed(t, file, old, head)); diff != "" {
		t.Fatalf("changed keys (-model +got):\n%s\nbase:\n%s\nhead:\n%s", diff, old, head)
	}
	if got := changed(t, file, head, again); len(got) > 0 {
		t.Fatalf("another layout changed %q:\n%s\nand\n%s", got, head, again)
	}
}

// failer is a test.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

func changed(t failer, file, base, head string) []string {
	t.Helper()
	var documents [2]keys.Document
	for i, text := range []string{base, head} {
		var err error
		if documents[i], err = keys.Parse(file, text); err != nil {
			t.Fatalf("%s:%v\n%s", file, err, text)
		}
	}
	list, err := keys.Changed(documents[0], documents[1])
	if err != nil {
		t.Fatalf("%v", err)
	}
	var pointers []string
	for _, c := range list {
		pointers = append(pointers, c.Pointer)
	}
	sort.Strings(pointers)
	return pointers
}
