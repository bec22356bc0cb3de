package workflow

// Content is the text of a phase, as replies deliver it.
type Content struct {
	Text string `json:"phase_content"`
	// Sources are the files that the text was made of, from the repository's
	// root.
	Sources []string `json:"sources"`
	// TotalTokens is what a model will count, about: see [Tokens].
	TotalTokens int `json:"total_tokens"`
}

// NewContent makes the content of a phase of its text.
func NewContent(content string, sources ...string) Content {
	return Content{Text: content, Sources: append([]string{}, sources...), TotalTokens: Tokens(content)}
}

// bytesPerToken is the usual rule of thumb for English.
const bytesPerToken = 4

// Tokens estimates how many tokens a text is for a model: one for four bytes,
// rounded up. Every model counts in its own way; of English prose this is right
// within a fifth or so, of code and of other languages less.
func Tokens(content string) int { return (len(content) + bytesPerToken - 1) / bytesPerToken }
