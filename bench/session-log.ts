// What a session's log costs: opening a long one, appending to it, and how much of a very
// large one is read. Appends are durable, so that their time is mostly the disk's; what
// counts is that they cost the same late in a session as early.

import { join } from "node:path";
import { emptyUsage } from "@tau/ai/usage";
import { createDiskStorage } from "@tau/host/storage";
import type { NewEntry, SessionEntry } from "@tau/tau/session/entry";
import { createSessionLog, openSession } from "@tau/tau/session/log/open-session";
import { createCountingStorage } from "@tau/tau/session/log/test/counting-storage";
import { createScratchDirectory, type ScratchDirectory } from "@tau/testkit/scratch";
import type { Figure } from "./figure.ts";
import { median } from "./measure.ts";

const ENTRIES = 10_000;
const EARLY_ENTRIES = 100;
const OPEN_BAR_MS = 150;
const MEMORY_BAR_BYTES = 80e6;
/** Early and late appends write the same; more than noise between them is growth. */
const APPEND_RATIO_BAR = 1.5;
const APPENDS = 200;
const LARGE_BYTES = 500e6;
const LARGE_BAR_BYTES = 2e6;

/** A turn is a question, a reply with a call, its result, and an answer. */
function turn(index: number): NewEntry[] {
  const timestamp = index;
  const model = { provider: "bench", model: "bench-1", wire: "openai-completions" } as const;
  const usage = emptyUsage();
  const said = (text: string, stopReason: "stop" | "toolUse"): NewEntry => ({
    type: "message",
    message: {
      role: "assistant",
      stopReason,
      usage,
      timestamp,
      ...model,
      content: [
        { type: "text", text },
        ...(stopReason === "stop"
          ? []
          : [{ type: "toolCall" as const, id: `c${index}`, name: "read", arguments: { index } }]),
      ],
    },
  });
  const text = (content: string): { type: "text"; text: string }[] => [
    { type: "text", text: content },
  ];
  return [
    { type: "message", message: { role: "user", content: text(`question ${index}`), timestamp } },
    said("I will look.", "toolUse"),
    {
      type: "message",
      message: {
        role: "toolResult",
        toolCallId: `c${index}`,
        toolName: "read",
        isError: false,
        content: text(`line of a file ${index}\n`.repeat(40)),
        timestamp,
      },
    },
    said("That is how it works. ".repeat(20), "stop"),
  ];
}

function* session(entries: number): Generator<SessionEntry> {
  let parentId: string | null = null;
  for (let count = 0; count < entries; count += 1) {
    const { type, ...rest } = turn(count >> 2)[count % 4]!;
    const id = count.toString(16).padStart(8, "0");
    yield { type, id, parentId, timestamp: "2026-01-01T00:00:00.000Z", ...rest } as SessionEntry;
    parentId = id;
  }
}

async function written(dir: ScratchDirectory, entries: number): Promise<string> {
  const path = dir.path(`${entries}.jsonl`);
  const storage = createDiskStorage();
  const log = await createSessionLog({
    storage,
    place: { path },
    cwd: "/",
    entries: session(entries),
  });
  await log.close();
  return path;
}

/** A long session of a directory; returns its file. */
export async function writeLongSession(
  cwd: string,
  directory: string,
  entries: number,
): Promise<string> {
  const path = join(directory, "long.jsonl");
  const storage = createDiskStorage();
  const log = await createSessionLog({ storage, place: { path }, cwd, entries: session(entries) });
  await log.close();
  return path;
}

/** Opening, and having the whole branch for the first request. */
async function timeOpening(path: string): Promise<number> {
  const started = performance.now();
  await using log = await openSession(path, { storage: createDiskStorage(), mode: "write" });
  const branch = await log.branch({ sinceCompaction: true });
  const ms = performance.now() - started;
  if (branch.length !== ENTRIES) throw new Error(`the branch has ${branch.length} entries`);
  return ms;
}

/** Median of single durable appends, interleaved between a short and a long session. */
async function timeAppends(early: string, late: string): Promise<{ early: number; late: number }> {
  const storage = createDiskStorage();
  await using short = await openSession(early, { storage, mode: "write" });
  await using long = await openSession(late, { storage, mode: "write" });
  const samples = { early: [] as number[], late: [] as number[] };
  for (let index = 0; index < APPENDS; index += 1) {
    for (const [name, log] of [
      ["early", short],
      ["late", long],
    ] as const) {
      const entry = turn(index)[index % 4]!;
      const started = performance.now();
      await log.append(entry);
      samples[name].push(performance.now() - started);
    }
  }
  return { early: median(samples.early), late: median(samples.late) };
}

const MEMORY_PROBE = `
  import { createDiskStorage } from "@tau/host/storage";
  import { openSession } from "@tau/tau/session/log/open-session";
  Bun.gc(true);
  const before = process.memoryUsage().rss;
  const log = await openSession(process.argv[1], { storage: createDiskStorage(), mode: "read" });
  const branch = await log.branch({ sinceCompaction: true });
  console.log(process.memoryUsage().rss - before + 0 * branch.length);
`;

async function memoryAboveIdle(path: string): Promise<number> {
  const child = Bun.spawn([process.execPath, "-e", MEMORY_PROBE, path], { cwd: import.meta.dir });
  return Number(await child.stdout.text());
}

const OUTPUT = "output of a tool ".repeat(4000);

function* large(): Generator<SessionEntry> {
  const base = { type: "custom", timestamp: "2026-01-01T00:00:00.000Z" } as const;
  let parentId: string | null = null;
  for (let bytes = 0; bytes < LARGE_BYTES; bytes += OUTPUT.length) {
    const id = bytes.toString(16).padStart(8, "0");
    yield { ...base, id, parentId, customType: "output", data: OUTPUT };
    parentId = id;
  }
  const kept = { id: "kept", parentId, timestamp: base.timestamp };
  yield {
    ...kept,
    type: "compaction",
    summary: "s",
    firstKeptEntryId: "kept",
    tokensBefore: 9,
    tokensAfter: 1,
  };
}

async function bytesReadOfLarge(dir: ScratchDirectory): Promise<number> {
  const storage = createCountingStorage(createDiskStorage());
  const path = join(dir.root, "large.jsonl");
  await (await createSessionLog({ storage, place: { path }, cwd: "/", entries: large() })).close();
  storage.bytesRead = 0;
  await using log = await openSession(path, { storage, mode: "write" });
  await log.branch({ sinceCompaction: true });
  return storage.bytesRead;
}

export async function measureSessionLog(rounds: number): Promise<Figure[]> {
  await using dir = await createScratchDirectory();
  const early = await written(dir, EARLY_ENTRIES);
  const late = await written(dir, ENTRIES);
  const opening: number[] = [];
  const memory: number[] = [];
  await timeOpening(late);
  for (let round = 0; round < rounds; round += 1) {
    opening.push(await timeOpening(late));
    memory.push(await memoryAboveIdle(late));
  }
  const append = await timeAppends(early, late);
  const name = `session of ${ENTRIES} entries`;
  return [
    { name: `${name}, open`, value: median(opening), unit: "ms", bar: OPEN_BAR_MS },
    { name: `${name}, memory`, value: median(memory), unit: "bytes", bar: MEMORY_BAR_BYTES },
    {
      name: `${name}, durable append (against entry ${EARLY_ENTRIES})`,
      value: append.late,
      unit: "ms",
      ratio: append.late / append.early,
      ratioBar: APPEND_RATIO_BAR,
    },
    {
      name: "session of 500 MB, bytes read to open",
      value: await bytesReadOfLarge(dir),
      unit: "bytes",
      bar: LARGE_BAR_BYTES,
    },
  ];
}
