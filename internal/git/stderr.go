package git

import (
	"bytes"
	"errors"
	"path"
	"slices"
	"strings"
)

// Git skips files and directories that it cannot read, prints why, and exits with 0: its answer
// is then not whole. What it prints as an error, and every line that ends with the text of a
// failed system call, is such a skip. Other warnings are about a whole answer, such as one that
// line ends will be converted, and so are hints and what filters print.

// systemErrors are the texts of failed system calls with several C libraries. Those of files
// that do not exist are missing: git takes such files for deleted, and so do its callers.
var systemErrors = []string{
	permissionDenied, "Operation not permitted",
	"Input/output error", "I/O error",
	tooManyLinks, "Symbolic link loop", "Too many symbolic links encountered",
	"File name too long", "Filename too long",
	"Cannot allocate memory", "Out of memory", "Not enough space",
	"Too many open files", "Too many open files in system", "No file descriptors available",
	"Stale file handle", "Stale NFS file handle",
	"Device or resource busy", "Resource busy", "No such device", "No such device or address",
	"Value too large for defined data type", "Value too large for data type", "Value too large to be stored in data type",
	"Resource temporarily unavailable", "Structure needs cleaning", "Transport endpoint is not connected",
}

const (
	permissionDenied = "Permission denied"
	tooManyLinks     = "Too many levels of symbolic links"
)

// skips returns the lines of standard error about what git did not read. If it failed, errors
// are the reason for that, and not about a part of the answer.
func skips(stderr []byte, failed bool) []string {
	var list []string
	for line := range bytes.Lines(stderr) {
		text := strings.TrimSpace(string(line))
		isError := strings.HasPrefix(text, "error: ") || strings.HasPrefix(text, "fatal: ")
		if isError && !failed && !isMissing(text) || !isError && endsWithSystemError(text) && !ownSettings(text) {
			list = append(list, text)
		}
	}
	return list
}

// isMissing reports whether an error is about a file that does not exist: git grep prints one for a
// file in the place of a directory.
func isMissing(line string) bool {
	return strings.HasPrefix(line, "error: failed to stat '") && (strings.HasSuffix(line, ": Not a directory") || strings.HasSuffix(line, ": No such file or directory"))
}

func endsWithSystemError(line string) bool {
	at := strings.LastIndex(line, ": ")
	return at >= 0 && slices.Contains(systemErrors, line[at+2:])
}

// ownSettings reports whether a line is about a file of git's own settings that git does
// without: it follows no symlink to a .gitignore or .gitattributes, and the user need not have
// any outside of the repository.
func ownSettings(line string) bool {
	_, rest, ok := strings.Cut(line, "unable to access '")
	name, reason, quoted := strings.Cut(rest, "': ")
	switch {
	case !ok || !quoted:
		return false
	case reason == tooManyLinks || reason == "Symbolic link loop" || reason == "Too many symbolic links encountered":
		return true
	}
	return path.IsAbs(name) && path.Base(path.Dir(name)) != "info"
}

// errIncomplete is the error of a git that skipped a part of what it was asked for.
var errIncomplete = errors.New("the answer is not whole")

// Incomplete returns the error of a git that skipped something, from its standard error, or nil. It
// is for callers to which a failure is an answer.
func Incomplete(args []string, stderr []byte) error {
	if e := incomplete(args, stderr, false); e != nil {
		return e
	}
	return nil
}

// incomplete returns the error of a process that skipped something, or nil.
func incomplete(args []string, stderr []byte, failed bool) *Error {
	if len(stderr) == 0 {
		return nil
	}
	lines := skips(stderr, failed)
	if len(lines) == 0 {
		return nil
	}
	e := &Error{Args: args, Status: -1, Stderr: strings.Join(lines, "\n"), Err: errIncomplete}
	if strings.HasSuffix(lines[0], permissionDenied) {
		e.Next = "make it readable, or run rulecheck as a user who can read it"
	}
	return e
}
