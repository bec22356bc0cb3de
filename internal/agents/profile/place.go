package profile

import (
	"cmp"
	"path/filepath"
)

// Machine is where agents keep logs.
type Machine struct {
	OS     string // runtime.GOOS
	Getenv func(name string) string
}

// Home returns the user's home directory.
func (m Machine) Home() string {
	if m.OS == "windows" {
		return m.Getenv("USERPROFILE")
	}
	return m.Getenv("HOME")
}

// Dir returns the directory that a variable names, by default one of the home directory.
func (m Machine) Dir(variable string, inHome ...string) string {
	return cmp.Or(m.Getenv(variable), filepath.Join(append([]string{m.Home()}, inHome...)...))
}

// Place is a log, or a directory of logs, of an agent.
type Place struct {
	Path string
	// Own is true if the logs are those of the repository, so that they need not record their
	// directory.
	Own bool
	// Below is true if the directories whose names begin with that of Path and a "-" hold the
	// logs of directories in the repository, and perhaps of others.
	Below bool
	// Owner is the name of the file in each directory of Path that names the directory whose
	// logs are in Within of it.
	Owner, Within string
}
