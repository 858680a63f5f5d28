// Questions to the other side: several open at once, each answered once, none answered by silence.

import { expect, test } from "bun:test";
import type { ApprovalQuestion } from "@tau/agent/judge-call";
import type { CallPreview } from "@tau/agent/tool";
import type { OutgoingEvent } from "./frame-writer.ts";
import { RpcError } from "./protocol.ts";
import { Questions } from "./questions.ts";

function asking() {
  const told: OutgoingEvent[] = [];
  let stops = 0;
  const questions = new Questions({
    emit: (event) => told.push(event),
    hide: (value) => JSON.parse(JSON.stringify(value).replaceAll("s3cret", "#hidden#")),
    runId: () => "run_1",
    stop: () => (stops += 1),
  });
  const abort = new AbortController();
  const put = (fields: Partial<ApprovalQuestion> = {}) =>
    questions.ask(question(fields), { signal: abort.signal });
  return { told, questions, put, abort, stops: () => stops };
}

/** Only what a question is told with. */
function question(fields: Partial<ApprovalQuestion>): ApprovalQuestion {
  const call = { type: "toolCall" as const, id: "c1", name: "bash", arguments: {} };
  const prepared = { params: { command: "print s3cret" } } as ApprovalQuestion["prepared"];
  const reasons = [{ behaviour: "approval", reason: "it is far away" }];
  return {
    call,
    prepared,
    reasons,
    tier: "exec",
    subjects: [],
    rules: ["allow bash(x)"],
    scopes: ["session", "always"],
    ...fields,
  };
}

const moment = () => new Promise<void>((resolve) => setImmediate(resolve));

function codeOf(failing: () => void): string {
  try {
    failing();
    return "no failure";
  } catch (error) {
    return error instanceof RpcError ? error.code : String(error);
  }
}

test("several are open at once, and answered in any order", async () => {
  const { questions, put, told } = asking();
  const answers = [put(), put(), put()];
  await moment();
  expect(questions.open.map(({ id }) => id)).toEqual(["ask_1", "ask_2", "ask_3"]);
  expect(told[0]).toMatchObject({ runId: "run_1", arguments: { command: "print #hidden#" } });
  questions.answer("ask_3", { verdict: "always" });
  questions.answer("ask_1", { verdict: "no", reason: "not now" });
  questions.answer("ask_2", { verdict: "once" });
  expect(await Promise.all(answers)).toEqual([
    { allowed: false, reason: "The user said no, and: not now" },
    { allowed: true },
    { allowed: true, remember: "always" },
  ]);
  expect(questions.open).toEqual([]);
});

test("one that can only be allowed once stays open when more is said", async () => {
  const { questions, put } = asking();
  const answer = put({ rules: [], scopes: [] });
  await moment();
  expect(questions.open[0]).toMatchObject({ verdicts: ["once", "no", "abort"] });
  expect(codeOf(() => questions.answer("ask_1", { verdict: "always" }))).toBe("invalid");
  questions.answer("ask_1", { verdict: "once" });
  expect(await answer).toEqual({ allowed: true });
  expect(codeOf(() => questions.answer("ask_1", { verdict: "once" }))).toBe("refused");
  expect(codeOf(() => questions.answer("ask_2", { verdict: "once" }))).toBe("not_found");
});

test("abort refuses and stops; a stopped run and a client that left make it void", async () => {
  const first = asking();
  const refused = first.put();
  await moment();
  first.questions.answer("ask_1", { verdict: "abort" });
  expect(await refused).toMatchObject({ allowed: false });
  expect(first.stops()).toBe(1);
  const stopped = first.put();
  await moment();
  first.abort.abort();
  expect(await stopped).toEqual({ allowed: false });
  expect(first.told.at(-1)).toMatchObject({ type: "ask_end", id: "ask_2", outcome: "void" });
  const second = asking();
  const left = second.put();
  await moment();
  second.questions.close();
  expect(await left).toMatchObject({ allowed: false });
  expect(await second.put()).toMatchObject({ allowed: false });
  expect(second.told.filter(({ type }) => type === "ask")).toHaveLength(1);
});

test("a diff that is too long is cut, and says by how much", async () => {
  const { questions, put } = asking();
  const diff = "+line\n".repeat(100_000);
  const files = ["a", "b"].map((path) => ({ path, op: "create" as const, diff }));
  void put({ preview: async (): Promise<CallPreview> => ({ files }) });
  await moment();
  const [asked] = questions.open;
  if (asked?.kind !== "approval") throw new Error("nothing was asked");
  const shown = asked.preview!.files as readonly {
    diff: string;
    missingCharacters?: number;
  }[];
  expect(shown[0]!.diff.length + shown[0]!.missingCharacters!).toBe(diff.length);
  expect(shown[1]).toMatchObject({ diff: "", missingCharacters: diff.length });
});
