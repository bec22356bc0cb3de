package markdown_test

import (
	"strings"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/markdown"
)

// No body takes longer to escape than it should.
func TestBodyTime(t *testing.T) {
	const size = 1 << 15
	for _, s := range []string{"[", "![", "<", "`", "``a", "`a``", "*a", "_", "> ", "- ", "1. ", "[x](", "[a]: b\n", "| ", "|a\n", "<a ", "<!--", "<a b='", "~", "a\n===\n", "\\", "&#", "# ", "#\n", "<!-- a -->\n", "<promise>", "http://", "www.", "a@b.", "```\n", "\t", "    \n", "<kbd>x</kbd>", "{x}", "- a\n ", "> a\n>", "*a **a ", "[a][b]", "<https://a>", "~~a", "[^", "]("} {
		begin := time.Now()
		markdown.Body(strings.Repeat(s, size/len(s)))
		if d := time.Since(begin); d > time.Second/2 {
			t.Errorf("%q: %v", s, d)
		}
	}
}
