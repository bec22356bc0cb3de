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

// inEditors returns where Visual Studio Code, the editors that are made from it and their servers keep what an extension stores
// in a directory.
func (m Machine) inEditors(extension, directory string) (places []Place) {
	config := m.Dir("XDG_CONFIG_HOME", ".config")
	switch m.OS {
	case "darwin":
		config = filepath.Join(m.Home(), "Library", "Application Support")
	case "windows":
		config = m.Dir("APPDATA", "AppData", "Roaming")
	}
	var data []string
	for _, editor := range []string{"Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf"} {
		data = append(data, filepath.Join(config, editor))
	}
	for _, server := range []string{".vscode-server", ".vscode-remote", ".cursor-server"} {
		data = append(data, filepath.Join(m.Home(), server, "data"))
	}
	for _, dir := range data {
		places = append(places, Place{Path: filepath.Join(dir, "User", "globalStorage", extension, directory)})
	}
	return places
}
