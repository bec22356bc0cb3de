package profile

// sweAgent has no hooks. Unless a variable names a directory, it writes trajectories next to its own source, wherever
// that is.
var sweAgent = Profile{
	Name:  "swe-agent",
	Title: "SWE-agent",
	Sources: []Source{
		{OfLogs, "https://github.com/SWE-agent/SWE-agent/blob/main/sweagent/__init__.py", "SWE-agent 1.1.0"},
	},
	Logs: func(m Machine, _ string) []Place {
		if dir := m.Getenv("SWE_AGENT_TRAJECTORY_DIR"); dir != "" {
			return []Place{{Path: dir}}
		}
		return nil
	},
}
