// The project of the working day: Tau's own source as it was at one commit, so that the day is the
// same whatever becomes of the code, with the kinds of file beside it that cost tokens in real
// life: a log, a bundle in one line, data.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const COMMIT = "8e106d0";
const PARTS = ["packages/agent", "packages/hashline", "packages/ai/src", "docs", "package.json"];

export function makeProject(root: string, directory: string): void {
  mkdirSync(directory, { recursive: true });
  const archive = Bun.spawnSync(["git", "archive", COMMIT, ...PARTS], { cwd: root });
  if (!archive.success) {
    throw new Error(`the working day needs commit ${COMMIT}: fetch the whole history first`);
  }
  const unpack = Bun.spawnSync(["tar", "-x"], { cwd: directory, stdin: archive.stdout });
  if (!unpack.success) throw new Error("the project could not be unpacked");
  writeFileSync(join(directory, "server.log"), logText());
  writeFileSync(join(directory, "bundle.min.js"), bundleText());
  writeFileSync(join(directory, "orders.csv"), ordersText());
  writeFileSync(join(directory, "suite.sh"), SUITE);
  for (const line of [
    "init -q -b main",
    "config user.name Ada",
    "config user.email ada@example.org",
    "add -A",
    "commit -qm Begin",
  ]) {
    const env = { ...process.env, GIT_AUTHOR_DATE: MORNING, GIT_COMMITTER_DATE: MORNING };
    Bun.spawnSync(["git", ...line.split(" ")], { cwd: directory, env });
  }
}

const MORNING = "2026-01-05T09:00:00Z";

function logText(): string {
  const rows: string[] = [];
  for (let at = 0; at < 6000; at++) {
    const level = at % 997 === 500 ? "ERROR" : at % 41 === 0 ? "WARN" : "INFO";
    rows.push(
      `2026-01-05T09:${pad(at / 100)}:${pad(at % 60)}Z ${level} request ${at} took ${at % 89} ms`,
    );
  }
  return `${rows.join("\n")}\n`;
}

function pad(value: number): string {
  return String(Math.floor(value) % 60).padStart(2, "0");
}

function bundleText(): string {
  const parts = Array.from(
    { length: 900 },
    (_, at) => `function f${at}(a,b){return a*${at}+b.length-${at % 7}}`,
  );
  return `"use strict";${parts.join(";")};\n`;
}

function ordersText(): string {
  const rows = Array.from(
    { length: 3000 },
    (_, at) => `${at},customer-${at % 211},${(at * 37) % 1000},${at % 13 === 0 ? "open" : "paid"}`,
  );
  return `id,customer,amount,state\n${rows.join("\n")}\n`;
}

/** A test runner that says much: most of it passes, something in the middle fails. */
const SUITE = `#!/bin/bash
for i in $(seq 1 2500); do
  if [ "$i" = 1234 ]; then echo "not ok $i - totals of case $i differ: expected 41, got 42"
  else echo "ok $i - case $i of the suite passes in $((i % 7)) ms"; fi
done
echo "2499 passed, 1 failed"
[ "$1" = quiet ] || exit 1
`;
