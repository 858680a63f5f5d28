// What the table does around a tool's work: time, progress, bounds and artifacts.

import { expect, spyOn, test } from "bun:test";
import { textOf, type ToolCallBlock } from "@tau/ai/message";
import { UPDATE_INTERVAL_MS } from "./progress.ts";
import {
  ABORTED_TEXT,
  MAX_TOOL_TIMEOUT_MS,
  ToolTable,
  type CallOptions,
  type ToolTableOptions,
} from "./tool-table.ts";
import { defineJsonTool, textOutput, ToolError, type Tool } from "./tool.ts";

type Execute = Parameters<typeof defineJsonTool>[0]["execute"];

function start(
  execute: Execute,
  traits: Partial<Tool> & Omit<ToolTableOptions, "limits"> = {},
  options: Partial<CallOptions> = {},
) {
  const { maxTimeoutMs, spill, ...rest } = traits;
  const tool = defineJsonTool({
    name: "work",
    description: "",
    parameters: { type: "object" },
    tier: "exec",
    concurrency: "shared",
    ...rest,
    execute,
  } as Parameters<typeof defineJsonTool>[0]);
  const table = new ToolTable([tool], {
    ...(maxTimeoutMs === undefined ? {} : { maxTimeoutMs }),
    ...(spill === undefined ? {} : { spill }),
  });
  const call: ToolCallBlock = { type: "toolCall", id: "c", name: "work", arguments: {} };
  const { signal } = new AbortController();
  return table.run(call, { signal, update: () => {}, ...options });
}

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("stopped"))));

test("a tool is stopped after its time, or after the table's at the latest", async () => {
  const own = await start((_, { signal }) => untilAborted(signal), { timeoutMs: 10 });
  expect(textOf(own.result)).toBe("work was not done after 0.01 s and was stopped.");
  const most = await start((_, { signal }) => untilAborted(signal), {
    timeoutMs: 60_000,
    maxTimeoutMs: 20,
  });
  expect(textOf(most.result)).toContain("after 0.02 s");
  expect(most.result.isError).toBe(true);
});

test("what a stopped tool had got so far is kept", async () => {
  const { result } = await start(
    async (_, { signal }) => {
      await untilAborted(signal).catch(() => undefined);
      throw new ToolError("timed out", [{ type: "text", text: "half\n[timed out]" }]);
    },
    { timeoutMs: 10 },
  );
  expect(textOf(result)).toBe("half\n[timed out]");
});

test("a tool that waits for a person has all the time", async () => {
  const { result } = await start(
    async () => {
      await Bun.sleep(30);
      return textOutput("yes");
    },
    { timeoutMs: "waits_for_person", maxTimeoutMs: 5 },
  );
  expect(textOf(result)).toBe("yes");
});

test("progress is thinned, nothing of it is lost, and the last comes before the end", async () => {
  const times: number[] = [];
  let text = "";
  const update = (more: string): void => {
    times.push(performance.now());
    text += more;
  };
  await start(
    async (_, context) => {
      for (let at = 0; at < 30; at++) {
        context.update(`${at};`);
        await Bun.sleep(5);
      }
      context.update("end");
      return textOutput("done");
    },
    {},
    { update },
  );
  expect(text).toBe(`${Array.from({ length: 30 }, (_, at) => `${at};`).join("")}end`);
  const gaps = times.slice(1, -1).map((time, at) => time - times[at]!);
  // Timers may be early by a fraction of a millisecond.
  for (const gap of gaps) expect(gap).toBeGreaterThan(UPDATE_INTERVAL_MS - 2);
});

test("a new state replaces what waits to be told", async () => {
  const told: [string, string][] = [];
  await start(
    async (_, { update }) => {
      for (const state of ["1 %", "50 %", "99 %"]) update(state, "replace");
      return textOutput("done");
    },
    {},
    { update: (text, mode) => told.push([text, mode]) },
  );
  expect(told).toEqual([
    ["1 %", "replace"],
    ["99 %", "replace"],
  ]);
});

test("what was cut is kept whole, and the text ends with where", async () => {
  const kept: string[] = [];
  const spill = async (toolName: string, text: string) => {
    kept.push(`${toolName} ${text.length}`);
    return { id: "7" };
  };
  const long = await start(async () => textOutput("x\n".repeat(50_000)), { spill });
  expect(textOf(long.result)).toEndWith("\n[the whole output: artifact://7]");
  expect(long.artifactId).toBe("7");
  const wide = await start(async () => textOutput("y".repeat(5000)), { spill });
  expect(textOf(wide.result)).toContain(" [… 1000 characters left out]\n[the whole output");
  await start(async () => textOutput("short"), { spill });
  const keptAlready = await start(
    async () => ({ ...textOutput("z".repeat(5000)), artifactId: "3" }),
    { spill },
  );
  expect(textOf(keptAlready.result)).toEndWith(" [… 1000 characters left out]");
  expect(keptAlready.artifactId).toBe("3");
  const failed = await start(
    async () => {
      throw new ToolError("z\n".repeat(50_000));
    },
    { spill },
  );
  expect(failed).toMatchObject({ artifactId: "7", result: { isError: true } });
  expect(kept).toEqual(["work 100000", "work 5000", "work 100000"]);
});

test("an artifact that cannot be written costs the rest, not the result", async () => {
  const spill = () => Promise.reject(new Error("disk full"));
  const { result, bug } = await start(async () => textOutput("x\n".repeat(50_000)), { spill });
  expect(result.isError).toBe(false);
  expect(textOf(result)).toContain("left out");
  expect(bug).toEqual(new Error("disk full"));
});

test("equal outputs look equal although their artifacts differ", async () => {
  let id = 0;
  const spill = () => ({ id: `${id++}` });
  const twice = [1, 2].map(() => start(async () => textOutput("x\n".repeat(50_000)), { spill }));
  const [a, b] = await Promise.all(twice);
  expect(textOf(a!.result)).not.toBe(textOf(b!.result));
  expect(a!.fingerprint).toBe(b!.fingerprint);
});

test("many blocks share one allowance; a tool may have limits of its own", async () => {
  const block = { type: "text" as const, text: "x\n".repeat(20_000) };
  const { result } = await start(async () => ({ content: [block, block, block] }));
  expect(textOf(result).length).toBeLessThan(60_000);
  const small = await start(async () => textOutput("1\n2\n3\n4"), {
    limits: { lines: 2, keep: "tail" },
  });
  expect(textOf(small.result)).toBe("[… 2 lines, 4 bytes left out …]\n3\n4");
});

test("what was thrown by mistake is quoted, whatever it is, and reported", async () => {
  const { result, bug } = await start(() => Promise.reject("just words"));
  expect(textOf(result)).toBe("The tool work broke: just words");
  expect(bug).toBe("just words");
});

test("a call that was stopped before it began is not begun", async () => {
  let begun = 0;
  const { result } = await start(
    async () => {
      begun++;
      return textOutput("x");
    },
    {},
    { signal: AbortSignal.abort() },
  );
  expect(textOf(result)).toBe(ABORTED_TEXT);
  expect(result.isError).toBe(true);
  expect(begun).toBe(0);
});

test("no call may take longer than the longest that any may", async () => {
  const delays: (number | undefined)[] = [];
  const set = spyOn(globalThis, "setTimeout");
  try {
    const quick = async () => textOutput("x");
    const most = MAX_TOOL_TIMEOUT_MS;
    for (const traits of [
      {},
      { maxTimeoutMs: most * 2 },
      { timeoutMs: most * 2 },
      { timeoutMs: most * 2, maxTimeoutMs: most * 3 },
      { timeoutMs: 5000 },
      { maxTimeoutMs: 6000 },
    ]) {
      set.mockClear();
      await start(quick, traits);
      delays.push(set.mock.calls[0]?.[1]);
    }
    expect(delays).toEqual([most, most, most, most, 5000, 6000]);
    set.mockClear();
    await start(quick, { timeoutMs: "waits_for_person" });
    expect(set.mock.calls).toEqual([]);
  } finally {
    set.mockRestore();
  }
});

test("a call that is over leaves no timer behind", async () => {
  const set = spyOn(globalThis, "setTimeout");
  const clear = spyOn(globalThis, "clearTimeout");
  try {
    await start(async () => textOutput("x"));
    expect(clear.mock.calls.map(([timer]) => timer)).toContain(
      set.mock.results[0]!.value as ReturnType<typeof setTimeout>,
    );
  } finally {
    set.mockRestore();
    clear.mockRestore();
  }
});

test("what a tool says of where its output is kept is passed on, also with a refusal", async () => {
  const kept = await start(async () => ({ ...textOutput("short"), artifactId: "3" }));
  expect(kept.artifactId).toBe("3");
  const refused = await start(() => Promise.reject(new ToolError("no", undefined, "4")));
  expect(refused).toMatchObject({ artifactId: "4", result: { isError: true } });
  expect(textOf(refused.result)).toBe("no");
  expect("details" in refused).toBe(false);
  const detailed = await start(() => Promise.reject(new ToolError("no", undefined, "4", [1])));
  expect(detailed).toMatchObject({ artifactId: "4", details: [1], result: { isError: true } });
  expect((await start(async () => textOutput("short"))).artifactId).toBeUndefined();
});

test("other tools are told of from the next look on", () => {
  const named = (name: string) =>
    defineJsonTool({
      name,
      description: name,
      parameters: {},
      tier: "read",
      concurrency: "shared",
      execute: async () => textOutput("x"),
    });
  const table = new ToolTable([named("a")]);
  const before = table.specs();
  expect(before.map(({ name }) => name)).toEqual(["a"]);
  table.replaceAll([named("b"), named("c")]);
  expect(table.specs().map(({ name }) => name)).toEqual(["b", "c"]);
  expect(table.get("a")).toBeUndefined();
  expect(table.get("b")?.name).toBe("b");
  // Who holds the old list holds what it was.
  expect(before.map(({ name }) => name)).toEqual(["a"]);
});

test("arguments that were cut off may be replaced by whole ones", () => {
  const tool = defineJsonTool({
    name: "work",
    description: "",
    parameters: { type: "object", required: ["a"] },
    tier: "read",
    concurrency: "shared",
    execute: async () => textOutput("x"),
  });
  const table = new ToolTable([tool]);
  const call = {
    type: "toolCall",
    id: "c",
    name: "work",
    arguments: {},
    malformed: '{"a',
  } as const;
  expect(table.prepare(call).ok).toBe(false);
  expect(table.prepare(call, { a: 1 })).toEqual({
    ok: true,
    prepared: { call, tool, params: { a: 1 } },
  });
  expect(table.prepare({ ...call, malformed: undefined }).ok).toBe(false);
});

test("a table may have limits of its own, and a tool others", async () => {
  const tool = defineJsonTool({
    name: "work",
    description: "",
    parameters: {},
    tier: "read",
    concurrency: "shared",
    execute: async () => textOutput("1\n2\n3\n4"),
  });
  const call: ToolCallBlock = { type: "toolCall", id: "c", name: "work", arguments: {} };
  const options = { signal: new AbortController().signal, update: () => {} };
  const limits = { bytes: 100, lines: 2, keep: "tail" } as const;
  const own = await new ToolTable([tool], { limits }).run(call, options);
  expect(textOf(own.result)).toBe("[… 2 lines, 4 bytes left out …]\n3\n4");
  const other = await new ToolTable([{ ...tool, limits: { keep: "head" } }], { limits }).run(
    call,
    options,
  );
  expect(textOf(other.result)).toBe("1\n2\n[… 2 lines, 3 bytes left out …]");
});

test("pictures pass, and text beside them is bounded and kept by itself", async () => {
  const image = { type: "image" as const, data: "AAAA", mimeType: "image/png" };
  const kept: string[] = [];
  const long = { type: "text" as const, text: "y".repeat(5000) };
  const { result } = await start(async () => ({ content: [image, long, image, long] }), {
    spill: (_name, text) => {
      kept.push(text);
      return { id: "7" };
    },
  });
  expect(result.content.map(({ type }) => type)).toEqual(["image", "text", "image", "text"]);
  expect(result.content[0]).toEqual(image);
  expect(kept).toEqual([`${long.text}\n${long.text}`]);
  const texts = result.content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  expect(texts[0]).not.toContain("artifact://");
  expect(texts[1]).toEndWith("characters left out]\n[the whole output: artifact://7]");
});

test("where nothing can be kept the text is bounded all the same, and says nothing of it", async () => {
  for (const spill of [undefined, () => undefined]) {
    const run = await start(async () => textOutput("y".repeat(5000)), { spill });
    expect(textOf(run.result)).toEndWith(" [… 1000 characters left out]");
    expect(run.artifactId).toBeUndefined();
    expect("bug" in run).toBe(false);
  }
});

test("the last of many blocks is never cut to nothing", async () => {
  const block = (text: string) => ({ type: "text" as const, text });
  const { result } = await start(async () => ({
    content: [block("x\n".repeat(30_000)), block("the end\n".repeat(10)), block("y".repeat(900))],
  }));
  const [, second, third] = result.content;
  expect(second).toEqual(block("the end\n".repeat(10)));
  expect(third).toEqual(block("y".repeat(900)));
});

test("what went well is compared as it is, a failure without what is made up in it", async () => {
  const print = async (text: string, isError: boolean): Promise<string> => {
    const run = await start(async () => {
      if (isError) throw new ToolError(text);
      return textOutput(text);
    });
    return run.fingerprint;
  };
  expect(await print("3 tests pass", false)).not.toBe(await print("4 tests pass", false));
  expect(await print("no room for .tmp-31", true)).toBe(await print("no room for .tmp-47", true));
});
