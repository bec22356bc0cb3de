// Runs rulecheck in OpenCode: before and after each tool call, for each prompt, and when a
// session is idle. A denial throws; a refused stop is sent as a new prompt, at most CAP times
// in a row. If the command is missing, slow or broken, the call proceeds, and the log has the error.
// At a stop, commands of rules may run for minutes.
import { spawn } from "node:child_process"

const COMMAND = ["rulecheck", "hook", "opencode"]
const LIMIT = 10_000, STOP_LIMIT = 600_000
const CAP = 8

// run passes a payload to the command, and returns its answer. report gets what the user
// should know.
function run(cwd, payload, timeout, report) {
  return new Promise((done) => {
    let out = "", err = "", child, over = false
    const open = (why) => {
      if (!over) report("error", why)
      over = true
      done({})
    }
    try {
      child = spawn(COMMAND[0], COMMAND.slice(1), { cwd, timeout })
    } catch (e) {
      return open(e.message)
    }
    child.on("error", (e) => open(e.message))
    child.stdin.on("error", () => {})
    child.stdout.on("data", (d) => (out += d))
    child.stderr.on("data", (d) => (err += d))
    child.on("close", (code, signal) => {
      if (code === 2) return done({ decision: "deny", reason: err.trim() })
      if (code !== 0) return open(signal ?? `exit ${code}: ${err.trim()}`)
      if (err.trim()) report("warn", err.trim().replace(/^rulecheck: /, ""))
      try {
        done(JSON.parse(out.trim() || "{}"))
      } catch {
        open("the answer is not JSON")
      }
    })
    child.stdin.end(JSON.stringify(payload))
  })
}

// answer returns the text of the last answer, in which promises are, and whether the user
// interrupted it.
async function answer(client, id) {
  try {
    const { data } = await client.session.messages({ path: { id } })
    const last = data.findLast((m) => m.info.role === "assistant")
    const text = last.parts.filter((p) => p.type === "text").map((p) => p.text).join("\n")
    return { text, interrupted: !last.info.time.completed || last.info.error?.name === "MessageAbortedError" }
  } catch {
    return {}
  }
}

// plain is how OpenCode writes the names of MCP servers and their tools.
const plain = (name) => name.replace(/[^a-zA-Z0-9_-]/g, "_")

export const Rulecheck = async ({ client, directory, worktree }) => {
  const refused = new Map(), parents = new Map(), greeted = new Set()
  let servers = []

  // report writes to OpenCode's log, and shows warnings, such as findings that stay open.
  function report(level, message) {
    const body = { service: "rulecheck", level, message: "rulecheck: " + message }
    client.app.log({ body }).catch(() => console.error(body.message))
    if (level === "warn") client.tui.showToast({ body: { title: "rulecheck", message, variant: "warning" } }).catch(() => {})
  }

  const ask = (cwd, payload, timeout = LIMIT) => run(cwd, payload, timeout, report)

  // event returns what all payloads have. The parent of a session that is older than this
  // plugin is looked up.
  async function event(name, id) {
    if (!parents.has(id)) {
      const { data } = await client.session.get({ path: { id } }).catch(() => ({}))
      if (data) parents.set(id, data.parentID)
    }
    return { hook_event_name: name, session_id: id, cwd: directory, worktree, parent_id: parents.get(id) }
  }

  // mcp returns the server and the tool in a name such as server_tool. Servers may be added
  // at any time.
  async function mcp(name) {
    const of = () => servers.filter((s) => name.startsWith(plain(s) + "_")).sort((a, b) => b.length - a.length)[0]
    if (name.includes("_") && !of()) {
      const { data } = await client.mcp.status().catch(() => ({}))
      servers = Object.keys(data ?? {})
    }
    const server = of()
    return server && { server_name: server, tool_name: name.slice(plain(server).length + 1) }
  }

  return {
    "chat.message": async (input, output) => {
      const id = input.sessionID, contexts = []
      if (!greeted.has(id)) {
        greeted.add(id)
        contexts.push((await ask(directory, await event("session.created", id))).context)
      }
      const prompt = output.parts.filter((p) => p.type === "text").map((p) => p.text).join("\n")
      contexts.push((await ask(directory, { ...(await event("chat.message", id)), prompt })).context)
      for (const [i, text] of contexts.entries()) {
        const part = { ...output.parts[0], id: "prt_zzzz" + Date.now() + i, type: "text", text, synthetic: true }
        if (text && output.parts.length > 0) output.parts.push(part)
      }
    },
    "tool.execute.before": async (input, output) => {
      refused.delete(input.sessionID)
      const a = await ask(directory, {
        ...(await event("tool.execute.before", input.sessionID)), mcp_context: await mcp(input.tool),
        tool_name: input.tool, tool_input: output.args, tool_use_id: input.callID,
      })
      if (a.decision === "deny" || a.decision === "block") throw new Error(a.reason || "denied by rulecheck")
    },
    "tool.execute.after": async (input, output) => {
      const a = await ask(directory, {
        ...(await event("tool.execute.after", input.sessionID)), mcp_context: await mcp(input.tool),
        tool_name: input.tool, tool_input: input.args, tool_use_id: input.callID, exit: output.metadata?.exit,
      })
      if (!a.context) return
      if (typeof output.output === "string") output.output += "\n" + a.context
      else output.content?.push({ type: "text", text: a.context })
    },
    event: async ({ event: e }) => {
      if (e.type === "session.created") parents.set(e.properties.info.id, e.properties.info.parentID)
      if (e.type !== "session.idle") return
      const id = e.properties.sessionID, n = refused.get(id) ?? 0
      const { text, interrupted } = await answer(client, id)
      if (interrupted) return // the stop of the next turn sees the work of this one
      const stop = { ...(await event("session.idle", id)), stop_hook_active: n > 0, last_assistant_message: text }
      const a = await ask(directory, stop, STOP_LIMIT)
      if (a.decision !== "block" && a.decision !== "deny") return
      if (n >= CAP) return report("warn", `gave up after ${n} refusals: ${a.reason}`)
      refused.set(id, n + 1)
      await client.session.prompt({ path: { id }, body: { parts: [{ type: "text", text: a.reason }] } })
    },
  }
}
