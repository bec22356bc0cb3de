package profile

import "strings"

// CommandOf returns the command line for a list of words: the script of a shell, or else
// the words, quoted where a shell needs it.
func CommandOf(argv []string) string {
	if len(argv) == 3 {
		of := [3]string(argv)
		switch of[0][strings.LastIndexByte(of[0], '/')+1:] {
		case "bash", "sh", "zsh":
			if of[1] == "-lc" || of[1] == "-c" {
				return of[2]
			}
		}
	}
	words := make([]string, len(argv))
	for i, word := range argv {
		words[i] = word
		if word == "" || strings.ContainsFunc(word, needsQuotes) {
			words[i] = "'" + strings.ReplaceAll(word, "'", `'"'"'`) + "'"
		}
	}
	return strings.Join(words, " ")
}

func needsQuotes(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("@%+=:,./-_", r)
}
