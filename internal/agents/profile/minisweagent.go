package profile

import "path/filepath"

// miniSWEAgent has no hooks, and writes trajectories of benchmarks to a path that its caller chooses.
var miniSWEAgent = Profile{
	Name:  "mini-swe-agent",
	Title: "mini-SWE-agent",
	Sources: []Source{
		{OfLogs, "https://github.com/SWE-agent/mini-swe-agent/blob/main/src/minisweagent/run/mini.py", "mini-SWE-agent 2.4.6"},
	},
	Logs: func(m Machine, _ string) []Place {
		dir := []string{".config", "mini-swe-agent"}
		switch m.OS {
		case "darwin":
			dir = []string{"Library", "Application Support", "mini-swe-agent"}
		case "windows":
			dir = []string{"AppData", "Local", "mini-swe-agent", "mini-swe-agent"}
		}
		return []Place{{Path: filepath.Join(m.Dir("MSWEA_GLOBAL_CONFIG_DIR", dir...), "last_mini_run.traj.json")}}
	},
}
