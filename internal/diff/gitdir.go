package diff

// GitDir is the git directory of the working tree that an engine reads; empty
// for an engine that is none of this package's.
func GitDir(e Engine) string {
	switch e := e.(type) {
	case *Program:
		return e.repo.GitDir
	case *embedded:
		return e.here.GitDir
	default:
		return ""
	}
}
