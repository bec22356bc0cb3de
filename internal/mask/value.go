package mask

import (
	"slices"
	"strings"
	"unicode"
)

// placeholders lists values that replace a secret in examples.
var placeholders = []string{"null", "nil", "none", "true", "false", "yes", "no", "required", "optional", "string", "undefined", "str", "value", "xxx", "...", "…"}

// fileEndings are those of files in which secrets are.
var fileEndings = []string{".pem", ".key", ".crt", ".cer", ".p12", ".pfx", ".json", ".yaml", ".yml", ".txt", ".env", ".pub", ".asc", ".gpg", ".jks", ".toml", ".go", ".py", ".ts", ".js", ".rs", ".md", ".sh"}

// unquoted returns a word without its quotes.
func unquoted(word string) string {
	word = strings.TrimLeft(word, `\`)
	for _, quote := range []string{`"`, `'`, "`"} {
		if strings.HasPrefix(word, quote) {
			return strings.Trim(word, quote)
		}
	}
	return word
}

// isSecret reports whether a value under a secret's name is a secret: it does not only name a
// variable, a command or a file that has the secret, and is no placeholder.
func isSecret(word string) bool {
	bare := strings.TrimRight(unquoted(word), ",;")
	switch {
	case bare == "", isVariable(bare), slices.Contains(placeholders, strings.ToLower(bare)):
		return false
	case strings.Trim(bare, "xX*.-_") == "" && len(bare) > 2, strings.HasPrefix(bare, masked):
		return false
	case len(bare) < 4 && strings.Trim(bare, "0123456789") == "": // -pass 2
		return len(bare) > 3
	case strings.HasSuffix(bare, "("), strings.Contains(bare, "[]"): // program text
		return isDrawn(bare)
	case strings.HasPrefix(bare, "id=") || strings.HasPrefix(bare, "type="): // docker build --secret
		return false
	}
	if strings.HasPrefix(bare, ".*") || strings.HasPrefix(bare, ".+") || strings.HasPrefix(bare, "[^") || strings.HasPrefix(bare, `\(`) || strings.HasPrefix(bare, "(.") { // a pattern
		return false
	}
	if strings.Trim(bare, "0123456789") == "" && len(bare) < 7 {
		return len(bare) > 5 // token=4096
	}
	isPath := strings.HasPrefix(bare, "/") || strings.HasPrefix(bare, "./") || strings.HasPrefix(bare, "../") || strings.HasPrefix(bare, "~/") || strings.HasPrefix(bare, "@")
	if isPath || slices.ContainsFunc(fileEndings, func(end string) bool { return strings.HasSuffix(bare, end) }) {
		return isDrawn(bare)
	}
	return true
}

// isVariable reports whether a word of a shell or a template only names what has the
// secret.
func isVariable(word string) bool {
	for _, mark := range [][2]string{{"<", ">"}, {"{{", "}}"}, {"%", "%"}, {"[", "]"}} {
		if strings.HasPrefix(word, mark[0]) && strings.HasSuffix(word, mark[1]) && len(word) > 2 {
			return true
		}
	}
	for _, begin := range []string{"$env:", "op://", "env:", "file:", "vault:", "process.env", "os.environ", "os.getenv", "os.Getenv", "ENV[", "secrets.", "var.", "{{"} {
		if strings.HasPrefix(word, begin) {
			return true
		}
	}
	return len(word) > 1 && word[0] == '$' && (word[1] == '{' || word[1] == '(' || word[1] == '_' || unicode.IsLetter(rune(word[1])))
}

// isDrawn reports whether a word looks like a secret by itself: letters with digits
// between them, or both cases mixed, without the look of a version, a path or an address.
func isDrawn(word string) bool {
	bare := strings.TrimRight(unquoted(word), ",;.:")
	if len(bare) < 6 || strings.Contains(bare, "://") || strings.Contains(bare, "...") {
		return false
	}
	if len(bare) < 20 && strings.ContainsAny(bare, "/") {
		return false
	}
	digits, lower, upper := classes(bare)
	special := len(bare) - digits - lower - upper
	switch {
	case digits == 0 || lower+upper < 3:
		return false
	case strings.ContainsAny(bare, "/.-_"):
		return mixed(bare) && (len(bare) >= 20 && entropy(bare) > 3.5 || special == 1 && len(bare) >= 12)
	default:
		return digits >= 2 || upper > 0 || special > 0 || len(bare) >= 7
	}
}

// plainWord reports whether a word is one of prose.
func plainWord(word string) bool { return strings.Trim(word, "abcdefghijklmnopqrstuvwxyz,.") == "" }
