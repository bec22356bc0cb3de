// Package workflow reads workflow files. A workflow leads an agent through phases:
// the content of one phase is shown at a time, and a phase is left only with
// evidence. Package gate checks evidence, and package store keeps the state of runs.
//
// Conditions are only parsed here; package condition evaluates them.
package workflow
