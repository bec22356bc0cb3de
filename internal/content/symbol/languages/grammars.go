package languages

import (
	_ "embed" // of the queries
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/content/symbol"
	"github.com/rulecheck/rulecheck/internal/content/symbol/treesitter"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// The queries: what a declaration is in each language, and what is exported.
var (
	//go:embed python/query.scm
	pythonQuery string
	//go:embed javascript/modules.scm
	modulesQuery string
	//go:embed typescript/query.scm
	typescriptQuery string
	//go:embed javascript/query.scm
	javascriptQuery string
	//go:embed java/query.scm
	javaQuery string
	//go:embed rust/query.scm
	rustQuery string
	//go:embed ruby/query.scm
	rubyQuery string
	//go:embed php/query.scm
	phpQuery string
	//go:embed csharp/query.scm
	csharpQuery string
	//go:embed kotlin/query.scm
	kotlinQuery string
)

// modules describes the exports of a module of JavaScript.
const modules = "what `export` statements name, by the names that importers use, with members of classes that are not private"

// Constructs that the grammars do not know: types as {a: b} between a tag and its template, the types in
// f<typeof import("a")>() and import("a").B[], the type of `export type * from`, the variance of <in out T>, names that
// are or begin with the keyword `in`, addresses with & in attributes of elements, and in Rust macros and names that are
// keywords elsewhere.
var (
	unknownTypes = []treesitter.Unknown{
		{Words: []string{"<"}, Expression: lazyregexp.New("^(<\\s*\\{[^<>`]*\\}\\s*>)\\s*`"), Written: ' '},
		{Words: []string{"<"}, Follows: treesitter.AfterWord, Expression: lazyregexp.New(`^(<\s*typeof\s+` + importType + `(?:\.\w+)*\s*>)\s*\(`), Written: ' '},
		{Words: []string{"import"}, Expression: lazyregexp.New(`^(` + importType + `\s*\.(?:\w+\.)*)\w+\s*[\[;]`), Written: ' '},
		{Words: []string{"export"}, Expression: lazyregexp.New(`^export\s+(type)\s*\*`), Written: ' '},
		{Words: []string{"in", "out"}, Follows: treesitter.AfterAny("<,"), Expression: lazyregexp.New(`^(in\s+out|in|out)\s+[A-Za-df-z_$]`), Written: ' '},
		{Words: []string{"in"}, Follows: treesitter.AtLineStart, Expression: lazyregexp.New(`^(in)(?:[0-9]|\??:)`), Written: 'x'},
	}
	unknownElements = []treesitter.Unknown{{Words: []string{"&"}, Expression: lazyregexp.New(`^(&)[A-Za-z_]\w*=[^=>]`), Written: 'x'}}
	unknownNames    = []treesitter.Unknown{
		{
			Words: []string{
				"str!", "bool!", "char!", "f32!", "f64!", "i8!", "i16!", "i32!", "i64!", "i128!", "isize!",
				"u8!", "u16!", "u32!", "u64!", "u128!", "usize!",
			},
			Expression: lazyregexp.New(`^(\w+)!\s*[(\[{]`), Written: 'x',
		},
		{Words: []string{"&raw"}, Expression: lazyregexp.New(`^&(raw)\s*[^\w\s]`), Written: 'x'},
	}
)

const importType = `import\(\s*["'][^"'\n]*["']\s*\)`

// Words that are keywords in some places and names where these match: suspend { }, get("/") { }, f(async). Then the
// modifiers of lambdas without types, and the question mark of x?.y = z.
var (
	softKeywords = []treesitter.Unknown{
		{Words: []string{"suspend"}, Expression: lazyregexp.New(`^(suspend)\s*[{=)]`), Written: 'x'},
		{Words: []string{"open", "enum"}, Expression: lazyregexp.New(`^(open|enum)\s*[(=,.)]`), Written: 'x'},
		{Words: []string{"in"}, Follows: treesitter.AtLineStart, Expression: lazyregexp.New(`^(in)[0-9]`), Written: 'x'},
		{Words: []string{"get"}, Follows: treesitter.AtLineStart, Expression: lazyregexp.New(`^(get)[ \t]*(?:\{|\([ \t]*[^) \t\n])`), Written: 'x'},
	}
	contextualKeywords = []treesitter.Unknown{
		{Words: []string{"async"}, Expression: lazyregexp.New(`^(async)\s*(?:[,)\]?:;.]|=>|[!=]=|&&|\|\|)`), Written: 'x'},
		{
			Words: []string{"event", "field", "method", "param", "property", "return", "type", "typevar"}, Follows: treesitter.AfterAny("["),
			Expression: lazyregexp.New(`^(event|field|method|param|property|return|type|typevar)\s*[,\].]`), Written: 'x',
		},
		{
			Words: []string{"ref", "in", "out"}, Follows: treesitter.AfterAny("(,"),
			Expression: lazyregexp.New(`^(ref|in|out)\s+\w+(?:,\s*(?:(?:ref|in|out)\s+)?\w+){0,7}\)\s*=>`), Written: 'x',
		},
		{Words: []string{"?"}, Follows: treesitter.AfterWord, Expression: lazyregexp.New(`^(\?)(?:\[[^],\s]|\.[A-Za-z_])`), Written: 'x'},
	}
)

// csharpDirectives finds comments, raw, verbatim and other strings, characters, and directives with their names
// and what follows.
var csharpDirectives = lazyregexp.New(`//[^\n]*|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/` +
	`|\$*"{3,}(?s:.*?)"{3,}|\$?@\$?"(?:[^"]|"")*"|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'` +
	`|(?m:^)[ \t\x{feff}]*#[ \t]*([a-z]+)([^\n]*)`)

// grammars are the languages that are read by tree-sitter.
var grammars = []treesitter.Language{
	{
		Name: "Python", Extensions: []string{".py", ".pyi"}, Grammar: "python", Query: pythonQuery, Private: isUnderscored,
		Exported: "the names in a literal `__all__`; without one, names without a leading underscore; of these, the members without one",
	},
	{
		Name: "TypeScript", Extensions: []string{".ts", ".mts", ".cts"}, Grammar: "typescript", Query: modulesQuery + typescriptQuery, Exported: modules,
		Ordered: true, Unknown: unknownTypes,
	},
	{
		Name: "TSX", Extensions: []string{".tsx"}, Grammar: "tsx", Query: modulesQuery + typescriptQuery, Exported: "as in TypeScript",
		Ordered: true, Unknown: slices.Concat(unknownElements, unknownTypes),
	},
	{
		Name: "JavaScript", Extensions: []string{".js", ".mjs", ".cjs", ".jsx"}, Grammar: "javascript", Query: modulesQuery + javascriptQuery, Unknown: unknownElements,
		Exported: modules + "; what is assigned to `exports` and `module.exports`",
	},
	{Name: "Java", Extensions: []string{".java"}, Grammar: "java", Query: javaQuery, Package: true, Exported: "`public` and `protected` types, and their members that are `public` or `protected`"},
	{
		Name: "Rust", Extensions: []string{".rs"}, Grammar: "rust", Query: rustQuery, Joined: "::", Unknown: unknownNames,
		Exported: "what is `pub` without a restriction, in modules of the file that are; implementations of traits; macros with `#[macro_export]`",
	},
	{
		Name: "C#", Extensions: []string{".cs"}, Grammar: "c_sharp", Query: csharpQuery, Package: true, Unknown: contextualKeywords, Directives: csharpDirectives,
		Exported: "`public` and `protected` types, their members that are, and the members of their interfaces",
	},
	{
		Name: "Kotlin", Extensions: []string{".kt"}, Grammar: "kotlin", Query: kotlinQuery, Package: true, Unknown: softKeywords,
		Exported: "all declarations that are not `private` or `internal`, in classes that are not",
	},
	{Name: "Ruby", Extensions: []string{".rb"}, Grammar: "ruby", Query: rubyQuery, Joined: "::", Exported: "modules, classes and constants, and methods and attributes that are not `private` or `protected`"},
	{Name: "PHP", Extensions: []string{".php"}, Grammar: "php", Query: phpQuery, Exported: "functions, types and constants, and their members that are not `private`"},
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
