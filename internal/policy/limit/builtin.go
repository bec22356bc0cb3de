package limit

import (
	"errors"
	"regexp"
	"strings"
	"sync"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/topdown"
)

const (
	maxText     = 16 << 20 // bytes of a text that a builtin makes
	maxElements = 1 << 22  // elements of a list or an object that a builtin joins
	maxSource   = 64 << 10 // bytes of a pattern, and of a document whose parser calls itself
	maxIndent   = 64       // bytes in front of each line of a document
)

// Builtins bounds what OPA's builtins make, for the whole process. It must be called
// before a policy is evaluated. A single call could otherwise allocate more than there is,
// which ends a Go program at once.
var Builtins = sync.OnceFunc(func() {
	for _, b := range bounds {
		for _, name := range b.names {
			topdown.RegisterBuiltinFunc(name, bounded(topdown.GetBuiltin(name), b))
		}
	}
})

// bound is how large the result of builtins may be.
type bound struct {
	names []string
	most  int
	what  string
	// size returns the size of the result from the operands, most+1 if it is too large.
	size func(operands []*ast.Term) int
}

var bounds = []bound{
	{[]string{"concat"}, maxText, "a result of more than 16 MiB", joined},
	{[]string{"replace"}, maxText, "a result of more than 16 MiB", replaced},
	{[]string{"strings.replace_n"}, maxText, "a result of more than 16 MiB", replacedAll},
	{[]string{"regex.replace"}, maxText, "a result of more than 16 MiB", replacedPattern},
	{[]string{"sprintf"}, maxText, "a result of more than 16 MiB", formatted},
	{
		[]string{
			"json.marshal", "yaml.marshal", "urlquery.encode_object", "internal.print", "internal.template_string",
			"base64.encode", "base64url.encode", "base64url.encode_no_pad", "hex.encode", "urlquery.encode",
		}, maxText, "more than 16 MiB", allWritten,
	},
	{[]string{"json.marshal_with_options"}, maxText, "a result of more than 16 MiB", indented},
	{[]string{"array.concat", "array.flatten", "union", "intersection", "object.union", "object.union_n"}, maxElements, "more than 4,194,304 elements", allElements},
	{
		[]string{
			"glob.match", "regex.globs_match", "regex.template_match", "regex.match", "re_match", "regex.is_valid",
			"regex.find_n", "regex.find_all_string_submatch_n", "regex.split",
		}, maxSource, "a pattern of more than 64 KiB", firstText,
	},
	{
		[]string{"graphql.is_valid", "graphql.parse", "graphql.parse_and_verify", "graphql.parse_query", "graphql.parse_schema", "graphql.schema_is_valid"},
		maxSource, "more than 64 KiB", allWritten,
	},
}

// bounded returns a builtin that fails where its result would be larger than b.
func bounded(f topdown.BuiltinFunc, b bound) topdown.BuiltinFunc {
	return func(bctx topdown.BuiltinContext, operands []*ast.Term, iter func(*ast.Term) error) error {
		if b.size(operands) > b.most {
			return errors.New(b.what)
		}
		return f(bctx, operands, iter)
	}
}

func joined(operands []*ast.Term) int {
	terms := elements(operands[1].Value)
	n := len(textOf(operands[0].Value)) * max(len(terms)-1, 0)
	for _, t := range terms {
		n += len(textOf(t.Value))
	}
	return n
}

func replaced(operands []*ast.Term) int {
	text := textOf(operands[0].Value)
	return len(text) + strings.Count(text, textOf(operands[1].Value))*len(textOf(operands[2].Value))
}

func replacedAll(operands []*ast.Term) int {
	text := textOf(operands[1].Value)
	n := len(text)
	if patterns, ok := operands[0].Value.(ast.Object); ok {
		patterns.Foreach(func(old, with *ast.Term) {
			n += strings.Count(text, textOf(old.Value)) * len(textOf(with.Value))
		})
	}
	return n
}

// replacedPattern counts the matches only where any number of them would be too much.
func replacedPattern(operands []*ast.Term) int {
	text, with := textOf(operands[0].Value), textOf(operands[2].Value)
	groups := len(text) * (1 + strings.Count(with, "$")) // matches do not overlap
	if with == "" || groups > maxText {
		return groups
	}
	n := groups + (len(text)+1)*len(with)
	if n <= maxText {
		return n
	}
	form, err := regexp.Compile(textOf(operands[1].Value))
	if err != nil {
		return 0 // the builtin reports it
	}
	return groups + len(form.FindAllStringIndex(text, maxText/len(with)+1))*len(with)
}

// formatted counts all operands once for each verb, which may name one by its index, and
// what widths and precisions add: package fmt ignores those over a million.
func formatted(operands []*ast.Term) int {
	format := textOf(operands[0].Value)
	verbs := strings.Count(format, "%")
	all := written(operands[1].Value, maxText)
	n := len(format) + all
	if strings.Contains(format, "[") {
		n += verbs * all
	}
	for i := 0; i < len(format) && n <= maxText; i++ {
		width := 0
		for ; i < len(format) && '0' <= format[i] && format[i] <= '9' && width < 1_000_000; i++ {
			width = width*10 + int(format[i]-'0')
		}
		if n += width; i < len(format) && format[i] == '*' {
			n += 1_000_000
		}
	}
	return n
}

func allWritten(operands []*ast.Term) int {
	n := 0
	for _, t := range operands {
		n += written(t.Value, maxText)
	}
	return n
}

func indented(operands []*ast.Term) int {
	options, _ := operands[1].Value.(ast.Object)
	for _, name := range []string{"prefix", "indent"} {
		if options == nil {
			break
		}
		if text := options.Get(ast.StringTerm(name)); text != nil && len(textOf(text.Value)) > maxIndent {
			return maxText + 1
		}
	}
	return written(operands[0].Value, maxText/8) * 8
}

func allElements(operands []*ast.Term) int {
	n := 0
	for _, t := range operands {
		n += length(t.Value)
		for _, inner := range elements(t.Value) {
			n += length(inner.Value)
		}
	}
	return n
}

func firstText(operands []*ast.Term) int { return len(textOf(operands[0].Value)) }
