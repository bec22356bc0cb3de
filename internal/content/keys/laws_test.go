package keys_test

import (
	"sort"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/content/keys"
	"github.com/rulecheck/rulecheck/internal/content/part"
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
	compareStatuses(t, file, before, after, old, head)
	if got := changed(t, file, head, again); len(got) > 0 {
		t.Fatalf("another layout changed %q:\n%s\nand\n%s", got, head, again)
	}
}

// compareStatuses compares the status of each changed key with which models have it, and Has
// with the model of head.
func compareStatuses(t failer, file string, before, after *value, old, head string) {
	t.Helper()
	a, b := map[string]string{}, map[string]string{}
	before.flatten("", a)
	after.flatten("", b)
	base, err := keys.Parse(file, old)
	if err != nil {
		t.Fatalf("%v", err)
	}
	now, err := keys.Parse(file, head)
	if err != nil {
		t.Fatalf("%v", err)
	}
	list, err := keys.Changed(base, now)
	if err != nil {
		t.Fatalf("%v", err)
	}
	for _, c := range list {
		_, was := a[c.Name]
		_, is := b[c.Name]
		want := map[[2]bool]string{{false, true}: part.Added, {true, true}: part.Modified, {true, false}: part.Deleted}[[2]bool{was, is}]
		if c.Status != want || now.Has(c.Name) != is {
			t.Fatalf("%s is %s, and exists: %v; want %s, %v\nbase:\n%s\nhead:\n%s", c.Name, c.Status, now.Has(c.Name), want, is, old, head)
		}
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
		pointers = append(pointers, c.Name)
	}
	sort.Strings(pointers)
	return pointers
}
