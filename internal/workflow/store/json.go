package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// stateVersion is that of the state file and of every line of the journal. It
// changes whenever a field of Run or Event does: one that is not known is
// refused, and a state must come out of its journal byte for byte.
const stateVersion = 1

// A foreignError says that a line or a file has another version than ours.
type foreignError int

func (e foreignError) Error() string {
	return fmt.Sprintf("version %d; want %d", int(e), stateVersion)
}

// copied shares nothing with s.
func (s *Run) copied() (Run, error) {
	var c Run
	text, err := json.Marshal(s)
	if err == nil {
		err = decodeStrictly(text, &c)
	}
	return c, err
}

// decode reads a whole JSON object, whose version must be ours.
func decode(text []byte, version *int, into any) error {
	err := decodeStrictly(text, into)
	if err == nil && *version == stateVersion {
		return nil
	}
	var head struct {
		Version *int `json:"version"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return err
	}
	switch {
	case head.Version == nil:
		return errors.New("it has no version")
	case *head.Version != stateVersion:
		return foreignError(*head.Version)
	}
	return err
}

// decodeStrictly keeps numbers as they are written.
func decodeStrictly(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is more after its end")
	}
	return nil
}
