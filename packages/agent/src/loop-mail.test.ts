import { expect, test } from "bun:test";
import { textOf, userText } from "@tau/ai/message";
import { Hooks } from "./hooks.ts";
import { Mailbox } from "./mailbox.ts";
import { echo, MemoryLog, run, wordTool } from "./test/scripted-run.ts";
import { ToolTable } from "./tool-table.ts";

test("steering at once skips the calls that have not begun, and says so", async () => {
  const mailbox = new Mailbox();
  const tools = new ToolTable([
    wordTool("echo", "exclusive", async (word) => {
      if (word === "a") void mailbox.post(userText("stop that", 0), { delivery: "steer" });
      return word;
    }),
  ]);
  const { added, requests } = await run(
    [{ toolCalls: [echo("a"), echo("b"), echo("c")] }, { text: "ok" }],
    { mailbox, tools },
  );
  const skipped = expect.stringContaining("a new message came in first");
  expect(added.map(textOf)).toEqual(["", "a", skipped, skipped, "stop that", "ok"]);
  expect(requests).toHaveLength(2);
});

test("steering that waits comes after the turn's calls; patient mail always does", async () => {
  for (const options of [{ isPatient: true }, { interrupt: "wait" as const }]) {
    const mailbox = new Mailbox();
    const isPatient = "isPatient" in options;
    const tools = new ToolTable([
      wordTool("echo", "exclusive", async (word) => {
        if (word === "a") {
          void mailbox.post(userText("by the way", 0), { delivery: "steer", isPatient });
        }
        return word;
      }),
    ]);
    const { added } = await run([{ toolCalls: [echo("a"), echo("b")] }, { text: "ok" }], {
      mailbox,
      tools,
      interrupt: isPatient ? "immediate" : "wait",
    });
    expect(added.map(textOf)).toEqual(["", "a", "b", "by the way", "ok"]);
  }
});

test("one at a time gives each message its turn; all gives them together", async () => {
  for (const mode of ["one-at-a-time", "all"] as const) {
    const mailbox = new Mailbox({ steering: mode, followUps: mode });
    for (const delivery of ["followUp", "steer"] as const) {
      for (const at of [1, 2]) void mailbox.post(userText(`${delivery}${at}`, 0), { delivery });
    }
    void mailbox.post(userText("context", 0), { delivery: "nextTurn" });
    const { added, requests } = await run([{}, {}, {}, {}], {
      prompt: [userText("prompt", 0)],
      mailbox,
    });
    const said = added.filter((message) => message.role === "user").map(textOf);
    if (mode === "all") {
      expect(said).toEqual(["context", "steer1", "steer2", "prompt", "followUp1", "followUp2"]);
      expect(requests).toHaveLength(2);
    } else {
      expect(said).toEqual(["context", "steer1", "prompt", "steer2", "followUp1", "followUp2"]);
      expect(requests).toHaveLength(4);
    }
  }
});

test("mail for the next prompt waits for one", async () => {
  const mailbox = new Mailbox();
  void mailbox.post(userText("later", 0), { delivery: "nextTurn" });
  await run([{}], { mailbox });
  expect(mailbox.queued()).toHaveLength(1);
  expect(mailbox.wantsRun).toBe(false);
  const { added } = await run([{}], { mailbox, prompt: [userText("now", 0)] });
  expect(added.slice(0, 2).map(textOf)).toEqual(["later", "now"]);
});

test("mail that comes while the conversation is compacted is not lost", async () => {
  const mailbox = new Mailbox();
  const hooks = new Hooks();
  hooks.register(
    { kind: "behaviour", name: "compaction", order: 1 },
    { turn_end: ({ turn }) => (turn === 1 ? { type: "compact", reason: "full" } : undefined) },
  );
  const { requests, added } = await run([{ text: "one" }, { text: "two" }], {
    mailbox,
    hooks,
    compact: async () => {
      await mailbox.post(userText("meanwhile", 0), { delivery: "steer" });
      return [userText("summary", 0)];
    },
  });
  expect(requests[1]!.messages.map(textOf)).toEqual(["summary", "meanwhile"]);
  expect(added.map(textOf)).toEqual(["one", "meanwhile", "two"]);
});

test("delivered mail is one record with the message it became", async () => {
  const log = new MemoryLog();
  const mailbox = new Mailbox({ port: log });
  const records: string[][] = [];
  const tools = new ToolTable([
    wordTool("echo", "shared", async (word) => {
      const message = userText("note", 0);
      await mailbox.post(message, { delivery: "steer", id: "m1", isDurable: true });
      return word;
    }),
  ]);
  await run([{ toolCalls: [echo("a")] }, {}], {
    prompt: [userText("hi", 0)],
    mailbox,
    tools,
    record: async (items) => {
      records.push(items.map((item) => (item.type === "message" ? item.message.role : item.type)));
      await log.record(items);
    },
  });
  expect(records).toEqual([
    ["user"],
    ["assistant"],
    ["toolResult"],
    ["user", "delivered"],
    ["assistant"],
  ]);
  expect(log.waiting).toEqual([]);
});
