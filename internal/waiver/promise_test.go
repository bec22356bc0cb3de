package waiver_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/waiver"
)

// ourPromises are the cases whose answer differs here, with that answer.
var ourPromises = map[string][]string{
	// Text in a code block is quoted: an author who quotes the request for a promise has
	// not made it.
	"prom-028": {},
}

func TestPromises(t *testing.T) {
	var file struct {
		Cases []struct {
			ID    string
			Text  string
			Names []string
		}
	}
	text, err := os.ReadFile("testdata/promises.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) == 0 {
		t.Fatal("no cases")
	}
	for _, c := range file.Cases {
		t.Run(c.ID, func(t *testing.T) {
			want, own := ourPromises[c.ID]
			if !own {
				want = c.Names
			} else if cmp.Equal(want, c.Names) {
				t.Errorf("%s is no exception any more", c.ID)
			}
			seen := map[string]bool{}
			got := []string{}
			for _, p := range waiver.PromisesIn(c.Text) {
				if !seen[p[0]] {
					got = append(got, p[0])
				}
				seen[p[0]] = true
			}
			equal(t, got, want)
		})
	}
}

func TestPromisesAndTheirReasons(t *testing.T) {
	const fence = "```"
	for _, tt := range []struct {
		name, text string
		want       [][2]string
	}{
		{"beside", "a\nBefore <promise>R</promise> after\nb", [][2]string{{"R", "Before after"}}},
		{"two on a line", "<promise>A</promise> and <promise>B</promise>", [][2]string{{"A", "and"}, {"B", "and"}}},
		{"over lines", "why <promise>\nR\n</promise> so\nb", [][2]string{{"R", "why so"}}},
		{"a name has no angle", "<promise>A <promise>B</promise>", [][2]string{{"B", "<promise>A"}}},
		{"comment of HTML", "<!-- write <promise>R</promise>\n --><promise>Q</promise>", [][2]string{{"Q", "promised"}}},
		{"open comment of HTML", "<!-- <promise>R</promise>", nil},
		{"code span", "say `<promise>R</promise>` and <promise>Q</promise>", [][2]string{{"Q", "say and"}}},
		{"other code span", "in `x` <promise>R</promise> see `y`", [][2]string{{"R", "in `x` see `y`"}}},
		{"fence of tildes", "~~~ text\n<promise>R</promise>\n" + fence + "\n~~~~\n<promise>Q</promise>", [][2]string{{"Q", "promised"}}},
		{"open fence", fence + "\r\n<promise>R</promise>", nil},
		{"indented code", "a\n\n    <promise>R</promise>\n\n<promise>Q</promise>", [][2]string{{"Q", "promised"}}},
		{"fence in a quote", "> " + fence + "\n> <promise>R</promise>\n> " + fence + "\n\nor <promise>Q</promise>", [][2]string{{"Q", "or"}}},
		{"fence in a list", "- " + fence + "\n  <promise>R</promise>\n", nil},
		{"code span over lines", "as `a\n<promise>R</promise>\nb` it", nil},
		{"code span of two backticks", "as ``<promise>R</promise>`` it", nil},
		{"code span around a backtick", "as `` ` <promise>R</promise> `` it", nil},
		{"attribute", "<a title='<promise>R</promise>'>x</a>", nil},
		{"title of a link", "[a](b \"<promise>R</promise>\")", nil},
		{"escaped", "\\<promise>R\\</promise> and \\<promise>Q</promise>", nil},
		{"script", "<script>\n<promise>R</promise>\n</script>", nil},
		{"preformatted", "<div><pre>\n<promise>R</promise>\n</pre></div>", nil},
		{"details", "<details>\n<promise>R</promise> yes\n</details>", [][2]string{{"R", "yes"}}},
		{"quote", "> <promise>R</promise> in a quote", [][2]string{{"R", "> in a quote"}}},
		{"carriage returns", "a\r\n<promise>R</promise> b\r\nc", [][2]string{{"R", "b"}}},
		{"reason of nothing visible", "\u200b<promise>R</promise>\u2060\u3164", [][2]string{{"R", "promised"}}},
		{"no fence", "    " + fence + "\n<promise>R</promise>", [][2]string{{"R", "promised"}}},
		{"no fence either", fence + " a`b\n<promise>R</promise>", [][2]string{{"R", "promised"}}},
	} {
		t.Run(tt.name, func(t *testing.T) { equal(t, waiver.PromisesIn(tt.text), tt.want) })
	}
}

// What comes from outside must not cost more than its length.
func TestManyPromisesOnALine(t *testing.T) {
	const n = 20_000
	text := strings.Repeat("<promise>R</promise> because ", n)
	promises := waiver.PromisesIn(text)
	equal(t, len(promises), n)
	equal(t, len([]rune(promises[n-1][1])), 301)
}
