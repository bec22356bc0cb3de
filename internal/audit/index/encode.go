package index

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"time"
)

// encode returns a value of structs, slices, maps, pointers, texts, numbers and times as
// bytes that decode to an equal value: neither nil and empty slices nor nil and zero numbers
// are confused, and texts need not be UTF-8.
func encode(value any) ([]byte, error) { return appendValue(nil, reflect.ValueOf(value)) }

// appendValue appends a value. A type that decode would not restore is an error.
func appendValue(to []byte, v reflect.Value) ([]byte, error) {
	if v.Type() == reflect.TypeFor[time.Time]() {
		at, _ := reflect.TypeAssert[time.Time](v)
		text, err := at.MarshalBinary()
		return appendText(to, string(text)), err
	}
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return append(to, 1), nil
		}
		return append(to, 0), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return binary.AppendVarint(to, v.Int()), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return binary.AppendUvarint(to, v.Uint()), nil
	case reflect.Float32, reflect.Float64:
		return binary.LittleEndian.AppendUint64(to, math.Float64bits(v.Float())), nil
	case reflect.String:
		return appendText(to, v.String()), nil
	case reflect.Struct:
		return appendFields(to, v)
	case reflect.Pointer:
		if v.IsNil() {
			return append(to, 0), nil
		}
		return appendValue(append(to, 1), v.Elem())
	case reflect.Slice:
		if v.IsNil() {
			return append(to, 0), nil
		}
		to = binary.AppendUvarint(append(to, 1), uint64(v.Len())) //nolint:gosec // no length is negative
		var err error
		for i := 0; i < v.Len() && err == nil; i++ {
			to, err = appendValue(to, v.Index(i))
		}
		return to, err
	case reflect.Map:
		return appendMap(to, v)
	default:
		return nil, fmt.Errorf("values of type %s are not kept", v.Type())
	}
}

func appendFields(to []byte, v reflect.Value) (_ []byte, err error) {
	for i := 0; i < v.NumField() && err == nil; i++ {
		if !v.Type().Field(i).IsExported() {
			return nil, fmt.Errorf("the field %s of %s is not kept", v.Type().Field(i).Name, v.Type())
		}
		to, err = appendValue(to, v.Field(i))
	}
	return to, err
}

func appendMap(to []byte, v reflect.Value) ([]byte, error) {
	if v.IsNil() {
		return append(to, 0), nil
	}
	to = binary.AppendUvarint(append(to, 1), uint64(v.Len())) //nolint:gosec // no length is negative
	for entries := v.MapRange(); entries.Next(); {
		for _, part := range []reflect.Value{entries.Key(), entries.Value()} {
			var err error
			if to, err = appendValue(to, part); err != nil {
				return nil, err
			}
		}
	}
	return to, nil
}

func appendText(to []byte, text string) []byte {
	return append(binary.AppendUvarint(to, uint64(len(text))), text...)
}
