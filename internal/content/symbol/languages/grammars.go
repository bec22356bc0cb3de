package languages

import (
	_ "embed" // of the queries
	"strings"

	"github.com/rulecheck/rulecheck/internal/content/symbol"
	"github.com/rulecheck/rulecheck/internal/content/symbol/treesitter"
)

// The queries: what a declaration is in each language, and what is exported.
var (
	//go:embed python/query.scm
	pythonQuery string
	//go:embed typescript/query.scm
	typescriptQuery string
	//go:embed javascript/query.scm
	javascriptQuery string
	//go:embed java/query.scm
	javaQuery string
	//go:embed rust/query.scm
	rustQuery string
	//go:embed csharp/query.scm
	csharpQuery string
	//go:embed ruby/query.scm
	rubyQuery string
	//go:embed php/query.scm
	phpQuery string
	//go:embed c/query.scm
	cQuery string
	//go:embed cpp/query.scm
	cppQuery string
)

// modules says what a module of JavaScript exports.
const modules = "what `export` statements name, by the names that importers use, with members of classes that are not private"

// grammars are the languages that are read by tree-sitter.
var grammars = []treesitter.Language{
	{
		Name: "Python", Extensions: []string{".py", ".pyi"}, Grammar: "python", Query: pythonQuery, Private: isUnderscored,
		Exported: "the names in a literal `__all__`; without one, names without a leading underscore; of these, the members without one",
	},
	{Name: "TypeScript", Extensions: []string{".ts", ".mts", ".cts"}, Grammar: "typescript", Query: typescriptQuery, Exported: modules},
	{Name: "TSX", Extensions: []string{".tsx"}, Grammar: "tsx", Query: typescriptQuery, Exported: "as in TypeScript"},
	{
		Name: "JavaScript", Extensions: []string{".js", ".mjs", ".cjs", ".jsx"}, Grammar: "javascript", Query: javascriptQuery,
		Exported: modules + "; what is assigned to `exports` and `module.exports`",
	},
	{Name: "Java", Extensions: []string{".java"}, Grammar: "java", Query: javaQuery, Package: true, Exported: "what is `public` or `protected`, in types that are"},
	{Name: "Rust", Extensions: []string{".rs"}, Grammar: "rust", Query: rustQuery, Joined: "::", Exported: "what is `pub` without a restriction, in modules of the file that are; implementations of traits; macros with `#[macro_export]`"},
	{Name: "C#", Extensions: []string{".cs"}, Grammar: "c_sharp", Query: csharpQuery, Package: true, Exported: "what is `public` or `protected`, in types that are"},
	{Name: "Ruby", Extensions: []string{".rb"}, Grammar: "ruby", Query: rubyQuery, Joined: "::", Exported: "modules, classes and constants, and methods and attributes that are not `private` or `protected`"},
	{Name: "PHP", Extensions: []string{".php"}, Grammar: "php", Query: phpQuery, Exported: "functions, types and constants, and their members that are not `private`"},
	{Name: "C", Extensions: []string{".c", ".h"}, Grammar: "c", Query: cQuery, Exported: "functions and variables that are not `static`, types and macros"},
	{
		Name: "C++", Extensions: []string{".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx"}, Grammar: "cpp", Query: cppQuery, Joined: "::",
		Exported: "functions and variables that are not `static`, types and macros, and members that are not `private`; not what is in a namespace without a name",
	},
}

// isUnderscored reports whether a name of Python is private by its spelling.
func isUnderscored(name string) bool {
	return strings.HasPrefix(name, "_") && (!strings.HasPrefix(name, "__") || !strings.HasSuffix(name, "__"))
}

// readers returns languages with their readers.
func readers(list []treesitter.Language) []symbol.Language {
	languages := make([]symbol.Language, 0, len(list))
	for _, l := range list {
		languages = append(languages, l.Symbols())
	}
	return languages
}
