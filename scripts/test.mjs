// The whole check, as one command on a fresh machine: installs what is missing, then
// format, types, lint and every test, and ends in one line that adds them up.
// `npm test -- PATTERN…` runs only the tests whose file names match.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bunPath, ensureInstalled, root } from "./install.mjs";

/** Whole-program tests start many processes; a busy machine must not fail them. */
const TEST_TIMEOUT_MS = 30_000;

await ensureInstalled("dev");

function run(args) {
  return new Promise((settle) => {
    const child = spawn(bunPath, args, { cwd: root, stdio: "inherit" });
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => child.kill(signal));
    child.on("close", (code) => settle(code === 0));
  });
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

console.log("\n── tests");
const report = join(mkdtempSync(join(tmpdir(), "tau-test-")), "report.xml");
const passed = await run([
  "test",
  `--timeout=${TEST_TIMEOUT_MS}`,
  "--only-failures",
  "--reporter=junit",
  `--reporter-outfile=${report}`,
  ...patterns,
]);
const counted = readReport(report);
total.passed += counted.passed;
total.failed += counted.failed;
total.skipped += counted.skipped;
if (!passed && counted.failed === 0) {
  total.failed++;
  failedSteps.push("tests (the runner itself failed)");
}
rmSync(report, { force: true });

if (counted.skippedNames.length > 0) {
  console.log("\nskipped:");
  for (const name of counted.skippedNames) console.log(`  ${name}`);
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
    return { passed: 0, failed: 0, skipped: 0, skippedNames: [] };
  }
  const head = /<testsuites [^>]*>/.exec(xml)?.[0] ?? "";
  const number = (name) => Number(new RegExp(` ${name}="(\\d+)"`).exec(head)?.[1] ?? 0);
  const [tests, failed, skipped] = ["tests", "failures", "skipped"].map(number);
  const skippedNames = [...xml.matchAll(/<testcase name="([^"]*)"[^>]*>\s*<skipped/g)].map(
    (m) => m[1],
  );
  return { passed: tests - failed - skipped, failed, skipped, skippedNames };
}
