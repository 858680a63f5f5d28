// Extensions that others have published, installed for tests as a user would have them: each in a directory
// of its own, kept between runs. One that cannot be had says why.

import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { root } from "./run-tau.ts";

export interface PackageRow {
  readonly name: string;
  readonly version: string;
}

export interface PackagePlace extends PackageRow {
  /** Of the package itself; undefined if it could not be installed. */
  readonly path?: string;
  /** Why not. */
  readonly missing?: string;
}

const CACHE = join(root, "node_modules", ".cache", "tau-extensions");
/** npm uses a core for each; more only wait for one another. */
const AT_ONCE = 3;
/** In one call of npm, whose own start is most of what a small package costs. */
const BATCH = 6;
const INSTALL_LIMIT_MS = 90_000;
/** `nested`: what a package needs lies below it, and is nobody else's. */
const FLAGS =
  "--install-strategy=nested --legacy-peer-deps --ignore-scripts --omit=dev --omit=optional --no-audit --no-fund --no-update-notifier --loglevel=error --fetch-retries=1 --fetch-retry-mintimeout=500 --fetch-retry-maxtimeout=1000".split(
    " ",
  );
/** Depends on something that was never published: its files are all that there is. */
const WITHOUT_DEPENDENCIES: ReadonlySet<string> = new Set(["omp-oracle"]);
/** Of npm: the registry did not answer, so that asking for the next one is in vain. */
const UNREACHABLE =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EAI_FAIL)\b/;

/** In the order of the rows. */
export async function installPackages(rows: readonly PackageRow[]): Promise<PackagePlace[]> {
  const wanted = rows.filter((row) => !existsSync(placeOf(row)));
  const alone = wanted.filter(({ name }) => WITHOUT_DEPENDENCIES.has(name));
  const others = wanted.filter((row) => !alone.includes(row));
  const batches = Array.from({ length: Math.ceil(others.length / BATCH) }, (_, nth) =>
    others.slice(nth * BATCH, (nth + 1) * BATCH),
  );
  const failures = new Map<PackageRow, string>();
  let unreachable: string | undefined;
  const waiting = [...batches, ...alone.map((row) => [row])];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      // Another run may have brought it meanwhile.
      const batch = next.filter((row) => !existsSync(placeOf(row)));
      if (batch.length === 0) continue;
      const failure = unreachable ?? (await install(batch));
      if (failure === undefined) continue;
      const [, code] = UNREACHABLE.exec(failure) ?? [];
      if (code !== undefined) unreachable ??= `the registry cannot be reached: ${code}`;
      // One of them spoils the batch: the others are wanted all the same.
      if (unreachable === undefined && batch.length > 1) waiting.push(...batch.map((row) => [row]));
      else for (const row of batch) failures.set(row, unreachable ?? failure);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return rows.map((row) => {
    const missing = failures.get(row);
    return { ...row, missing, path: missing === undefined ? placeOf(row) : undefined };
  });
}

function homeOf({ name, version }: PackageRow): string {
  return join(CACHE, `${name}@${version}`);
}

function placeOf(row: PackageRow): string {
  return join(homeOf(row), "node_modules", row.name);
}

/** What went wrong, if anything did. */
async function install(rows: readonly PackageRow[]): Promise<string | undefined> {
  await mkdir(CACHE, { recursive: true });
  const made = await mkdtemp(join(CACHE, ".making-"));
  try {
    const names = rows.map(({ name, version }) => `${name}@${version}`);
    const failure = WITHOUT_DEPENDENCIES.has(rows[0]!.name)
      ? await unpack(names[0]!, made, rows[0]!.name)
      : await installWhole(names, made);
    if (failure !== undefined) return failure;
    for (const row of rows) await moveIn(join(made, "node_modules", row.name), row);
    return undefined;
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

/** As a whole or not at all; another run may have been faster. */
async function moveIn(from: string, row: PackageRow): Promise<void> {
  const to = placeOf(row);
  await mkdir(dirname(to), { recursive: true });
  await rename(from, to).catch((error: unknown) => {
    if (!existsSync(to)) throw error;
  });
}

async function installWhole(names: readonly string[], made: string): Promise<string | undefined> {
  await writeFile(join(made, "package.json"), `{ "private": true }\n`);
  return run(["npm", "install", ...FLAGS, ...names], made);
}

async function unpack(wanted: string, made: string, name: string): Promise<string | undefined> {
  const into = join(made, "node_modules", name);
  await mkdir(into, { recursive: true });
  const failure = await run(["npm", "pack", "--loglevel=error", wanted], made);
  if (failure !== undefined) return failure;
  const [archive] = [...new Bun.Glob("*.tgz").scanSync({ cwd: made })];
  return run(["tar", "-xzf", join(made, archive!), "--strip-components=1", "-C", into], made);
}

async function run(command: string[], cwd: string): Promise<string | undefined> {
  if (!Bun.which(command[0]!)) return `${command[0]} is not installed`;
  const child = Bun.spawn(command, {
    cwd,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: INSTALL_LIMIT_MS,
  });
  const [, words, code] = await Promise.all([
    child.stdout.text(),
    child.stderr.text(),
    child.exited,
  ]);
  return code === 0 ? undefined : `${command.slice(0, 2).join(" ")} failed: ${words.trim()}`;
}
