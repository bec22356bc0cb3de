package workflow

// Content holds the text of a phase in replies.
type Content struct {
	Text string `json:"phase_content"`
	// Sources lists the files that the text comes from, from the repository's root.
	Sources []string `json:"sources"`
	// TotalTokens estimates the tokens of the text, see [Tokens].
	TotalTokens int `json:"total_tokens"`
}

// NewContent returns the content of a phase.
func NewContent(content string, sources ...string) Content {
	return Content{Text: content, Sources: append([]string{}, sources...), TotalTokens: Tokens(content)}
}

// bytesPerToken is a common rule of thumb for English.
const bytesPerToken = 4

// Tokens estimates the number of tokens of a text for a model: a quarter of its
// bytes, rounded up. Models differ; for English prose the error is about 20 %, for
// code and other languages it is larger.
func Tokens(content string) int { return (len(content) + bytesPerToken - 1) / bytesPerToken }
