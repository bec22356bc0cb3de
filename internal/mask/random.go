package mask

import (
	"encoding/base64"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// randomBytes is how long a run of characters must be to be a secret by nothing but its
// randomness.
const randomBytes = 32

// public lists the text before random characters that are no secret: digests of packages
// and images, and directories of Nix.
var public = []string{"sha1-", "sha256-", "sha384-", "sha512-", "sha1:", "sha256:", "sha512:", "h1:", "/nix/store/", "integrity="}

// publicKeys are how the public keys of SSH begin.
var publicKeys = []string{"AAAAB3NzaC1", "AAAAC3NzaC1", "AAAAE2VjZHNh", "AAAAGnNrLX"}

// maskRandom replaces long runs of random characters, such as the body of a key. Digests
// in hexadecimal, UUIDs, names and paths stay.
func maskRandom(text string) string {
	var out strings.Builder
	for at := 0; at < len(text); {
		end := at
		for end < len(text) && isRunByte(text[end]) {
			end++
		}
		if until := discordToken(text, at); until > end {
			out.WriteString(masked)
			at = until
			continue
		}
		if run := text[at:end]; len(run) >= randomBytes && isRandom(run) && !isPublic(text[:at], run) {
			out.WriteString(masked)
		} else {
			out.WriteString(run)
		}
		if at = end; at < len(text) {
			out.WriteByte(text[at])
			at++
		}
	}
	return out.String()
}

// discordToken returns where the token ends that begins at a place: a user's number in
// base64, a time and a signature. It returns 0 if there is none.
func discordToken(text string, at int) int {
	for i, length := range [][2]int{{23, 28}, {6, 7}, {27, 45}} {
		from := at
		for at < len(text) && (isAlnum(text[at]) || text[at] == '_' || text[at] == '-') {
			at++
		}
		if n := at - from; n < length[0] || n > length[1] || i == 0 && !strings.ContainsRune("MNO", rune(text[from])) {
			return 0
		}
		if i < 2 {
			if at == len(text) || text[at] != '.' {
				return 0
			}
			at++
		}
	}
	return at
}

func isRunByte(b byte) bool { return isAlnum(b) || strings.IndexByte("_=+/-", b) >= 0 }

func isPublic(before, run string) bool {
	for _, p := range publicKeys {
		if strings.HasPrefix(run, p) {
			return true
		}
	}
	for _, p := range public {
		if strings.HasPrefix(run, p) || strings.HasSuffix(before, p) || strings.Contains(run, p) && strings.HasPrefix(p, "/") {
			return true
		}
	}
	return false
}

// isRandom reports whether a run looks as if it was drawn: many different characters, and
// lower case, upper case and digits in no order. Names in camel case and paths change
// their class at the beginnings of words only. Digests, also as parts of names, are left
// out.
func isRandom(run string) bool {
	parts := strings.FieldsFunc(run, func(r rune) bool { return !isAlnum(byte(r)) }) //nolint:gosec // a run is ASCII
	parts = slices.DeleteFunc(parts, isHex)
	rest := strings.Join(parts, "")
	digits, lower, upper := classes(rest)
	if len(rest) < randomBytes*3/4 || digits < 2 || lower+upper < 6 || entropy(run) < 3.7 {
		return false
	}
	changes := 0
	for _, part := range parts {
		for i := 1; i < len(part); i++ {
			before, now := class(part[i-1]), class(part[i])
			if before != now && (before != 'A' || now != 'a') {
				changes++
			}
		}
	}
	return float64(changes) >= 0.24*float64(len(rest)) && !isText(run)
}

func class(b byte) byte {
	switch {
	case '0' <= b && b <= '9':
		return '0'
	case 'a' <= b && b <= 'z':
		return 'a'
	default:
		return 'A'
	}
}

// isHex reports whether a word is a number or a digest.
func isHex(word string) bool {
	digits := strings.Trim(word, "0123456789abcdef") == "" || strings.Trim(word, "0123456789ABCDEF") == ""
	return digits && (len(word) >= 4 || strings.Trim(word, "0123456789") == "")
}

// entropy returns the bits per character.
func entropy(s string) float64 {
	var counts [256]int
	for i := range len(s) {
		counts[s[i]]++
	}
	bits := 0.0
	for _, n := range counts {
		if n > 0 {
			p := float64(n) / float64(len(s))
			bits -= p * math.Log2(p)
		}
	}
	return bits
}

// isText reports whether a run is a text in base64 that has no secret.
func isText(run string) bool {
	encoding := base64.RawStdEncoding
	if strings.ContainsAny(run, "-_") {
		encoding = base64.RawURLEncoding
	}
	run = strings.TrimRight(run, "=")
	decoded, err := encoding.DecodeString(run[:len(run)/4*4])
	if err != nil || !utf8.Valid(decoded) {
		return false
	}
	text := string(decoded)
	for _, r := range text {
		if !unicode.IsPrint(r) && !unicode.IsSpace(r) {
			return false
		}
	}
	return mask(text) == text
}
