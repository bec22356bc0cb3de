package golang

import (
	"go/ast"
	"go/scanner"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// signature holds what callers see of a symbol: tokens without comments, layout, and the names of
// parameters.
type signature struct {
	*file

	words   []string
	uses    []string          // names of the package
	renamed map[string]string // type parameters, by position
	iota    int
}

func (f *file) signature() *signature { return &signature{file: f} }

// String returns the tokens with one space between them.
func (s *signature) String() string { return strings.Join(s.words, " ") }

func (s *signature) put(words ...string) { s.words = append(s.words, words...) }

// rename makes type parameters equal by their positions.
func (s *signature) rename(params []*ast.Ident) {
	if len(params) > 0 && s.renamed == nil {
		s.renamed = map[string]string{}
	}
	for _, name := range params {
		s.renamed[name.Name] = "$" + strconv.Itoa(len(s.renamed)+1)
	}
}

// name writes a name of the package, or a type parameter.
func (s *signature) name(name string) {
	if param, ok := s.renamed[name]; ok {
		s.put(param)
		return
	}
	s.uses = append(s.uses, name)
	switch name { // the other names of types
	case "byte":
		name = "uint8"
	case "rune":
		name = "int32"
	}
	s.put(name)
}

// write writes a type.
func (s *signature) write(e ast.Expr) {
	switch t := e.(type) {
	case *ast.Ident:
		s.name(t.Name)
	case *ast.ParenExpr:
		s.write(t.X)
	case *ast.SelectorExpr:
		s.selector(t)
	case *ast.StarExpr:
		s.put("*")
		s.write(t.X)
	case *ast.Ellipsis:
		s.put("...")
		s.write(t.Elt)
	case *ast.ArrayType:
		s.put("[")
		if t.Len != nil {
			s.tokens(t.Len)
		}
		s.put("]")
		s.write(t.Elt)
	case *ast.MapType:
		s.put("map", "[")
		s.write(t.Key)
		s.put("]")
		s.write(t.Value)
	case *ast.ChanType:
		s.put([...]string{ast.SEND: "chan <-", ast.RECV: "<- chan", ast.SEND | ast.RECV: "chan"}[t.Dir])
		s.put("(") // chan (<-chan T) is not chan<- (chan T)
		s.write(t.Value)
		s.put(")")
	case *ast.FuncType:
		s.function(t)
	case *ast.StructType:
		s.put("struct", "{")
		for _, f := range t.Fields.List {
			for _, name := range f.Names {
				s.put(name.Name)
				s.write(f.Type)
				s.put(";")
			}
			if len(f.Names) == 0 {
				s.write(f.Type)
				s.put(";")
			}
		}
		s.put("}")
	case *ast.InterfaceType:
		if len(t.Methods.List) == 0 {
			s.put("any")
			return
		}
		s.put("interface", "{")
		s.elements(t.Methods)
		s.literalMethods(t.Methods)
		s.put("}")
	case *ast.IndexExpr:
		s.generic(t.X, t.Index)
	case *ast.IndexListExpr:
		s.generic(t.X, t.Indices...)
	case *ast.BinaryExpr: // of constraints
		s.write(t.X)
		s.put(t.Op.String())
		s.write(t.Y)
	case *ast.UnaryExpr:
		s.put(t.Op.String())
		s.write(t.X)
	default:
		s.tokens(e)
	}
}

// selector writes a name of another package by the path of its import.
func (s *signature) selector(t *ast.SelectorExpr) {
	if of, ok := t.X.(*ast.Ident); ok {
		if imported, known := s.imports[of.Name]; known {
			s.put(imported + "." + t.Sel.Name)
		} else {
			s.put(of.Name + "." + t.Sel.Name)
		}
		return
	}
	s.tokens(t)
}

func (s *signature) generic(of ast.Expr, args ...ast.Expr) {
	s.write(of)
	s.put("[")
	for _, arg := range args {
		s.write(arg)
		s.put(",")
	}
	s.put("]")
}

// function writes the type of a function without the names of its parameters.
func (s *signature) function(t *ast.FuncType) {
	if t.TypeParams != nil {
		for _, f := range t.TypeParams.List {
			s.rename(f.Names)
		}
		s.put("[")
		for _, f := range t.TypeParams.List {
			for range f.Names {
				s.write(f.Type)
				s.put(",")
			}
		}
		s.put("]")
	}
	s.put("func")
	s.params(t.Params)
	if t.Results != nil && len(t.Results.List) > 0 {
		s.params(t.Results)
	}
}

func (s *signature) params(list *ast.FieldList) {
	s.put("(")
	if list != nil {
		for _, f := range list.List {
			for range max(len(f.Names), 1) {
				s.write(f.Type)
				s.put(",")
			}
		}
	}
	s.put(")")
}

// elements writes what an interface embeds, in any order, and whether it has methods that no
// other package can implement.
func (s *signature) elements(list *ast.FieldList) {
	var embedded []string
	sealed := false
	for _, f := range list.List {
		for _, name := range f.Names {
			sealed = sealed || !name.IsExported()
		}
		if len(f.Names) == 0 {
			e := &signature{file: s.file, renamed: s.renamed}
			e.write(f.Type)
			embedded = append(embedded, e.String())
			s.uses = append(s.uses, e.uses...)
		}
	}
	slices.Sort(embedded)
	for _, e := range slices.Compact(embedded) {
		s.put(e, ";")
	}
	if sealed {
		s.put("sealed")
	}
}

// literalMethods writes the methods of an interface without a name, in any order.
func (s *signature) literalMethods(list *ast.FieldList) {
	var methods []string
	for _, f := range list.List {
		for _, name := range f.Names {
			m := &signature{file: s.file, renamed: s.renamed}
			m.put(name.Name)
			m.write(f.Type)
			methods = append(methods, m.String())
			s.uses = append(s.uses, m.uses...)
		}
	}
	slices.Sort(methods)
	for _, m := range methods {
		s.put(m, ";")
	}
}

// typeOf writes the type that a variable has by its value, as far as syntax shows it.
func (s *signature) typeOf(value ast.Expr) {
	switch v := ast.Unparen(value).(type) {
	case *ast.BasicLit:
		s.put([...]string{token.INT: "int", token.FLOAT: "float64", token.IMAG: "complex128", token.CHAR: "rune", token.STRING: "string"}[v.Kind])
	case *ast.CompositeLit:
		s.write(v.Type)
	case *ast.FuncLit:
		s.function(v.Type)
	case *ast.UnaryExpr:
		if v.Op == token.NOT {
			s.put("bool")
			return
		}
		s.put(strings.ReplaceAll(v.Op.String(), "&", "*"))
		s.typeOf(v.X)
	case *ast.BinaryExpr:
		if slices.Contains([]token.Token{token.EQL, token.NEQ, token.LSS, token.GTR, token.LEQ, token.GEQ, token.LAND, token.LOR}, v.Op) {
			s.put("bool")
			return
		}
		s.typeOf(v.X)
	case *ast.CallExpr:
		s.call(v)
	case *ast.TypeAssertExpr:
		if v.Type != nil {
			s.write(v.Type)
		}
	case *ast.Ident:
		if v.Name == "true" || v.Name == "false" {
			s.put("bool")
			return
		}
		s.put("type", "of")
		s.write(v)
	default:
		s.put("type", "of")
		s.write(v)
	}
}

// call writes the type of a call: a conversion, or what a function returns.
func (s *signature) call(v *ast.CallExpr) {
	if name, ok := v.Fun.(*ast.Ident); ok && len(v.Args) > 0 {
		switch name.Name {
		case "make":
			s.write(v.Args[0])
			return
		case "new":
			s.put("*")
			s.write(v.Args[0])
			return
		case "len", "cap", "copy":
			s.put("int")
			return
		}
	}
	if f, ok := ast.Unparen(v.Fun).(*ast.FuncLit); ok {
		s.put("result", "of")
		s.function(f.Type)
		return
	}
	s.write(v.Fun)
	s.put("(", ")")
}

// tokens writes an expression as it is, without comments and layout.
func (s *signature) tokens(e ast.Expr) {
	from, to := s.files.PositionFor(e.Pos(), false).Offset, s.files.PositionFor(e.End(), false).Offset
	var scan scanner.Scanner
	text := []byte(s.text[from:to])
	files := token.NewFileSet()
	scan.Init(files.AddFile("", -1, len(text)), text, nil, 0)
	for {
		_, tok, literal := scan.Scan()
		switch {
		case tok == token.EOF:
			return
		case tok == token.SEMICOLON && literal == "\n":
		case tok == token.IDENT && literal == "iota":
			s.put(strconv.Itoa(s.iota))
		case tok == token.IDENT:
			s.name(literal)
		case literal != "":
			s.put(literal)
		default:
			s.put(tok.String())
		}
	}
}
