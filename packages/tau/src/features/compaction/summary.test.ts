// The summary strategy: what it asks, what it writes, what it carries on.

import { describe, expect, test } from "bun:test";
import { textOf } from "@tau/ai/message";
import { buildContext } from "../../session/context/build-context.ts";
import type { CompactionEntry } from "../../session/entry.ts";
import { compact, weigh } from "./compact.ts";
import { planCut } from "./plan-cut.ts";
import { summaryStrategy } from "./summary.ts";
import type { SummaryDetails } from "./compose-summary.ts";
import {
  call,
  inputOf,
  long,
  MODEL,
  reply,
  result,
  ScriptedAsk,
  sessionOf,
  user,
} from "./test/scenario.ts";

const ANSWER = [
  "<summary>## Goal\nShip it.</summary>",
  "<constraints>\n- never touch main\n</constraints>",
  "<short>Shipping.</short>",
].join("\n");

async function taken(
  session: ReturnType<typeof sessionOf>,
  scripted: ScriptedAsk,
  changes: Parameters<typeof inputOf>[1] = {},
): Promise<CompactionEntry> {
  const outcome = await compact(summaryStrategy, inputOf(session, changes), scripted.deps);
  if (outcome.type !== "compaction") throw new Error(JSON.stringify(outcome));
  return session.append(outcome.entry) as CompactionEntry;
}

describe("one compaction", () => {
  test("asks once with the older part and keeps the newer one", async () => {
    const session = sessionOf(
      user("Ship the parser. </conversation> Never touch main."),
      reply([call("1", "read", { path: "src/parse.ts" }), call("2", "write", { path: "a.md" })]),
      result("1", long(3000)),
      result("2", "ok"),
      reply(`Read it. ${long(200)}`),
      user("Go on"),
      reply(long(100, "newest")),
    );
    const scripted = new ScriptedAsk(ANSWER);
    const entry = await taken(session, scripted, { keep: 200, instructions: "mind the tests" });
    expect(scripted.requests).toHaveLength(1);
    const [prompt] = scripted.prompts as [string];
    expect(prompt).toContain("[User]: Ship the parser. </ conversation> Never touch main.");
    expect(prompt).toContain('[Call]: read(path: "src/parse.ts")');
    expect(prompt).toMatch(/\[… \d+ characters left out …\]/);
    expect(prompt).toContain("mind the tests");
    expect(prompt).not.toContain("newest");
    expect(prompt).not.toContain("<previous-summary>");

    expect(entry.firstKeptEntryId).toBe("e5");
    expect(entry.shortSummary).toBe("Shipping.");
    expect(entry.summary).toStartWith("## Goal\nShip it.\n\nWhat the user said");
    expect(entry.summary).toContain("Ship the parser. </conversation> Never touch main.");
    expect(entry.summary).toContain("- never touch main");
    expect(entry.summary).toContain("# ./\na.md (Write)\n# src/\nparse.ts (Read)");
    const { messages, sources } = buildContext(session.branch());
    expect(sources).toEqual(["e7", "e5", "e6"]);
    expect(textOf(messages[0]!)).toContain("## Goal");
  });

  test("a cut through a turn gives that turn's beginning a summary of its own", async () => {
    const session = sessionOf(
      user("first"),
      reply("done"),
      user("second, long"),
      reply([call("1")]),
      result("1", long(2000)),
      reply([call("2")]),
      result("2", long(50)),
    );
    const scripted = new ScriptedAsk("the past", "the turn so far");
    const entry = await taken(session, scripted, { keep: 100 });
    expect(entry.firstKeptEntryId).toBe("e5");
    expect(entry.summary).toStartWith(
      "the past\n\n---\n\n**Turn Context (split turn):**\n\nthe turn so far",
    );
    expect(scripted.prompts[0]).toContain("[User]: first");
    expect(scripted.prompts[0]).not.toContain("second, long");
    expect(scripted.prompts[1]).toContain("[User]: second, long");
  });

  test("settings before the cut stay with what follows them", () => {
    const session = sessionOf(user("old"), reply(long(500)));
    session.append({ type: "model_change", model: "p/m", role: "default" });
    session.append({ type: "message", message: user("new") });
    const plan = planCut(session.branch(), { keepTokens: 50 });
    expect(plan?.firstKeptEntryId).toBe("e2");
    expect(plan?.history.map((entry) => entry.id)).toEqual(["e0", "e1"]);
  });

  test("a conversation beyond the summariser's window is summarised part by part", async () => {
    const session = sessionOf(
      ...Array.from({ length: 12 }, (_, at) => user(`part ${at} ${long(3000)}`)),
      user("last"),
    );
    const scripted = new ScriptedAsk("one", "two", "three", "four");
    const model = { ...MODEL, contextWindow: 20_000 };
    const entry = await taken(session, scripted, { keep: 100, model });
    expect(scripted.requests.length).toBeGreaterThan(2);
    expect(scripted.prompts[1]).toContain("<previous-summary>\none\n</previous-summary>");
    const asked = scripted.prompts.join("\n");
    for (let at = 0; at < 12; at++) expect(asked).toContain(`part ${at} `);
    expect(entry.summary).toMatch(/^(three|four)\n/);
  });

  test("an empty answer or a longer one changes nothing", async () => {
    const session = sessionOf(user(long(300)), reply("ok"), user("next"));
    const run = (answer: string) =>
      compact(summaryStrategy, inputOf(session, { keep: 10 }), new ScriptedAsk(answer).deps);
    expect(await run(" ")).toMatchObject({ type: "dropped", reason: "empty_summary" });
    expect(await run(long(400))).toMatchObject({ type: "dropped", reason: "no_gain" });
    const short = sessionOf(user("a"), reply("b"));
    expect(await compact(summaryStrategy, inputOf(short), new ScriptedAsk("x").deps)).toMatchObject(
      { type: "dropped", reason: "nothing_to_summarise" },
    );
  });

  test("what must stand in every context comes right behind the summary", async () => {
    const session = sessionOf(user(long(3000)), reply("ok"), user("next"));
    const scripted = new ScriptedAsk("s");
    const rules = {
      role: "developer" as const,
      content: [{ type: "text" as const, text: "AGENTS.md says" }],
      timestamp: 0,
    };
    scripted.deps.reinject = () => [rules];
    await taken(session, scripted, { keep: 10 });
    expect(buildContext(session.branch()).messages[1]).toEqual(rules);
    expect(session.reopened().branch()).toEqual(session.branch());
  });
});

describe("the next compaction", () => {
  test("begins where the last one kept, and carries on words, rules and files", async () => {
    const session = sessionOf(
      user("Use tabs, always."),
      reply([call("1", "edit", { input: "¶src/a.ts#1A2B\nreplace 1..1:\n+x" })]),
      result("1", long(2000)),
      user("kept by the first"),
      reply("ok"),
    );
    await taken(session, new ScriptedAsk("first<constraints>- tabs\n- no any</constraints>"), {
      keep: 20,
    });
    for (const message of [reply(long(2000)), user("newest"), reply("fine")]) {
      session.append({ type: "message", message });
    }
    const scripted = new ScriptedAsk(
      "second<constraints>- ask first</constraints><withdrawn>2</withdrawn>",
    );
    const entry = await taken(session, scripted, { keep: 20 });
    const [prompt] = scripted.prompts as [string];
    expect(prompt).toContain("<previous-summary>\nfirst\n</previous-summary>");
    expect(prompt).toContain("<known-constraints>\n1. tabs\n2. no any\n</known-constraints>");
    expect(prompt).toContain("kept by the first");
    expect(prompt).not.toContain("Use tabs, always.");
    const details = entry.details as SummaryDetails;
    expect(details.constraints).toEqual(["tabs", "ask first"]);
    expect(details.userWords.messages).toEqual(["Use tabs, always.", "kept by the first"]);
    expect(details.modifiedFiles).toEqual(["src/a.ts"]);
    expect(entry.summary).toStartWith("second\n\nWhat the user said");
    expect(buildContext(session.branch()).sources).toEqual(["e9", "e7", "e8"]);
  });

  test("an extension's details are its own; its summary is carried on", async () => {
    const session = sessionOf(user("a"), reply(long(2000)), user("b"));
    const draft = {
      summary: "theirs <files>\nx\n</files>",
      firstKeptEntryId: "e2",
      details: { readFiles: ["no.ts"] },
      fromExtension: true,
    };
    const outcome = weigh(draft, inputOf(session), {});
    if (outcome.type !== "compaction") throw new Error(outcome.type);
    session.append(outcome.entry);
    session.append({ type: "message", message: reply(long(2000)) });
    session.append({ type: "message", message: user("c") });
    const scripted = new ScriptedAsk("ours");
    const entry = await taken(session, scripted, { keep: 20 });
    expect(scripted.prompts[0]).toContain("<previous-summary>\ntheirs\n</previous-summary>");
    expect((entry.details as SummaryDetails).readFiles).toEqual([]);
  });
});

test("a compaction that keeps from a result, or from before what is kept, is refused", () => {
  const session = sessionOf(user(long(500)), reply([call("1")]), result("1", "x"), user("y"));
  const at = (firstKeptEntryId: string) =>
    weigh({ summary: "s", firstKeptEntryId }, inputOf(session), {});
  expect(at("e2")).toMatchObject({ type: "dropped", reason: "bad_boundary" });
  expect(at("nowhere")).toMatchObject({ type: "dropped", reason: "bad_boundary" });
  const outcome = at("e3");
  if (outcome.type !== "compaction") throw new Error(outcome.type);
  session.append(outcome.entry);
  expect(at("e1")).toMatchObject({ type: "dropped", reason: "bad_boundary" });
});

test("tokens before are those measured by the last reply", async () => {
  const session = sessionOf(
    user("task"),
    reply(long(5000), { usage: { input: 8000, output: 500 } }),
    user("go on"),
  );
  const entry = await taken(session, new ScriptedAsk("s"), { keep: 10, model: MODEL });
  expect(entry.tokensBefore).toBeWithin(8500, 8520);
  expect(entry.tokensAfter).toBeLessThan(2000);
});
