package index_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/agents/audit/index"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

type value struct {
	Text  string
	N     *int64
	List  []string
	Inner []struct{ At time.Time }
	Map   map[string]int
	Share float64
	Some  bool
	Count uint8
	Part  *part
	Same  *part
	Parts []*part
}

type part struct {
	Name string
	Of   *part
}

func drawValue(t *rapid.T) value {
	v := value{Text: string(rapid.SliceOf(rapid.Byte()).Draw(t, "text")), Share: rapid.Float64().Draw(t, "share"), Some: rapid.Bool().Draw(t, "some"), Count: rapid.Byte().Draw(t, "count")}
	if rapid.Bool().Draw(t, "known") {
		v.N = new(rapid.Int64().Draw(t, "n"))
	}
	if rapid.Bool().Draw(t, "listed") {
		v.List = append([]string{}, rapid.SliceOf(rapid.String()).Draw(t, "list")...)
	}
	for range rapid.IntRange(0, 2).Draw(t, "inner") {
		v.Inner = append(v.Inner, struct{ At time.Time }{time.Unix(rapid.Int64Range(-1<<33, 1<<33).Draw(t, "at"), 5).UTC()})
	}
	if rapid.Bool().Draw(t, "mapped") {
		v.Map = rapid.MapOf(rapid.String(), rapid.Int()).Draw(t, "map")
	}
	if rapid.Bool().Draw(t, "parted") {
		v.Part = &part{v.Text, &part{Name: "inner"}}
		v.Same, v.Parts = v.Part, []*part{v.Part.Of, nil, v.Part, {Name: v.Text}}
	}
	return v
}

// TestKeeps holds that a value is equal to the one that was kept, for its question and state only, and that
// a damaged one does not count.
func TestKeeps(t *testing.T) {
	s := index.Store{Dir: filepath.Join(t.TempDir(), "a", "b")}
	lawtest.Check(t, func(rt *rapid.T) {
		want, got := drawValue(rt), value{}
		question, state := index.Digest{1}, index.Digest{2, byte(rapid.IntRange(0, 9).Draw(rt, "state"))}
		if err := s.Put(question, state, want); err != nil {
			rt.Fatal(err)
		}
		if !s.Get(question, state, &got) || !reflect.DeepEqual(got, want) {
			rt.Fatalf("got %+v, want %+v", got, want)
		}
		if got.Part != nil && (got.Same != got.Part || got.Parts[0] != got.Part.Of || got.Parts[2] != got.Part) {
			rt.Fatal("what several pointers led to is there more than once")
		}
		if s.Get(index.Digest{3}, state, &got) || s.Get(question, index.Digest{4}, &got) {
			rt.Fatal("another question or state has the value")
		}
		files, _ := filepath.Glob(filepath.Join(s.Dir, "*.result"))
		text, err := os.ReadFile(files[0])
		if err != nil || len(files) != 1 {
			rt.Fatal(files, err)
		}
		if rapid.Bool().Draw(rt, "cut") {
			text = text[:rapid.IntRange(0, len(text)-1).Draw(rt, "length")]
		} else {
			text[rapid.IntRange(0, len(text)-1).Draw(rt, "byte")] ^= 1 << rapid.IntRange(0, 7).Draw(rt, "bit")
		}
		if err := os.WriteFile(files[0], text, 0o600); err != nil {
			rt.Fatal(err)
		}
		if s.Get(question, state, &value{}) {
			rt.Fatal("a damaged value was read")
		}
	})
}

// TestIsBounded keeps many results, and what a killed process left.
func TestIsBounded(t *testing.T) {
	s := index.Store{Dir: filepath.Join(t.TempDir(), "audit")}
	for i := range 40 {
		if i == 39 {
			if err := os.WriteFile(filepath.Join(s.Dir, ".killed"), []byte("x"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Put(index.Digest{byte(i)}, index.Digest{}, i); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadDir(s.Dir)
	if err != nil || len(entries) != 33 { // and the lock
		t.Errorf("got %d files, %v; want 32 and the lock", len(entries), err)
	}
	got := 0
	if !s.Get(index.Digest{39}, index.Digest{}, &got) || got != 39 {
		t.Error("the newest result was removed")
	}
	if err := s.Put(index.Digest{1}, index.Digest{}, func() {}); err == nil || !strings.Contains(err.Error(), "func()") {
		t.Errorf("a function was kept: %v", err)
	}
}

// TestManyAtOnce holds that readers see a whole value or none while others write.
func TestManyAtOnce(t *testing.T) {
	s := index.Store{Dir: filepath.Join(t.TempDir(), "audit")}
	var all sync.WaitGroup
	for writer := range 4 {
		all.Go(func() {
			for range 20 {
				text := strings.Repeat(string(rune('a'+writer)), 1<<16)
				if err := s.Put(index.Digest{}, index.Digest{}, text); err != nil && !errors.Is(err, os.ErrNotExist) {
					t.Error(err)
				}
				got := ""
				if s.Get(index.Digest{}, index.Digest{}, &got) && (len(got) != 1<<16 || strings.Trim(got, got[:1]) != "") {
					t.Error("a torn value was read")
				}
			}
		})
	}
	all.Wait()
}
