// Searching and finding in a large tree, against the bare programs that do the same in the
// same run; how soon a search stops when it is told to; and what one enormous line costs.

import { mkdir, open, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { searchFiles } from "@tau/host/search/search-files";
import { locateRipgrep } from "@tau/host/search/locate-ripgrep";
import { findPaths } from "@tau/host/walk/find-paths";
import { createScratchDirectory, type ScratchDirectory } from "@tau/testkit/scratch";
import type { Figure } from "./figure.ts";
import { median } from "./measure.ts";

const DIRECTORIES = 400;
const FILES_PER_DIRECTORY = 50;
const LINES_PER_FILE = 40;
/** The rare word stands in one file of these many, so that there is more than one page. */
const RARE_EVERY = 500;

const SEARCH_RATIO_BAR = 1.5;
const FIND_RATIO_BAR = 2;
const STOP_BAR_MS = 100;
/** The engine runs by then, and is far from done. */
const UNDER_WAY_MS = 10;
const LONG_LINE_BYTES = 1e9;
/** Nothing of the line is held here but its beginning. */
const OWN_MEMORY_BAR_BYTES = 150e6;
/** Where the engine is stopped, and what it can add between two looks. */
const ENGINE_MEMORY_BAR_BYTES = 400e6;

const WORDS = "alpha beta gamma delta function const return import export value index".split(" ");

const QUERIES = {
  "a rare word": "needleInHaystack",
  "a common pattern": "const \\w+ return",
} as const;

async function writeTree(scratch: ScratchDirectory): Promise<void> {
  let seed = 7;
  const word = (): string => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fff_ffff;
    return WORDS[(seed >> 8) % WORDS.length]!;
  };
  await mkdir(scratch.path(".git"));
  await scratch.write(".gitignore", "*.log\n/out/\n");
  for (let directory = 0; directory < DIRECTORIES; directory += 1) {
    const path = scratch.path(`pkg${directory % 20}`, `module${directory}`);
    await mkdir(path, { recursive: true });
    for (let file = 0; file < FILES_PER_DIRECTORY; file += 1) {
      const lines = Array.from({ length: LINES_PER_FILE }, () =>
        Array.from({ length: 8 }, word).join(" "),
      );
      if ((directory * FILES_PER_DIRECTORY + file) % RARE_EVERY === 0)
        lines.push(QUERIES["a rare word"]);
      await writeFile(`${path}/file${file}.ts`, `${lines.join("\n")}\n`);
    }
  }
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await run();
  return performance.now() - started;
}

/** Its output goes through a pipe, as ours does. */
async function output(command: readonly string[], cwd: string): Promise<string> {
  const child = Bun.spawn([...command], { cwd, stdin: "ignore", stderr: "ignore" });
  const text = await child.stdout.text();
  if ((await child.exited) > 1) throw new Error(`${command.join(" ")} failed`);
  return text;
}

/** Interleaved, after one round that warms up both. */
async function compare(
  rounds: number,
  own: () => Promise<unknown>,
  peer: () => Promise<unknown>,
): Promise<{ own: number; peer: number }> {
  const times = { own: [] as number[], peer: [] as number[] };
  await own();
  await peer();
  for (let round = 0; round < rounds; round += 1) {
    times.peer.push(await timed(peer));
    times.own.push(await timed(own));
  }
  return { own: median(times.own), peer: median(times.peer) };
}

async function measureQueries(root: string, program: string, rounds: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  const targets = [{ kind: "directory", path: root } as const];
  for (const [name, pattern] of Object.entries(QUERIES)) {
    const bare = [program, "--no-config", "--hidden", "--line-number", "-g!.git", pattern, "."];
    const { own, peer } = await compare(
      rounds,
      async () => {
        const { totals } = await searchFiles({
          pattern,
          targets,
          contextBefore: 1,
          contextAfter: 3,
        });
        if (totals.files === 0) throw new Error("nothing was found");
      },
      () => output(bare, root),
    );
    figures.push({
      name: `search 20k files, ${name} (against bare ripgrep)`,
      value: own,
      unit: "ms",
      ratio: own / peer,
      ratioBar: SEARCH_RATIO_BAR,
    });
  }
  return figures;
}

/** `fd` does not sort; without it, ripgrep's listing sorted by time, which does. */
async function measureFind(root: string, program: string, rounds: number): Promise<Figure> {
  const fd = Bun.which("fdfind") ?? Bun.which("fd");
  const [peerName, command] = fd
    ? ["fd", [fd, "--hidden", "--exclude", ".git", ".", "."]]
    : [
        "rg --files --sortr modified",
        [program, "--no-config", "--files", "--hidden", "-g!.git", "--sortr", "modified"],
      ];
  const { own, peer } = await compare(
    rounds,
    async () => {
      const { matched } = await findPaths({ targets: [{ root }], limit: 200 });
      if (matched < DIRECTORIES * FILES_PER_DIRECTORY) throw new Error(`found only ${matched}`);
    },
    () => output(command, root),
  );
  return {
    name: `find newest of 20k files (against ${peerName})`,
    value: own,
    unit: "ms",
    ratio: own / peer,
    ratioBar: FIND_RATIO_BAR,
  };
}

/** From the abort to the rejection, with no process left. */
async function measureStop(root: string, rounds: number): Promise<Figure> {
  const samples: number[] = [];
  const targets = [{ kind: "directory", path: root } as const];
  for (let round = 0; round < rounds; round += 1) {
    const controller = new AbortController();
    const pattern = "(\\w+ )*needleInHaystack(\\w+)?$";
    const search = searchFiles({ pattern, targets, signal: controller.signal }).then(
      () => undefined,
      () => performance.now(),
    );
    await Bun.sleep(UNDER_WAY_MS);
    const told = performance.now();
    controller.abort();
    const stopped = await search;
    if (stopped === undefined) throw new Error("the search was over before it could be stopped");
    samples.push(stopped - told);
    if ((await childrenBytes()).length > 0) throw new Error("the engine is still running");
  }
  return {
    name: "search, stopped after",
    value: Math.max(...samples),
    unit: "ms",
    bar: STOP_BAR_MS,
  };
}

/** Memory of their own that the children of this process hold; Linux only. */
async function childrenBytes(): Promise<number[]> {
  const bytes: number[] = [];
  if (process.platform !== "linux") return bytes;
  for (const entry of await readdir("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    // A process may end while it is looked at.
    const status = await readFile(`/proc/${entry}/status`, "utf8").catch(() => "");
    const own = new RegExp(`^PPid:\\s+${process.pid}$`, "m").test(status);
    const held = /^RssAnon:\s+(\d+) kB/m.exec(status)?.[1];
    if (own && held !== undefined) bytes.push(Number(held) * 1024);
  }
  return bytes;
}

async function writeLongLine(path: string): Promise<void> {
  await using file = await open(path, "w");
  const piece = Buffer.alloc(4 * 1024 * 1024, "x");
  for (let at = 0; at < LONG_LINE_BYTES; at += piece.length) await file.write(piece);
  await file.write("needle\n");
}

async function measureLongLine(): Promise<Figure[]> {
  await using scratch = await createScratchDirectory();
  await writeLongLine(scratch.path("long.txt"));
  Bun.gc(true);
  const before = process.memoryUsage().rss;
  const peak = { own: 0, engine: 0 };
  const over = new AbortController();
  const watching = (async () => {
    while (!over.signal.aborted) {
      peak.own = Math.max(peak.own, process.memoryUsage().rss - before);
      peak.engine = Math.max(peak.engine, ...(await childrenBytes()));
      await Bun.sleep(10);
    }
  })();
  const targets = [{ kind: "directory", path: scratch.root } as const];
  const started = performance.now();
  const { files } = await searchFiles({ pattern: "needle", targets, timeoutMs: 120_000 });
  const ms = performance.now() - started;
  over.abort();
  await watching;
  await rm(scratch.path("long.txt"));
  if (files[0]?.lines[0]?.line !== 1) throw new Error("the match in the long line was not found");
  const name = "search a line of 1 GB";
  return [
    { name, value: ms, unit: "ms" },
    { name: `${name}, memory here`, value: peak.own, unit: "bytes", bar: OWN_MEMORY_BAR_BYTES },
    {
      name: `${name}, memory of the engine`,
      value: peak.engine,
      unit: "bytes",
      bar: ENGINE_MEMORY_BAR_BYTES,
    },
  ];
}

export async function measureSearch(rounds: number): Promise<Figure[]> {
  const program = await locateRipgrep();
  if (program === undefined) throw new Error("ripgrep is not installed: run npm install");
  await using scratch = await createScratchDirectory();
  await writeTree(scratch);
  return [
    ...(await measureQueries(scratch.root, program, rounds)),
    await measureFind(scratch.root, program, rounds),
    await measureStop(scratch.root, rounds),
    ...(await measureLongLine()),
  ];
}
