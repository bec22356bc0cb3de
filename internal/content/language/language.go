// Package language knows the comments and strings of programming languages: a table from the
// names of files to the signs that begin and end them, with two readers. [Syntax.Comments] is
// lenient and reads any text of any language. [Significant] is strict: it returns a text without
// its comments, imports or white space, in the languages that it can read exactly, and false where
// it cannot.
package language

import (
	"path"
	"strings"
	"sync"
)

// Syntax describes the comments and strings of a family of languages.
type Syntax struct {
	line    []string    // what begins a comment to the end of the line
	block   [][2]string // what begins and ends a comment
	strings []quote     // longest first
	fences  bool        // code between ``` or ~~~ has no comments
	heredoc bool        // lines after <<WORD, up to WORD, have no comments
	noCase  bool        // line comments begin with a word in any letter case
}

var (
	slashes = [2]string{"/*", "*/"}
	markup  = [2]string{"<!--", "-->"}

	cLike         = Syntax{line: []string{"//"}, block: [][2]string{slashes}, strings: []quote{rawCPP, double, single}}
	cSharp        = Syntax{line: []string{"//"}, block: [][2]string{slashes}, strings: []quote{rawCSharp, {open: `@"`, end: `"`, goesOn: `"`, lines: true}, double, single}}
	objective     = Syntax{line: []string{"//", "%"}, block: [][2]string{slashes}, strings: []quote{double, single}}
	cTriple       = Syntax{line: []string{"//"}, block: [][2]string{slashes}, strings: []quote{triple, double, single}}
	groovy        = Syntax{line: []string{"//"}, block: [][2]string{slashes}, strings: []quote{triple, triple1, {open: "$/", end: "/$", lines: true}, double, single}}
	swift         = Syntax{line: []string{"//"}, block: [][2]string{slashes}, strings: []quote{extended, triple, double}}
	dart          = Syntax{line: []string{"//"}, block: [][2]string{slashes}, strings: []quote{triple, triple1, double, single}}
	goLike        = Syntax{line: []string{"//"}, block: [][2]string{slashes}, strings: []quote{double, single, {open: "`", end: "`", lines: true}}}
	scripts       = Syntax{line: []string{"//"}, block: [][2]string{slashes}, strings: []quote{double, single, backtick}}
	rust          = Syntax{line: []string{"//"}, block: [][2]string{slashes}, strings: []quote{{open: `'"'`}, {open: `'\"'`}, rawRust, {open: `"`, end: `"`, escapes: true, lines: true}}}
	css           = Syntax{block: [][2]string{slashes}, strings: []quote{double, single}}
	scss          = Syntax{line: []string{"//"}, block: [][2]string{slashes}, strings: []quote{double, single}}
	python        = Syntax{line: []string{"#"}, strings: []quote{triple, triple1, double, single}}
	hash          = Syntax{line: []string{"#"}, strings: []quote{double, single}}
	toml          = Syntax{line: []string{"#"}, strings: []quote{triple, triple1, double, literal}}
	cmake         = Syntax{line: []string{"#"}, strings: []quote{brackets, double}}
	rLanguage     = Syntax{line: []string{"#"}, strings: []quote{rawR, double, single}}
	ruby          = Syntax{line: []string{"#"}, strings: []quote{double, single}, heredoc: true}
	shell         = Syntax{line: []string{"#"}, strings: []quote{double, literal}, heredoc: true}
	powershell    = Syntax{line: []string{"#"}, block: [][2]string{{"<#", "#>"}}, strings: []quote{{open: `@"`, end: "\"@", lines: true}, {open: `@'`, end: "'@", lines: true}, {open: `"`, end: `"`}, literal}}
	nix           = Syntax{line: []string{"#"}, block: [][2]string{slashes}, strings: []quote{{open: `''`, end: `''`, goesOn: `$'\`, lines: true}, double}}
	hcl           = Syntax{line: []string{"#", "//"}, block: [][2]string{slashes}, strings: []quote{double}, heredoc: true}
	php           = Syntax{line: []string{"//", "#"}, block: [][2]string{slashes, markup}, strings: []quote{double, single}, heredoc: true}
	julia         = Syntax{line: []string{"#"}, block: [][2]string{{"#=", "=#"}}, strings: []quote{triple, double}}
	dashes        = Syntax{line: []string{"--"}, strings: []quote{double}}
	sql           = Syntax{line: []string{"--", "#"}, block: [][2]string{slashes}, strings: []quote{{open: `'`, end: `'`, lines: true}, double}}
	haskell       = Syntax{line: []string{"--"}, block: [][2]string{{"{-", "-}"}}, strings: []quote{double}}
	lua           = Syntax{line: []string{"--"}, block: [][2]string{{"--[[", "]]"}}, strings: []quote{brackets, double, single}}
	lisp          = Syntax{line: []string{";"}, block: [][2]string{{"#|", "|#"}}, strings: []quote{{open: `#\"`}, {open: `?\"`}, {open: `"`, end: `"`, escapes: true, lines: true}}}
	assembly      = Syntax{line: []string{";", "#", "//", "@"}, block: [][2]string{slashes}, strings: []quote{double}}
	ini           = Syntax{line: []string{";", "#"}}
	properties    = Syntax{line: []string{"#", "!"}}
	percent       = Syntax{line: []string{"%"}, block: [][2]string{{"%{", "%}"}}}
	erlang        = Syntax{line: []string{"%"}, strings: []quote{double}}
	ml            = Syntax{block: [][2]string{{"(*", "*)"}}, strings: []quote{double}}
	fsharp        = Syntax{line: []string{"//"}, block: [][2]string{{"(*", "*)"}}, strings: []quote{triple, double}}
	pascal        = Syntax{line: []string{"//"}, block: [][2]string{{"(*", "*)"}, {"{", "}"}}, strings: []quote{literal}}
	html          = Syntax{block: [][2]string{markup}, strings: []quote{{open: "<![CDATA[", end: "]]>", lines: true}}}
	components    = Syntax{line: []string{"//"}, block: [][2]string{markup, slashes}}
	markdown      = Syntax{block: [][2]string{markup}, fences: true}
	mdx           = Syntax{block: [][2]string{{"{/*", "*/}"}, markup}, fences: true}
	templates     = Syntax{block: [][2]string{{"{{- /*", "*/ -}}"}, {"{{/*", "*/}}"}, {"{{!--", "--}}"}, {"{{!", "}}"}, {"{#", "#}"}, {"<%#", "%>"}, {"<%--", "--%>"}, markup}}
	latex         = Syntax{line: []string{"%"}}
	fortran       = Syntax{line: []string{"!"}, strings: []quote{{open: `"`, end: `"`}, literal}}
	basic         = Syntax{line: []string{"'", "rem "}, strings: []quote{{open: `"`, end: `"`}}, noCase: true}
	batch         = Syntax{line: []string{"@rem ", "rem ", "::"}, noCase: true}
	rst           = Syntax{line: []string{".."}}
	vim           = Syntax{line: []string{`"`}}
	noComments    = Syntax{}
	unknownSyntax = Syntax{line: []string{"//", "#"}, block: [][2]string{slashes}}
)

// language is a row of the table of languages.
type language struct {
	syntax *Syntax
	names  string   // extensions without their dot, and whole names with a capital or a dot
	exact  *grammar // nil: its comments can only be read leniently
}

// languages maps extensions and names of files to the syntax of their comments.
var languages = []language{
	{&cLike, "c h cc cpp cxx c++ hh hpp hxx h++ inc ipp cu cuh", &cGrammar},
	{&cLike, "proto", &protoGrammar},
	{&cLike, "jsonc json5", &jsonGrammar},
	{&cLike, "thrift fbs idl glsl hlsl vert frag metal wgsl v sv svh zig d pde ino as hx vala stan go.mod go.sum go.work", nil},
	{&cLike, "asciidoc adoc", &proseGrammar},
	{&cTriple, "java", &javaGrammar},
	{&cTriple, "kt kts", &kotlinGrammar},
	{&cTriple, "scala sc sbt", &scalaGrammar},
	{&cSharp, "cs csx", &cSharpGrammar},
	{&objective, "m mm", nil},
	{&groovy, "gradle groovy gvy Jenkinsfile", nil},
	{&swift, "swift", &swiftGrammar},
	{&dart, "dart", &dartGrammar},
	{&goLike, "go", &goGrammar},
	{&scripts, "js jsx mjs cjs tsx", &jsxGrammar},
	{&scripts, "ts mts cts", &typeScriptGrammar},
	{&rust, "rs", &rustGrammar},
	{&css, "css", &cssGrammar},
	{&scss, "scss less", &scssGrammar},
	{&scss, "sass styl", nil},
	{&python, "py pyi pyw SConstruct SConscript", &pythonGrammar},
	{&python, "bzl star sky bazel BUILD WORKSPACE MODULE.bazel", &starlarkGrammar},
	{&python, "graphql gql", &graphqlGrammar},
	{&python, "pyx pxd ex exs nim coffee gd mojo", nil},
	{&ruby, "rb rake gemspec Gemfile Rakefile Podfile Vagrantfile Fastfile Brewfile pl pm t perl cr", nil},
	{&cmake, "cmake CMakeLists.txt", nil},
	{&rLanguage, "r R", nil},
	{&hash, "yaml yml", &yamlGrammar},
	{&hash, "mk mak make Makefile makefile GNUmakefile", &makeGrammar},
	{&hash, ".gitignore .gitattributes .dockerignore CODEOWNERS requirements.txt", &listGrammar},
	{&hash, "gn gni tcl awk sed conf cfg rego jq just justfile Justfile .editorconfig .env env OWNERS", nil},
	{&toml, "toml", &tomlGrammar},
	{&shell, "sh bash ksh bats .bashrc .profile .envrc", &shellGrammar},
	{&shell, "Dockerfile Containerfile dockerfile", &dockerGrammar},
	{&shell, "zsh fish .zshrc", nil},
	{&powershell, "ps1 psm1 psd1", nil},
	{&nix, "nix", nil},
	{&hcl, "tf tfvars hcl nomad", &hclGrammar},
	{&php, "php phtml", &phpGrammar},
	{&julia, "jl", nil},
	{&dashes, "adb ads ada vhd vhdl elm applescript", nil},
	{&sql, "sql ddl dml psql pgsql", nil},
	{&haskell, "hs lhs purs idr agda dhall", nil},
	{&lua, "lua luau", nil},
	{&lisp, "lisp lsp cl el scm ss rkt clj cljs cljc edn", nil},
	{&assembly, "s S asm", nil},
	{&ini, "ini inf desktop service timer socket reg gitconfig .gitconfig .gitmodules .npmrc", nil},
	{&properties, "properties", nil},
	{&percent, "matlab", nil},
	{&erlang, "erl hrl pro prolog", nil},
	{&ml, "ml mli mll mly sml coq", nil},
	{&fsharp, "fs fsi fsx", nil},
	{&pascal, "pas dpr lpr", nil},
	{&html, "xml xsd xsl xslt svg plist csproj vbproj fsproj props targets xaml resx pom wxs nuspec", &xmlGrammar},
	{&html, "html htm xhtml", nil},
	{&components, "vue svelte astro", nil},
	{&markdown, "md markdown mkd mdown", &proseGrammar},
	{&mdx, "mdx", &proseGrammar},
	{&templates, "tmpl gotmpl tpl gohtml hbs handlebars mustache j2 jinja jinja2 njk twig liquid erb ejs jsp", nil},
	{&latex, "tex latex sty cls bib ltx", &proseGrammar},
	{&fortran, "f90 f95 f03 f08 for f ftn", nil},
	{&basic, "vb vbs vba bas", nil},
	{&batch, "bat cmd", nil},
	{&rst, "rst rest", &proseGrammar},
	{&vim, "vim .vimrc", nil},
	{&noComments, "json ipynb map geojson", &jsonGrammar},
	{&noComments, "csv tsv lock", nil},
}

// unknownLanguage is the row of files that have none.
var unknownLanguage = language{syntax: &unknownSyntax}

// rows has the languages by name.
var rows = sync.OnceValue(func() map[string]*language {
	all := map[string]*language{}
	for i := range languages {
		for name := range strings.FieldsSeq(languages[i].names) {
			all[name] = &languages[i]
		}
	}
	return all
})

// Of returns the syntax of a file by its name: the whole name, its extension, or the
// word before the first dot, as in Dockerfile.prod. Of other files it is //, /* */ and #.
func Of(name string) *Syntax { return of(name).syntax }

// of returns the row of a file.
func of(name string) *language {
	base := path.Base(name)
	if s := rows()[base]; s != nil && (strings.ContainsAny(base, ".") || !isExtension(base)) {
		return s
	}
	extension := path.Ext(base)
	for _, known := range []string{strings.TrimPrefix(extension, "."), strings.ToLower(strings.TrimPrefix(extension, "."))} {
		if s := rows()[known]; extension != "" && s != nil && isExtension(known) {
			return s
		}
	}
	if first, _, ok := strings.Cut(base, "."); ok && first != "" && !isExtension(first) {
		if s := rows()[first]; s != nil {
			return s
		}
	}
	return &unknownLanguage
}

// isExtension reports whether a name of the table is an extension and no file name.
func isExtension(name string) bool {
	switch name {
	case "R", "S":
		return true
	case "makefile", "justfile", "dockerfile":
		return false
	}
	return strings.ToLower(name) == name && !strings.Contains(name, ".")
}
