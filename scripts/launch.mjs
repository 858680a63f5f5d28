// Starts Tau from a source checkout at the speed of a bundle, which is made anew whenever a source
// has changed. One file with bytecode starts faster than many without. Run by Bun, from ./tau.
// Kept below 4 KB: of larger files Bun leaves a translation in the user's home.
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, relative, resolve } from "node:path";

const root = join(import.meta.dir, "..");
const source = join(root, "packages", "tau", "src", "main.ts");
const home = join(root, "node_modules", ".tau");
const pointer = join(home, "app.json");
/** Another start may just have read the pointer. */
const KEEP_OLD_MS = 10 * 60 * 1000;

function current() {
  try {
    return JSON.parse(readFileSync(pointer, "utf8"));
  } catch (error) {
    if (error.code === "ENOENT" || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Size and time of every file that went into it; a file that is gone differs from any. */
function isFresh(app) {
  if (app.bun !== Bun.version) return false;
  for (const [path, time, size] of app.inputs) {
    // Joined by hand: a thousand of these are on the way of every start.
    const stat = statSync(`${root}/${path}`, { throwIfNoEntry: false });
    if (stat === undefined || stat.mtimeMs !== time || stat.size !== size) return false;
  }
  return true;
}

/** In a directory of its own and then pointed at, so that two starts cannot disturb each other. */
async function build() {
  const name = `app-${Date.now().toString(36)}-${process.pid}`;
  const directory = join(home, name);
  const started = Date.now();
  const result = await Bun.build({
    entrypoints: [source],
    root,
    target: "bun",
    format: "cjs",
    bytecode: true,
    minify: true,
    sourcemap: "none",
    metafile: true,
    // Engines that are seldom needed, or cannot be moved out of their packages.
    external: [
      "unpdf",
      "mammoth",
      "read-excel-file",
      "mdream",
      "@ast-grep/napi",
      "@vscode/ripgrep",
      "@xterm/headless",
      "@codemirror/legacy-modes",
    ],
    outdir: directory,
    throw: false,
  });
  if (!result.success) return undefined;
  // They are told from the directory that Tau was started in, which may be any.
  const told = Object.keys(result.metafile.inputs).map((path) => relative(root, resolve(path)));
  const inputs = [...told, "scripts/launch.mjs"].map((path) => {
    const { mtimeMs, size } = statSync(join(root, path));
    // What was saved while it was being read may be in it or not: the next start looks again.
    return [path, mtimeMs < started ? mtimeMs : -1, size];
  });
  const entry = result.outputs.find((output) => output.kind === "entry-point").path;
  const app = { bun: Bun.version, main: entry.slice(home.length + 1), inputs };
  writeFileSync(`${pointer}.${process.pid}`, JSON.stringify(app));
  renameSync(`${pointer}.${process.pid}`, pointer);
  removeOld(name);
  return app;
}

function removeOld(keep) {
  for (const name of readdirSync(home)) {
    const path = join(home, name);
    if (!name.startsWith("app-") || name === keep) continue;
    if (Date.now() - statSync(path).mtimeMs > KEEP_OLD_MS)
      rmSync(path, { recursive: true, force: true });
  }
}

async function entry() {
  // Two small modules answer this; looking at all the others would take longer.
  const isVersion = process.argv.length === 3 && /^(?:--version|-V)$/.test(process.argv[2]);
  if (process.env.TAU_FROM_SOURCE || isVersion) return source;
  const app = current();
  if (app && isFresh(app)) return join(home, app.main);
  try {
    mkdirSync(home, { recursive: true });
    const built = await build();
    return built ? join(home, built.main) : source;
  } catch (error) {
    // A checkout that may not be written is started as it is.
    if (typeof error.code === "string") return source;
    throw error;
  }
}

await import(await entry());
