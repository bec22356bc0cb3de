package mentions

import (
	"path"
	"slices"
	"strings"
)

// kind is a kind of file, by what counts as a mention in it.
type kind struct {
	names    []string // patterns, as of path.Match, of the last element in lower case; none: any
	below    string   // the directory it is in; empty: any
	words    func(line []byte, found func(word))
	rootOnly bool // its paths are relative to the root, not also to the directory of the file
	alone    bool // a name without a slash may count
	fences   bool // blocks of code count by their language; see fenceLanguages
}

// kinds is the table of kinds; the first that fits a file counts.
var kinds = []kind{
	{names: []string{"codeowners"}, words: ownerWords, rootOnly: true, alone: true},
	{names: []string{"*.md", "*.markdown", "*.mdx", "*.mdc", ".cursorrules", ".windsurfrules"}, words: markdownWords, alone: true, fences: true},
	{names: []string{"*.yml", "*.yaml"}, below: ".github/", words: plainWords, rootOnly: true},
	{names: []string{"*.yml", "*.yaml"}, below: ".circleci/", words: plainWords, rootOnly: true},
	{names: []string{"*.yml", "*.yaml"}, below: ".buildkite/", words: plainWords, rootOnly: true},
	{words: plainWords},
}

// fenceLanguages are the languages of blocks of code in markdown that are about the repository;
// others are samples.
var fenceLanguages = []string{"", "bash", "console", "sh", "shell", "shell-session", "shellsession", "yaml", "yml", "zsh"}

func kindOf(name string) *kind {
	last := strings.ToLower(path.Base(name))
	i := slices.IndexFunc(kinds, func(k kind) bool {
		named := len(k.names) == 0 || slices.ContainsFunc(k.names, func(p string) bool { return matches(p, last) })
		return named && strings.HasPrefix(name, k.below)
	})
	return &kinds[i] // the last fits any
}

// word is a text of a file that may name a path.
type word struct {
	text []byte
	form form
}

// form is how a word names a path.
type form int

const (
	plain form = iota // in text: it has a slash
	link              // the target of a link in markdown
	owner             // a pattern of CODEOWNERS
)
