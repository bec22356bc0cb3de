// Runs rulecheck in OpenCode: before and after each tool call, for each prompt, and when a
// session is idle. A denial throws; a refused stop is sent as a new prompt, at most CAP times
// in a row. If the command is missing, slow or broken, the call proceeds, and the log has the error.
import { spawn } from "node:child_process"

const COMMAND = ["rulecheck", "hook", "opencode"]
const LIMIT = 10_000
const CAP = 8

function ask(cwd, payload) {
  return new Promise((done) => {
    let out = "", err = "", child, over = false
    const open = (why) => {
      if (!over) console.error("rulecheck: " + why)
      over = true
      done({})
    }
    try {
      child = spawn(COMMAND[0], COMMAND.slice(1), { cwd, timeout: LIMIT })
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
      try {
        done(JSON.parse(out.trim() || "{}"))
      } catch {
        open("the answer is not JSON")
      }
    })
    child.stdin.end(JSON.stringify(payload))
  })
}

// answer returns the text of the last answer, in which promises are.
async function answer(client, id) {
  try {
    const { data } = await client.session.messages({ path: { id } })
    const last = data.findLast((m) => m.info.role === "assistant")
    return last.parts.filter((p) => p.type === "text").map((p) => p.text).join("\n")
  } catch {
    return undefined
  }
}

export const Rulecheck = async ({ client, directory, worktree }) => {
  const refused = new Map(), parents = new Map()
  const event = (name, id) => ({ hook_event_name: name, session_id: id, cwd: directory, worktree, parent_id: parents.get(id) })
  return {
    "chat.message": async (input, output) => {
      const prompt = output.parts.filter((p) => p.type === "text").map((p) => p.text).join("\n")
      await ask(directory, { ...event("chat.message", input.sessionID), prompt })
    },
    "tool.execute.before": async (input, output) => {
      refused.delete(input.sessionID)
      const a = await ask(directory, {
        ...event("tool.execute.before", input.sessionID), tool_name: input.tool, tool_input: output.args, tool_use_id: input.callID,
      })
      if (a.decision === "deny" || a.decision === "block") throw new Error(a.reason || "denied by rulecheck")
    },
    "tool.execute.after": async (input, output) => {
      const a = await ask(directory, {
        ...event("tool.execute.after", input.sessionID), tool_name: input.tool, tool_input: input.args, tool_use_id: input.callID,
      })
      if (!a.context) return
      if (typeof output.output === "string") output.output += "\n" + a.context
      else output.content?.push({ type: "text", text: a.context })
    },
    event: async ({ event: e }) => {
      if (e.type === "session.created") parents.set(e.properties.info.id, e.properties.info.parentID)
      if (e.type !== "session.idle") return
      const id = e.properties.sessionID, n = refused.get(id) ?? 0
      const a = await ask(directory, { ...event("session.idle", id), stop_hook_active: n > 0, last_assistant_message: await answer(client, id) })
      if (a.decision !== "block" && a.decision !== "deny") return
      if (n >= CAP) return console.error(`rulecheck: gave up after ${n} refusals: ${a.reason}`)
      refused.set(id, n + 1)
      await client.session.prompt({ path: { id }, body: { parts: [{ type: "text", text: a.reason }] } })
    },
  }
}
