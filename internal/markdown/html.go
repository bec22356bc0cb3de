package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

var (
	// harmless matches a tag that changes no more than the letters in it.
	harmless = lazyregexp.New(`^<(/?)(promise|kbd|sub|sup)>$`)
	// comment matches a comment in one line that ends for every reader of HTML at the same place.
	comment = lazyregexp.New(`^<!--(?:[^<>\n-]|-[^<>\n-])+-->$`)
)

// allowed returns the positions of the HTML that stays as it is: comments, line breaks,
// harmless tags in pairs, and links in angle brackets.
func (d document) allowed() map[int]bool {
	allowed := map[int]bool{}
	open := map[ast.Node][]*ast.RawHTML{} // by parent
	d.each(func(n ast.Node) {
		switch n := n.(type) {
		case *ast.AutoLink:
			allowed[n.Pos()] = true
		case *ast.HTMLBlock:
			first, last := d.blockExtent(n)
			allowed[n.Pos()] = comment().MatchString(strings.TrimSpace(d.source[first:last]))
		case *ast.RawHTML:
			tag := d.text(n.Segments)
			m := harmless().FindStringSubmatch(tag)
			list := open[n.Parent()]
			switch {
			case tag == "<br>" || comment().MatchString(tag):
				allowed[n.Pos()] = true
			case m == nil:
			case m[1] == "":
				open[n.Parent()] = append(list, n)
			case len(list) > 0 && d.text(list[len(list)-1].Segments) == "<"+m[2]+">":
				allowed[n.Pos()], allowed[list[len(list)-1].Pos()] = true, true
				open[n.Parent()] = list[:len(list)-1]
			}
		}
	})
	return allowed
}

func (d document) text(segments *text.Segments) string {
	var b strings.Builder
	for i := range segments.Len() {
		s := segments.At(i)
		b.WriteString(d.source[s.Start:s.Stop])
	}
	return b.String()
}

// blockExtent returns where a block of HTML begins and ends.
func (d document) blockExtent(n *ast.HTMLBlock) (first, last int) {
	first = n.ClosureLine.Start
	if lines := n.Lines(); lines.Len() > 0 {
		first, last = lines.At(0).Start, lines.At(lines.Len()-1).Stop
	}
	if n.HasClosure() {
		last = n.ClosureLine.Stop
	}
	return first, last
}

var (
	// angle matches a comment, or what begins a tag.
	angle = lazyregexp.New(`(?s)<!--.*?(?:-->|$)|<`)
	// hidden matches the tags of elements whose text is code or not shown.
	hidden = lazyregexp.New(`(?i)<(?:pre|code|samp|script|style|textarea|template|title|xmp|noscript|[!?][^-])`)
)

// Tags returns the positions of the HTML tags in a text that are neither in code nor in
// a comment or another tag; none of a text that is [Complex].
func Tags(source string) map[int]bool {
	if Complex(source) {
		return nil
	}
	d := parse(source)
	tags := map[int]bool{}
	d.each(func(n ast.Node) {
		switch n := n.(type) {
		case *ast.RawHTML:
			if s := d.text(n.Segments); !strings.HasPrefix(s, "<!") && !strings.HasPrefix(s, "<?") {
				tags[n.Pos()] = true
			}
		case *ast.HTMLBlock:
			first, last := d.blockExtent(n)
			if hidden().MatchString(source[first:last]) {
				return
			}
			for _, at := range angle().FindAllStringIndex(source[first:last], -1) {
				if at[1] == at[0]+1 {
					tags[first+at[0]] = true
				}
			}
		}
	})
	return tags
}
