package lsp

import "encoding/json"

// The types of the protocol, version 3.17, as far as this server uses them:
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/
//
//nolint:tagliatelle // the protocol's names
type (
	position struct {
		Line      int `json:"line"`      // from 0
		Character int `json:"character"` // from 0, in UTF-16 code units
	}
	span struct {
		Start position `json:"start"`
		End   position `json:"end"`
	}
	location struct {
		URI   string `json:"uri"`
		Range span   `json:"range"`
	}

	diagnostic struct {
		Range    span        `json:"range"`
		Severity int         `json:"severity"`
		Code     string      `json:"code"`
		Link     *codeLink   `json:"codeDescription,omitempty"`
		Source   string      `json:"source"`
		Message  string      `json:"message"`
		Related  []relatedTo `json:"relatedInformation,omitempty"`
	}
	codeLink struct {
		Href string `json:"href"`
	}
	relatedTo struct {
		Location location `json:"location"`
		Message  string   `json:"message"`
	}
	published struct {
		URI         string       `json:"uri"`
		Diagnostics []diagnostic `json:"diagnostics"`
	}

	documentID struct {
		URI string `json:"uri"`
	}
	opened struct {
		Document struct {
			documentID
			Text string `json:"text"`
		} `json:"textDocument"`
	}
	edited struct {
		Document documentID `json:"textDocument"`
		Changes  []struct {
			Range *span  `json:"range"` // nil: the text is all of the document
			Text  string `json:"text"`
		} `json:"contentChanges"`
	}
	// about are the parameters of all requests about a document.
	about struct {
		Document documentID `json:"textDocument"`
		Position position   `json:"position"`
		Range    span       `json:"range"`
	}

	initialization struct {
		Folders []struct {
			URI string `json:"uri"`
		} `json:"workspaceFolders"`
		RootURI      string `json:"rootUri"`
		RootPath     string `json:"rootPath"`
		Capabilities struct {
			Workspace struct {
				Watched struct {
					Dynamic bool `json:"dynamicRegistration"`
				} `json:"didChangeWatchedFiles"`
				Edit struct {
					Operations []string `json:"resourceOperations"`
				} `json:"workspaceEdit"`
				Lens struct {
					Refresh bool `json:"refreshSupport"`
				} `json:"codeLens"`
			} `json:"workspace"`
			Window struct {
				Show struct {
					Support bool `json:"support"`
				} `json:"showDocument"`
			} `json:"window"`
		} `json:"capabilities"`
	}

	completion struct {
		Label  string   `json:"label"`
		Kind   int      `json:"kind"`
		Detail string   `json:"detail,omitempty"`
		Doc    *markup  `json:"documentation,omitempty"`
		Edit   textEdit `json:"textEdit"`
	}
	textEdit struct {
		Range span   `json:"range"`
		Text  string `json:"newText"`
	}
	markup struct {
		Kind  string `json:"kind"`
		Value string `json:"value"`
	}
	hover struct {
		Contents markup `json:"contents"`
	}

	command struct {
		Title string `json:"title"`
		Name  string `json:"command"`
		Args  []any  `json:"arguments,omitempty"`
	}
	lens struct {
		Range   span    `json:"range"`
		Command command `json:"command"`
	}
	action struct {
		Title       string       `json:"title"`
		Kind        string       `json:"kind"`
		Diagnostics []diagnostic `json:"diagnostics,omitempty"`
		Edit        *edit        `json:"edit,omitempty"`
		Command     *command     `json:"command,omitempty"`
	}
	edit struct {
		Changes []any `json:"documentChanges"` // each createFile or editFile
	}
	editFile struct {
		Document versioned  `json:"textDocument"`
		Edits    []textEdit `json:"edits"`
	}
	versioned struct {
		URI     string `json:"uri"`
		Version *int   `json:"version"` // null: any
	}
	renaming struct {
		Position position `json:"position"`
		Name     string   `json:"newName"`
	}
	// createFile has no option for a file that exists: Neovim creates none with it.
	createFile struct {
		Kind string `json:"kind"`
		URI  string `json:"uri"`
	}
	called struct {
		Name string            `json:"command"`
		Args []json.RawMessage `json:"arguments"`
	}
)

// The values of severity, of the kind of a completion and of the type of a message.
const (
	severityError   = 1
	severityWarning = 2
	severityNote    = 3

	completesFunction = 3
	completesProperty = 10
	completesValue    = 20

	messageInfo = 3
	messageLog  = 4
)
