package fact

// ShellLine describes what a shell line does. Its JSON form is part of the fact `command`.
type ShellLine struct {
	Text     string         `json:"line"`
	Parsed   bool           `json:"parsed"`   // whether the shell's grammar accepts the whole line
	Commands []ShellCommand `json:"commands"` // simple commands, in the order of reading
	Writes   []ShellWrite   `json:"writes"`
	Opaque   []OpaquePart   `json:"opaque"`

	// Root is the root of the repository, absolute.
	Root string `json:"-"`
}

// ShellCommand is one simple command. Unknown parts of words are shown as "…".
type ShellCommand struct {
	Name       string            `json:"name"`       // of the program, without a directory
	Subcommand string            `json:"subcommand"` // of programs that have them, such as git
	Argv       []string          `json:"argv"`
	Options    []string          `json:"options"`  // of known programs, by their long names: --force, --message=x
	Operands   []string          `json:"operands"` // of known programs
	Text       string            `json:"text"`     // as written, without quotes that are not needed
	Normal     string            `json:"normal"`   // options by long names first, then "--" and the operands
	Dir        string            `json:"dir"`      // where it runs
	Env        map[string]string `json:"env"`      // that the line sets for it
	Config     map[string]string `json:"config"`   // of git, that the line sets for it
	Via        []string          `json:"via"`      // what runs it: sudo, bash, xargs, …

	// Texts are Text and Normal with marks for their unknown parts, which bash searches.
	Texts []string `json:"-"`
	// Within are the texts with the programs before them that run commands of an environment: uv run, npm exec.
	Within []string `json:"-"`
}

// ShellWrite is a file, or several, that a line creates, changes, removes or moves.
type ShellWrite struct {
	Path      string `json:"path"`      // relative to the root of the repository, or absolute; with wildcards or "…"
	Place     string `json:"place"`     // one of the Place constants
	By        string `json:"by"`        // the program, or "redirection"
	Deletes   bool   `json:"deletes"`   // removed or moved away
	Recursive bool   `json:"recursive"` // with everything below it

	// Absolute is the path with marks for its unknown parts. Whole: everything below it is
	// written, too.
	Absolute string `json:"-"`
	Whole    bool   `json:"-"`
	// Unsure: the path is one of any that may be written, or none.
	Unsure bool `json:"-"`
}

// The places of a written file.
const (
	PlaceInside  = "inside"  // below the root of the repository
	PlaceRoot    = "root"    // the root itself, or a directory above it
	PlaceGit     = "git"     // the git directory, or below it
	PlaceOutside = "outside" // anywhere else
	PlaceUnknown = "unknown" // not in the line
)

// OpaquePart is a part of a line that cannot be read.
type OpaquePart struct {
	Reason string `json:"reason"`
	Text   string `json:"text"` // the part, cut
	// Kind names the possible effect: OpaqueCommand or OpaquePath.
	Kind string `json:"kind"`
}

// The kinds of opaque parts.
const (
	OpaqueCommand = "command" // runs something unknown, which may do anything
	OpaquePath    = "path"    // writes a file whose name is unknown
)
