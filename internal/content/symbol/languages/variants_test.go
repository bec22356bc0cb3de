package languages_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/content/symbol/languages"
)

// TestEachBranchIsRead nests conditions at random, with a declaration in each branch.
func TestEachBranchIsRead(t *testing.T) {
	for name, declaration := range map[string]string{"a.cs": "class %s { }\n", "a.h": "int %s;\n"} {
		t.Run(name, func(t *testing.T) { eachBranchIsRead(t, name, declaration) })
	}
}

func eachBranchIsRead(t *testing.T, name, declaration string) {
	t.Helper()
	rapid.Check(t, func(t *rapid.T) {
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 4))
		var b strings.Builder
		var want []string
		var write func(depth int, read bool)
		write = func(depth int, read bool) {
			for range 1 + random.IntN(2) {
				declared := fmt.Sprint("C", b.Len())
				fmt.Fprintf(&b, declaration, declared)
				if read {
					want = append(want, declared)
				}
				if depth == 0 || random.IntN(3) == 0 {
					continue
				}
				never := random.IntN(6) == 0
				b.WriteString([]string{"#if A\n", " # if B // #endif\n", "#if !A && B\r\n"}[random.IntN(3)])
				write(depth-1, read)
				for range random.IntN(3) {
					b.WriteString("#elif C\n")
					write(depth-1, read)
				}
				if never {
					b.WriteString("#elif false\n")
					write(depth-1, false)
				}
				if random.IntN(2) == 0 {
					b.WriteString("#else\n/*\n#endif\n*/\n")
					write(depth-1, read)
				}
				b.WriteString("#endif\n")
			}
		}
		write(3, true)
		symbols, err := languages.Read(context.Background(), name, b.String())
		if err != nil {
			t.Fatal(err, "\n", b.String())
		}
		var got []string
		for _, s := range symbols {
			got = append(got, s.Name)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("declarations %q; want %q\n%s", got, want, b.String())
		}
	})
}

func TestConditionsThatCannotBeRead(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"class A {}\n#endif\n", `2:2: cannot be read as C#: "#endif" has no #if before it`},
		{"#else\n", `1:2: cannot be read as C#: "#else" has no #if before it`},
		{"\n#if A\nclass A {}\n", "2:6: cannot be read as C#: the condition has no #endif"},
		{"#if A\nclass A {}\n#else\nclass B {\n#endif\n", `cannot be read as C#: the end of the file cannot be here`},
		{"#if A\n" + strings.Repeat("#elif A\n", 10_000) + "#endif\n", "1:1: cannot be read as C#: 80013 bytes with conditions that need 10001 readings are too many; want at most 4194304 bytes in all"},
		{strings.Repeat("#if A\n", 100_000), "the condition has no #endif"},
	} {
		if _, err := languages.Read(t.Context(), "a.cs", c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60q: %v; want %q", c.text, err, c.want)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"int a;\n#endif\n", `2:1: cannot be read as C: "#endif" has no #if before it`},
		{"#if A\nint a;\n", "1:1: cannot be read as C: the condition has no #endif"},
		{"#if A\nint a;\n#else\nint f({\n#endif\n", `4:7: cannot be read as C: "{" has no end`},
		{"#if A\nint f({\n#elif B\n});\n#endif\n", `2:7: cannot be read as C: "{" has no end`},
		{"#if A\n" + strings.Repeat("#elif B\nint a;\n", 10_000) + "#endif\n", "its conditions need too many readings; want at most 16777216 tokens in all"},
		{strings.Repeat("#if A\n", 300) + strings.Repeat("#endif\n", 300), "257:1: cannot be read as C: conditions are nested more than 256 deep"},
	} {
		if _, err := languages.Read(t.Context(), "a.h", c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60q: %v; want %q", c.text, err, c.want)
		}
	}
	// Many that are nested, or in a row, need one reading.
	for _, text := range []string{strings.Repeat("#if A\n", 70_000) + strings.Repeat("#endif\n", 70_000), strings.Repeat("#if A\nclass B { }\n#endif\n", 1000)} {
		if _, err := languages.Read(t.Context(), "a.cs", text); err != nil {
			t.Error(err)
		}
	}
}
