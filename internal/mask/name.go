package mask

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// A name that contains one of secretWords is that of a secret, unless it ends with one of
// aboutWords.
var (
	secretWords = []string{"token", "secret", "passw", "passphrase", "pass", "pwd", "key", "cred", "auth", "cookie", "sig", "session", "sid", "jwt", "bearer", "csrf"}
	aboutWords  = []string{
		"file", "files", "path", "dir", "directory", "name", "names", "stdin", "url", "uri", "ttl", "length", "type", "limit", "count",
		"budget", "jar", "id", "ids", "size", "version", "expiry", "expires", "expiration", "age", "format", "field", "header", "prefix",
		"suffix", "env", "ref", "enabled", "required", "policy", "algorithm", "alg", "method", "mode", "host", "port", "user", "usage",
		"endpoint", "issuer", "provider", "manager", "store", "map", "list", "hint", "regex", "pattern", "timeout", "scheme", "label",
		"column", "index", "arn", "class", "strategy", "rotation", "manager", "service", "server", "plugin", "middleware", "code", "helper",
	}
	// otherKeys lists the words before "key" in names of keys that are no secrets.
	otherKeys = []string{
		"primary", "foreign", "sort", "partition", "cache", "public", "row", "group", "range", "index", "unique", "routing", "object", "hot", "sub",
		"restore", "host", "known", "map", "meta", "query", "order", "join", "registry", "lookup", "idempotency", "translation", "i18n",
	}
)

// secretKeys lists the words before "key" in names of secrets.
var secretKeys = []string{
	"api", "access", "account", "admin", "aes", "app", "auth", "client", "crypto", "deploy", "encryption", "decryption", "hmac", "jwt", "license",
	"master", "private", "rest", "root", "secret", "server", "service", "shared", "signing", "ssh", "storage", "webhook", "write", "x", "user",
}

// kind is how sure a name is that of a secret.
type kind int

const (
	ordinary kind = iota
	perhaps       // if its value looks like one
	surely
)

// nameKind returns whether a name is that of a secret.
func nameKind(name string) kind {
	option := strings.HasPrefix(name, "-")
	words := wordsOf(name)
	if len(words) == 0 || words[0] == "existing" || slices.Contains(aboutWords, words[len(words)-1]) {
		return ordinary
	}
	found := ordinary
	for i, word := range words {
		switch word {
		case "pass", "auth", "credential", "credentials", "creds", "cookie", "sig", "signature", "bearer", "jwt":
			return surely
		case "pwd":
			if len(words) > 1 {
				return surely
			}
		case "session", "sessionid", "sid", "jsessionid", "phpsessid", "csrf", "csrftoken", "xsrf":
			found = max(found, perhaps)
		case "key":
			// sort --key=2 is no secret, KEY=2 may be one.
			switch {
			case i != len(words)-1 || i > 0 && slices.Contains(otherKeys, words[i-1]):
			case i > 0 && slices.Contains(secretKeys, words[i-1]), name == "KEY":
				found = surely
			case !option || len(words) > 1:
				found = max(found, perhaps)
			}
		}
		for _, end := range []string{"token", "secret", "password", "passwd", "passphrase", "apikey", "accesskey", "secretkey", "privatekey", "storepass", "keypass", "dbpass", "userpass", "rootpass"} {
			if strings.HasSuffix(word, end) {
				return surely
			}
		}
	}
	if slices.Contains(words, "secret") && slices.Contains(words, "key") {
		return surely // SECRET_KEY_BASE
	}
	return found
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
	return strings.FieldsFunc(strings.ToLower(spaced.String()), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// Values with a name: --name value; NAME=value in all its forms, of shells, JSON, YAML and
// programs; and "name", "value".
var (
	option = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`((--?[A-Za-z][A-Za-z0-9_.-]*)[ \t]+)((?:"(?:[^"\\]|\\.)*"?|'[^']*'?|[^\s"';&|)<>-][^\s"';&|)]*))`)
	})
	assignment = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile("((-{0,2}(?:\\$\\{?(?i:env|script|global):)?[$@]?[A-Za-z_][A-Za-z0-9_.-]*)(\\\\?[\"'`]?\\]?)([ \\t]*(?::[ \\t]*[A-Za-z_][A-Za-z_.]*(?:\\[[^\\]\\n]*\\]|<[^>\\n]*>)?(?: ?\\| ?None)?[ \\t]*=|[:?+]?={1,3}>?|=>|:{1,2})[ \\t]*))" +
			"(" + `\\+"[^"\\]*|\\'[^'\\]*|` + "`[^`]*`?|" + value + ")")
	})
	listed = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(\([ \t]*(["'])([A-Za-z_][A-Za-z0-9_.-]*)["'][ \t]*,[ \t]*)("(?:[^"\\]|\\.)+"|'[^']+')`)
	})
	shellWord = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`"(?:[^"\\]|\\.)*"?|'[^']*'?|[;|&\n]+|[^\s"';|&]+`)
	})
)

// maskNamed replaces the values of names.
func maskNamed(text string) string {
	lower := strings.ToLower(text)
	if !slices.ContainsFunc(secretWords, func(word string) bool { return strings.Contains(lower, word) }) {
		return text
	}
	text = option().ReplaceAllStringFunc(text, func(match string) string {
		part := option().FindStringSubmatch(match)
		reference := strings.Trim(part[2], "-") == "secret" && plainWord(strings.ReplaceAll(part[3], "-", "")) // gcloud --secret NAME
		if nameKind(part[2]) == surely && isSecret(part[3]) && !reference {
			return part[1] + masked
		}
		return match
	})
	text = maskAssigned(text)
	text = listed().ReplaceAllStringFunc(text, func(match string) string {
		part := listed().FindStringSubmatch(match)
		variable := strings.Contains(part[3], "_") || part[3] != strings.ToLower(part[3])
		if nameKind(part[3]) == surely && isSecret(part[4]) && (variable || isDrawn(part[4])) {
			return part[1] + part[2] + masked + part[2]
		}
		return match
	})
	return maskWords(text)
}

// maskAssigned replaces the values of NAME=value, also where it is the value of another.
func maskAssigned(text string) string {
	var out strings.Builder
	from := 0
	for _, at := range assignment().FindAllStringSubmatchIndex(text, -1) {
		group := func(i int) string { return text[at[2*i]:at[2*i+1]] }
		given := group(5)
		out.WriteString(text[from:at[10]])
		if isAssigned(group(2), group(3) != "", group(4), given, text[at[11]:]) {
			out.WriteString(masked)
		} else {
			out.WriteString(maskInner(given))
		}
		from = at[11]
	}
	return out.String() + text[from:]
}

// isAssigned reports whether the value of a name is a secret. The name is closed if a
// quote or a bracket follows it.
func isAssigned(name string, closed bool, separator, given, behind string) bool {
	sure := nameKind(name)
	if sure == ordinary || !isSecret(given) {
		return false
	}
	sign := strings.TrimSpace(separator)
	switch {
	case sure == perhaps && !isDrawn(given):
		return false
	case sign == "==" || sign == "===": // a comparison
		return isDrawn(given)
	case strings.Contains(sign, "="):
		return true
	}
	return ofColon(name, closed, separator, given, behind)
}

// maskInner replaces the secrets in a value that is one or more assignments itself.
func maskInner(given string) string {
	if !strings.ContainsAny(given, "=:") {
		return given
	}
	return maskAssigned(given)
}

// ofColon reports whether name: value is a secret. Much prose has a colon after a word.
func ofColon(name string, closed bool, separator, given, behind string) bool {
	bare := unquoted(given)
	plainKey := slices.Equal(wordsOf(name), []string{"key"})
	switch {
	case closed && given != bare: // "name": "value"
		return !plainKey || isDrawn(bare)
	case strings.HasPrefix(bare, "/"), strings.HasPrefix(bare, "./"):
		return isDrawn(bare)
	case separator == ":" || separator == "::": // name:value, image:tag, role::name
		return isDrawn(bare)
	case given != bare:
		return !plainKey || isDrawn(bare)
	}
	words := wordsOf(name)
	strong := slices.ContainsFunc([]string{"password", "passwd", "passphrase", "secret", "pwd"}, func(w string) bool {
		return strings.HasSuffix(words[len(words)-1], w)
	})
	prose := strings.HasPrefix(behind, " ") && plainWord(strings.ToLower(bare))
	return strong && !prose || len(words) > 1 && !prose && !plainWord(bare) || isDrawn(bare)
}

// setters are the words after which a name and a value follow.
var setters = []string{"set", "setx", "setenv", "config", "configure", "export", "setvar", "define", "put", "store", "assign"}

// maskWords replaces the word after the name of a secret, in commands that set something,
// in files such as netrc, and where it looks like a secret.
func maskWords(text string) string {
	places := shellWord().FindAllStringIndex(text, -1)
	var out strings.Builder
	from, setting := 0, false
	netrc := strings.Contains(text, "login ") && (strings.Contains(text, "machine ") || strings.Contains(text, "default "))
	for i, at := range places {
		word := text[at[0]:at[1]]
		if strings.ContainsAny(word[:1], ";|&\n") {
			setting = false
			continue
		}
		if quote := word[:1]; at[0] >= from && strings.Contains(word, " ") && (quote == `"` || quote == "'") {
			out.WriteString(text[from:at[0]] + quote + maskWords(word[1:]))
			from = at[1]
			continue
		}
		setting = setting || slices.Contains(setters, word)
		if i+1 == len(places) || strings.HasPrefix(word, "-") || strings.Contains(word, masked) || !isName(word) || nameKind(word) != surely {
			continue
		}
		next := text[places[i+1][0]:places[i+1][1]]
		if strings.ContainsAny(next[:1], ";|&\n-=:") || !isSecret(next) || strings.Contains(next, masked) || strings.ContainsAny(text[at[1]:places[i+1][0]], "\n") {
			continue
		}
		variable := strings.ContainsAny(word, "_.:") || word != strings.ToLower(word)
		if setting && variable || netrc && word == "password" || isDrawn(next) {
			out.WriteString(text[from:places[i+1][0]] + masked)
			from = places[i+1][1]
		}
	}
	out.WriteString(text[from:])
	return out.String()
}

// isName reports whether a word could be the name of a variable or a setting.
func isName(word string) bool {
	return strings.IndexFunc(word, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_.:/-$", r)
	}) < 0
}
