// Installs the dependencies of a source checkout, once per lockfile, on a machine
// that may have nothing but Node and npm. Plain Node, because Bun is one of the
// things it brings. Used by ./tau (level "runtime") and npm test (level "dev").
import { spawn, spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { startProgress } from "./progress.mjs";
import { pruneGrammars } from "./prune-grammars.mjs";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const exe = process.platform === "win32" ? "bun.exe" : "bun";
const marks = join(root, "node_modules", ".tau");
const lockDir = join(root, ".tau-install.lock");
const LOCK_POLL_MS = 200;
const ERROR_CHARS = 1200;

/** The Bun binary that every script and the launcher use. */
export const bunPath = join(marks, exe);

function isFresh(level) {
  const stamp = join(marks, level);
  return (
    existsSync(bunPath) &&
    existsSync(stamp) &&
    statSync(stamp).mtimeMs > statSync(join(root, "package-lock.json")).mtimeMs
  );
}

function fail(sentence, detail = "") {
  if (detail) process.stderr.write(detail.endsWith("\n") ? detail : `${detail}\n`);
  process.stderr.write(`tau: ${sentence}\n`);
  process.exit(1);
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** One installer at a time: a second start waits for the first, or takes over from a dead one. */
async function withLock(work) {
  let told = false;
  for (;;) {
    try {
      mkdirSync(lockDir);
      break;
    } catch (error) {
      if (error.code !== "EEXIST") {
        fail(
          `cannot write to ${root} (${error.code}); make the checkout writable for the first start.`,
        );
      }
    }
    const owner = readOwner();
    if (owner !== undefined && !isAlive(owner)) {
      rmSync(lockDir, { recursive: true, force: true });
      continue;
    }
    if (!told) process.stderr.write("tau: another start is installing; waiting for it…\n");
    told = true;
    await new Promise((wake) => setTimeout(wake, LOCK_POLL_MS));
  }
  try {
    writeFileSync(join(lockDir, "pid"), String(process.pid));
    return await work();
  } finally {
    rmSync(lockDir, { recursive: true, force: true });
  }
}

function readOwner() {
  try {
    return Number(readFileSync(join(lockDir, "pid"), "utf8")) || undefined;
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    // The owner is between mkdir and write, or died there: give it five seconds.
    const age = existsSync(lockDir) ? Date.now() - statSync(lockDir).mtimeMs : 0;
    return age > 5000 ? -1 : undefined;
  }
}

function runNpm(args) {
  return new Promise((settle) => {
    const child = spawn(process.platform === "win32" ? "npm.cmd" : "npm", args, {
      cwd: root,
      shell: process.platform === "win32",
      stdio: ["ignore", "pipe", "pipe"],
    });
    // Only npm's first lines name the cause; the rest is its usage text.
    let output = "";
    const keep = (chunk) => {
      output = (output + chunk).slice(0, ERROR_CHARS);
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    child.on("error", (error) => settle({ code: -1, output: error.message }));
    child.on("close", (code) => settle({ code, output }));
  });
}

/** npm may bring several builds (glibc and musl, say); take the one that starts here. */
function linkBun() {
  const scope = join(root, "node_modules", "@oven");
  const builds = existsSync(scope) ? readdirSync(scope) : [];
  const works = builds
    .map((name) => join(scope, name, "bin", exe))
    .find((path) => existsSync(path) && spawnSync(path, ["--version"]).status === 0);
  if (!works) {
    fail(
      `no Bun build for ${process.platform}-${process.arch} could be started; see DEPS in docs/install.md.`,
    );
  }
  mkdirSync(marks, { recursive: true });
  rmSync(bunPath, { force: true });
  if (process.platform === "win32") copyFileSync(works, bunPath);
  else symlinkSync(join("..", "@oven", works.slice(scope.length + 1)), bunPath);
}

export async function ensureInstalled(level) {
  if (isFresh(level)) return;
  await withLock(async () => {
    if (isFresh(level)) return;
    // A developer's checkout stays one when the lockfile moves on.
    const full = level === "dev" || existsSync(join(marks, "dev"));
    const stop = startProgress(
      full ? "Installing Tau's dependencies and test tools" : "Installing Tau's dependencies, once",
    );
    const omit = full ? [] : ["--omit=dev"];
    const { code, output } = await runNpm([
      "ci",
      "--prefer-offline",
      "--loglevel=error",
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
      ...omit,
    ]);
    stop();
    if (code === -1)
      fail("npm could not be started; install Node.js 20 or newer with npm.", output);
    if (code !== 0)
      fail(
        "installing the dependencies failed (above); check the network and run this again.",
        output,
      );
    pruneGrammars(join(root, "node_modules"));
    linkBun();
    writeFileSync(join(marks, "runtime"), "");
    if (full) writeFileSync(join(marks, "dev"), "");
  });
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await ensureInstalled(process.argv[2] ?? "runtime");
}
