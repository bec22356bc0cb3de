package markdown

import (
	"strings"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/shell"
)

// placeholder matches a name in braces.
var placeholder = lazyregexp.New(`\{[a-z_]+\}`)

// Fill replaces each placeholder of a body by the names that namesOf returns for it, and
// keeps those that are not ok. Names of files are from outside: in prose they become code
// spans, in code they are quoted for a shell.
func Fill(body string, namesOf func(placeholder string) (names []string, more int, ok bool)) string {
	places := placeholder().FindAllStringIndex(body, -1)
	if len(places) == 0 {
		return body
	}
	code := parse(body).code()
	var b strings.Builder
	from := 0
	for _, at := range places {
		names, more, ok := namesOf(body[at[0]:at[1]])
		if !ok {
			continue
		}
		b.WriteString(body[from:at[0]])
		from = at[1]
		write := func(name string) string { return string(Code(name)) }
		if code.has(at[0]) {
			write = shell.Quote
		}
		for i, name := range names {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(write(name))
		}
		if more > 0 {
			b.WriteString(string(plain.Sprintf(" and %d more", more)))
		}
	}
	return b.String() + body[from:]
}
