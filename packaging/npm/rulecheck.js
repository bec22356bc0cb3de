#!/usr/bin/env node
// Runs the program of the package for this platform, which npm installs as an optional
// dependency.
"use strict";

const { spawnSync } = require("node:child_process");

const platform = `@rulecheck/${process.platform}-${process.arch}`;
const program = process.platform === "win32" ? "rulecheck.exe" : "rulecheck";

let path;
try {
  path = require.resolve(`${platform}/bin/${program}`);
} catch {
  console.error(
    `rulecheck: the package ${platform} is not installed; install rulecheck again without --omit=optional, ` +
      "or build it from source if there is none for this platform",
  );
  process.exit(3);
}
const { status, signal, error } = spawnSync(path, process.argv.slice(2), { stdio: "inherit" });
if (error) {
  console.error(`rulecheck: ${path}: ${error.message}`);
  process.exit(3);
}
if (signal) {
  process.kill(process.pid, signal);
}
process.exit(status ?? 3);
