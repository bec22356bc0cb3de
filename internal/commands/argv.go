package commands

import (
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/rule"
)

// The placeholders of a command. What else is in braces is the command's own.
const (
	placeholderFile  = "{file}"
	placeholderFiles = "{files}"
	placeholderRoot  = "{repo_root}"
)

// argument is a file's name as a program is to read it: never as an option.
func argument(name string) string {
	if strings.HasPrefix(name, "-") {
		return "./" + name
	}
	return name
}

// expand fills the placeholders of a command for files and the root it runs in.
// Text that was filled in is not looked at again, and no shell reads any of it.
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

// names reports whether the command is told which files it is for.
func names(a *rule.Action) bool {
	if a.RunFor == rule.AllMatches {
		return slices.Contains(a.Argv, placeholderFiles)
	}
	return slices.ContainsFunc(a.Argv, func(word string) bool { return strings.Contains(word, placeholderFile) })
}
