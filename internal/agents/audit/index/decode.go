package index

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"time"
)

var errDamaged = errors.New("a result is damaged")

// decode reads what encode wrote of the value that a pointer leads to.
func decode(text []byte, pointer any) error {
	d := decoder{rest: text, texts: map[string]string{}}
	if err := d.read(reflect.ValueOf(pointer).Elem()); err != nil {
		return err
	}
	if len(d.rest) > 0 {
		return errDamaged
	}
	return nil
}

type decoder struct {
	rest   []byte
	shared []reflect.Value   // the pointers to structs
	texts  map[string]string // short ones, which results repeat
}

func (d *decoder) read(v reflect.Value) error {
	if v.Type() == reflect.TypeFor[time.Time]() {
		text, err := d.bytes()
		if err != nil {
			return err
		}
		var at time.Time
		if err := at.UnmarshalBinary(text); err != nil {
			return err
		}
		v.Set(reflect.ValueOf(at))
		return nil
	}
	switch v.Kind() {
	case reflect.Bool:
		some, err := d.flag()
		v.SetBool(some)
		return err
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n, size := binary.Varint(d.rest)
		v.SetInt(n)
		return d.skip(size)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		n, err := d.number()
		v.SetUint(n)
		return err
	case reflect.Float32, reflect.Float64:
		if len(d.rest) < 8 {
			return errDamaged
		}
		v.SetFloat(math.Float64frombits(binary.LittleEndian.Uint64(d.rest)))
		return d.skip(8)
	case reflect.String:
		text, err := d.bytes()
		v.SetString(d.text(text))
		return err
	case reflect.Struct:
		for i := range v.NumField() { //nolint:modernize // Fields allocates a description of each
			if err := d.read(v.Field(i)); err != nil {
				return err
			}
		}
		return nil
	case reflect.Pointer:
		return d.readPointer(v)
	case reflect.Slice, reflect.Map:
		return d.readReference(v)
	default:
		return fmt.Errorf("values of type %s are not kept", v.Type())
	}
}

func (d *decoder) readPointer(v reflect.Value) error {
	if len(d.rest) > 0 && d.rest[0] == again {
		d.rest = d.rest[1:]
		n, err := d.number()
		if err != nil || n >= uint64(len(d.shared)) || d.shared[n].Type() != v.Type() {
			return errDamaged
		}
		v.Set(d.shared[n])
		return nil
	}
	some, err := d.flag()
	if err != nil || !some {
		return err
	}
	v.Set(reflect.New(v.Type().Elem()))
	if v.Elem().Kind() == reflect.Struct {
		d.shared = append(d.shared, v.Elem().Addr())
	}
	return d.read(v.Elem())
}

// readReference reads a slice or a map, which may be nil.
func (d *decoder) readReference(v reflect.Value) error {
	some, err := d.flag()
	if err != nil || !some {
		return err
	}
	n, err := d.number()
	if err != nil || n > uint64(len(d.rest)) && v.Type().Elem().Size() > 0 {
		return errors.Join(err, errDamaged)
	}
	if v.Kind() == reflect.Slice {
		v.Set(reflect.MakeSlice(v.Type(), int(n), int(n))) //nolint:gosec // at most the length of the text
		for i := range v.Len() {
			if err := d.read(v.Index(i)); err != nil {
				return err
			}
		}
		return nil
	}
	v.Set(reflect.MakeMap(v.Type()))
	for range n {
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		if err := errors.Join(d.read(key), d.read(value)); err != nil {
			return err
		}
		v.SetMapIndex(key, value)
	}
	return nil
}

// text returns a text; equal short ones share their memory.
func (d *decoder) text(of []byte) string {
	const short = 64
	if len(of) > short {
		return string(of)
	}
	text, ok := d.texts[string(of)]
	if !ok {
		text = string(of)
		d.texts[text] = text
	}
	return text
}

func (d *decoder) flag() (bool, error) {
	if len(d.rest) == 0 || d.rest[0] > 1 {
		return false, errDamaged
	}
	some := d.rest[0] == 1
	return some, d.skip(1)
}

func (d *decoder) number() (uint64, error) {
	n, size := binary.Uvarint(d.rest)
	return n, d.skip(size)
}

func (d *decoder) bytes() ([]byte, error) {
	n, err := d.number()
	if err != nil || n > uint64(len(d.rest)) {
		return nil, errDamaged
	}
	text := d.rest[:n]
	d.rest = d.rest[n:]
	return text, nil
}

// skip drops what was read; a number that is cut off has no bytes.
func (d *decoder) skip(n int) error {
	if n < 1 || n > len(d.rest) {
		return errDamaged
	}
	d.rest = d.rest[n:]
	return nil
}
