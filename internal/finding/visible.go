package finding

import "github.com/rulecheck/rulecheck/internal/plain"

// Visible returns text from outside, such as a file name, as a part of a message: see
// [plain.Line].
func Visible(s string) string { return string(plain.Line(s)) }
