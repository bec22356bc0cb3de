//go:build !linux

package commands

import "runtime"

// confinement is what this system does not have.
type confinement struct{}

func confine([]string) (guard, error) {
	return guard{notice: "commands are not confined: " + runtime.GOOS + " has no Landlock"}, nil
}

func confinable() bool { return false }

func (confinement) release() error { return nil }
