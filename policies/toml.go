package policies

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/types"
	"github.com/pelletier/go-toml/v2"
)

// maxTOML is the maximum length in bytes of a document that toml.unmarshal reads: that of the
// longest content that a fact has.
const maxTOML = 1 << 20

// tomlUnmarshal declares the builtin that reads TOML, as json.unmarshal reads JSON.
var tomlUnmarshal = ast.Builtin{
	Name:        "toml.unmarshal",
	Description: "Deserializes the input string. Dates and times are strings.",
	Decl: types.NewFunction(
		types.Args(types.Named("x", types.S).Description("the TOML text to deserialize")),
		types.Named("y", types.A).Description("the value deserialized from `x`"),
	),
	Categories: []string{"encoding"},
}

// Builtins returns the options with which queries know the builtins that OPA does not have.
func Builtins() []func(*rego.Rego) {
	declaration := &rego.Function{Name: tomlUnmarshal.Name, Decl: tomlUnmarshal.Decl}
	return []func(*rego.Rego){rego.Function1(declaration, func(_ rego.BuiltinContext, text *ast.Term) (*ast.Term, error) { return readTOML(text) })}
}

func readTOML(text *ast.Term) (*ast.Term, error) {
	document, ok := text.Value.(ast.String)
	switch {
	case !ok:
		return nil, fmt.Errorf("operand 1 must be string but got %s", ast.ValueName(text.Value))
	case len(document) > maxTOML:
		return nil, errors.New("more than 1 MiB")
	}
	var table map[string]any
	if err := toml.Unmarshal([]byte(document), &table); err != nil {
		if wrong, ok := errors.AsType[*toml.DecodeError](err); ok {
			line, column := wrong.Position()
			return nil, fmt.Errorf("line %d, column %d: %w", line, column, err)
		}
		return nil, err
	}
	if table == nil {
		return ast.NewTerm(ast.NewObject()), nil // an empty document
	}
	value, err := ast.InterfaceToValue(plain(table))
	if err != nil {
		return nil, err
	}
	return ast.NewTerm(value), nil
}

// plain returns a value of TOML without the types that JSON does not have: dates, times and
// floats that are no numbers are texts, as a TOML file has them.
func plain(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name := range v {
			v[name] = plain(v[name])
		}
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
	case time.Time:
		return v.Format(time.RFC3339Nano)
	case toml.LocalDate, toml.LocalTime, toml.LocalDateTime:
		return fmt.Sprint(v)
	case float64:
		switch {
		case math.IsNaN(v):
			return "nan"
		case math.IsInf(v, 1):
			return "inf"
		case math.IsInf(v, -1):
			return "-inf"
		}
	}
	return v
}
