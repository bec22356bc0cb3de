package pattern

// Under returns the pattern of the same paths below a directory, whose name is literal text.
func (p *Pattern) Under(dir string) (*Pattern, error) {
	return Compile(escape(dir, true) + "/" + p.source)
}
