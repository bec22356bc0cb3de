// Package real runs coding agents from npm with the hooks that rulecheck installs, against
// a scripted model, where nothing but the loopback device can be reached. It has only tests.
package real
