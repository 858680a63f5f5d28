// Who may run what: the whole table, and that a remembered consent fits the next time.

import { describe, expect, test } from "bun:test";
import type { CallAssessment } from "@tau/agent/tool";
import fc from "fast-check";
import { fits, parseRule, printRule, ruleFor, verdictFor, type Verdict } from "./approval-rule.ts";
import { consentFrom, decide, type Consent } from "./decide.ts";
import { defaultsOf } from "../../config/setting-group.ts";
import { APPROVAL_MODES, APPROVAL_ROWS, type ApprovalMode } from "./settings.ts";

const consent = (mode: ApprovalMode, more: Partial<Consent> = {}): Consent => ({
  mode,
  policies: {},
  rules: [],
  ...more,
});
const call = (tier: CallAssessment["tier"], guard?: string): CallAssessment => ({
  tier,
  subjects: ["it"],
  guard,
});

describe("by mode", () => {
  test.each<[ApprovalMode, CallAssessment, string]>([
    ["always-ask", call("read"), "allow"],
    ["always-ask", call("write"), "ask"],
    ["always-ask", call("exec"), "ask"],
    ["write", call("read"), "allow"],
    ["write", call("write"), "allow"],
    ["write", call("exec"), "ask"],
    ["auto", call("write"), "allow"],
    ["auto", call("exec"), "allow"],
    ["auto", call("exec", "deletes everything"), "ask"],
    ["auto", call("write", "overwrites outside"), "ask"],
    ["yolo", call("exec", "deletes everything"), "allow"],
  ])("%s, %o: %s", (mode, assessed, expected) => {
    expect(decide("bash", assessed, consent(mode)).type).toBe(expected as never);
  });
});

test("why it is asked is a clause of its own", () => {
  const why = (assessed: CallAssessment, more: Partial<Consent> = {}) =>
    decide("bash", assessed, consent("write", more));
  expect(why(call("exec", "deletes x"))).toEqual({ type: "ask", reason: "it deletes x" });
  expect(why(call("exec"))).toEqual({
    type: "ask",
    reason: "it runs a command",
    isByMode: true,
  });
  const rules = [parseRule("prompt bash(*)")!];
  expect(why(call("exec"), { rules })).toEqual({ type: "ask", reason: "your settings say so" });
});

describe("by what the user said", () => {
  const policies = (word: Verdict) => ({ policies: { bash: word } });
  test.each<[string, ApprovalMode, Partial<Consent>, CallAssessment, string]>([
    ["refused in every mode", "yolo", policies("deny"), call("read"), "block"],
    ["asked in every mode", "yolo", policies("prompt"), call("read"), "ask"],
    ["allowed against the mode", "always-ask", policies("allow"), call("exec"), "allow"],
    ["but a danger is asked about", "auto", policies("allow"), call("exec", "x"), "ask"],
    [
      "unless it is exactly this one",
      "auto",
      { rules: [parseRule("allow bash(it)")!] },
      call("exec", "x"),
      "allow",
    ],
    [
      "a later rule counts",
      "auto",
      { rules: [parseRule("allow bash")!, parseRule("deny bash(i*)")!] },
      call("exec"),
      "block",
    ],
    [
      "another tool's rule does not",
      "auto",
      { rules: [parseRule("deny write")!] },
      call("exec"),
      "allow",
    ],
  ])("%s", (_name, mode, more, assessed, expected) => {
    expect(decide("bash", assessed, consent(mode, more)).type).toBe(expected as never);
  });

  test("a line is allowed only if all of it is, and refused if any of it is", () => {
    const rules = [parseRule("allow bash(git *)")!, parseRule("deny bash(git push*)")!];
    const line = (...subjects: string[]): CallAssessment => ({ tier: "exec", subjects });
    const judge = (assessed: CallAssessment) =>
      decide("bash", assessed, consent("write", { rules })).type;
    expect(judge(line("git status", "git log"))).toBe("allow");
    expect(judge(line("git status", "make"))).toBe("ask");
    expect(judge(line("git status", "git push origin"))).toBe("block");
  });

  test("a refusal holds however it is put; consent is to the very words", () => {
    const put: CallAssessment = {
      tier: "exec",
      subjects: ["A=1 git push"],
      spellings: [["git push"]],
    };
    const judge = (...rules: string[]) =>
      decide("bash", put, consent("write", { rules: rules.map((rule) => parseRule(rule)!) })).type;
    expect(judge("deny bash(git push*)")).toBe("block");
    expect(judge("allow bash(git push*)")).toBe("ask");
    expect(judge("prompt bash(git push*)", "allow bash(A=1 git push)")).toBe("allow");
  });

  test("a refusal in Claude Code's words for a prefix holds; an allowance is as it is written", () => {
    const judge = (rule: string, subject: string, ...spellings: string[]) =>
      decide(
        "bash",
        { tier: "exec", subjects: [subject], spellings: [spellings] },
        consent("write", { rules: [parseRule(rule)!] }),
      ).type;
    expect(judge("deny bash(git push:*)", "git push")).toBe("block");
    expect(judge("deny bash(git push:*)", "git push origin")).toBe("block");
    expect(judge("deny bash(git push:*)", "A=1 git push", "git push")).toBe("block");
    expect(judge("deny bash(git push:*)", "git pushed")).toBe("ask");
    expect(judge("deny bash(line:*)", "line: rm $(x")).toBe("block");
    expect(judge("allow bash(git push:*)", "git push")).toBe("ask");
    expect(judge("allow bash(git push:*)", "git push:x")).toBe("allow");
    const write = { rules: [parseRule("deny write(a:*)")!] };
    expect(decide("write", { tier: "write", subjects: ["a"] }, consent("auto", write)).type).toBe(
      "allow",
    );
  });

  test("the word for a tool holds for the parts of a line that no rule is about", () => {
    const rules = [parseRule("prompt bash(git *)")!];
    const line: CallAssessment = { tier: "exec", subjects: ["git push", "make"] };
    const more = { rules, policies: { bash: "deny" as const } };
    expect(decide("bash", line, consent("auto", more)).type).toBe("block");
  });

  test("nonsense in the settings counts for nothing", () => {
    const approval = { bash: "maybe" };
    const rules = [7, "allow", "refuse bash(git push*)"];
    const read = consentFrom({ ...defaultsOf(APPROVAL_ROWS), approval, rules });
    expect(read).toEqual({ mode: "auto", policies: {}, rules: [] });
    expect(APPROVAL_MODES).toContain(read.mode);
  });
});

describe("rules", () => {
  test.each([
    ["npm test*", "npm test", true],
    ["npm test*", "npm test -- x", true],
    ["npm test*", "npx test", false],
    ["*.lock", "a/b.lock", true],
    ["a*b*c", "a1b2c", true],
    ["a*b*c", "acb", false],
    ["a*a", "a", false],
    ["\\*", "*", true],
    ["\\*", "x", false],
    ["", "", true],
  ])("%s on %s: %p", (pattern, text, expected) => {
    expect(fits(pattern, text)).toBe(expected);
  });

  test("one that is made from a call fits it, printed and read again too, and nothing else", () => {
    const words = fc.string({
      unit: fc.constantFrom("a", "*", "\\", "(", ")", " ", "\n", "é"),
      maxLength: 12,
    });
    fc.assert(
      fc.property(words, words, (subject, other) => {
        const rule = parseRule(printRule(ruleFor("bash", subject)))!;
        expect(verdictFor([rule], "bash", { subject })).toBe("allow");
        if (other !== subject)
          expect(verdictFor([rule], "bash", { subject: other })).toBeUndefined();
      }),
    );
  });
});
