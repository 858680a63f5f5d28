// Makes the bundle that scripts/launch.mjs starts: one file with bytecode, in a directory of its own
// that is then pointed at, so that two starts cannot disturb each other. Run by Bun, in the root.
import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";

/** Another start may just have read the pointer. */
const KEEP_OLD_MS = 10 * 60 * 1000;
/** Engines that are seldom needed, or cannot be moved out of their packages. */
const EXTERNAL = [
  "unpdf",
  "mammoth",
  "read-excel-file",
  "mdream",
  "@ast-grep/napi",
  "@vscode/ripgrep",
  "@xterm/headless",
  "@codemirror/legacy-modes",
];
/** What makes the bundle what it is, beside the sources that the bundler tells of. */
const MAKERS = ["scripts/launch.mjs", "scripts/bundle-app.mjs"];

/** Undefined where the sources do not bundle. */
export async function bundleApp({ root, source, home, pointer }) {
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
    tsconfig: join(root, "tsconfig.json"),
    external: EXTERNAL,
    outdir: directory,
    throw: false,
  });
  if (!result.success) return undefined;
  // They are told from the directory that Bun was started in.
  const told = Object.keys(result.metafile.inputs).map((path) => relative(root, resolve(path)));
  const inputs = [...told, ...MAKERS].map((path) => {
    const { mtimeMs, size } = statSync(join(root, path));
    // What was saved while it was being read may be in it or not: the next start looks again.
    return [path, mtimeMs < started ? mtimeMs : -1, size];
  });
  const entry = result.outputs.find((output) => output.kind === "entry-point").path;
  const app = { bun: Bun.version, main: entry.slice(home.length + 1), inputs };
  writeFileSync(`${pointer}.${process.pid}`, JSON.stringify(app));
  renameSync(`${pointer}.${process.pid}`, pointer);
  removeOld(home, name);
  return app;
}

function removeOld(home, keep) {
  for (const name of readdirSync(home)) {
    const path = join(home, name);
    if (!name.startsWith("app-") || name === keep) continue;
    if (Date.now() - statSync(path).mtimeMs > KEEP_OLD_MS)
      rmSync(path, { recursive: true, force: true });
  }
}
