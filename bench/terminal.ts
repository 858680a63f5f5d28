// What the interactive mode costs the person in front of it: the first frame, the time from a key
// to its letter (alone, and while a model writes into a very long session), a large paste, memory
// and processor at rest, and what a tick of the spinner sends.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ModelServer } from "@tau/testkit/model-server";
import { isolatedHome } from "@tau/testkit/scratch";
import type { Figure } from "./figure.ts";
import { median } from "./measure.ts";
import { openPtyClient, type PtyClient } from "./pty-client.ts";
import { writeLongSession } from "./session-log.ts";

const FIRST_FRAME_RATIO_BAR = 12;
const ECHO_BAR_MS = 3;
const BUSY_P99_BAR_MS = 16;
const PASTE_BAR_MS = 50;
const MEMORY_BAR_BYTES = 90e6;
const IDLE_CPU_BAR = 0.5;
const ENTRIES = 10_000;
const TOKENS_PER_SECOND = 200;
const KEYS = 120;
const KEY_GAP_MS = 25;
const IDLE_MS = 6_000;
const PASTE_BYTES = 5 * 1024 * 1024;
const PROMPT = "›";
/** The scripted model says nothing to it. */
const SILENT_PROMPT = "say nothing";

interface Place {
  cwd: string;
  env: Record<string, string | undefined>;
}

export async function measureTerminal(root: string, rounds: number): Promise<Figure[]> {
  await using home = await isolatedHome();
  const words = "a word of the answer that goes on and on ".repeat(400);
  await using server = await ModelServer.start((request) =>
    JSON.stringify(request.decoded.messages.at(-1)).includes(SILENT_PROMPT)
      ? { text: "silence", delivery: { silentAfterBytes: 0 } }
      : { text: words, deltaChars: 5, delivery: { delayMs: 1000 / TOKENS_PER_SECOND } },
  );
  const env = {
    ...home.env,
    TAU_NO_TITLE: "1",
    OLLAMA_BASE_URL: server.baseUrl("openai-completions"),
  };
  // A session this long would be summarised first.
  await home.write(".tau/agent/config.yml", "compaction: { enabled: false }\n");
  const place = { cwd: home.root, env };
  const program = [join(root, "tau"), "-m", "ollama/x"];
  const figures: Figure[] = [];
  figures.push(await firstFrame(program, place, rounds));
  {
    await using idle = openPtyClient(program, place);
    await idle.until((text) => text.includes("ollama/x"));
    await Bun.sleep(1_000);
    figures.push({
      name: "a key on an idle screen",
      value: median(await echoes(idle, KEYS)),
      unit: "ms",
      bar: ECHO_BAR_MS,
    });
    idle.send("\x15");
    await Bun.sleep(500);
    figures.push(await atRest(idle));
    figures.push(memoryOf(idle));
    figures.push(...(await paste(idle, place)));
  }
  const short = await spinnerBytes(program, place, server);
  const session = await writeLongSession(home.root, home.path(".tau/agent"), ENTRIES);
  const resumed = [...program, "-r", session];
  const long = await busy(resumed, place, figures);
  figures.push({
    name: "bytes a second of a spinner, 10,000 entries against none",
    value: long,
    unit: "bytes",
    ratio: long / short,
    ratioBar: 1.25,
  });
  return figures;
}

async function firstFrame(
  program: readonly string[],
  place: Place,
  rounds: number,
): Promise<Figure> {
  const bare: number[] = [];
  const frames: number[] = [];
  for (let round = -2; round < rounds; round++) {
    const started = performance.now();
    const child = Bun.spawn([process.execPath, "-e", "0"], { ...place, stdin: "ignore" });
    await child.exited;
    const plain = performance.now() - started;
    await using client = openPtyClient(program, place);
    const at = await client.until((text) => text.includes(PROMPT));
    if (round < 0) continue;
    bare.push(plain);
    frames.push(at - client.startedAt);
  }
  const value = median(frames);
  return {
    name: "interactive, first frame",
    value,
    unit: "ms",
    ratio: value / median(bare),
    ratioBar: FIRST_FRAME_RATIO_BAR,
  };
}

/** From a key to the bytes that show it. */
export async function echoes(
  client: PtyClient,
  count: number,
  letters = "qzjxkv",
): Promise<number[]> {
  const times: number[] = [];
  for (let key = 0; key < count; key++) {
    const letter = letters[key % letters.length]!;
    client.take();
    const since = performance.now();
    client.send(letter);
    times.push((await client.until((text) => text.includes(letter))) - since);
    // Not in step with the frames.
    await Bun.sleep(KEY_GAP_MS + Math.random() * 10);
  }
  return times;
}

async function busy(program: readonly string[], place: Place, figures: Figure[]): Promise<number> {
  await using client = openPtyClient(program, place);
  await client.until((text) => text.includes("earlier entries"));
  await Bun.sleep(500);
  client.send("go on\r");
  await client.until((text) => text.includes("Answering"));
  await Bun.sleep(500);
  const times = (await echoes(client, KEYS * 2)).toSorted((a, b) => a - b);
  figures.push({
    name: "a key while 200 tokens/s come, p99",
    value: times[Math.floor(times.length * 0.99)]!,
    unit: "ms",
    bar: BUSY_P99_BAR_MS,
  });
  client.send("\x1b");
  await client.until((text) => text.includes("Stopped."));
  client.send("\x1b");
  await Bun.sleep(800);
  return await ticks(client);
}

async function spinnerBytes(
  program: readonly string[],
  place: Place,
  server: ModelServer,
): Promise<number> {
  await using client = openPtyClient(program, place);
  await client.until((text) => text.includes("ollama/x"));
  client.send("first\r");
  while (server.requests.length === 0) await Bun.sleep(20);
  await client.until((text) => text.includes("Answering"));
  client.send("\x1b");
  await client.until((text) => text.includes("Stopped."));
  await Bun.sleep(500);
  return await ticks(client);
}

/** Bytes a second while the model is silent. */
async function ticks(client: PtyClient): Promise<number> {
  client.send(`${SILENT_PROMPT}\r`);
  await Bun.sleep(1_500);
  const before = client.received;
  await Bun.sleep(3_000);
  return (client.received - before) / 3;
}

async function atRest(client: PtyClient): Promise<Figure> {
  const before = processorMs(client.pid);
  await Bun.sleep(IDLE_MS);
  const share = ((processorMs(client.pid) - before) / IDLE_MS) * 100;
  return { name: "processor at rest", value: share, unit: "%", bar: IDLE_CPU_BAR };
}

function memoryOf(client: PtyClient): Figure {
  const status = readFileSync(`/proc/${client.pid}/status`, "utf8");
  const value = Number(/VmRSS:\s+(\d+)/.exec(status)![1]) * 1024;
  return { name: "memory at rest", value, unit: "bytes", bar: MEMORY_BAR_BYTES };
}

/** What a paste takes beyond the time in which a terminal's line carries so many bytes. */
async function paste(client: PtyClient, place: Place): Promise<Figure[]> {
  const text = "a line of a very large paste\n".repeat(Math.ceil(PASTE_BYTES / 29));
  const reader = `process.stdin.setRawMode(true); let n = 0; process.stdin.on("data", (bytes) => {
    n += bytes.length; if (n >= ${text.length}) process.stdout.write("all"); }); console.log("ready")`;
  await using bare = openPtyClient([process.execPath, "-e", reader], place);
  await bare.until((seen) => seen.includes("ready"));
  const carried = await timed(bare, text, "all");
  const whole = await timed(client, `\x1b[200~${text}\x1b[201~`, "[paste #1");
  return [
    { name: "5 MB through a terminal's line", value: carried, unit: "ms" },
    { name: "a paste of 5 MB, beyond that", value: whole - carried, unit: "ms", bar: PASTE_BAR_MS },
  ];
}

async function timed(client: PtyClient, text: string, answer: string): Promise<number> {
  client.take();
  const since = performance.now();
  client.send(text);
  return (await client.until((seen) => seen.includes(answer))) - since;
}

/** User and system time of a process, from the kernel's ticks. */
function processorMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
