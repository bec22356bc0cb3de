package diff

// The ids of bases.
const (
	MergeBase  = "base"        // merge base of head and the default branch
	DefaultTip = "default_tip" // tip of the default branch
	Since      = "since"       // merge base of head and a ref
	From       = "from"        // a ref itself
	Prompt     = "prompt"      // the state when the last prompt was submitted
)

// BaseRequest selects a base for a head.
type BaseRequest struct {
	ID            string // one of the ids above
	Ref           string // of Since and From
	Head          Head
	DefaultBranch string // as configured; empty: searched for
	CI            *CI    // of a run on GitHub; nil elsewhere
}

// CI describes the event that started a run on GitHub. It decides the bases MergeBase and
// Prompt. Nothing is fetched: a commit that a shallow clone lacks is a *NoVerdictError with
// the command that fetches it.
type CI struct {
	Event         string // pull_request, push, merge_group, workflow_dispatch, …
	BaseRef       string // of a pull request: its target branch
	HeadSHA       string // of a pull request: the tip of its branch
	Before        string // of a push: the previous commit of the ref; zeros if the ref is new
	BaseSHA       string // of a merge group: the commit it was built on
	DefaultBranch string // of the repository on GitHub; used if none is configured
}
