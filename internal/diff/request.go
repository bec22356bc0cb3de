package diff

// The ids of bases.
const (
	MergeBase  = "base"        // merge base of head and the default branch
	DefaultTip = "default_tip" // tip of the default branch
	Since      = "since"       // merge base of head and a ref
	From       = "from"        // a ref itself
	Prompt     = "prompt"      // the state when the last prompt was submitted
	Upstream   = "upstream"    // tip of the branch that the one of head follows, else of the default branch
	Target     = "target"      // tip of the branch that the change is for, whose rules and settings count
)

// BaseRequest selects a base for a head.
type BaseRequest struct {
	ID            string // one of the ids above
	Ref           string // of Since and From; of Target, the branch or empty
	Head          Head
	DefaultBranch string // as configured; empty: searched for
	Snapshot      string // of Prompt: the id of the snapshot to compare with; empty: the newest
	CI            *CI    // of a run on GitHub; nil elsewhere
	Foreign       bool   // the change is untrusted: the remote of its branch has no say
}
