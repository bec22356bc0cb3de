package profile

import (
	"path/filepath"

	"github.com/rulecheck/rulecheck/internal/fact"
)

var crush = Profile{
	Name:  "crush",
	Title: "Crush",
	Sources: []Source{
		{OfLogs, "https://github.com/charmbracelet/crush/tree/main/internal/db/migrations", "databases of Crush of 8/2025 and Crush 0.90"},
		{OfTools, "https://github.com/charmbracelet/crush/tree/main/internal/agent/tools", "Crush 0.90"},
	},
	Logs: func(_ Machine, root string) []Place {
		return []Place{{Path: filepath.Join(root, ".crush", "crush.db"), Own: true}}
	},
	Tools: map[fact.Kind]string{
		fact.Command:  "bash",
		fact.FileEdit: "edit multiedit write touch download lsp_replace_symbol lsp_rename",
		fact.Read:     "view",
		fact.Other: `agent agentic_fetch crush_info crush_logs diagnostics fetch glob grep job_kill job_output list_mcp_resources ls
			lsp_call_hierarchy lsp_definition lsp_diagnostics lsp_references lsp_restart lsp_symbols question read_mcp_resource sourcegraph
			todos web_fetch web_search`,
	},
	Subagents: "agent agentic_fetch",
	Variables: "CRUSH",
}
