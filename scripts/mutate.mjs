// Which lines could be deleted without a test noticing? Breaks the sources of a package one small
// way at a time (scripts/mutate/make-mutants.ts) in a copy of the tree, runs the package's own
// tests on each, and lists the survivors that compile: file, line, and what was done to it. Every survivor wants
// a test, or the line is not needed. Those that cannot be told from the original by any behaviour
// are in scripts/mutate/equivalent.json, each with its reason.
//
//   npm run mutate -- [FOLDER]        default: packages/agent/src
//     --file PATTERN                  only sources whose path matches
//     --again FILE                    only those that FILE, what an earlier run printed, lists
//     --sample N --seed S             only N of the mutants, drawn at random
//     --jobs N                        side by side, each in a copy of its own (default 1)
//     --timeout MS                    for one test file (default 20000)
//     --wide                          put survivors to the tests of the other packages too
//     --allow FILE                    instead of scripts/mutate/equivalent.json
//     --root DIRECTORY                another tree than this one
//
// Ends with 1 where anything survived, and with 2 where the tests fail without any mutant.
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { CopiedTree } from "./mutate/copied-tree.ts";
import { makeMutants } from "./mutate/make-mutants.ts";
import { compiles, isGreen, TestRun } from "./mutate/test-run.ts";

const DEFAULT_TIMEOUT_MS = 20_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    file: { type: "string" },
    again: { type: "string" },
    sample: { type: "string" },
    seed: { type: "string", default: "1" },
    jobs: { type: "string", default: "1" },
    timeout: { type: "string", default: `${DEFAULT_TIMEOUT_MS}` },
    wide: { type: "boolean", default: false },
    allow: { type: "string", default: join(import.meta.dirname, "mutate", "equivalent.json") },
    root: { type: "string", default: resolve(import.meta.dirname, "..") },
  },
});
const root = resolve(values.root);
const folder = positionals[0] ?? "packages/agent/src";
const stopped = new AbortController();
const limits = { timeoutMs: Number(values.timeout), signal: stopped.signal };
for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => stopped.abort());

const sources = filesUnder(folder).filter((path) => !isTestCode(path));
const ownTests = filesUnder(folder).filter(isTest);
const otherTests = values.wide
  ? filesUnder(".").filter((path) => isTest(path) && !ownTests.includes(path))
  : [];

const all = sources
  .filter((path) => values.file === undefined || new RegExp(values.file).test(path))
  .flatMap((path) =>
    makeMutants(readFileSync(join(root, path), "utf8")).map((mutant) => ({ path, ...mutant })),
  );
const allowed = JSON.parse(readFileSync(values.allow, "utf8"));
const isAllowed = ({ path, change }) =>
  allowed.some((one) => one.file === path && one.change === change);
const listed = values.again === undefined ? undefined : listedIn(values.again);
const isListed = ({ path, change }) => listed?.has(`${path} ${change}`) ?? true;
const wanted = all.filter((mutant) => !isAllowed(mutant));
const tried = wanted.filter(isListed);
const chosen = values.sample === undefined ? tried : draw(tried, Number(values.sample));

const survivors = [];
let next = 0;
let done = 0;
/** By the compiler, where the tests were green. */
let refused = 0;
await Promise.all(Array.from({ length: Number(values.jobs) }, work));
report();

async function work() {
  using tree = new CopiedTree(root);
  const run = new TestRun(tree.root, limits, await measure(tree.root));
  while (next < chosen.length && !stopped.signal.aborted) {
    const mutant = chosen[next++];
    const path = join(tree.root, mutant.path);
    const original = readFileSync(path, "utf8");
    writeFileSync(path, mutant.source);
    const red =
      (await run.firstRed(mutant.path, ownTests)) ?? (await run.firstRed(mutant.path, otherTests));
    if (stopped.signal.aborted) break;
    const isRefused = red === undefined && !(await compiles(tree.root, mutant.path));
    writeFileSync(path, original);
    done++;
    if (isRefused) refused++;
    else if (red === undefined) {
      survivors.push(mutant);
      console.log(`${mutant.path}:${mutant.line}: ${mutant.change}`);
    } else if (process.stderr.isTTY) process.stderr.write(`\r${done}/${chosen.length}\r`);
  }
}

/** How long each test takes; with a red one there is nothing to learn. */
async function measure(at) {
  const times = new Map();
  for (const file of ownTests) {
    const start = performance.now();
    if (!(await isGreen(at, file, limits))) {
      if (stopped.signal.aborted) break;
      console.error(`mutate: ${file} fails as it is; make it pass first.`);
      process.exitCode = 2;
      next = chosen.length;
      break;
    }
    times.set(file, performance.now() - start);
  }
  return times;
}

function report() {
  if (process.exitCode === 2) return;
  const present = new Set(all.map(({ path, change }) => `${path} ${change}`));
  const stale = allowed.filter(
    ({ file, change }) =>
      file.startsWith(folder) &&
      (values.file === undefined || new RegExp(values.file).test(file)) &&
      !present.has(`${file} ${change}`),
  );
  for (const { file, change } of stale) console.log(`no longer there: ${file}: ${change}`);
  const left = all.length - wanted.length;
  console.log(
    `${done} mutants, ${survivors.length} survived; ${refused} do not compile, ${left} are known to change nothing`,
  );
  if (stopped.signal.aborted) console.log(`stopped; ${chosen.length - done} are left`);
  process.exitCode = survivors.length + stale.length > 0 || stopped.signal.aborted ? 1 : 0;
}

function filesUnder(directory) {
  const glob = new Bun.Glob("**/*.ts");
  return [...glob.scanSync({ cwd: join(root, directory) })]
    .filter((path) => !/(^|\/)(node_modules|dist)\//.test(path))
    .map((path) => (directory === "." ? path : `${directory.replace(/\/$/, "")}/${path}`))
    .toSorted();
}

/** By what was done: lines may have moved since. */
function listedIn(file) {
  const lines = readFileSync(file, "utf8").matchAll(/^(\S+):\d+: (.+)$/gm);
  return new Set([...lines].map(([, path, change]) => `${path} ${change}`));
}

function isTest(path) {
  return path.endsWith(".test.ts");
}

function isTestCode(path) {
  return isTest(path) || path.includes("/test/") || path.endsWith(".d.ts");
}

/** The same ones for the same seed. */
function draw(list, count) {
  const rest = [...list];
  let state = BigInt(values.seed);
  const random = () => {
    state = Bun.hash.wyhash(`${state}`, 1n);
    return Number(state % 1_000_000_007n);
  };
  return Array.from({ length: Math.min(count, rest.length) }, () =>
    rest.splice(random() % rest.length, 1),
  ).flat();
}
