package treesitter

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/content/part"
	"github.com/rulecheck/rulecheck/internal/content/symbol"
)

// maxVariants bounds the text of all variants of a file.
const maxVariants = 4 * MaxText

// readVariants returns the symbols of all variants of a file: what any of them declares can be used by someone.
func (l *Language) readVariants(ctx context.Context, g *grammar, before, text string) ([]symbol.Symbol, error) {
	if l.Directives == nil || len(text) > MaxText || !strings.Contains(text, "#") {
		return l.read(ctx, g, before, text)
	}
	heads, err := l.variants(text)
	if err != nil {
		return nil, err
	}
	bases, err := l.variants(before)
	if err != nil || len(bases) != len(heads) {
		bases = make([]string, len(heads)) // which are no bases
	}
	var all []symbol.Symbol
	for i, head := range heads {
		symbols, err := l.read(ctx, g, bases[i], head)
		if err != nil {
			return nil, err
		}
		all = append(all, symbols...)
	}
	slices.SortStableFunc(all, func(a, b symbol.Symbol) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Signature, b.Signature), cmp.Compare(a.EndLine, b.EndLine))
	})
	return slices.Compact(all), nil
}

// block is a text with conditions: a file, or a branch of a condition.
type block struct {
	span
	conditions []*condition
	width      int // the number of variants that have all branches in it; 0 if no compiler reads it
}

// condition is an #if with its #elif and #else. A compiler reads one of its branches.
type condition struct {
	branches []*block
	width    int
}

// variants returns what compilers may read of a text, with blanks in place of the rest and of directives.
// Each branch of each condition is in one of them, but not each combination of branches.
func (l *Language) variants(text string) ([]string, error) {
	file := &block{span: span{end: len(text)}, width: 1}
	blocks := []*block{file}    // that are open
	var conditions []*condition // that are open; the last branch of each is in blocks
	var lines []span
	for _, at := range l.Directives().FindAllStringSubmatchIndex(text, -1) {
		if at[2] < 0 {
			continue // a literal or a comment
		}
		lines = append(lines, span{at[0], at[1]})
		name, last := text[at[2]:at[3]], len(conditions)-1
		begins, branches, ends := strings.HasPrefix(name, "if"), strings.HasPrefix(name, "el"), name == "endif"
		if branches || ends {
			if last < 0 {
				return nil, l.wrong(text, at[2], fmt.Sprintf("%q has no #if before it", "#"+name))
			}
			blocks[len(blocks)-1].end = at[0]
			blocks = blocks[:len(blocks)-1]
		}
		if begins {
			conditions = append(conditions, &condition{})
			last++
			parent := blocks[len(blocks)-1]
			parent.conditions = append(parent.conditions, conditions[last])
		}
		if begins || branches {
			branch := &block{span: span{at[1], len(text)}, width: 1}
			conditions[last].branches = append(conditions[last].branches, branch)
			if isFalse(text[at[4]:at[5]]) {
				branch.width = 0
			}
			blocks = append(blocks, branch)
		}
		if ends {
			for _, branch := range conditions[last].branches {
				conditions[last].width += branch.width
			}
			if parent := blocks[len(blocks)-1]; parent.width > 0 {
				parent.width = max(parent.width, conditions[last].width)
			}
			conditions = conditions[:last]
		}
	}
	if n := len(conditions); n > 0 {
		return nil, l.wrong(text, conditions[n-1].branches[0].start, "the condition has no #endif")
	}
	if file.width > 1 && file.width > maxVariants/len(text) {
		return nil, l.wrong(text, 0, fmt.Sprintf("%d bytes with conditions that need %d readings are too many; want at most %d bytes in all", len(text), file.width, maxVariants))
	}
	texts := make([]string, file.width)
	for i := range texts {
		variant := []byte(text)
		for _, line := range lines {
			blank(variant, line)
		}
		file.choose(i, variant)
		texts[i] = string(variant)
	}
	return texts, nil
}

func (l *Language) wrong(text string, at int, problem string) error {
	place := part.Place{Line: 1 + strings.Count(text[:at], "\n"), Column: symbol.Column(text, at)}
	return &part.Error{Place: place, Message: "cannot be read as " + l.Name + ": " + problem}
}

// isFalse reports whether a condition is a way to comment text out.
func isFalse(condition string) bool {
	condition, _, _ = strings.Cut(condition, "/")
	return slices.Contains([]string{"0", "false"}, strings.TrimSpace(condition))
}

// choose blanks what the variant with a number does not have. A condition with fewer branches has its last.
func (b *block) choose(variant int, text []byte) {
	for _, c := range b.conditions {
		n := min(variant, c.width-1)
		for _, branch := range c.branches {
			if 0 <= n && n < branch.width {
				branch.choose(n, text)
			} else {
				blank(text, branch.span)
			}
			n -= branch.width
		}
	}
}

func blank(text []byte, s span) {
	for i := s.start; i < s.end; i++ {
		if text[i] != '\n' {
			text[i] = ' '
		}
	}
}
