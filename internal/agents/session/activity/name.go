package activity

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// subcommands lists the programs that are named with their first operand, and their
// options before it that take a value.
var subcommands = map[string][]string{
	"apt": nil, "apt-get": nil, "brew": nil, "bun": {"--cwd"}, "bundle": nil, "cargo": {"--manifest-path", "-C"}, "deno": nil,
	"docker": {"-H", "--context"}, "dotnet": nil, "gh": {"-R", "--repo"}, "git": {"-C", "-c", "--git-dir", "--work-tree"}, "go": {"-C"},
	"helm": {"-n", "--namespace"}, "just": {"-f"}, "kubectl": {"-n", "--namespace", "--context"}, "make": {"-C", "-f", "-j"}, "mix": nil,
	"npm": {"--prefix"}, "pip": nil, "pip3": nil, "pnpm": {"-C", "--filter"}, "poetry": {"-C"}, "rulecheck": nil, "systemctl": nil,
	"terraform": nil, "uv": {"--directory"}, "yarn": {"--cwd"},
}

// wrappers maps programs that run another one to the number of operands before its name.
var wrappers = map[string]int{
	"bunx": 0, "command": 0, "env": 0, "exec": 0, "nice": 0, "nohup": 0, "npx": 0, "stdbuf": 0, "sudo": 0, "time": 0, "timeout": 1, "xargs": 0,
}

// settings are commands that only prepare others of a line.
var settings = []string{"cd", "pushd", "popd", "export", "set", "unset", "source", ".", "true", ":", "shopt", "ulimit", "umask"}

// unknownName replaces the name of a program that the line does not show.
const unknownName = "…"

// programs returns the names of the programs that a command line runs, each once, and at
// least one.
func (c *Counter) programs(line string) []string {
	names, ok := c.names[line]
	if !ok {
		for _, name := range programsOf(line) {
			if name = c.masked(name); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		c.names[line] = names
	}
	return names
}

// maxLine bounds the lines that are parsed.
const maxLine = 64 << 10

func programsOf(line string) []string {
	var names, prepare []string
	if file, err := syntax.NewParser().Parse(strings.NewReader(line[:min(len(line), maxLine)]), ""); err == nil {
		syntax.Walk(file, func(n syntax.Node) bool {
			if call, ok := n.(*syntax.CallExpr); ok && len(call.Args) > 0 {
				if name := nameOf(call.Args); slices.Contains(settings, name) {
					prepare = append(prepare, name)
				} else {
					names = append(names, name)
				}
			}
			return true
		})
	} else if words := strings.Fields(line); len(words) > 0 { // of another shell, or torn
		names = []string{program(words[0])}
	}
	switch {
	case len(names) > 0:
		return names
	case len(prepare) > 0:
		return prepare
	}
	return []string{unknownName}
}

// nameOf returns the name of the program that a simple command runs, with its subcommand.
func nameOf(args []*syntax.Word) string {
	words := make([]string, len(args))
	for i, arg := range args {
		words[i] = literal(arg.Parts)
	}
	name := program(words[0])
	if skip, ok := wrappers[name]; ok {
		for i, word := range words[1:] {
			switch {
			case strings.HasPrefix(word, "-"), strings.Contains(word, "="):
			case skip > 0:
				skip--
			default:
				return nameOf(args[i+1:])
			}
		}
	}
	if valued, ok := subcommands[name]; ok {
		if word := operand(words[1:], valued); isSubcommand(word) {
			return name + " " + word
		}
	}
	return name
}

// operand returns the first word that is no option; valued are the options with a value.
func operand(words, valued []string) string {
	for i := 0; i < len(words); i++ {
		switch {
		case slices.Contains(valued, words[i]):
			i++
		case !strings.HasPrefix(words[i], "-"):
			return words[i]
		}
	}
	return ""
}

func isSubcommand(word string) bool {
	return word != "" && !strings.ContainsFunc(word, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && !strings.ContainsRune("-:_", r)
	})
}

// literal returns the text of a word; unknownName if it has expansions.
func literal(parts []syntax.WordPart) string {
	var text strings.Builder
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			text.WriteString(p.Value)
		case *syntax.SglQuoted:
			text.WriteString(p.Value)
		case *syntax.DblQuoted:
			inner := literal(p.Parts)
			if inner == unknownName {
				return unknownName
			}
			text.WriteString(inner)
		default:
			return unknownName
		}
	}
	return text.String()
}

// program returns the name of a program without its directory.
func program(word string) string {
	if word == "" {
		return unknownName
	}
	return strings.TrimSuffix(path.Base(strings.ReplaceAll(word, `\`, "/")), ".exe")
}
