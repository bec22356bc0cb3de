package index

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"time"
)

// encode appends a value of structs, slices, maps, pointers, texts, numbers and times as
// bytes that decode to an equal value: neither nil and empty slices nor nil and zero numbers
// are confused, texts need not be UTF-8, and what several pointers lead to is there once.
func encode(to []byte, value any) ([]byte, error) {
	return encoder{shared: map[any]int{}}.appendValue(to, reflect.ValueOf(value))
}

// encoder numbers the structs that pointers lead to.
type encoder struct{ shared map[any]int }

// again begins the number of a struct that an earlier pointer leads to.
const again = 2

// appendValue appends a value. A type that decode would not restore is an error.
func (e encoder) appendValue(to []byte, v reflect.Value) ([]byte, error) {
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
		return e.appendFields(to, v)
	case reflect.Pointer:
		return e.appendPointer(to, v)
	case reflect.Slice:
		if v.IsNil() {
			return append(to, 0), nil
		}
		to = binary.AppendUvarint(append(to, 1), uint64(v.Len())) //nolint:gosec // no length is negative
		var err error
		for i := 0; i < v.Len() && err == nil; i++ {
			to, err = e.appendValue(to, v.Index(i))
		}
		return to, err
	case reflect.Map:
		return e.appendMap(to, v)
	default:
		return nil, fmt.Errorf("values of type %s are not kept", v.Type())
	}
}

func (e encoder) appendPointer(to []byte, v reflect.Value) ([]byte, error) {
	if v.IsNil() {
		return append(to, 0), nil
	}
	if v.Elem().Kind() == reflect.Struct {
		if n, ok := e.shared[v.Interface()]; ok {
			return binary.AppendUvarint(append(to, again), uint64(n)), nil //nolint:gosec // no index is negative
		}
		e.shared[v.Interface()] = len(e.shared)
	}
	return e.appendValue(append(to, 1), v.Elem())
}

func (e encoder) appendFields(to []byte, v reflect.Value) (_ []byte, err error) {
	for i := 0; i < v.NumField() && err == nil; i++ {
		if !v.Type().Field(i).IsExported() {
			return nil, fmt.Errorf("the field %s of %s is not kept", v.Type().Field(i).Name, v.Type())
		}
		to, err = e.appendValue(to, v.Field(i))
	}
	return to, err
}

func (e encoder) appendMap(to []byte, v reflect.Value) ([]byte, error) {
	if v.IsNil() {
		return append(to, 0), nil
	}
	to = binary.AppendUvarint(append(to, 1), uint64(v.Len())) //nolint:gosec // no length is negative
	for entries := v.MapRange(); entries.Next(); {
		for _, part := range []reflect.Value{entries.Key(), entries.Value()} {
			var err error
			if to, err = e.appendValue(to, part); err != nil {
				return nil, err
			}
		}
	}
	return to, nil
}

func appendText(to []byte, text string) []byte {
	return append(binary.AppendUvarint(to, uint64(len(text))), text...)
}
