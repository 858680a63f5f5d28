// Modules of a project that the user trusts, as they were when that was found out: what runs are the bytes
// that were compared with the decision, not what stands on disk by the time that the runtime gets there.
// The runtime is given them under the names of their files, so that imports and stack traces stay the same.

import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { COMMAND } from "../brand.ts";
import type { VouchedFiles } from "../trust/vouched-files.ts";
import { CommonModules, isCommon } from "./common-modules.ts";
import { ModuleFailure } from "./module-failure.ts";

/** What is executed; data is read by whoever wants it, whenever they want it. */
const CODE = String.raw`\.[cm]?[jt]sx?`;
const CODE_FILE = new RegExp(`${CODE}$`);
/** As the runtime takes them; JSX in `.js` is usual. */
const LOADERS: Readonly<Record<string, "js" | "jsx" | "ts" | "tsx">> = {
  ".js": "jsx",
  ".jsx": "jsx",
  ".mjs": "js",
  ".cjs": "js",
  ".ts": "ts",
  ".mts": "ts",
  ".cts": "ts",
  ".tsx": "tsx",
};

/** By the root of the project: the newest answer counts. */
const current = new Map<string, VouchedFiles>();
/** Places that the runtime already asks about: there is no way to take a question back. */
const asked = new Set<string>();
const common = new CommonModules(codeOf);

/** From now on the modules of the project are these. Throws a `ModuleFailure` if they are others already. */
export function serveVouched(vouched: VouchedFiles): void {
  if (current.get(vouched.root) === vouched) return;
  for (const [path, real] of vouched.ways) {
    // The runtime remembers where a path leads: a link that appears later leads nowhere new.
    if (CODE_FILE.test(path) && leadsTo(path) !== real) throw changed(vouched, path);
  }
  current.set(vouched.root, vouched);
  const { trees, files } = vouched.places;
  for (const tree of trees) ask(tree, `${RegExp.escape(tree)}[\\/].*${CODE}`);
  for (const file of files) if (CODE_FILE.test(file)) ask(file, RegExp.escape(file));
}

/** The project is not trusted any more: who loads something of it now has been asked to. */
export function forgetVouched(root: string): void {
  current.delete(root);
}

/** What is to be loaded as a whole: a manifest may name another file by now. Throws a `ModuleFailure`. */
export function checkEntry(vouched: VouchedFiles, path: string): void {
  const real = leadsTo(path);
  if (real === undefined || vouched.read(real) === undefined) throw changed(vouched, path);
}

/** Those below a directory are loaded anew the next time. */
export function forgetCommon(prefix: string): void {
  common.forget(prefix);
}

function ask(place: string, pattern: string): void {
  if (asked.has(place)) return;
  asked.add(place);
  Bun.plugin({
    name: `trusted: ${place}`,
    setup: (build) => {
      build.onLoad({ filter: new RegExp(`^${pattern}(?:\\?.*)?$`) }, ({ path }) => load(path));
    },
  });
}

function load(address: string): Bun.OnLoadResult {
  const path = address.replace(/\?.*$/s, "");
  const loader = LOADERS[CODE_FILE.exec(path)?.[0] ?? ""] ?? "js";
  const code = codeOf(path);
  if (isCommon(path, code, loader)) return { exports: common.namespace(path), loader: "object" };
  return { contents: code, loader };
}

/** Throws a `ModuleFailure` if it is not as it was agreed to. */
function codeOf(path: string): string {
  const owners = [...current.values()].filter((vouched) => vouched.covers(path));
  for (const vouched of owners) {
    const bytes = vouched.read(path);
    if (!bytes) throw changed(vouched, path);
    return bytes.toString("utf8");
  }
  // Nobody vouches for it any more, and it is loaded all the same: a person has named it.
  return readFileSync(path, "utf8");
}

function leadsTo(path: string): string | undefined {
  try {
    return Bun.resolveSync(path, "/");
  } catch {
    // Gone: the runtime knows no other failure here.
    return undefined;
  }
}

function changed({ root }: VouchedFiles, path: string): ModuleFailure {
  return new ModuleFailure(
    `${relative(root, path)} is not as you allowed it; \`${COMMAND} trust\` shows the project as it is now`,
  );
}
