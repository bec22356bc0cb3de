package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// stateVersion is the version of the state file and of every line of the journal.
// It must change with any field of Run or Event: unknown fields are errors, and a
// journal must reproduce its state byte for byte.
const stateVersion = 2

// oldestVersion is the oldest version that can be read: later ones only added fields that
// are absent in it.
const oldestVersion = 1

// foreignError is the version of a line or file, other than stateVersion.
type foreignError int

func (e foreignError) Error() string {
	return fmt.Sprintf("version %d; want %d", int(e), stateVersion)
}

// copied returns a deep copy.
func (s *Run) copied() (Run, error) {
	var c Run
	text, err := json.Marshal(s)
	if err == nil {
		err = decodeStrictly(text, &c)
	}
	return c, err
}

// decode reads a whole JSON object, whose version must be known.
func decode(text []byte, version *int, into any) error {
	err := decodeStrictly(text, into)
	if err == nil && *version >= oldestVersion && *version <= stateVersion {
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
	case *head.Version < oldestVersion || *head.Version > stateVersion:
		return foreignError(*head.Version)
	}
	return err
}

// decodeStrictly rejects unknown fields and keeps numbers as they are written.
func decodeStrictly(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("it has extra data at its end")
	}
	return nil
}
