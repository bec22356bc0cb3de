package gate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Decode decodes a JSON value, such as evidence. Numbers are json.Number, because
// float64 rounds large integers; a number that could not be compared in reasonable
// time is an error.
func Decode(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, errors.New("unexpected end of JSON input")
		}
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is more text after the JSON value")
	}
	return value, checkNumbers(value)
}

// checkNumbers returns an error for a number that is not exact.
func checkNumbers(value any) error {
	switch v := value.(type) {
	case json.Number:
		if _, ok := parseNumber(v.String()); !ok {
			shown := v.String()
			if len(shown) > maxShown {
				shown = shown[:maxShown] + "…"
			}
			return fmt.Errorf("the number %s is too long; want at most %d digits and an exponent of at most 3", shown, maxDigits)
		}
	case []any:
		for _, item := range v {
			if err := checkNumbers(item); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, item := range v {
			if err := checkNumbers(item); err != nil {
				return err
			}
		}
	}
	return nil
}

// KindOf returns the name of the type of a value decoded from JSON, as JSON calls it.
func KindOf(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	default:
		return "number"
	}
}

// Same reports whether two values decoded from JSON are equal. Numbers are equal if
// their values are: 5 and 5.0.
func Same(a, b any) bool {
	if x, ok := number(a); ok {
		y, ok := number(b)
		return ok && x.Cmp(y) == 0
	}
	switch a := a.(type) {
	case []any:
		b, ok := b.([]any)
		same := ok && len(a) == len(b)
		for i := 0; same && i < len(a); i++ {
			same = Same(a[i], b[i])
		}
		return same
	case map[string]any:
		b, ok := b.(map[string]any)
		same := ok && len(a) == len(b)
		for key, of := range a {
			other, has := b[key]
			same = same && has && Same(of, other)
		}
		return same
	default:
		switch b.(type) {
		case []any, map[string]any:
			return false
		}
		return a == b
	}
}
