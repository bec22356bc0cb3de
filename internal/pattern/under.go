package pattern

import "strings"

// Under returns the pattern of the same paths below a directory, whose name is literal text.
func (p *Pattern) Under(dir string) (*Pattern, error) {
	compile, text := Compile, Escape(dir)
	if p.part != nil {
		compile, text = CompilePart, strings.ReplaceAll(text, "#", `\#`)
	}
	below, err := compile(text + "/" + p.source)
	if err == nil && p.outside != "" {
		below = below.Outside(p.outside)
	}
	return below, err
}
