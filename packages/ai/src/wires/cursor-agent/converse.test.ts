// Conversations with a service that a script plays, over real HTTP/2: runs that wait for results and
// go on, runs that cannot, and what the agent asks for on the way.

import { describe, expect, test } from "bun:test";
import { AgentRun, CursorAgentServer, type AgentScript } from "@tau/testkit/cursor-agent-server";
import { KeptConnections } from "../../kept-connections.ts";
import { textOf, toolCallsOf, userText, type Message } from "../../message.ts";
import type { ModelRequest } from "../../request.ts";
import { resultOf, testModel } from "../openai-testing.ts";
import type { PromptMessage } from "./agent-body.ts";
import { ask, results, TOOLS } from "./agent-testing.ts";
import { resultsFor } from "./continuation.ts";
import { END_OF_STREAM, envelope } from "./envelope.ts";
import { encode, field, rawFields } from "./protobuf.ts";

describe("a call of our tool", () => {
  /** Calls `read`, says what came back, and ends. */
  const reads: AgentScript = async (run) => {
    run.text("Let me look. ");
    const { text, isError } = await run.call("read", { path: "a.txt", lines: [1, 2.5, null] });
    run.text(`It says ${text}${isError ? "!" : "."}`);
    run.finish();
  };

  test("ends the reply, and the result goes on with the same run", async () => {
    await using server = await CursorAgentServer.start(reads);
    const connections = new KeptConnections();
    const first = await ask(server, [userText("Read it.", 0)], { connections });
    expect(first.stopReason).toBe("toolUse");
    expect(textOf(first)).toBe("Let me look. ");
    expect(toolCallsOf(first)[0]).toMatchObject({
      name: "read",
      arguments: { path: "a.txt", lines: [1, 2.5, null] },
    });
    expect(server.connected).toBe(1);
    const history = [userText("Read it.", 0), first, ...results(first, "hello")];
    const second = await ask(server, history, { connections });
    expect(second.error).toBeUndefined();
    expect(textOf(second)).toBe("It says hello.");
    expect(server.runs).toHaveLength(1);
    connections.close();
  });

  test("a run goes on as often as it calls", async () => {
    await using server = await CursorAgentServer.start(async (run) => {
      const told = [];
      for (const path of ["a", "b", "c"]) told.push((await run.call("read", { path })).text);
      run.text(told.join());
      run.finish();
    });
    const connections = new KeptConnections();
    const history: Message[] = [userText("Read them.", 0)];
    let reply = await ask(server, history, { connections });
    for (let n = 1; reply.stopReason === "toolUse"; n++) {
      history.push(reply, ...results(reply, `result ${n}`));
      reply = await ask(server, history, { connections });
    }
    expect(textOf(reply)).toBe("result 1,result 2,result 3");
    expect(server.runs).toHaveLength(1);
  });

  test("from the log alone, the conversation goes on with a run of its own", async () => {
    await using server = await CursorAgentServer.start(async (run, turn) => {
      if (turn === 1) return reads(run, turn);
      run.text(JSON.stringify(run.body.messages.slice(1)));
      run.finish();
    });
    const first = await ask(server, [userText("Read it.", 0)]);
    await server.runs[0]!.gone;
    const history = [userText("Read it.", 0), first, ...results(first, "hello")];
    const second = await ask(server, history);
    expect(server.runs).toHaveLength(2);
    const toolCallId = toolCallsOf(first)[0]!.id;
    expect(JSON.parse(textOf(second))).toEqual([
      {
        role: "assistant",
        content: [
          { type: "text", text: "Let me look. " },
          {
            type: "tool-call",
            toolCallId,
            toolName: "read",
            args: { path: "a.txt", lines: [1, 2.5, null] },
          },
        ],
      },
      {
        role: "tool",
        id: toolCallId,
        content: [{ type: "tool-result", toolName: "read", toolCallId, result: "hello" }],
      },
    ]);
  });

  const changes: [string, (history: Message[]) => Message[], Partial<ModelRequest>][] = [
    ["the user says something", (history) => [...history, userText("Stop.", 0)], {}],
    ["an earlier message changes", (history) => [userText("Another.", 0), ...history.slice(1)], {}],
    ["the instructions change", (history) => history, { system: ["Be long."] }],
    ["a tool goes", (history) => history, { tools: TOOLS.slice(1) }],
  ];
  test.each(changes)("%s: a new run, with what is said now", async (_name, change, over) => {
    await using server = await CursorAgentServer.start(async (run, turn) => {
      if (turn === 1) return reads(run, turn);
      run.text("new");
      run.finish();
    });
    const connections = new KeptConnections();
    const first = await ask(server, [userText("Read it.", 0)], { connections });
    const history = change([userText("Read it.", 0), first, ...results(first)]);
    expect(textOf(await ask(server, history, { connections }, over))).toBe("new");
    expect(server.runs).toHaveLength(2);
    await server.runs[0]!.gone;
  });

  test("a run that the service has given up meanwhile is begun anew", async () => {
    await using server = await CursorAgentServer.start((run, turn) => {
      if (turn > 1) {
        run.text("anew");
        return run.finish();
      }
      void run
        .call("read", { path: "a" })
        .then(() => run.fail({ code: "canceled", message: "idle" }));
      return undefined;
    });
    const connections = new KeptConnections();
    const first = await ask(server, [userText("Read it.", 0)], { connections });
    const history = [userText("Read it.", 0), first, ...results(first)];
    expect(textOf(await ask(server, history, { connections }))).toBe("anew");
    expect(server.runs).toHaveLength(2);
  });

  test("several that come together are one reply, and all results go back", async () => {
    await using server = await CursorAgentServer.start(async (run) => {
      const both = await Promise.all([
        run.call("read", { path: "a" }, "c1"),
        run.call("list", {}, "c2\nfc_1"),
      ]);
      run.text(both.map(({ text, isError }) => `${text}${isError}`).join());
      run.finish({ input: 5, output: 2 });
    });
    const connections = new KeptConnections();
    const first = await ask(server, [userText("Go.", 0)], { connections });
    expect(toolCallsOf(first).map(({ name, id }) => [name, id])).toEqual([
      ["read", "c1"],
      ["list", "c2\nfc_1"],
    ]);
    const [one, two] = results(first) as [Message, Extract<Message, { role: "toolResult" }>];
    const history = [userText("Go.", 0), first, one, { ...two, isError: true }];
    expect(textOf(await ask(server, history, { connections }))).toBe("donefalse,donetrue");
    expect(server.runs).toHaveLength(1);
  });

  test("heartbeats on both sides: they do not hold the reply up, and the run stays alive", async () => {
    await using server = await CursorAgentServer.start(async (run) => {
      const beat = setInterval(() => run.say({ update: { heartbeat: {} } }), 50);
      const { text } = await run.call("read", { path: "a" });
      clearInterval(beat);
      run.text(`${text} after ${run.heartbeats}`);
      run.finish();
    });
    const connections = new KeptConnections();
    const first = await ask(server, [userText("Go.", 0)], { connections });
    expect(first.stopReason).toBe("toolUse");
    // As long as a tool that takes its time; a client beats every five seconds.
    await Bun.sleep(5300);
    const history = [userText("Go.", 0), first, ...results(first)];
    expect(textOf(await ask(server, history, { connections }))).toBe("done after 1");
  }, 15_000);

  test("whether it may run is answered at once: it is decided when it is to run", async () => {
    await using server = await CursorAgentServer.start(async (run) => {
      const asked = encode(
        { name: field(1, "text"), asksOnly: field(7, "bool") },
        { name: "x", asksOnly: true },
      );
      const { done } = await run.native(11, asked);
      run.text(fieldNumbers(done!, 11).join());
      run.finish();
    });
    const reply = await ask(server, [userText("Go.", 0)]);
    expect([textOf(reply), reply.stopReason]).toEqual(["7", "stop"]);
  });
});

test("results go to their calls, in whatever order they stand", () => {
  const about = {
    model: { id: "m", name: "m", maxMode: false, parameters: [] },
    system: [],
    tools: [],
  };
  const call = (toolCallId: string) =>
    ({ type: "tool-call", toolCallId, toolName: "read", args: {} }) as const;
  const told = (toolCallId: string): PromptMessage => {
    const result = {
      type: "tool-result",
      toolCallId,
      toolName: "read",
      result: toolCallId,
    } as const;
    return { role: "tool", id: toolCallId, content: [result] };
  };
  const waiting = [1, 2].map((id) => ({ id, execId: `e${id}`, name: "read" }));
  const reply: PromptMessage = { role: "assistant", content: [call("a"), call("b")] };
  const messages = [reply, told("b"), told("a")];
  const ready = resultsFor(waiting, { ...about, messages: [] }, { ...about, messages })!;
  const texts = ready.map(({ id, result }) => [id, result.success?.content?.[0]?.text?.text]);
  expect(texts).toEqual([
    [1, "a"],
    [2, "b"],
  ]);
  const twice = { ...about, messages: [reply, told("a"), told("a")] };
  expect(resultsFor(waiting, { ...about, messages: [] }, twice)).toBeUndefined();
  const one = { ...about, messages: [reply, told("a")] };
  expect(resultsFor(waiting, { ...about, messages: [] }, one)).toBeUndefined();
});

/** The numbers of the fields in the part with this number. */
function fieldNumbers(bytes: Uint8Array, no: number): number[] {
  const part = [...rawFields(bytes)].find((one) => one.no === no)?.given as Uint8Array;
  return [...rawFields(part)].map((one) => one.no);
}

describe("what the agent wants done here itself", () => {
  const PATH = encode(
    { path: field(1, "text"), more: field(2, "text") },
    { path: "/etc/passwd", more: "/w" },
  );
  const cases: [string, number, number, number][] = [
    ["a command", 2, 2, 4],
    ["writing", 3, 3, 6],
    ["deleting", 4, 4, 6],
    ["searching", 5, 5, 2],
    ["reading", 7, 7, 3],
    ["listing", 8, 8, 3],
    ["a streamed command", 14, 14, 5],
    ["fetching", 20, 20, 2],
  ];
  test.each(cases)("%s is refused in its own form", async (_name, asked, answer, refused) => {
    await using server = await CursorAgentServer.start(async (run) => {
      const { done } = await run.native(asked, PATH);
      const part = [...rawFields(done!)].find(({ no }) => no === answer)!.given as Uint8Array;
      const refusal = [...rawFields(part)][0]!;
      run.text(`${refusal.no} ${new TextDecoder().decode(refusal.given as Uint8Array)}`);
      run.finish();
    });
    const text = textOf(await ask(server, [userText("Go.", 0)]));
    expect(text).toStartWith(`${refused} `);
    expect(text).toContain('Use the tools of the MCP server "tau"');
    // Who is refused is told what was refused, where the form has a place for it.
    if (refused !== 2) expect(text).toContain("/etc/passwd");
  });

  test("whether a command may skip the question: no", async () => {
    await using server = await CursorAgentServer.start(async (run) => {
      for (const no of [41, 42, 43]) {
        const { done } = await run.native(no, PATH);
        run.text(`${no}:${fieldNumbers(done!, no).length} `);
      }
      run.finish();
    });
    expect(textOf(await ask(server, [userText("Go.", 0)]))).toBe("41:0 42:0 43:0 ");
  });

  test("what nobody knows is answered too: the service does not wait for ever", async () => {
    await using server = await CursorAgentServer.start(async (run) => {
      const { notDone } = await run.native(999, PATH);
      run.text(notDone?.failure?.error ?? "");
      while (run.closed.length === 0) await Bun.sleep(5);
      run.finish();
    });
    expect(textOf(await ask(server, [userText("Go.", 0)]))).toContain("not available here");
    expect(server.runs[0]!.closed).toHaveLength(1);
  });

  test("a model that asks for them again and again is stopped", async () => {
    await using server = await CursorAgentServer.start(async (run) => {
      for (;;) await run.native(7, PATH);
    });
    const reply = await ask(server, [userText("Go.", 0)]);
    expect(reply.error).toMatchObject({ code: "foreign_tools", retryable: false });
    await server.runs[0]!.gone;
  });

  test("blobs: ours are given, the service's are kept, others are not there", async () => {
    await using server = await CursorAgentServer.start(async (run) => {
      const name = new TextEncoder().encode("state");
      const missing = await run.blob({ get: name });
      const stored = await run.blob({ name, data: name });
      const given = await run.blob({ get: name });
      run.text(
        JSON.stringify([missing.blobs?.got, stored.blobs?.set, given.blobs?.got?.data?.length]),
      );
      run.finish();
    });
    expect(textOf(await ask(server, [userText("Go.", 0)]))).toBe("[{},{},5]");
  });

  test("questions to the user are declined, each in its own form", async () => {
    const ways = [
      [2, 2, 1],
      [3, 1, 3, 1],
      [7, 1, 2, 1],
    ];
    await using server = await CursorAgentServer.start(async (run) => {
      for (const way of ways) run.text(dig(await run.question(way[0]!), way));
      // What nobody knows is answered too.
      await run.question(99);
      run.finish();
    });
    const said = textOf(await ask(server, [userText("Go.", 0)]));
    expect(said.match(/not available here/g)).toHaveLength(ways.length);
  });
});

/** The text at the end of a way through fields. */
function dig(bytes: Uint8Array, way: readonly number[]): string {
  let part = bytes;
  for (const no of way) {
    part = [...rawFields(part)].find((one) => one.no === no)?.given as Uint8Array;
  }
  return new TextDecoder().decode(part);
}

describe("what goes out", () => {
  test("the model, the token and the client; an OpenAI model and its effort apart", async () => {
    await using server = await CursorAgentServer.start((run) => run.finish());
    await ask(server, [userText("Go.", 0)]);
    const model = testModel("cursor-agent", { baseUrl: server.origin, id: "gpt-9.1-high-fast" });
    await ask(server, [userText("Go.", 0)], {}, { model });
    const [first, second] = server.runs as [AgentRun, AgentRun];
    expect(first.headers.get("authorization")).toBe("Bearer token");
    expect(first.headers.get("x-ghost-mode")).toBe("true");
    expect(first.headers.get("content-type")).toBe("application/connect+proto");
    expect(first.body.model).toMatchObject({ id: "composer-9", parameters: [] });
    expect(second.body.model).toMatchObject({
      id: "gpt-9.1-fast",
      parameters: [{ id: "reasoning", value: "high" }],
    });
    expect(first.body.system).toEqual(["Be brief."]);
  });

  test("images, of the user and of a result", async () => {
    await using server = await CursorAgentServer.start((run) => run.finish());
    const image = { type: "image" as const, mimeType: "image/png", data: "iVBORw0KGgo=" };
    const reply = await ask(server, [{ role: "user", content: [image], timestamp: 0 }]);
    expect(reply.error).toBeUndefined();
    const call = { type: "toolCall" as const, id: "c", name: "read", arguments: {} };
    const said = { ...reply, content: [call], stopReason: "toolUse" as const };
    const result = { ...resultOf("c"), content: [image] };
    await ask(server, [userText("Look.", 0), said, result]);
    const part = {
      type: "image" as const,
      image: "data:image/png;base64,iVBORw0KGgo=",
      mediaType: "image/png",
    };
    expect(server.runs[0]!.body.messages).toEqual([{ role: "user", content: [part] }]);
    expect(server.runs[1]!.body.messages.at(-1)).toEqual({
      role: "user",
      content: [{ type: "text", text: "Images in the result of read:" }, part],
    });
  });
});

test("what a turn used: as it ends, or by its last account", async () => {
  await using server = await CursorAgentServer.start((run, turn) => {
    run.say({ update: { tokens: { count: 12 } } });
    if (turn === 1) return run.finish({ input: 100, output: 20 });
    run.say({ update: { turnEnded: {} } });
    run.say({ checkpoint: { tokens: { used: 1000, most: 200_000 } } });
    run.send(envelope(new TextEncoder().encode("{}"), END_OF_STREAM));
    return undefined;
  });
  const told = await ask(server, [userText("Go.", 0)]);
  expect(told.usage).toMatchObject({ input: 100, output: 20 });
  const counted = await ask(server, [userText("Go.", 0)]);
  expect(counted.usage).toMatchObject({ input: 988, output: 12 });
});

test("a thought, its end and a text are told apart", async () => {
  await using server = await CursorAgentServer.start((run) => {
    for (const text of ["I ", "think."]) run.say({ update: { thinking: { text } } });
    run.say({ update: { thoughtEnded: {} } });
    run.text("So.");
    run.finish();
  });
  const { content } = await ask(server, [userText("Go.", 0)]);
  expect(content).toEqual([
    { type: "thinking", text: "I think." },
    { type: "text", text: "So." },
  ]);
});
