// Package protobuf reads the symbols of Protocol Buffers: messages with their fields, enums,
// services and extensions, by what is on the wire and what generated code has. All are exported.
package protobuf

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/bufbuild/protocompile/ast"
	"github.com/bufbuild/protocompile/parser"
	"github.com/bufbuild/protocompile/reporter"

	"github.com/rulecheck/rulecheck/internal/content/part"
	"github.com/rulecheck/rulecheck/internal/content/symbol"
)

// Language reads Protocol Buffers.
var Language = symbol.Language{
	Name: "Protocol Buffers", Extensions: []string{".proto"}, Package: true, Read: read,
	Exported: "all: messages, fields with number and type, oneofs, enums, services, extensions, reserved numbers and names, " +
		"the package, and options that change the wire or generated code",
}

// maxDepth limits messages inside each other, whose names repeat the names around them.
const maxDepth = 100

// Options of files, fields and methods that change what is on the wire or the API of generated
// code. The features of editions do, and the HTTP bindings of methods.
var (
	fileOptions = []string{
		"cc_generic_services", "csharp_namespace", "go_package", "java_generic_services", "java_multiple_files", "java_outer_classname",
		"java_package", "objc_class_prefix", "optimize_for", "php_class_prefix", "php_metadata_namespace", "php_namespace",
		"py_generic_services", "ruby_package", "swift_prefix", "cc_enable_arenas", "java_string_check_utf8",
	}
	otherOptions = []string{"packed", "json_name", "default", "ctype", "jstype", "message_set_wire_format", "idempotency_level", "(google.api.http)"}
)

func read(_ context.Context, _, text string) ([]symbol.Symbol, error) {
	root, err := parser.Parse("", strings.NewReader(text), reporter.NewHandler(nil))
	if err != nil {
		e := &part.Error{Place: part.Place{Line: 1, Column: 1}, Message: "cannot be read as Protocol Buffers: " + err.Error()}
		if wrong, ok := errors.AsType[reporter.ErrorWithPos](err); ok {
			at := wrong.GetPosition()
			e.Line, e.Column = max(at.Line, 1), symbol.Column(text, at.Offset)
			e.Message = "cannot be read as Protocol Buffers: " + wrong.Unwrap().Error()
		}
		return nil, e
	}
	f := &file{text: text, root: root}
	switch {
	case root.Syntax != nil:
		f.add("syntax", "syntax", root.Syntax, root.Syntax, root.Syntax.Syntax.AsString())
	case root.Edition != nil:
		f.add("syntax", "syntax", root.Edition, root.Edition, "edition "+root.Edition.Edition.AsString())
	}
	f.packaged()
	for _, d := range root.Decls {
		if err := f.declaration("", d, 0); err != nil {
			return nil, err
		}
	}
	return f.symbols, nil
}

// packaged adds the package, with the options that decide where generated code is and what it has: a new one
// changes the API, too.
func (f *file) packaged() {
	var declared, at ast.Node
	var options []string
	for _, d := range f.root.Decls {
		switch d := d.(type) {
		case *ast.PackageNode:
			f.pack = string(d.Name.AsIdentifier())
			declared, at = d, d.Name
		case *ast.OptionNode:
			if name := words(d.Name); slices.Contains(fileOptions, name) || isFeature(name) {
				options = append(options, "[ "+name+" = "+words(d.Val)+" ]")
				if declared == nil {
					declared, at = d, d.Name
				}
			}
		}
	}
	slices.Sort(options)
	if declared != nil {
		f.add("package", "package", declared, at, append([]string{f.pack}, options...)...)
	}
}

func isFeature(option string) bool {
	return option == "features" || strings.HasPrefix(option, "features .")
}

// file collects the symbols of a file.
type file struct {
	text    string
	root    *ast.FileNode
	pack    string
	symbols []symbol.Symbol
}

// add adds a symbol whose name is at a node.
func (f *file) add(name, kind string, declared, at ast.Node, signature ...string) {
	info, place := f.root.NodeInfo(declared), f.root.NodeInfo(at).Start()
	signature = slices.DeleteFunc(signature, func(word string) bool { return word == "" })
	f.symbols = append(f.symbols, symbol.Symbol{
		Name: name, Kind: kind, Exported: true, Signature: strings.Join(signature, " "),
		Line: place.Line, EndLine: info.End().Line,
		Column: symbol.Column(f.text, place.Offset),
	})
}

// declaration adds what an element of a file, a message or an extension declares.
func (f *file) declaration(around string, element ast.Node, depth int) error {
	if depth > maxDepth {
		at := f.root.NodeInfo(element).Start()
		return &part.Error{Place: part.Place{Line: at.Line, Column: symbol.Column(f.text, at.Offset)}, Message: fmt.Sprintf("messages are nested more than %d deep", maxDepth)}
	}
	switch d := element.(type) {
	case *ast.MessageNode:
		return f.message(around+d.Name.Val, d, d.Name, d.MessageBody, depth)
	case *ast.GroupNode:
		f.add(around+d.Name.Val, "group", d, d.Name, label(d.Label), "=", number(d.Tag), compact(d.Name.Val, d.Options), extendee(f, d.Extendee))
		return f.elements(around+d.Name.Val+".", d.Decls, depth)
	case *ast.EnumNode:
		f.enum(around+d.Name.Val, d)
	case *ast.ServiceNode:
		f.service(around+d.Name.Val, d)
	case *ast.ExtendNode:
		for _, e := range d.Decls {
			if err := f.declaration(around, e, depth+1); err != nil {
				return err
			}
		}
	case *ast.FieldNode:
		kind := "field"
		if d.Extendee != nil {
			kind = "extension"
		}
		f.add(around+d.Name.Val, kind, d, d.Name, label(d.Label), f.typeName(d.FldType), "=", number(d.Tag), compact(d.Name.Val, d.Options), extendee(f, d.Extendee))
	case *ast.MapFieldNode:
		f.add(around+d.Name.Val, "field", d, d.Name, "map <", d.MapType.KeyType.Val, ",", f.typeName(d.MapType.ValueType), "> =", number(d.Tag), compact(d.Name.Val, d.Options))
	case *ast.OneofNode:
		f.add(around+d.Name.Val, "oneof", d, d.Name)
		for _, e := range d.Decls {
			from := len(f.symbols)
			if err := f.declaration(around, e, depth+1); err != nil {
				return err
			}
			if _, option := e.(*ast.OptionNode); !option && from < len(f.symbols) {
				f.symbols[from].Signature += " oneof " + d.Name.Val
			}
		}
	case *ast.ReservedNode:
		for _, r := range d.Ranges {
			f.add(around+"reserved "+words(r), "reserved", d, r)
		}
		for _, n := range d.Names {
			f.add(around+"reserved "+n.AsString(), "reserved", d, n)
		}
		for _, n := range d.Identifiers {
			f.add(around+"reserved "+n.Val, "reserved", d, n)
		}
	case *ast.ExtensionRangeNode:
		for _, r := range d.Ranges {
			f.add(around+"extensions "+words(r), "extensions", d, r)
		}
	}
	return nil
}

func (f *file) message(name string, d, at ast.Node, body ast.MessageBody, depth int) error {
	var options []string
	for _, e := range body.Decls {
		if o, ok := e.(*ast.OptionNode); ok {
			options = append(options, option(o))
		}
	}
	slices.Sort(options)
	f.add(name, "message", d, at, options...)
	return f.elements(name+".", body.Decls, depth)
}

func (f *file) elements(around string, list []ast.MessageElement, depth int) error {
	for _, e := range list {
		if err := f.declaration(around, e, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (f *file) enum(name string, d *ast.EnumNode) {
	var options []string
	for _, e := range d.Decls {
		if o, ok := e.(*ast.OptionNode); ok {
			options = append(options, option(o))
		}
	}
	slices.Sort(options)
	f.add(name, "enum", d, d.Name, options...)
	for _, e := range d.Decls {
		switch e := e.(type) {
		case *ast.EnumValueNode:
			f.add(name+"."+e.Name.Val, "enum value", e, e.Name, "=", number(e.Number), compact("", e.Options))
		case *ast.ReservedNode:
			_ = f.declaration(name+".", e, 0) // it has nothing inside it
		}
	}
}

func (f *file) service(name string, d *ast.ServiceNode) {
	f.add(name, "service", d, d.Name)
	for _, e := range d.Decls {
		rpc, ok := e.(*ast.RPCNode)
		if !ok {
			continue
		}
		signature := []string{f.ofMethod(rpc.Input), "returns", f.ofMethod(rpc.Output)}
		var options []string
		for _, e := range rpc.Decls {
			if o, ok := e.(*ast.OptionNode); ok {
				options = append(options, option(o))
			}
		}
		slices.Sort(options)
		f.add(name+"."+rpc.Name.Val, "rpc", rpc, rpc.Name, append(signature, options...)...)
	}
}

// ofMethod returns the request or the response of a method.
func (f *file) ofMethod(t *ast.RPCTypeNode) string {
	if t.Stream != nil {
		return "( stream " + f.typeName(t.MessageType) + " )"
	}
	return "( " + f.typeName(t.MessageType) + " )"
}

// typeName returns a type as the file's package has it.
func (f *file) typeName(n ast.IdentValueNode) string {
	name := strings.TrimPrefix(string(n.AsIdentifier()), ".")
	if f.pack != "" {
		name = strings.TrimPrefix(name, f.pack+".")
	}
	return name
}

func extendee(f *file, d *ast.ExtendNode) string {
	if d == nil {
		return ""
	}
	return "of " + f.typeName(d.Extendee)
}

func label(l ast.FieldLabel) string {
	if l.KeywordNode == nil {
		return ""
	}
	return l.Val
}

func number(n ast.IntValueNode) string {
	if value, ok := n.AsInt64(); ok {
		return strconv.FormatInt(value, 10)
	}
	return words(n)
}

// compact returns the options of a field that matter, in any order. A name in JSON that the field
// would have without the option does not.
func compact(field string, list *ast.CompactOptionsNode) string {
	if list == nil {
		return ""
	}
	var options []string
	for _, o := range list.Options {
		usual := words(o.Name) == "json_name" && words(o.Val) == strconv.Quote(jsonName(field))
		if text := option(o); text != "" && !usual {
			options = append(options, text)
		}
	}
	slices.Sort(options)
	return strings.Join(options, " ")
}

// jsonName returns the name of a field in JSON: without "_", and with a capital after it.
func jsonName(field string) string {
	parts := strings.Split(field, "_")
	for i, p := range parts {
		if i > 0 && p != "" {
			parts[i] = strings.ToUpper(p[:1]) + p[1:]
		}
	}
	return strings.Join(parts, "")
}

// option returns an option that matters; any other is empty.
func option(o *ast.OptionNode) string {
	name := words(o.Name)
	if bare := strings.ReplaceAll(name, " ", ""); !isFeature(name) && !slices.ContainsFunc(otherOptions, func(known string) bool {
		return bare == known || strings.HasPrefix(bare, known+".")
	}) {
		return ""
	}
	return "[ " + name + " = " + words(o.Val) + " ]"
}

// words returns the tokens of a node with one space between them.
func words(n ast.Node) string {
	var list []string
	var visit func(ast.Node)
	visit = func(n ast.Node) {
		switch n := n.(type) {
		case *ast.StringLiteralNode:
			list = append(list, strconv.Quote(n.Val))
		case *ast.UintLiteralNode:
			list = append(list, strconv.FormatUint(n.Val, 10))
		case ast.IdentValueNode:
			list = append(list, string(n.AsIdentifier()))
		case *ast.KeywordNode:
			list = append(list, n.Val)
		case *ast.FloatLiteralNode:
			list = append(list, strconv.FormatFloat(n.Val, 'g', -1, 64))
		case *ast.RuneNode:
			list = append(list, string(n.Rune))
		case ast.CompositeNode:
			for _, child := range n.Children() {
				visit(child)
			}
		}
	}
	visit(n)
	return strings.Join(list, " ")
}
