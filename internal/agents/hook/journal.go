package hook

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/atomicfile"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
	"github.com/rulecheck/rulecheck/internal/mask"
)

// Row is one line of a journal. Agent logs' reader of hooks reads it, so the names of its
// members are those of that format.
type Row struct {
	Event   string    `json:"event_type"`
	Name    string    `json:"event_name,omitempty"` // as the agent has it
	At      time.Time `json:"timestamp"`
	Session string    `json:"session_id"`
	Adapter string    `json:"adapter"`
	Cwd     string    `json:"cwd,omitempty"`
	Tool    string    `json:"tool_name,omitempty"`
	Input   *Input    `json:"tool_input,omitempty"`
	ID      string    `json:"tool_use_id,omitempty"`
	Error   string    `json:"error,omitempty"`
	AgentID string    `json:"agent_id,omitempty"` // of a subagent

	Server     string `json:"mcp_server,omitempty"`
	ServerTool string `json:"mcp_tool,omitempty"`
	Prompt     string `json:"prompt_sha256,omitempty"`

	Status fact.Status `json:"status,omitempty"`    // of a call that ended
	Exit   *int        `json:"exit_code,omitempty"` // of a command; nil: unknown

	Verdict  Verdict  `json:"decision,omitempty"`
	Rule     string   `json:"rule,omitempty"`
	Promised []string `json:"promised,omitempty"` // the ids of rules that a stop was allowed for
	Reason   string   `json:"reason_sha256,omitempty"`
	Fault    string   `json:"fault,omitempty"`    // why the event could not be checked
	Observed bool     `json:"observed,omitempty"` // the decision was recorded only
	Version  string   `json:"rulecheck,omitempty"`
	Program  string   `json:"program,omitempty"` // the path of rulecheck
	Key      string   `json:"key,omitempty"`     // equal for two deliveries of one event
	Calls    int      `json:"calls"`             // the tool calls of the session so far
	Base     *Base    `json:"base,omitempty"`    // of the session's prompts; nil: none was captured
	// Firing has the digests of the violations of session rules that the agent knows of.
	Firing []string `json:"firing,omitempty"`
	// Reported has the hashes of the findings that the agent read after an edit.
	Reported []string `json:"reported,omitempty"`
}

// Calls returns how many tool calls a session has had, by its last rows.
func Calls(rows []Row) int {
	if len(rows) == 0 {
		return 0
	}
	return rows[len(rows)-1].Calls
}

// BaseOf returns the base of a session's prompts from its last rows; nil before the first prompt.
func BaseOf(rows []Row) *Base {
	if len(rows) == 0 {
		return nil
	}
	return rows[len(rows)-1].Base
}

// Base is the state that the prompts of a session are compared with. It stays until a stop of
// the session has checked the work since: a prompt after an interruption, of another session
// or of a task in the background must not hide that work.
type Base struct {
	Snapshot string `json:"snapshot"`          // its id
	Turn     string `json:"turn,omitempty"`    // the agent's id of the prompt that it was captured at
	Checked  bool   `json:"checked,omitempty"` // a stop was allowed since
}

// Moves reports whether the base of a session moves with a prompt. A prompt without text, one
// with the id of the one before, and one that the agent wrote itself is not the user's.
func (b *Base) Moves(e Event) bool {
	return b == nil || b.Checked && e.Prompt != "" && !e.Notice && (e.Turn == "" || e.Turn != b.Turn)
}

// After returns the base after a decision on a stop: the next prompt moves it if the work
// before was checked, and the agent could stop. While tasks run in the background, the work
// goes on.
func (b *Base) After(d Decision, e Event, observed bool) *Base {
	if b == nil || d.Verdict == Block && !observed || e.Background > 0 {
		return b
	}
	checked := *b
	checked.Checked = true
	return &checked
}

// Firing returns the violations that a session's agent knows of, by its last rows.
func Firing(rows []Row) []string {
	if len(rows) == 0 {
		return nil
	}
	return rows[len(rows)-1].Firing
}

// Reported returns the findings that a session's agent read after edits, by its last rows.
func Reported(rows []Row) []string {
	if len(rows) == 0 {
		return nil
	}
	return rows[len(rows)-1].Reported
}

// Input holds what is kept of a tool's input.
type Input struct {
	Command string   `json:"command,omitempty"`
	Paths   []string `json:"paths,omitempty"`
}

// FaultLate is the fault of an event that was not decided in time.
const FaultLate = "there was no decision in time"

// tailSize bounds how much of a journal is read for one event, however long the session is.
const tailSize = 32 << 10

// Journal is the journal of one session. Rows are only appended.
type Journal struct {
	dir, name string
	unlock    func()
}

// JournalDir returns the directory of the journals below a git directory.
func JournalDir(gitDir string) string { return filepath.Join(gitDir, "rulecheck", "journal") }

// Open returns the journal of a session, locked until [Journal.Close].
func Open(ctx context.Context, gitDir, agent, session string) (*Journal, error) {
	j := &Journal{dir: JournalDir(gitDir), name: FileName(agent, session)}
	if err := os.MkdirAll(j.dir, 0o700); err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	var err error
	if j.unlock, err = atomicfile.Lock(ctx, filepath.Join(j.dir, strings.TrimSuffix(j.name, ext)+".lock")); err != nil {
		return nil, fmt.Errorf("lock the journal: %w", err)
	}
	return j, nil
}

// Close unlocks the journal.
func (j *Journal) Close() { j.unlock() }

const ext = ".ndjson"

var plainID = lazyregexp.New(`^[0-9A-Za-z][0-9A-Za-z_-]*$`)

// maxID is the maximum length of an id in a file name.
const maxID = 100

func isPlainID(id string) bool { return len(id) <= maxID && plainID().MatchString(id) }

// FileName returns the name of a session's journal. An id that is not made of letters,
// digits, _ and - is replaced by its hash, because ids come from outside.
func FileName(agent, session string) string {
	if !isPlainID(agent) {
		agent = "x" + Digest(agent)[:16]
	}
	if !isPlainID(session) {
		session = "sha256-" + Digest(session)
	}
	return agent + "-" + session + ext
}

// The longest texts of a row, in bytes: the end of a journal always has whole rows, however
// long what an agent writes is.
const (
	maxCommand = 2 << 10
	maxText    = 512
	maxPaths   = 20
)

// bounded returns a row with the beginnings of long texts. A digest of the rest keeps
// different commands different.
func (r Row) bounded() Row {
	for _, text := range []*string{&r.Name, &r.Session, &r.Cwd, &r.Tool, &r.ID, &r.AgentID, &r.Server, &r.ServerTool, &r.Rule, &r.Fault, &r.Program} {
		*text = cut(*text, maxText)
	}
	r.Promised = r.Promised[:min(len(r.Promised), maxPaths)]
	r.Fault = mask.Secrets(r.Fault)
	if r.Input != nil {
		in := r.Input.Bounded()
		r.Input = &in
	}
	return r
}

// Bounded returns an input as a journal has it.
func (in Input) Bounded() Input {
	out := Input{Command: cut(mask.Secrets(in.Command), maxCommand)}
	for _, path := range in.Paths[:min(len(in.Paths), maxPaths)] {
		out.Paths = append(out.Paths, cut(mask.Secrets(path), maxText))
	}
	return out
}

// cut returns the beginning of a long text with a digest of the rest.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "") + fmt.Sprintf("… %d bytes cut, %s", len(text)-limit, Digest(text[limit:])[:16])
}

// Append adds a row.
func (j *Journal) Append(row Row) (err error) {
	line, err := json.Marshal(row.bounded())
	if err != nil {
		return err
	}
	file, err := j.open(os.O_RDWR | os.O_APPEND | os.O_CREATE)
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if torn(file) {
		line = append([]byte{'\n'}, line...)
	}
	_, err = file.Write(append(line, '\n'))
	return err
}

// open opens the journal, and nothing but a regular file in its directory.
func (j *Journal) open(flags int) (*os.File, error) {
	root, err := os.OpenRoot(j.dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if info, err := root.Lstat(j.name); err == nil && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: filepath.Join(j.dir, j.name), Err: errors.New("not a regular file")}
	}
	return root.OpenFile(j.name, flags, 0o600)
}

// torn reports whether a file ends within a line.
func torn(file *os.File) bool {
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil || size == 0 {
		return false
	}
	last := make([]byte, 1)
	_, err = file.ReadAt(last, size-1)
	return err == nil && last[0] != '\n'
}

// Tail returns the last rows, oldest first. Lines that are not rows are left out.
func (j *Journal) Tail() ([]Row, error) {
	return j.tail(func(Row) bool { return false })
}

// Since returns the rows that may be about an event at the time start, oldest first, and
// the last row before them.
func (j *Journal) Since(start time.Time) ([]Row, error) {
	return j.tail(func(r Row) bool { return r.At.Sub(start).Abs() > together })
}

// tail reads rows from the end until one is enough.
func (j *Journal) tail(enough func(Row) bool) ([]Row, error) {
	file, err := j.open(os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	text, err := lastPart(file, size, min(tailSize, size))
	if err != nil {
		return nil, err
	}
	var rows []Row
	for _, line := range slices.Backward(bytes.Split(text, []byte{'\n'})) {
		var row Row
		if json.Unmarshal(line, &row) != nil || row.Event == "" {
			continue
		}
		rows = append(rows, row)
		if enough(row) {
			break
		}
	}
	slices.Reverse(rows)
	return rows, nil
}

// Digest returns the SHA-256 of a text in hexadecimal digits.
func Digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
