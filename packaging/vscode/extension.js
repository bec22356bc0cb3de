// Starts "rulecheck lsp" for the workspace, and ends it.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = () => {
  const command = workspace.getConfiguration("rulecheck").get("path");
  client = new LanguageClient("rulecheck", { command, args: ["lsp"] }, { documentSelector: [{ scheme: "file" }] });
  return client.start();
};

exports.deactivate = () => client?.stop();
