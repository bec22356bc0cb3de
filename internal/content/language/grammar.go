package language

import (
	"regexp"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// grammar describes a language for [Significant]: everything but the signs of its comments.
type grammar struct {
	title      string
	layout     layout
	strings    []quote               // instead of those of the syntax
	comments   comments              // where signs begin a comment
	nested     bool                  // block comments have block comments in them
	behaviour  func() *regexp.Regexp // comments that a tool obeys when it builds or runs the file
	head       func() *regexp.Regexp // the same, on the first two lines
	imports    imports
	docstrings bool
	lexical                          // forms of tokens
	operators  map[string]bool       // of several characters
	opening    func() *regexp.Regexp // what a file begins with; another is not read
	closing    string                // what no file has outside of strings and comments
}

// lexical has the forms of tokens that few languages have.
type lexical struct {
	char        func() *regexp.Regexp // literals of characters in a language with other uses of '
	regexes     bool                  // /…/ where an operand may stand
	elements    bool                  // <a>…</a> where an operand may stand
	directives  bool                  // lines that begin with # are read by a preprocessor
	continued   bool                  // a backslash joins lines
	scalars     bool                  // the blocks of YAML
	separators  bool                  // ' between the digits of a number
	escapes     bool                  // a backslash takes the next character, outside of strings too
	wordChars   string                // characters of words besides letters, digits and _
	quotesAfter string                // a string begins at the beginning of a line, or after one of these characters
	raw         []string              // words that a string in a raw form may follow at once
}

// layout is the meaning of white space outside of strings.
type layout int

const (
	unread    layout = iota // blank lines, blanks at the ends of lines and the width of blanks mean nothing
	prose                   // as unread, but a blank line separates
	verbatim                // blank lines and blanks at the ends of lines mean nothing
	aligned                 // and the width of blanks
	lines                   // and indentation
	free                    // it separates tokens, and ends lines of a preprocessor
	semicolon               // and ends statements, as in Go
	hazard                  // and ends some statements, as in JavaScript
	blocks                  // it ends statements outside of brackets, and its indentation makes blocks
)

// comments is the place where the signs of a comment begin one.
type comments int

const (
	anywhere   comments = iota
	afterBlank          // or at the beginning of a line
	aloneLine           // where nothing stands before it on its line
	atMargin            // at the first character of a line
	nowhere             // the language's comments cannot be recognized in its text
)

// Operators of several characters; white space between them counts. None begins with >, which also
// ends type arguments: a<b<c> > is a<b<c>>, and no program has > > for >>.
var (
	operatorsC      = set("<<= <=> ->* ... ..= ..< ?.. && || ++ -- == != === !== <= += -= *= /= %= &= |= ^= &&= ||= ??= ~/= .= => -> :: << ?? ?. ?: .. ** **= ?-> ~/ .* ## !! <> ...?")
	operatorsGo     = set("<<= >>= &^= ... && || <- ++ -- == != <= >= := += -= *= /= %= &= |= ^= << >> &^")
	operatorsJS     = set("... === !== **= <<= &&= ||= ??= => == != <= && || ?? ?. ++ -- += -= *= /= %= &= |= ^= << **")
	operatorsPython = set("**= //= >>= <<= ... == != <= >= -> := += -= *= /= %= &= |= ^= @= ** // << >> <>")
)

func set(words string) map[string]bool {
	all := map[string]bool{}
	for _, w := range splitWords(words) {
		all[w] = true
	}
	return all
}

// Strings as the languages have them exactly.
var (
	doubleLines  = quote{open: `"`, end: `"`, escapes: true, lines: true}
	singleLines  = quote{open: `'`, end: `'`, escapes: true, lines: true}
	literalLines = quote{open: `'`, end: `'`, lines: true}

	template      = quote{open: "`", end: "`", escapes: true, lines: true, nests: [][2]string{{"${", "}"}}}
	dollarDouble  = quote{open: `"`, end: `"`, escapes: true, nests: [][2]string{{"${", "}"}}}
	dollarSingle  = quote{open: `'`, end: `'`, escapes: true, nests: [][2]string{{"${", "}"}}}
	dollarTriple  = quote{open: `"""`, end: `"""`, lines: true, nests: [][2]string{{"${", "}"}}}
	dollarTriple1 = quote{open: `'''`, end: `'''`, escapes: true, lines: true, nests: [][2]string{{"${", "}"}}}
	commandDouble = quote{open: `"`, end: `"`, escapes: true, lines: true, nests: [][2]string{{"$(", ")"}, {"${", "}"}}}
	sourceQuotes  = []quote{double, single}
)

// Comments that a tool obeys.
var (
	noTool     = lazyregexp.New(`\bLINT\.(IfChange|ThenChange|Label|EndLabel)\b`)
	goTool     = lazyregexp.New(`^//(go:|export |extern |line )|^/\*line |^//\s*\+build\b|\bLINT\.\w`)
	scriptTool = lazyregexp.New(`[#@]__[A-Z_]+__|\bwebpack[A-Z]\w*:|@vite-ignore|@turbopack|^///\s*<|^//[#@]\s*source|@jsx|@jest-environment|@vitest-environment|\bLINT\.\w`)
	pythonHead = lazyregexp.New(`coding[:=]\s*[-\w.]+`)
	dockerTool = lazyregexp.New(`^#\s*(syntax|escape|check)\s*=|\bLINT\.\w`)
	shellTool  = lazyregexp.New(`^#(SBATCH|PBS|BSUB|\$)|\bLINT\.\w`)
	rustChar   = lazyregexp.New(`^'(\\[^']+|\\'|[^\\'\n])'`)
	phpOpening = lazyregexp.New(`^(#![^\n]*\n)?<\?php\s`)
	csharpTool = lazyregexp.New(`<auto-generated|\bLINT\.\w`)
)

var (
	goGrammar = grammar{title: "Go", layout: semicolon, behaviour: goTool, imports: importsGo, operators: operatorsGo}

	javaGrammar   = grammar{title: "Java", layout: free, behaviour: noTool, imports: importsJava, operators: operatorsC}
	kotlinGrammar = grammar{
		title: "Kotlin", layout: lines, nested: true, behaviour: noTool, imports: importsLine,
		strings: []quote{dollarTriple, dollarDouble, single},
	}
	scalaGrammar = grammar{
		title: "Scala", layout: aligned, nested: true, behaviour: noTool, imports: importsLine, lexical: lexical{char: rustChar},
		strings: []quote{dollarTriple, dollarDouble},
	}
	cSharpGrammar = grammar{
		title: "C#", layout: free, behaviour: csharpTool, imports: importsCSharp, operators: operatorsC, lexical: lexical{directives: true},
		strings: []quote{
			rawCSharp,
			{open: `$@"`, end: `"`, goesOn: `"`, lines: true, nests: [][2]string{{"{", "}"}}},
			{open: `@$"`, end: `"`, goesOn: `"`, lines: true, nests: [][2]string{{"{", "}"}}},
			{open: `@"`, end: `"`, goesOn: `"`, lines: true},
			{open: `$"`, end: `"`, escapes: true, nests: [][2]string{{"{", "}"}}},
			double, single,
		},
	}
	cGrammar = grammar{
		title: "C and C++", layout: free, behaviour: noTool, imports: importsC, operators: operatorsC,
		lexical: lexical{directives: true, continued: true, separators: true, raw: []string{"u8", "u", "U", "L"}},
	}
	rustGrammar = grammar{
		title: "Rust", layout: free, nested: true, behaviour: noTool, imports: importsRust, operators: operatorsC,
		lexical: lexical{char: rustChar, raw: []string{"b", "c"}}, strings: []quote{rawRust, doubleLines},
	}
	swiftGrammar = grammar{
		title: "Swift", layout: lines, nested: true, behaviour: noTool, imports: importsLine,
		strings: []quote{extended, {open: `"""`, end: `"""`, escapes: true, lines: true, nests: [][2]string{{`\(`, ")"}}}, {open: `"`, end: `"`, escapes: true, nests: [][2]string{{`\(`, ")"}}}},
	}
	dartGrammar = grammar{
		title: "Dart", layout: free, nested: true, behaviour: noTool, imports: importsDart, operators: operatorsC,
		strings: []quote{{open: `r"`, end: `"`}, {open: `r'`, end: `'`}, dollarTriple, dollarTriple1, dollarDouble, dollarSingle},
	}
	phpGrammar = grammar{
		title: "PHP", layout: free, comments: anywhere, behaviour: noTool, imports: importsPHP, operators: operatorsC,
		opening: phpOpening, closing: "?>", lexical: lexical{wordChars: "$"},
		strings: []quote{{open: "#[", end: "]", lines: true}, {open: `"`, end: `"`, escapes: true, lines: true, nests: [][2]string{{"{$", "}"}, {"${", "}"}}}, singleLines, backtick},
	}
	protoGrammar = grammar{title: "Protocol Buffers", layout: free, behaviour: noTool, imports: importsProto, operators: map[string]bool{}}
	jsonGrammar  = grammar{title: "JSON", layout: free, behaviour: noTool, strings: sourceQuotes, operators: map[string]bool{}}

	jsxGrammar = grammar{
		title: "JavaScript", layout: hazard, behaviour: scriptTool, imports: importsJS, operators: operatorsJS,
		lexical: lexical{regexes: true, elements: true, wordChars: "$"}, strings: []quote{double, single, template},
	}
	typeScriptGrammar = grammar{
		title: "TypeScript", layout: hazard, behaviour: scriptTool, imports: importsJS, operators: operatorsJS,
		lexical: lexical{regexes: true, wordChars: "$"}, strings: []quote{double, single, template},
	}

	cssGrammar  = grammar{title: "CSS", layout: lines, behaviour: noTool, strings: []quote{{open: "url(", end: ")"}, double, single}}
	scssGrammar = grammar{title: "SCSS and Less", layout: lines, behaviour: noTool, strings: []quote{{open: "url(", end: ")"}, double, single}}

	pythonGrammar = grammar{
		title: "Python", layout: blocks, behaviour: noTool, head: pythonHead, imports: importsPython, docstrings: true, operators: operatorsPython,
		lexical: lexical{continued: true},
	}
	starlarkGrammar = grammar{
		title: "Starlark", layout: blocks, behaviour: noTool, docstrings: true, operators: operatorsPython, lexical: lexical{continued: true},
	}
	graphqlGrammar = grammar{title: "GraphQL", layout: free, behaviour: noTool, operators: set("..."), strings: []quote{triple, double}}

	yamlGrammar = grammar{
		title: "YAML", layout: verbatim, comments: afterBlank, behaviour: noTool, lexical: lexical{scalars: true, quotesAfter: ":-[{,?"},
		strings: []quote{doubleLines, {open: `'`, end: `'`, goesOn: `'`, lines: true}},
	}
	tomlGrammar  = grammar{title: "TOML", layout: lines, behaviour: noTool, strings: []quote{triple, {open: `'''`, end: `'''`, lines: true}, double, literal}}
	hclGrammar   = grammar{title: "HCL", layout: lines, behaviour: noTool, strings: []quote{dollarDouble}}
	shellGrammar = grammar{
		title: "shell", layout: lines, comments: afterBlank, behaviour: shellTool, lexical: lexical{escapes: true},
		strings: []quote{{open: "$'", end: "'", escapes: true, lines: true}, {open: "${", end: "}", escapes: true, lines: true, nests: [][2]string{{"${", "}"}}}, commandDouble, literalLines},
	}
	dockerGrammar = grammar{title: "Dockerfile", layout: lines, comments: aloneLine, behaviour: dockerTool, strings: []quote{}}
	makeGrammar   = grammar{title: "make", layout: aligned, comments: atMargin, behaviour: noTool, strings: []quote{}}
	listGrammar   = grammar{title: "lists such as .gitignore and CODEOWNERS", layout: verbatim, comments: atMargin, behaviour: noTool, strings: []quote{}}
	xmlGrammar    = grammar{title: "XML", layout: verbatim, behaviour: lazyregexp.New(`^<!--\[if|\bLINT\.\w`)}
	proseGrammar  = grammar{title: "Markdown, reStructuredText, AsciiDoc and LaTeX", layout: prose, comments: nowhere}
)
