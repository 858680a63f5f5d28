// How long Tau takes to answer, to ask, and to be gone, against bare Bun in the same run.

import { ModelServer } from "@tau/testkit/model-server";
import { isolatedHome } from "@tau/testkit/scratch";
import { median, timeProcess } from "./measure.ts";
import type { Figure } from "./figure.ts";

const WARM_UP_ROUNDS = 2;

export async function measureStartup(root: string, rounds: number): Promise<Figure[]> {
  await using home = await isolatedHome();
  await using server = await ModelServer.start(() => ({ text: "hello" }));
  const place = { cwd: root, env: { ...home.env } };
  const turn = {
    cwd: root,
    env: { ...home.env, OLLAMA_BASE_URL: server.baseUrl("openai-completions") },
  };
  const samples = new Map<string, number[]>();
  const note = (name: string, value: number): void => {
    samples.set(name, [...(samples.get(name) ?? []), value]);
  };
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    if (round === 0) samples.clear();
    note("bare", (await timeProcess([process.execPath, "-e", "0"], place)).ms);
    for (const program of ["./tau", "dist/tau"]) {
      note(`${program} --version`, (await timeProcess([program, "--version"], place)).ms);
      note(`${program} --help`, (await timeProcess([program, "--help"], place)).ms);
      const started = performance.timeOrigin + performance.now();
      const run = await timeProcess([program, "-p", "hi", "-m", "ollama/x"], turn);
      note(`${program} -p, first request`, server.requests.at(-1)!.receivedAt - started);
      note(`${program} -p, exit`, run.ms);
      note(`${program} -p, peak memory`, run.peakBytes);
    }
    const demo = await timeProcess(["./tau", "-p", "look around"], place);
    note("./tau -p on tau/demo, exit", demo.ms);
  }
  const bare = median(samples.get("bare")!);
  const bars: Record<string, number> = {
    "./tau --version": 3,
    "dist/tau --version": median(samples.get("./tau --version")!) / bare,
    "./tau -p, first request": 12,
  };
  return [...samples].map(([name, values]): Figure => {
    const value = median(values);
    if (name.endsWith("memory")) return { name, value, unit: "bytes", bar: 100e6 };
    const ratio = value / bare;
    const bar = bars[name];
    return { name, value, unit: "ms", ratio, ...(bar === undefined ? {} : { ratioBar: bar }) };
  });
}
