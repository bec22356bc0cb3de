package ifchange

import (
	"path"
	"strings"
	"sync"
)

// syntax describes the comments and strings of a family of languages.
type syntax struct {
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

	cLike      = syntax{line: []string{"//"}, block: [][2]string{slashes}, strings: []quote{rawCPP, double, single}}
	cSharp     = syntax{line: []string{"//"}, block: [][2]string{slashes}, strings: []quote{rawCSharp, {open: `@"`, end: `"`, goesOn: `"`, lines: true}, double, single}}
	objective  = syntax{line: []string{"//", "%"}, block: [][2]string{slashes}, strings: []quote{double, single}}
	cTriple    = syntax{line: []string{"//"}, block: [][2]string{slashes}, strings: []quote{triple, double, single}}
	groovy     = syntax{line: []string{"//"}, block: [][2]string{slashes}, strings: []quote{triple, triple1, {open: "$/", end: "/$", lines: true}, double, single}}
	swift      = syntax{line: []string{"//"}, block: [][2]string{slashes}, strings: []quote{extended, triple, double}}
	dart       = syntax{line: []string{"//"}, block: [][2]string{slashes}, strings: []quote{triple, triple1, double, single}}
	goLike     = syntax{line: []string{"//"}, block: [][2]string{slashes}, strings: []quote{double, single, {open: "`", end: "`", lines: true}}}
	scripts    = syntax{line: []string{"//"}, block: [][2]string{slashes}, strings: []quote{double, single, backtick}}
	rust       = syntax{line: []string{"//"}, block: [][2]string{slashes}, strings: []quote{{open: `'"'`}, {open: `'\"'`}, rawRust, {open: `"`, end: `"`, escapes: true, lines: true}}}
	css        = syntax{block: [][2]string{slashes}, strings: []quote{double, single}}
	scss       = syntax{line: []string{"//"}, block: [][2]string{slashes}, strings: []quote{double, single}}
	python     = syntax{line: []string{"#"}, strings: []quote{triple, triple1, double, single}}
	hash       = syntax{line: []string{"#"}, strings: []quote{double, single}}
	toml       = syntax{line: []string{"#"}, strings: []quote{triple, triple1, double, literal}}
	cmake      = syntax{line: []string{"#"}, strings: []quote{brackets, double}}
	rLanguage  = syntax{line: []string{"#"}, strings: []quote{rawR, double, single}}
	ruby       = syntax{line: []string{"#"}, strings: []quote{double, single}, heredoc: true}
	shell      = syntax{line: []string{"#"}, strings: []quote{double, literal}, heredoc: true}
	powershell = syntax{line: []string{"#"}, block: [][2]string{{"<#", "#>"}}, strings: []quote{{open: `@"`, end: "\"@", lines: true}, {open: `@'`, end: "'@", lines: true}, {open: `"`, end: `"`}, literal}}
	nix        = syntax{line: []string{"#"}, block: [][2]string{slashes}, strings: []quote{{open: `''`, end: `''`, goesOn: `$'\`, lines: true}, double}}
	hcl        = syntax{line: []string{"#", "//"}, block: [][2]string{slashes}, strings: []quote{double}, heredoc: true}
	php        = syntax{line: []string{"//", "#"}, block: [][2]string{slashes, markup}, strings: []quote{double, single}, heredoc: true}
	julia      = syntax{line: []string{"#"}, block: [][2]string{{"#=", "=#"}}, strings: []quote{triple, double}}
	dashes     = syntax{line: []string{"--"}, strings: []quote{double}}
	sql        = syntax{line: []string{"--", "#"}, block: [][2]string{slashes}, strings: []quote{{open: `'`, end: `'`, lines: true}, double}}
	haskell    = syntax{line: []string{"--"}, block: [][2]string{{"{-", "-}"}}, strings: []quote{double}}
	lua        = syntax{line: []string{"--"}, block: [][2]string{{"--[[", "]]"}}, strings: []quote{brackets, double, single}}
	lisp       = syntax{line: []string{";"}, block: [][2]string{{"#|", "|#"}}, strings: []quote{{open: `#\"`}, {open: `?\"`}, {open: `"`, end: `"`, escapes: true, lines: true}}}
	assembly   = syntax{line: []string{";", "#", "//", "@"}, block: [][2]string{slashes}, strings: []quote{double}}
	ini        = syntax{line: []string{";", "#"}}
	properties = syntax{line: []string{"#", "!"}}
	percent    = syntax{line: []string{"%"}, block: [][2]string{{"%{", "%}"}}}
	erlang     = syntax{line: []string{"%"}, strings: []quote{double}}
	ml         = syntax{block: [][2]string{{"(*", "*)"}}, strings: []quote{double}}
	fsharp     = syntax{line: []string{"//"}, block: [][2]string{{"(*", "*)"}}, strings: []quote{triple, double}}
	pascal     = syntax{line: []string{"//"}, block: [][2]string{{"(*", "*)"}, {"{", "}"}}, strings: []quote{literal}}
	html       = syntax{block: [][2]string{markup}, strings: []quote{{open: "<![CDATA[", end: "]]>", lines: true}}}
	components = syntax{line: []string{"//"}, block: [][2]string{markup, slashes}}
	markdown   = syntax{block: [][2]string{markup}, fences: true}
	mdx        = syntax{block: [][2]string{{"{/*", "*/}"}, markup}, fences: true}
	templates  = syntax{block: [][2]string{{"{{- /*", "*/ -}}"}, {"{{/*", "*/}}"}, {"{{!--", "--}}"}, {"{{!", "}}"}, {"{#", "#}"}, {"<%#", "%>"}, {"<%--", "--%>"}, markup}}
	latex      = syntax{line: []string{"%"}}
	fortran    = syntax{line: []string{"!"}, strings: []quote{{open: `"`, end: `"`}, literal}}
	basic      = syntax{line: []string{"'", "rem "}, strings: []quote{{open: `"`, end: `"`}}, noCase: true}
	batch      = syntax{line: []string{"@rem ", "rem ", "::"}, noCase: true}
	rst        = syntax{line: []string{".."}}
	vim        = syntax{line: []string{`"`}}
	noComments = syntax{}
	unknown    = syntax{line: []string{"//", "#"}, block: [][2]string{slashes}}
)

// language is a row of the table of languages.
type language struct {
	syntax *syntax
	names  string // extensions without their dot, and whole names with a capital or a dot
}

// languages maps extensions and names of files to the syntax of their comments.
var languages = []language{
	{&cLike, "c h cc cpp cxx c++ hh hpp hxx h++ inc ipp cu cuh proto thrift fbs idl glsl hlsl vert frag metal wgsl v sv svh zig d pde ino as hx vala stan jsonc json5 go.mod go.sum go.work asciidoc adoc"},
	{&cTriple, "java kt kts scala sc sbt"},
	{&cSharp, "cs csx"},
	{&objective, "m mm"},
	{&groovy, "gradle groovy gvy Jenkinsfile"},
	{&swift, "swift"},
	{&dart, "dart"},
	{&goLike, "go"},
	{&scripts, "js jsx mjs cjs ts tsx mts cts"},
	{&rust, "rs"},
	{&css, "css"},
	{&scss, "scss less sass styl"},
	{&python, "py pyi pyx pxd pyw bzl star sky bazel BUILD WORKSPACE MODULE.bazel SConstruct SConscript ex exs nim graphql gql coffee gd mojo"},
	{&ruby, "rb rake gemspec Gemfile Rakefile Podfile Vagrantfile Fastfile Brewfile pl pm t perl cr"},
	{&cmake, "cmake CMakeLists.txt"},
	{&rLanguage, "r R"},
	{&hash, "yaml yml gn gni mk mak make Makefile makefile GNUmakefile tcl awk sed conf cfg rego jq just justfile Justfile .gitignore .gitattributes .dockerignore .editorconfig .env env CODEOWNERS OWNERS requirements.txt"},
	{&toml, "toml"},
	{&shell, "sh bash zsh fish ksh bats Dockerfile Containerfile dockerfile .bashrc .zshrc .profile .envrc"},
	{&powershell, "ps1 psm1 psd1"},
	{&nix, "nix"},
	{&hcl, "tf tfvars hcl nomad"},
	{&php, "php phtml"},
	{&julia, "jl"},
	{&dashes, "adb ads ada vhd vhdl elm applescript"},
	{&sql, "sql ddl dml psql pgsql"},
	{&haskell, "hs lhs purs idr agda dhall"},
	{&lua, "lua luau"},
	{&lisp, "lisp lsp cl el scm ss rkt clj cljs cljc edn"},
	{&assembly, "s S asm"},
	{&ini, "ini inf desktop service timer socket reg gitconfig .gitconfig .gitmodules .npmrc"},
	{&properties, "properties"},
	{&percent, "matlab"},
	{&erlang, "erl hrl pro prolog"},
	{&ml, "ml mli mll mly sml coq"},
	{&fsharp, "fs fsi fsx"},
	{&pascal, "pas dpr lpr"},
	{&html, "html htm xhtml xml xsd xsl xslt svg plist csproj vbproj fsproj props targets xaml resx pom wxs nuspec"},
	{&components, "vue svelte astro"},
	{&markdown, "md markdown mkd mdown"},
	{&mdx, "mdx"},
	{&templates, "tmpl gotmpl tpl gohtml hbs handlebars mustache j2 jinja jinja2 njk twig liquid erb ejs jsp"},
	{&latex, "tex latex sty cls bib ltx"},
	{&fortran, "f90 f95 f03 f08 for f ftn"},
	{&basic, "vb vbs vba bas"},
	{&batch, "bat cmd"},
	{&rst, "rst rest"},
	{&vim, "vim .vimrc"},
	{&noComments, "json ipynb csv tsv lock map geojson"},
}

// syntaxes has the languages by name.
var syntaxes = sync.OnceValue(func() map[string]*syntax {
	all := map[string]*syntax{}
	for _, l := range languages {
		for name := range strings.FieldsSeq(l.names) {
			all[name] = l.syntax
		}
	}
	return all
})

// syntaxOf returns the syntax of a file by its name: the whole name, its extension, or the
// word before the first dot, as in Dockerfile.prod. Of other files it is //, /* */ and #.
func syntaxOf(name string) *syntax {
	base := path.Base(name)
	if s := syntaxes()[base]; s != nil && (strings.ContainsAny(base, ".") || !isExtension(base)) {
		return s
	}
	extension := path.Ext(base)
	for _, known := range []string{strings.TrimPrefix(extension, "."), strings.ToLower(strings.TrimPrefix(extension, "."))} {
		if s := syntaxes()[known]; extension != "" && s != nil && isExtension(known) {
			return s
		}
	}
	if first, _, ok := strings.Cut(base, "."); ok && first != "" && !isExtension(first) {
		if s := syntaxes()[first]; s != nil {
			return s
		}
	}
	return &unknown
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
