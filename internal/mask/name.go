package mask

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// mask replaces secrets in a text.
func mask(text string) string {
	lower := strings.ToLower(text)
	hinted := func(hint string) bool { return strings.Contains(lower, hint) }
	for _, s := range shapes {
		if slices.ContainsFunc(s.hints, hinted) {
			text = s.form.ReplaceAllString(text, s.shown)
		}
	}
	if !slices.ContainsFunc(secretWords, hinted) {
		return text
	}
	for _, form := range []*regexp.Regexp{option, assignment} {
		text = form.ReplaceAllStringFunc(text, maskNamed(form))
	}
	return text
}

// Values with a name are secrets if the name is that of one: --name value, and NAME=value
// in all its forms.
var (
	option     = regexp.MustCompile(`((--?[A-Za-z][A-Za-z0-9_.-]*)[ \t]+)((?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"';&|)<>-][^\s"';&|)]*))`)
	assignment = regexp.MustCompile(`((-{0,2}[A-Za-z_][A-Za-z0-9_.-]*)[ \t]*(?::=|={1,3})[ \t]*)(` + value + `)`)
)

func maskNamed(form *regexp.Regexp) func(string) string {
	return func(match string) string {
		part := form.FindStringSubmatch(match)
		if !namesSecret(part[2]) || isVariable(part[3]) {
			return match
		}
		return part[1] + masked
	}
}

// isVariable reports whether a word of a shell only names a variable or a command that
// holds the secret.
func isVariable(word string) bool {
	word = strings.TrimPrefix(word, `"`)
	return len(word) > 1 && word[0] == '$' && (word[1] == '{' || word[1] == '(' || word[1] == '_' || unicode.IsLetter(rune(word[1])))
}

// A name that contains one of secretWords is that of a secret, unless it ends with one of
// aboutWords.
var (
	secretWords = []string{"token", "secret", "passw", "passphrase", "pass", "pwd", "key", "credential", "auth", "cookie", "sig"}
	aboutWords  = []string{"file", "path", "dir", "name", "stdin", "url", "ttl", "length", "type", "limit", "count", "budget"}
)

func namesSecret(name string) bool {
	flag := strings.HasPrefix(name, "-")
	words := wordsOf(name)
	if len(words) == 0 || slices.Contains(aboutWords, words[len(words)-1]) {
		return false
	}
	for i, word := range words {
		switch word {
		case "pass", "auth", "credential", "credentials", "cookie", "sig", "signature":
			return true
		case "pwd":
			return len(words) > 1
		case "key":
			// sort --key=2 is no secret, KEY=2 may be one.
			if i == len(words)-1 && (!flag || len(words) > 1) {
				return true
			}
		}
		for _, end := range []string{"token", "secret", "password", "passwd", "passphrase", "apikey"} {
			if strings.HasSuffix(word, end) {
				return true
			}
		}
	}
	return false
}

// wordsOf splits a name at punctuation and where an upper case letter follows a lower case
// one.
func wordsOf(name string) []string {
	var spaced strings.Builder
	small := false
	for _, r := range name {
		if unicode.IsUpper(r) && small {
			spaced.WriteByte(' ')
		}
		small = unicode.IsLower(r)
		spaced.WriteRune(r)
	}
	return strings.FieldsFunc(strings.ToLower(spaced.String()), func(r rune) bool { return strings.ContainsRune(" _.-", r) })
}
