package commands

import (
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/rule"
)

// The placeholders of a command. Other braces are passed on unchanged.
const (
	placeholderFile  = "{file}"
	placeholderFiles = "{files}"
	placeholderRoot  = "{repo_root}"
)

// argument returns a file name in a form that no program reads as an option.
func argument(name string) string {
	if strings.HasPrefix(name, "-") {
		return "./" + name
	}
	return name
}

// expand returns the arguments of a command with its placeholders filled in for
// files and the root directory. Inserted text is not expanded again.
func expand(a *rule.Action, files []string, root string) []string {
	fill := []string{placeholderRoot, root}
	if a.RunFor == rule.EachMatch && len(files) == 1 {
		fill = append(fill, placeholderFile, argument(files[0]))
	}
	replace := strings.NewReplacer(fill...)
	argv := make([]string, 0, len(a.Argv)+len(files))
	for _, word := range a.Argv {
		if word == placeholderFiles && a.RunFor == rule.AllMatches {
			for _, f := range files {
				argv = append(argv, argument(f))
			}
			continue
		}
		argv = append(argv, replace.Replace(word))
	}
	return argv
}

// takesFiles reports whether the command has a placeholder for its files.
func takesFiles(a *rule.Action) bool {
	if a.RunFor == rule.AllMatches {
		return slices.Contains(a.Argv, placeholderFiles)
	}
	return slices.ContainsFunc(a.Argv, func(word string) bool { return strings.Contains(word, placeholderFile) })
}
