package lsp

// At returns the byte of a text at a position.
func At(text string, line, character int) int { return at(text, position{line, character}) }
