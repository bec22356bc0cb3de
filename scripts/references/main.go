// Command references prints the differences that other tools find between two versions of an API. It reads names of
// files on the standard input, two lines for each comparison: base and head. Each file is a txtar archive
// of the files of one version. For each version it prints a line of JSON: `api` is empty for base, and has what
// changed for head; it is absent where the tool cannot read the version.
//
//	references apidiff|buf|oasdiff
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"

	"golang.org/x/tools/txtar"
)

// tools are functions that return what changed. Extension: of the files that they read.
var tools = map[string]func(base, head *txtar.Archive) ([]string, error){
	"apidiff": byApidiff,
	"buf":     byBuf,
	"oasdiff": byOasdiff,
}

func main() {
	if len(os.Args) != 2 || tools[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: references apidiff|buf|oasdiff")
		os.Exit(2)
	}
	if err := run(tools[os.Args[1]]); err != nil {
		fmt.Fprintln(os.Stderr, "references:", err)
		os.Exit(1)
	}
}

// answer is printed about one version.
type answer struct {
	File string   `json:"file"`
	API  []string `json:"api"`
	Why  string   `json:"why,omitempty"` // it cannot be read
}

func run(tool func(base, head *txtar.Archive) ([]string, error)) error {
	names := bufio.NewScanner(os.Stdin)
	to := json.NewEncoder(os.Stdout)
	for names.Scan() {
		base := names.Text()
		if !names.Scan() {
			return fmt.Errorf("%s has no head", base)
		}
		head := names.Text()
		var sides [2]*txtar.Archive
		for i, name := range []string{base, head} {
			var err error
			if sides[i], err = txtar.ParseFile(name); err != nil {
				return err
			}
		}
		is := answer{File: head, API: []string{}}
		changes, err := tool(sides[0], sides[1])
		if errors.Is(err, exec.ErrNotFound) {
			return err
		}
		if err != nil {
			is.API, is.Why = nil, err.Error()
		} else {
			is.API = append(is.API, changes...)
		}
		if err := to.Encode(answer{File: base, API: []string{}}); err != nil {
			return err
		}
		if err := to.Encode(is); err != nil {
			return err
		}
	}
	return names.Err()
}
