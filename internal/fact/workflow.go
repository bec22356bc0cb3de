package fact

// Workflow is the run of a workflow that is open while an agent works.
type Workflow struct {
	Name  string `json:"name"`  // empty: none is open
	Phase string `json:"phase"` // that the run is in
	// Later are the documents of phases that the run has not reached, by their paths.
	Later []string `json:"later"`
}
