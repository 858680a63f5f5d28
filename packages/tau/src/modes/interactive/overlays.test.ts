import { expect, test } from "bun:test";
import type { Approval, ApprovalQuestion } from "@tau/agent/judge-call";
import type { CallPreview } from "@tau/agent/tool";
import { PromptEditor } from "@tau/tui/editor/prompt-editor";
import { colourlessTheme } from "@tau/tui/theme/built-in-theme";
import { askConsent } from "./approval-screen.ts";
import { ALONE_MS, ARM_MS } from "./question-guard.ts";
import { askText, askYesNo } from "./screens/ask-over.ts";
import { FakeStage, settled, type FakeStageOptions } from "./screens/test/fake-stage.ts";
import { sampleQuestion } from "./screens/test/sample-question.ts";

function atPrompt(options: FakeStageOptions = {}) {
  const theme = colourlessTheme();
  const requestRender = (): void => {};
  const editor = new PromptEditor({ theme, requestRender, onSubmit: () => {}, escape: "pass" });
  const prompt = {
    handleKey: (input: Parameters<typeof editor.handleKey>[0]) => void editor.handleKey(input),
    isInUse: () => editor.isInUse,
  };
  const stage = new FakeStage({ ...options, prompt });
  const closing = new AbortController();
  const ask = (question: ApprovalQuestion): Promise<Approval> =>
    askConsent(question, { stage, cwd: "/", stop: () => {} }, closing.signal);
  return { stage, editor, ask, abort: () => closing.abort() };
}

const harmless = sampleQuestion({ danger: "none", rules: "some" });
const guarded = sampleQuestion({ danger: "guarded", rules: "some" });
const shown = (stage: FakeStage): string => stage.window().join("\n");

test("a lone letter answers a moment later; of two, both go to the draft", async () => {
  const { stage, editor, ask } = atPrompt();
  const first = ask(harmless);
  stage.rest();
  stage.type("y");
  stage.wait(ALONE_MS - 1);
  expect(stage.depth).toBe(1);
  stage.wait(1);
  expect(await first).toEqual({ allowed: true });
  expect(editor.text).toBe("");
  const second = ask(harmless);
  stage.rest();
  stage.type("y");
  stage.wait(ALONE_MS - 1);
  stage.type("e");
  stage.rest();
  expect(editor.text).toBe("ye");
  expect(shown(stage)).toContain("? bash asks  rm -rf ../precious");
  stage.press("Ctrl+X");
  stage.rest();
  stage.press("n", "Enter");
  expect((await second).allowed).toBe(false);
  expect(editor.text).toBe("ye");
});

test("neither Up nor Down and Enter, however often, lead from No to an answer for good", async () => {
  for (const keys of [["Up"], ["Up", "Up", "Up"], ["Down"], ["Down", "Up", "Up"]]) {
    const { stage, ask, abort } = atPrompt();
    const answer = ask(guarded);
    stage.rest();
    stage.press(...keys, "Enter");
    await settled();
    abort();
    expect((await answer).allowed).toBe(false);
  }
});

test("in a row each opens at once, and each is armed by a rest of its own", async () => {
  const { stage, ask } = atPrompt();
  const first = ask(harmless);
  stage.rest();
  const second = ask(harmless);
  stage.press("Enter");
  expect(await first).toEqual({ allowed: true });
  stage.wait(1);
  expect(shown(stage)).toContain("Not ready for an answer yet");
  stage.wait(ARM_MS / 2);
  stage.press("Enter");
  await settled();
  expect(shown(stage)).toContain("Not ready for an answer yet");
  stage.rest();
  stage.press("Enter");
  expect(await second).toEqual({ allowed: true });
});

test("over an empty prompt the key puts it back as well, until it is asked for", async () => {
  const { stage, ask } = atPrompt();
  const answer = ask(guarded);
  stage.rest();
  stage.press("Ctrl+X");
  stage.wait(10 * ARM_MS);
  expect(shown(stage)).toMatch(/\? bash asks .* Ctrl\+X answers$/);
  stage.press("Ctrl+X");
  stage.rest();
  stage.press("Enter");
  expect((await answer).allowed).toBe(false);
});

test("whoever goes back from saying what to do instead is asked again", async () => {
  const { stage, ask } = atPrompt();
  const answer = ask(harmless);
  stage.rest();
  stage.press("t", "Enter");
  await settled();
  expect(shown(stage)).toContain("Instead of bash: Enter sends, Esc goes back");
  stage.type("look");
  stage.press("Escape");
  await settled();
  stage.rest();
  expect(shown(stage)).toContain("─ bash asks ─");
  stage.press("t", "Enter");
  await settled();
  stage.type("look first");
  stage.press("Enter");
  expect(await answer).toEqual({ allowed: false, reason: "The user said no, and: look first" });
});

test("questions come one after the other; what the person opened comes first", async () => {
  const { stage, editor, ask } = atPrompt();
  editor.setText("a draft");
  const first = ask({ ...harmless, call: { ...harmless.call, name: "first" } });
  const second = ask({ ...harmless, call: { ...harmless.call, name: "second" } });
  expect(shown(stage)).toMatch(/\? first asks .* Ctrl\+X answers \(1 of 2\)$/);
  const own = askYesNo(stage, { title: "Delete it?", question: "It is gone for good." });
  expect(shown(stage)).toContain("Delete it?");
  stage.rest();
  stage.press("y", "Enter");
  expect(await own).toBe(true);
  stage.press("Ctrl+X");
  stage.rest();
  expect(shown(stage)).toContain("─ first asks (2 of 3) ─");
  stage.press("Enter");
  expect(await first).toEqual({ allowed: true });
  stage.rest();
  expect(shown(stage)).toMatch(/\? second asks .* Ctrl\+X answers$/);
  stage.press("Ctrl+X");
  stage.rest();
  stage.press("Enter");
  expect(await second).toEqual({ allowed: true });
});

test("the key puts an armed question back, and holding it down does not", async () => {
  const { stage, editor, ask } = atPrompt();
  editor.setText("a draft");
  void ask(guarded);
  for (let times = 0; times < 41; times += 1) {
    stage.press("Ctrl+X");
    stage.wait(30);
  }
  expect(shown(stage)).toContain("─ bash asks ─");
  stage.rest();
  stage.press("Ctrl+X");
  expect(shown(stage)).toContain("? bash asks");
});

test("who was away rests again before an answer is taken, and the question stays open", async () => {
  const { stage, editor, ask } = atPrompt();
  editor.setText("a draft");
  const answer = ask(harmless);
  stage.press("Ctrl+X");
  stage.rest();
  stage.restAgain();
  stage.wait(ARM_MS - 1);
  expect(shown(stage)).toContain("Not ready for an answer yet");
  stage.wait(100);
  expect(shown(stage)).toContain("❯ y  Yes");
  stage.press("Enter");
  expect(await answer).toEqual({ allowed: true });
});

test("a remapped key works, a chord too; without one the strip says what to do", async () => {
  for (const [chords, words] of [
    [[["f5"]], "F5 answers"],
    [[["ctrl+k", "q"]], "Ctrl+K Q answers"],
    [[], "waits until you finish here"],
  ] as const) {
    const { stage, editor, ask } = atPrompt({ remaps: new Map([["app.question.answer", chords]]) });
    editor.setText("a draft");
    const answer = ask(guarded);
    expect(shown(stage)).toContain(words);
    stage.press(chords[0]?.join(" ") ?? "Ctrl+U");
    stage.rest();
    stage.press("Enter");
    expect((await answer).allowed).toBe(false);
    expect(editor.text).toBe(chords.length > 0 ? "a draft" : "");
  }
});

test("nobody answers before what would change is there to be seen", async () => {
  const { stage, editor, ask } = atPrompt();
  const preview = Promise.withResolvers<CallPreview>();
  const answer = ask({ ...harmless, preview: () => preview.promise });
  stage.rest();
  expect(shown(stage)).toContain("Determining what it would do");
  stage.press("Enter");
  expect(stage.depth).toBe(1);
  preview.resolve({ files: [], problem: "nothing would change" });
  await settled();
  stage.wait(ARM_MS - 100);
  stage.press("Enter");
  expect(stage.depth).toBe(1);
  stage.rest();
  expect(shown(stage)).toContain("nothing would change");
  stage.press("Enter");
  expect(await answer).toEqual({ allowed: true });
  expect(editor.text).toBe("");
});

test("a run that is stopped gives a marked letter back to the draft", async () => {
  const { stage, editor, ask, abort } = atPrompt();
  const answer = ask(guarded);
  stage.rest();
  stage.type("n");
  expect(editor.text).toBe("");
  abort();
  expect((await answer).allowed).toBe(false);
  expect(editor.text).toBe("n");
});

test("a line that somebody is asked for keeps its keys, and so does what to do instead", async () => {
  const { stage, ask } = atPrompt();
  const title = askText(stage, { title: "Title" });
  const first = ask(harmless);
  stage.type("a ");
  stage.rest();
  stage.type("yes");
  expect(shown(stage)).toContain("a yes");
  expect(shown(stage)).toContain("? bash asks");
  stage.press("Enter");
  expect(await title).toBe("a yes");
  await settled();
  stage.rest();
  stage.type("t");
  stage.wait(ALONE_MS);
  await settled();
  const second = ask(guarded);
  stage.rest();
  stage.type("say yes");
  stage.press("Enter");
  expect(await first).toMatchObject({ reason: expect.stringContaining("say yes") });
  await settled();
  stage.rest();
  stage.press("Enter");
  expect((await second).allowed).toBe(false);
});

test.each([
  [80, 24],
  [40, 15],
  [12, 4],
  [1, 1],
])("the strip fits below a screen at %p columns and %p rows", async (columns, rows) => {
  const { stage, ask } = atPrompt({ columns, rows });
  void askText(stage, { title: "Title" });
  void ask(guarded);
  const drawn = stage.window();
  for (const row of drawn) expect(row.length).toBeLessThanOrEqual(Math.max(1, columns));
  if (columns >= 40) {
    expect(drawn.slice(columns < 60 ? -2 : -1).join("\n")).toContain("Ctrl+X answers");
    expect(drawn.length).toBeLessThanOrEqual(rows);
  }
});
