package rule

import "errors"

// Words splits a command.
func Words(command string) ([]string, error) {
	argv, f := words(command)
	if f != nil {
		return nil, errors.New(f.Message)
	}
	return argv, nil
}

// Types are the types of values that have a row.
var Types = types
