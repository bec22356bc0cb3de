// Package mask makes commands and paths from logs safe to show: it hides secrets,
// escapes control characters and shortens.
package mask

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	shownRunes = 200
	// maskedBytes is how much of a text is searched, because a command may contain a whole
	// file.
	maskedBytes = 4096
	masked      = "***"
)

// Excerpt returns a command or a path as reports show it: secrets masked, control
// characters escaped so that it is one line, cut after 200 characters.
func Excerpt(text string) string {
	whole := len(text) <= maskedBytes
	if !whole {
		text = text[:maskedBytes]
	}
	text = mask(text)
	if !whole && utf8.RuneCountInString(text) < shownRunes {
		// The last word may be the beginning of a secret.
		text = text[:strings.LastIndexAny(text, " \n")+1]
	}
	var line strings.Builder
	runes := 0
	for i, r := range text {
		if runes++; runes > shownRunes {
			whole = false
			break
		}
		switch size := utf8.RuneLen(r); {
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD"):
			line.WriteString(`\x` + strconv.FormatUint(uint64(text[i]), 16))
		case !unicode.IsPrint(r):
			line.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		default:
			line.WriteString(text[i : i+size])
		}
	}
	if !whole {
		line.WriteString("…")
	}
	return line.String()
}

// value matches a word of a shell with its quotes.
const value = `(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"';&|)]+)`

// shape is a form of secrets. Only texts that contain one of its hints, in lower case, are
// searched for it.
type shape struct {
	hints []string
	form  *regexp.Regexp
	shown string
}

// shapes come from the documentation of the issuers of secrets and of the programs that
// accept them.
var shapes = []shape{
	{
		[]string{"-----begin"},
		regexp.MustCompile(`(?s)-----BEGIN [A-Z ]*(?:PRIVATE KEY|CERTIFICATE|PGP MESSAGE)[A-Z ]*-----.*?(?:-----END [A-Z ]*-----|$)`), masked,
	},
	{
		[]string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "npm_", "hf_", "pypi-", "sk_live_", "sk_test_", "rk_live_"},
		regexp.MustCompile(`\b(?:gh[pousr]_|github_pat_|glpat-|npm_|hf_|pypi-|[sr]k_(?:live|test)_)[A-Za-z0-9_-]{16,}`), masked,
	},
	{[]string{"akia", "asia"}, regexp.MustCompile(`\b(?:AKIA|ASIA)[0-9A-Z]{16}\b`), masked},
	{[]string{"aiza"}, regexp.MustCompile(`\bAIza[0-9A-Za-z_-]{35}`), masked},
	{[]string{"sk-"}, regexp.MustCompile(`\bsk-[A-Za-z0-9_-]{16,}`), masked},
	{[]string{"xox", "xapp-"}, regexp.MustCompile(`\b(?:xox[a-z]|xapp)-[A-Za-z0-9-]{8,}`), masked},
	{[]string{"eyj"}, regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)*`), masked},
	{[]string{"authorization", "cookie"}, regexp.MustCompile(`(?i)((?:authorization|cookie)["']?\s*[:=]\s*["']?)[^"'\n]+`), "${1}" + masked},
	{[]string{"bearer"}, regexp.MustCompile(`(?i)(\bbearer\s+)[A-Za-z0-9._~+/=-]{8,}`), "${1}" + masked},
	{
		[]string{"key", "token", "secret", "passw", "auth"},
		regexp.MustCompile(`(?i)(\b(?:(?:[a-z]+-)+(?:key|token|secret|password|auth)|apikey)\s*:\s*)[^\s"']+`), "${1}" + masked,
	},
	{
		[]string{`key"`, `token"`, `secret"`, `passw`, `key\`, `token\`, `secret\`},
		regexp.MustCompile(`(?i)([\w-]*(?:key|token|secret|password|passwd)\\?"\s*:\s*\\?")[^"\\]+`), "${1}" + masked,
	},
	{[]string{"hooks."}, regexp.MustCompile(`(\bhooks\.[a-z.]+/)[^\s"']+`), "${1}" + masked},
	{[]string{"://"}, regexp.MustCompile(`(://[^\s/:@"']*:)[^\s/"']+@`), "${1}" + masked + "@"},
	{[]string{"://"}, regexp.MustCompile(`(://)[^\s/:@"']{20,}@`), "${1}" + masked + "@"},
	{[]string{"mysql", "mariadb"}, regexp.MustCompile(`(\b(?:mysql|mariadb)[\w-]*\b[^|;&\n]*?\s-p)` + value), "${1}" + masked},
	{
		[]string{"login", "sshpass"},
		regexp.MustCompile(`(\b(?:(?:docker|podman|nerdctl|buildah|skopeo|helm registry|oras|az|oc) login|sshpass)\b[^|;&\n]*?\s-p\s*)` + value), "${1}" + masked,
	},
	{[]string{"redis-cli"}, regexp.MustCompile(`(\bredis-cli\b[^|;&\n]*?\s-a\s+)` + value), "${1}" + masked},
	{[]string{"curl", "wget", "http"}, regexp.MustCompile(`(\s(?:-u|--user|--proxy-user)[=\s]*["']?[^\s:"']+:)[^\s"']+`), "${1}" + masked},
}
