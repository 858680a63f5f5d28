// What other tools' permission lists mean here, and that they never cover what is dangerous.

import { describe, expect, test } from "bun:test";
import type { CallAssessment } from "@tau/agent/tool";
import { decide } from "./decide.ts";
import { FOREIGN_READERS } from "./foreign-rules.ts";

const judge = (source: string, settings: object, tool: string, call: Partial<CallAssessment>) => {
  const foreign = [FOREIGN_READERS[source]!([settings as Record<string, unknown>])];
  const whole: CallAssessment = { tier: "exec", subjects: [], ...call };
  return decide(tool, whole, { mode: "always-ask", policies: {}, rules: [], foreign }).type;
};

describe("Claude Code", () => {
  const settings = {
    permissions: {
      allow: ["Bash(npm run test:*)", "Bash(make)", "Edit(docs/**)", "Write(a.md)", "Read(*)"],
      ask: ["Bash(npm run test --watch)"],
      deny: ["Bash(git push:*)", "Edit(//etc/hosts)", 7, "Bash(", "Nonsense"],
    },
  };
  test.each([
    ["bash", "npm run test", "allow"],
    ["bash", "npm run test a.ts", "allow"],
    ["bash", "npm run testing", "ask"],
    ["bash", "npm run test --watch", "ask"],
    ["bash", "make", "allow"],
    ["bash", "make clean", "ask"],
    ["bash", "git push", "block"],
    ["bash", "git pushed", "ask"],
    ["write", "docs/a/b.md", "allow"],
    ["edit", "docsx/b.md", "ask"],
    ["edit", "src/a.md", "allow"],
    ["write", "/etc/hosts", "block"],
    ["write", "etc/hosts", "ask"],
  ])("%s %s: %s", (tool, subject, expected) => {
    expect(judge("claude", settings, tool, { subjects: [subject] })).toBe(expected as never);
  });

  test("allowing rm there is no leave to delete what is guarded here", () => {
    const all = { permissions: { allow: ["Bash(rm:*)", "Bash"] } };
    const call = { subjects: ["rm ../x"], guard: "deletes outside" };
    expect(judge("claude", all, "bash", { subjects: ["rm x"] })).toBe("allow");
    expect(judge("claude", all, "bash", call)).toBe("ask");
  });

  test("of a line, every command has to be allowed", () => {
    expect(judge("claude", settings, "bash", { subjects: ["make", "npm run test"] })).toBe("allow");
    expect(judge("claude", settings, "bash", { subjects: ["make", "curl x"] })).toBe("ask");
  });
});

describe("OpenCode", () => {
  const settings = { permission: { edit: "deny", bash: { "*": "ask", "git *": "allow" } } };
  test.each([
    ["bash", "git status", "allow"],
    ["bash", "make", "ask"],
    ["edit", "a.ts", "block"],
    ["write", "a.ts", "block"],
  ])("%s %s: %s", (tool, subject, expected) => {
    expect(judge("opencode", settings, tool, { subjects: [subject] })).toBe(expected as never);
  });
});

test("of two tools the stricter counts, and the user's own word outweighs both", () => {
  const foreign = [
    FOREIGN_READERS.claude!([{ permissions: { allow: ["Bash(make)"] } }]),
    FOREIGN_READERS.opencode!([{ permission: { bash: "deny" } }]),
  ];
  const call: CallAssessment = { tier: "exec", subjects: ["make"] };
  const consent = { mode: "auto", policies: {}, rules: [], foreign } as const;
  expect(decide("bash", call, consent).type).toBe("block");
  const rules = [{ verdict: "allow", tool: "bash" } as const];
  expect(decide("bash", call, { ...consent, rules }).type).toBe("allow");
});

test("settings of any other shape say nothing", () => {
  for (const settings of [{}, { permissions: [] }, { permissions: { allow: "Bash" } }]) {
    expect(FOREIGN_READERS.claude!([settings])).toEqual([]);
  }
  expect(FOREIGN_READERS.opencode!([{ permission: { bash: 7 } }])).toEqual([]);
});
