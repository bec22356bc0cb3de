package mask

import (
	"slices"
	"strings"
)

// Secrets returns a text of any length and number of lines with its secrets masked.
func Secrets(text string) string {
	if text == "" {
		return ""
	}
	return mask(text)
}

// Words returns the words of a command with their secrets masked: those of a word alone, and
// those that the word before it names, as an option does.
func Words(argv []string) []string {
	shown := slices.Clone(argv)
	for i, word := range argv {
		shown[i] = Secrets(word)
		if i == 0 {
			continue
		}
		if rest, ok := strings.CutPrefix(Secrets(argv[i-1]+" "+word), argv[i-1]+" "); ok && rest != word {
			shown[i] = rest
		}
	}
	return shown
}

// minValue is the minimum length of a value that is searched for.
const minValue = 6

// Values returns the values of those variables, as NAME=value, whose names are among names and
// are those of secrets.
func Values(environ, names []string) (values []string) {
	for _, variable := range environ {
		name, value, _ := strings.Cut(variable, "=")
		if slices.Contains(names, name) && nameKind(name) != ordinary && len(value) >= minValue {
			values = append(values, value)
		}
	}
	return values
}

// Known masks known values in a text, and its other secrets.
func Known(text string, values []string) string {
	for _, v := range values {
		text = strings.ReplaceAll(text, v, masked)
	}
	return Secrets(text)
}
