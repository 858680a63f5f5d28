// Typing is never consent. Whatever rhythm somebody types in, whenever questions come, at the
// prompt and over every screen: what was typed arrives where it was going, and a question is
// answered only by keys that were pressed at it, after it could be seen. The laws are checked
// from outside, by what was pressed, painted and received; none of them asks the guard.

import { expect, test } from "bun:test";
import type { Approval } from "@tau/agent/judge-call";
import type { FocusableComponent } from "@tau/tui/component";
import { typedText } from "@tau/tui/components/selection-actions";
import { PromptEditor } from "@tau/tui/editor/prompt-editor";
import type { KeyInput } from "@tau/tui/key-input";
import { colourlessTheme } from "@tau/tui/theme/built-in-theme";
import fc from "fast-check";
import { askConsent } from "./approval-screen.ts";
import { ARM_MS, type Standing } from "./question-guard.ts";
import { ALL_SCREENS, type TriedScreen } from "./screens/test/all-screens.ts";
import { FakeStage, pressOf, settled } from "./screens/test/fake-stage.ts";
import { sampleQuestion, type SampleCall } from "./screens/test/sample-question.ts";
import type { AskOptions, Close, GuardedQuestion, ShowOptions, Turn } from "./stage.ts";

type Happening =
  | { after: number; press: string }
  | { after: number; paste: string }
  | { after: number; asks: SampleCall };

const gap = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 0, max: 250 }) },
  { weight: 2, arbitrary: fc.integer({ min: 250, max: 1_000 }) },
  { weight: 2, arbitrary: fc.integer({ min: 1_000, max: 3_000 }) },
);
const call: fc.Arbitrary<SampleCall> = fc.record({
  danger: fc.constantFrom("none", "guarded"),
  rules: fc.constantFrom("some", "none"),
});
const letters = fc.constantFrom("y", "s", "a", "n", "t", "y", "a", "e", "o", "space", "shift+y");
const OTHERS = "enter enter enter up down left right tab backspace escape ctrl+x ctrl+x ctrl+p";
const others = fc.constantFrom(...OTHERS.split(" "));
const one = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T[]> => arbitrary.map((only) => [only]);
/** Somebody who means it, or nearly. */
const answer = fc
  .tuple(gap, fc.integer({ min: 500, max: 2_500 }), letters, gap)
  .map(([first, rest, letter, last]): Happening[] => [
    { after: first, press: "ctrl+x" },
    { after: rest, press: letter },
    { after: last, press: "enter" },
  ]);
const happenings = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: one(fc.record({ after: gap, press: letters })) },
      { weight: 5, arbitrary: one(fc.record({ after: gap, press: others })) },
      {
        weight: 1,
        arbitrary: one(fc.record({ after: gap, paste: fc.constantFrom("yes", "a\n", "n") })),
      },
      { weight: 3, arbitrary: one(fc.record({ after: gap, asks: call })) },
      { weight: 2, arbitrary: answer },
    ),
    { minLength: 3, maxLength: 30 },
  )
  .map((parts): Happening[] => parts.flat());

/** What the last frame showed of a question. */
type Look = "nothing" | "strip" | "asleep" | "armed";

interface Pressed {
  at: number;
  input: KeyInput;
  name: string;
  look: Look;
  /** For how long a box has been in every frame. */
  boxFor: number;
  /** Something beneath was in use. */
  isInUse: boolean;
  /** How many questions had been closed before. */
  closings: number;
  hasArrivedAtOnce: boolean;
}

interface Asked {
  sample: SampleCall;
  answer?: Approval;
  /** The closing that was its own, counted from 0; and the last key before it. */
  closing?: number;
}

/** Hears what gets to the screens, and when questions close. */
class WatchedStage extends FakeStage {
  readonly arrived: KeyInput[] = [];
  screens = 0;
  closings = 0;

  override async show<T>(
    open: (close: Close<T>) => FocusableComponent,
    options?: ShowOptions,
  ): Promise<T | undefined> {
    const watched = (close: Close<T>): FocusableComponent => {
      const inner = open(close);
      return {
        state: "live",
        render: (columns) => inner.render(columns),
        handleKey: (input) => {
          this.arrived.push(input);
          return inner.handleKey(input);
        },
      };
    };
    this.screens += 1;
    try {
      return await super.show(watched, options);
    } finally {
      this.screens -= 1;
    }
  }

  override async ask<T>(
    open: (close: Close<T>, standing: () => Standing, turn: () => Turn) => GuardedQuestion,
    options?: AskOptions,
  ): Promise<T | undefined> {
    try {
      return await super.ask(open, options);
    } finally {
      this.closings += 1;
    }
  }

  get look(): Look {
    const text = this.frame.join("\n");
    if (/Choose, then Enter|Letter or Enter/.test(text)) return "armed";
    if (text.includes("Not ready for an answer yet")) return "asleep";
    return /\? \S+ asks .*Ctrl\+X answers/.test(text) ? "strip" : "nothing";
  }
}

class Trial {
  readonly pressed: Pressed[] = [];
  readonly asked: Asked[] = [];
  readonly editor: PromptEditor;
  readonly stage: WatchedStage;
  #boxSince = Number.POSITIVE_INFINITY;

  constructor() {
    const theme = colourlessTheme();
    const requestRender = (): void => {};
    this.editor = new PromptEditor({ theme, requestRender, onSubmit: () => {}, escape: "pass" });
    const handleKey = (input: KeyInput): void => {
      this.stage.arrived.push(input);
      this.editor.handleKey(input);
    };
    this.stage = new WatchedStage({
      theme,
      prompt: { handleKey, isInUse: () => this.editor.isInUse },
    });
  }

  async play(all: readonly Happening[]): Promise<void> {
    for (const next of all) {
      await this.wait(next.after);
      if ("asks" in next) this.ask(next.asks);
      else if ("press" in next) this.send(pressOf(next.press), next.press);
      else this.send({ type: "paste", text: next.paste }, "paste");
      await settled();
    }
  }

  /** In steps, so that what was painted in between is seen. */
  async wait(milliseconds: number): Promise<void> {
    for (let left = milliseconds; left > 0; left -= 20) {
      this.stage.wait(Math.min(left, 20));
      await Promise.resolve();
      const isBox = this.stage.look === "asleep" || this.stage.look === "armed";
      if (!isBox) this.#boxSince = Number.POSITIVE_INFINITY;
      else this.#boxSince = Math.min(this.#boxSince, this.stage.clock.now());
    }
    await settled();
  }

  ask(sample: SampleCall): void {
    const asked: Asked = { sample };
    this.asked.push(asked);
    const consent = { stage: this.stage, cwd: "/", stop: () => {} };
    const { signal } = new AbortController();
    void askConsent(sampleQuestion(sample), consent, signal).then((approval) => {
      asked.answer = approval;
      asked.closing = this.stage.closings - 1;
    });
  }

  send(input: KeyInput, name: string): void {
    const { stage } = this;
    const at = stage.clock.now();
    const isInUse = stage.screens > 0 || this.editor.isInUse;
    const { look, closings } = stage;
    const boxFor = at - this.#boxSince;
    const key = { at, input, name, look, boxFor, isInUse, closings, hasArrivedAtOnce: false };
    this.pressed.push(key);
    stage.send(input);
    key.hasArrivedAtOnce = stage.arrived.includes(input);
  }

  /** Law: with a claim, a rest and keys, every question comes to its end. */
  async end(): Promise<void> {
    for (let round = 0; round < 3 * (this.asked.length + 2); round += 1) {
      await this.wait(2_000);
      if (this.asked.every((asked) => asked.answer)) return;
      if (this.stage.look !== "armed") {
        this.send(pressOf("ctrl+x"), "ctrl+x");
        await this.wait(2_000);
      }
      this.send(pressOf("down"), "down");
      this.send(pressOf("enter"), "enter");
      await settled();
    }
    throw new Error(`A question cannot be answered:\n${this.stage.frame.join("\n")}`);
  }

  check(): void {
    const { pressed, stage } = this;
    const order = stage.arrived.map((input) => pressed.findIndex((key) => key.input === input));
    // Exactly once, and in order.
    expect(order).toEqual([...new Set(order)].sort((a, b) => a - b));
    const hasArrived = new Set(stage.arrived);
    for (const [index, key] of pressed.entries()) {
      if (hasArrived.has(key.input)) continue;
      if (isTyping(key)) this.#wasForQuestion(index);
      if (key.look === "armed" || key.look === "asleep") this.#wasPressedAtIt(index);
    }
    for (const asked of this.asked) this.#wasMeant(asked);
  }

  /** Text that did not arrive: one letter, at an armed question that closed before the next. */
  #wasForQuestion(index: number): void {
    const { pressed, stage } = this;
    const key = pressed[index]!;
    const next = pressed.slice(index + 1).find(isTyping);
    expect(key.input.type).toBe("key");
    expect("ysantYN").toContain(key.input.type === "key" ? key.input.text.toLowerCase() : "?");
    // It marked a choice, and nothing has followed that would choose it.
    if (!next && key.look === "armed") return;
    expect(next?.closings ?? stage.closings).toBeGreaterThan(key.closings);
  }

  /** A key that a question took: it had been in view and the keyboard at rest, since its own first. */
  #wasPressedAtIt(index: number): void {
    const key = this.pressed[index]!;
    if (key.name === "ctrl+x") return;
    const before = this.pressed[index - 1];
    // A letter that marked a choice may go to the field later, with the one that follows it.
    const isSeries =
      before !== undefined &&
      !before.hasArrivedAtOnce &&
      before.look === "armed" &&
      before.name !== "ctrl+x" &&
      before.closings === key.closings;
    expect(key.look).toBe("armed");
    if (isSeries) return;
    expect(key.at - (before?.at ?? Number.NEGATIVE_INFINITY)).toBeGreaterThanOrEqual(ARM_MS);
    expect(key.boxFor).toBeGreaterThanOrEqual(ARM_MS - 20);
    if (!key.isInUse) return;
    // Something beneath is in use: the last key that went anywhere else was the claim.
    expect(before?.name).toBe("ctrl+x");
  }

  #wasMeant({ sample, answer: approval, closing }: Asked): void {
    if (!approval?.allowed) return;
    const arrived = new Set(this.stage.arrived);
    const taken = this.pressed.filter(
      ({ input, closings, look, name }) =>
        closings === closing && look === "armed" && name !== "ctrl+x" && !arrived.has(input),
    );
    expect(taken.length).toBeGreaterThanOrEqual(1);
    if (approval.remember !== "always" && sample.danger === "none") return;
    expect(taken.length).toBeGreaterThanOrEqual(2);
    expect(taken.at(-1)!.name).toBe("enter");
    expect(taken.slice(0, -1).some(({ name }) => name !== "enter")).toBe(true);
  }
}

const isTyping = ({ input }: Pressed): boolean => input.type === "paste" || typedText(input) !== "";

const seen = { allowed: 0, guarded: 0, always: 0, refused: 0 };

async function tryOut(all: readonly Happening[], open?: TriedScreen["open"]): Promise<Trial> {
  const trial = new Trial();
  const closing = new AbortController();
  const opened = open?.(trial.stage, closing.signal);
  await settled();
  await trial.play(all);
  await trial.end();
  trial.check();
  for (const { answer: approval, sample } of trial.asked) {
    if (!approval?.allowed) seen.refused += 1;
    else {
      seen.allowed += 1;
      if (sample.danger === "guarded") seen.guarded += 1;
      if (approval.remember === "always") seen.always += 1;
    }
  }
  closing.abort();
  await settled();
  await opened;
  return trial;
}

test("law: at the prompt, typing is never consent, and none of it is lost", async () => {
  await fc.assert(
    fc.asyncProperty(happenings, async (all) => {
      await tryOut(all);
    }),
    { numRuns: 500 },
  );
  // A law that nothing comes under holds nothing.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
}, 120_000);

for (const [name, { open }] of Object.entries(ALL_SCREENS)) {
  test(`law: over ${name}, typing is never consent, and none of it is lost`, async () => {
    await fc.assert(
      fc.asyncProperty(happenings, async (all) => {
        await tryOut(all, open);
      }),
      { numRuns: 50 },
    );
  }, 120_000);
}
