// The whole check, as one command on a fresh machine: installs what is missing, then
// format, types, lint and every test, and ends in one line that adds them up.
// `npm test -- PATTERN…` runs only the tests whose file names match.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { bunPath, ensureInstalled, root } from "./install.mjs";

/** Whole-program tests start many processes; a busy machine must not fail them. */
const TEST_TIMEOUT_MS = 30_000;
/** More files than this do not fail by bad luck. */
const MOST_RETRIED = 5;
/** Enough for runners to end at about the same time; each costs one start of the test runner. */
const SHARES = 12;

await ensureInstalled("dev");

/** What is stopped stops what it has started. */
const children = new Set();
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    for (const child of children) child.kill(signal);
  });
}

function follow(child) {
  children.add(child);
  child.on("close", () => children.delete(child));
}

function run(args) {
  return new Promise((settle) => {
    const child = spawn(bunPath, args, { cwd: root, stdio: "inherit" });
    follow(child);
    child.on("close", (code) => settle(code === 0));
  });
}

/** What it prints comes in one piece when it is done: two at once would mix. */
function runQuietly(args) {
  return new Promise((settle) => {
    const child = spawn(bunPath, args, { cwd: root, stdio: ["inherit", "pipe", "pipe"] });
    const chunks = [];
    child.stdout.on("data", (chunk) => chunks.push(chunk));
    child.stderr.on("data", (chunk) => chunks.push(chunk));
    follow(child);
    child.on("close", (code) => {
      process.stdout.write(Buffer.concat(chunks));
      settle(code === 0);
    });
  });
}

function testFiles() {
  return ["packages", "scripts", "test"].flatMap((directory) =>
    readdirSync(join(root, directory), { recursive: true })
      .filter((path) => path.endsWith(".test.ts") && !path.includes("node_modules"))
      .map((path) => `./${directory}/${path}`),
  );
}

/** Neighbours are alike in what they take, so that every share gets some of each kind. */
function shareOut(files, count) {
  const sorted = files.toSorted();
  return Array.from({ length: count }, (_, nth) => sorted.filter((_, at) => at % count === nth));
}

async function runTests(files, name) {
  const report = join(reports, `${name}.xml`);
  const ranWell = await runQuietly([
    "test",
    `--timeout=${TEST_TIMEOUT_MS}`,
    "--only-failures",
    // Tests of examples are run by the program that they are examples for (test/examples.test.ts).
    "--path-ignore-patterns=examples/**",
    "--reporter=junit",
    `--reporter-outfile=${report}`,
    ...files,
  ]);
  return { ranWell, ...readReport(report) };
}

const patterns = process.argv.slice(2);
const total = { passed: 0, failed: 0, skipped: 0 };
const failedSteps = [];

async function step(name, args) {
  console.log(`\n── ${name}`);
  if (await run(args)) total.passed++;
  else {
    total.failed++;
    failedSteps.push(name);
  }
}

if (patterns.length === 0) {
  await step("format", ["fmt", "--no-script", "--check"]);
  await step("types", ["check", "--no-script"]);
  await step("lint", ["node_modules/oxlint/bin/oxlint", "--deny-warnings"]);
}

/** Compiled before the first test that starts it, which waits for a screen and not for a compiler. */
function warmUp() {
  return new Promise((settle) => {
    const child = spawn(join(root, "tau"), ["--version"], { cwd: root, stdio: "ignore" });
    child.on("error", settle);
    child.on("close", settle);
  });
}

const startsTau = (file) =>
  file.startsWith("./test/") &&
  (patterns.length === 0 || patterns.some((pattern) => file.includes(pattern)));
if (process.platform !== "win32" && testFiles().some(startsTau)) await warmUp();

console.log("\n── tests");
const reports = mkdtempSync(join(tmpdir(), "tau-test-"));
// As many runners as there are cores, two at most: a test waits more than it works, and one that only
// passes alone is not worth having. Whoever is done takes the next share, so that none waits for long.
const shares = patterns.length > 0 ? [patterns] : shareOut(testFiles(), SHARES);
const skippedNames = [];
const counts = [];
const waiting = [...shares.entries()];
async function runShares() {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    counts.push(await runTests(next[1], `${next[0]}`));
  }
}
await Promise.all(Array.from({ length: Math.min(2, cpus().length) }, runShares));
const failedFiles = counts.flatMap((counted) => counted.failedFiles);
for (const counted of counts) {
  total.passed += counted.passed;
  total.failed += counted.failed;
  total.skipped += counted.skipped;
  skippedNames.push(...counted.skippedNames);
  if (!counted.ranWell && counted.failed === 0) {
    total.failed++;
    failedSteps.push("tests (the runner itself failed)");
  }
}
// Side by side on a loaded machine a test may run out of time. What fails is run once more, alone,
// and only what fails then has failed; which ones those were is said.
if (patterns.length === 0 && failedFiles.length > 0 && failedFiles.length <= MOST_RETRIED) {
  console.log(`\n── once more, alone: ${failedFiles.join(", ")}`);
  const again = await runTests(
    failedFiles.map((file) => `./${file}`),
    "again",
  );
  const before = counts.reduce((sum, counted) => sum + counted.failed, 0);
  if (again.ranWell || again.failed > 0) {
    total.failed += again.failed - before;
    total.passed += before - again.failed;
  }
}
rmSync(reports, { recursive: true, force: true });

if (skippedNames.length > 0) {
  console.log("\nskipped:");
  for (const name of skippedNames) console.log(`  ${name}`);
}
for (const name of failedSteps) console.log(`failed: ${name}`);
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exit(total.failed === 0 ? 0 : 1);

function readReport(path) {
  let xml;
  try {
    xml = readFileSync(path, "utf8");
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    return { passed: 0, failed: 0, skipped: 0, skippedNames: [], failedFiles: [] };
  }
  const head = /<testsuites [^>]*>/.exec(xml)?.[0] ?? "";
  const number = (name) => Number(new RegExp(` ${name}="(\\d+)"`).exec(head)?.[1] ?? 0);
  const [tests, failed, skipped] = ["tests", "failures", "skipped"].map(number);
  const skippedNames = [...xml.matchAll(/<testcase name="([^"]*)"[^>]*>\s*<skipped/g)].map(
    (m) => m[1],
  );
  const suites = [...xml.matchAll(/<testsuite [^>]*file="([^"]*)"[^>]* failures="(\d+)"/g)];
  const failedFiles = [...new Set(suites.filter((m) => m[2] !== "0").map((m) => m[1]))];
  return { passed: tests - failed - skipped, failed, skipped, skippedNames, failedFiles };
}
