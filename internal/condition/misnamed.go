package condition

import (
	"fmt"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/rulecheck/rulecheck/internal/suggest"
)

// misnamed maps names that people try to what they want.
var misnamed = map[string]string{
	"author":        `author.any("^Ada ")`,
	"author.all":    `author.any("^Ada ")`,
	"body":          "pr.body",
	"commit":        `subject.any("^docs:")`,
	"commit.any":    `subject.any("^docs:")`,
	"commits.all":   `subject.all("^docs:")`,
	"commits.any":   `subject.any("^docs:")`,
	"draft":         "pr.draft",
	"exists":        `file.exists("go.mod")`,
	"file.any":      `file.exists("go.mod"), or change.any("go.mod") if it must have changed`,
	"file.contains": `file.has("go.mod", "^toolchain ")`,
	"file.matches":  `file.has("go.mod", "^toolchain ")`,
	"label":         `pr.label("needs-docs")`,
	"label.any":     `pr.label("needs-docs")`,
	"labels":        `pr.label("needs-docs"), or head.labels`,
	"labels.any":    `pr.label("needs-docs")`,
	"message":       `subject.any("^docs:")`,
	"message.any":   `subject.any("^docs:")`,
	"pr.author":     "head.author",
	"pr.has_label":  `pr.label("needs-docs")`,
	"pr.is_draft":   "pr.draft",
	"pr.labels":     `pr.label("needs-docs")`,
	"pr.user":       "head.author",
	"subject":       `subject.any("^docs:")`,
	"title":         "pr.title",
	"trailer":       `trailer.any("Reviewed-by")`,
	"trailer.all":   `trailer.any("Reviewed-by")`,
	"trailers":      `trailer.any("Reviewed-by")`,
	"type":          `type.any("refactor")`,
}

// misnamedGit maps names that people try in any condition to what they want.
var misnamedGit = map[string]string{
	"ahead":              "git.ahead",
	"branch":             "git.branch",
	"dirty":              "git.dirty",
	"git.clean":          "not git.dirty",
	"git.current_branch": "git.branch",
	"git.is_dirty":       "git.dirty",
}

// rewriteOf returns what to write for a name that people try; empty for any other name.
func (w *words) rewriteOf(name string) string {
	if want := misnamedGit[name]; want != "" {
		return want
	}
	if !w.change {
		return ""
	}
	return misnamed[name]
}

// unknownFunction describes the name of a function that there is not.
func (w *words) unknownFunction(name string) string {
	name = strings.TrimPrefix(name, "input.") // of facts
	if want := w.rewriteOf(name); want != "" {
		return fmt.Sprintf("unknown function %q; want %s", name, want)
	}
	if head, field, _ := strings.Cut(name, "."); w.facts.has(ast.Var(head)) {
		if _, known := w.facts[ast.Var(head)].field(field); known {
			return fmt.Sprintf("%q is a fact and not a function; want %s", name, name)
		}
	}
	if head, _, _ := strings.Cut(name, "."); w.change && hasFunctions(head) {
		return fmt.Sprintf("unknown function %q%s", name, suggest.OneOf(name, functionNames()))
	}
	return fmt.Sprintf("unknown function %q%s", name, suggest.DidYouMean(name, slices.Concat(w.functions, w.library)))
}
