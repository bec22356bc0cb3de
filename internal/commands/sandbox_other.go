//go:build !linux

package commands

import "runtime"

// confinement is empty: this system has no sandbox.
type confinement struct{}

func confine([]string) (guard, error) {
	return guard{notice: "commands run without a sandbox: " + runtime.GOOS + " has no Landlock"}, nil
}

func confinable() bool { return false }

func (confinement) release() error { return nil }
