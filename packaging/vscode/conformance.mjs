// Speaks with "rulecheck lsp" by the client library of VS Code, and checks its answers.
// Usage: node conformance.mjs PATH-OF-RULECHECK REPOSITORY
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import protocol from "vscode-languageserver-protocol/node.js";

const [program, root] = process.argv.slice(2);
const uri = (path) => pathToFileURL(join(root, path)).href;
const server = spawn(program, ["lsp"], { cwd: root, stdio: ["pipe", "pipe", "inherit"] });
const ended = new Promise((resolve) => server.on("exit", (code) => resolve(code)));
const connection = protocol.createProtocolConnection(
  new protocol.StreamMessageReader(server.stdout),
  new protocol.StreamMessageWriter(server.stdin),
);

const diagnostics = new Map();
let wake = () => {};
connection.onNotification(protocol.PublishDiagnosticsNotification.type, (p) => {
  diagnostics.set(p.uri, p.diagnostics);
  wake();
});
connection.onRequest(protocol.CodeLensRefreshRequest.type, () => wake());
connection.onRequest(protocol.RegistrationRequest.type, () => {});
const shown = [];
connection.onRequest(protocol.ShowDocumentRequest.type, (p) => {
  shown.push(p.uri);
  wake();
  return { success: true };
});
connection.listen();

// until waits until a condition holds after a message of the server.
async function until(what, condition) {
  const end = setTimeout(() => {
    console.error(`no ${what}`, Object.fromEntries(diagnostics));
    process.exit(1);
  }, 60_000);
  while (!(await condition())) await new Promise((resolve) => (wake = resolve));
  clearTimeout(end);
  console.log(`ok: ${what}`);
}
const has = (path, text) => diagnostics.get(uri(path))?.some((d) => d.message.includes(text));

// open opens a document and returns a function that edits it.
async function open(path) {
  const textDocument = { uri: uri(path), languageId: "plaintext", version: 1, text: readFileSync(join(root, path), "utf8") };
  await connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, { textDocument });
  return (line, character, text, endCharacter = character) =>
    connection.sendNotification(protocol.DidChangeTextDocumentNotification.type, {
      textDocument: { uri: uri(path), version: ++textDocument.version },
      contentChanges: [{ range: { start: { line, character }, end: { line, character: endCharacter } }, text }],
    });
}
const at = (path, line, character) => ({ textDocument: { uri: uri(path) }, position: { line, character } });
const save = async (path, text) => {
  writeFileSync(join(root, path), text);
  await connection.sendNotification(protocol.DidSaveTextDocumentNotification.type, { textDocument: { uri: uri(path) } });
};
const run = (command, ...args) => connection.sendRequest(protocol.ExecuteCommandRequest.type, { command, arguments: args });

const { capabilities, serverInfo } = await connection.sendRequest(protocol.InitializeRequest.type, {
  processId: process.pid,
  rootUri: null,
  workspaceFolders: [{ uri: pathToFileURL(root).href, name: "repo" }],
  capabilities: {
    workspace: {
      codeLens: { refreshSupport: true },
      didChangeWatchedFiles: { dynamicRegistration: true },
      workspaceEdit: { documentChanges: true, resourceOperations: ["create"] },
    },
    window: { showDocument: { support: true } },
  },
});
assert.equal(serverInfo.name, "rulecheck");
assert.equal(capabilities.textDocumentSync.change, protocol.TextDocumentSyncKind.Incremental);
console.log("ok: initialize");
await connection.sendNotification(protocol.InitializedNotification.type, {});

const source = "src/a.py";
const editSource = await open(source);
await editSource(1, 0, "y = 2\n");
await until("findings while typing", () => has(source, "changed without tests/a_test.py"));
await save(source, "x = 1\ny = 2\n");
await run("rulecheck.check");
assert.ok(has(source, "changed without tests/a_test.py"));
console.log("ok: findings after a save");
const hover = await connection.sendRequest(protocol.HoverRequest.type, at(source, 1, 0));
assert.match(hover.contents.value, /Change the test of `src\/a\.py`/);
console.log("ok: hover");
const actions = await connection.sendRequest(protocol.CodeActionRequest.type, {
  textDocument: { uri: uri(source) },
  range: { start: { line: 1, character: 0 }, end: { line: 1, character: 0 } },
  context: { diagnostics: [] },
});
const titles = actions.map((a) => a.title);
assert.deepEqual(titles, ["Create tests/a_test.py", "Run sed -i s/y/z/ {file} on this file (format)"]);
assert.deepEqual(actions[0].edit.documentChanges, [{ kind: "create", uri: uri("tests/a_test.py") }]);
console.log("ok: actions");
await editSource(2, 0, "w = 3\n");
await assert.rejects(run(actions[1].command.command, ...actions[1].command.arguments), /has text that is not saved/);
await save(source, "x = 1\ny = 2\nw = 3\n");
await run(actions[1].command.command, ...actions[1].command.arguments);
assert.equal(readFileSync(join(root, source), "utf8"), "x = 1\nz = 2\nw = 3\n");
console.log("ok: a command that is run");

const rule = ".rulecheck/rules/source-test.md";
const editRule = await open(rule);
const lenses = () => connection.sendRequest(protocol.CodeLensRequest.type, { textDocument: { uri: uri(rule) } });
let lens;
await until("a lens about the past", async () => (lens = await lenses()).some((l) => l.command.title === "fired in 1 of 2 commits"));
assert.ok(lens.some((l) => l.command.title === "pair.trigger: matches 2 files"));
const link = lens.find((l) => l.command.command === "rulecheck.open");
assert.match(link.command.title, /^[0-9a-f]{7,} .* Change a source alone$/);
await run(link.command.command, ...link.command.arguments);
await until("the page of a commit", () => shown.some((s) => s.startsWith("https://github.com/example/demo/commit/")));
await editRule(4, 0, "level: \n");
const items = await connection.sendRequest(protocol.CompletionRequest.type, at(rule, 4, 7));
assert.deepEqual(items.map((i) => i.label), ["error", "warning", "note"]);
console.log("ok: completion");
await editRule(4, 7, "hgih");
await until("an error in a rule", () => has(rule, '"level" is "hgih"'));
await editRule(4, 0, "", 11);
const renamed = await connection.sendRequest(protocol.RenameRequest.type, { ...at(rule, 2, 17), newName: "name" });
assert.equal(renamed.documentChanges[0].edits.length, 2);
assert.ok(renamed.documentChanges[0].edits.every((e) => e.newText === "**name"));
console.log("ok: rename");
const cancel = new protocol.CancellationTokenSource();
const cancelled = connection.sendRequest(protocol.CodeLensRequest.type, { textDocument: { uri: uri(rule) } }, cancel.token);
cancel.cancel();
await cancelled.catch((e) => assert.equal(e.code, protocol.LSPErrorCodes.RequestCancelled)); // or it was answered already
console.log("ok: cancel");
await connection.sendRequest(protocol.ShutdownRequest.type);
await connection.sendNotification(protocol.ExitNotification.type);
assert.equal(await ended, 0);
console.log("ok: shutdown");
connection.dispose();
