package pattern

import "strings"

// Under returns the pattern of the same paths below a directory, whose name is literal text.
func (p *Pattern) Under(dir string) (*Pattern, error) {
	if p.key != nil {
		return CompileKey(strings.ReplaceAll(escape(dir, true), "#", `\#`) + "/" + p.source)
	}
	return Compile(escape(dir, true) + "/" + p.source)
}
