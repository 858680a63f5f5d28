// What other tools' permission lists mean here, and that they never cover what is dangerous.

import { describe, expect, test } from "bun:test";
import type { CallAssessment } from "@tau/agent/tool";
import { decide } from "./decide.ts";
import { FOREIGN_READERS } from "./foreign-rules.ts";
import { FOREIGN_SLIPS } from "./foreign-slips.ts";

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

describe("slips in refusals are found, with their place", () => {
  const deny = (...entries: unknown[]) => ({ permissions: { deny: entries } });
  test.each<[source: string, settings: object, key: string]>([
    ["claude", { permissions: [] }, "permissions"],
    ["claude", { permissions: "deny" }, "permissions"],
    ["claude", { permisions: { deny: ["Bash"] } }, "permisions"],
    ["claude", { permissions: { deny: "Bash(rm:*)" } }, "permissions.deny"],
    ["claude", { permissions: { ask: { Bash: true } } }, "permissions.ask"],
    ["claude", { permissions: { denny: ["Bash"] } }, "permissions.denny"],
    ["claude", { permissions: { Deny: ["Bash"] } }, "permissions.Deny"],
    ["claude", { permissions: { aks: ["Bash"] } }, "permissions.aks"],
    ["claude", { permissions: { disallowed: ["Bash"] } }, "permissions.disallowed"],
    ["claude", deny("Read(x)", { tool: "Bash" }), "permissions.deny.1"],
    ["claude", deny("Bash(rm:*"), "permissions.deny.0"],
    ["claude", deny("Bsh(rm:*)"), "permissions.deny.0"],
    ["claude", deny("Bash()"), "permissions.deny.0"],
    ["opencode", { permission: { bash: "aks" } }, "permission.bash"],
    ["opencode", { permission: { bash: { "rm *": "dney" } } }, "permission.bash.rm *"],
    ["opencode", { permission: { edit: ["deny"] } }, "permission.edit"],
    ["opencode", { permission: { Bash: "deny" } }, "permission.Bash"],
    ["opencode", { permission: "dney" }, "permission"],
    ["opencode", { permission: [] }, "permission"],
    ["opencode", { permissions: { bash: "deny" } }, "permissions"],
  ])("%s: %j", (source, settings, key) => {
    const slips = FOREIGN_SLIPS[source]!(settings as Record<string, unknown>);
    expect(slips.map((one) => one.key)).toEqual([key]);
  });

  test("a full file of Claude Code's has none", () => {
    const settings = {
      $schema: "https://json.schemastore.org/claude-code-settings.json",
      model: "opus",
      env: { FOO: "deny" },
      permissions: {
        allow: ["Bash(npm run:*)", "bash(ls)", 7],
        ask: ["WebFetch", "mcp__github__create_issue"],
        deny: ["Read(./.env)", "Read(./secrets/**)", "WebFetch(domain:x.com)", "Task(Explore)"],
        additionalDirectories: ["../docs/"],
        defaultMode: "acceptEdits",
        disableBypassPermissionsMode: "disable",
      },
      hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "x" }] }] },
      statusLine: { type: "command", command: "~/.claude/statusline.sh" },
      enabledPlugins: { "a@b": true },
      sandbox: { enabled: true, excludedCommands: ["docker"], network: {} },
      disabledMcpjsonServers: ["filesystem"],
      cleanupPeriodDays: 20,
    };
    expect(FOREIGN_SLIPS.claude!(settings)).toEqual([]);
    for (const empty of [{}, { permissions: null }, { permissions: {} }, deny()]) {
      expect(FOREIGN_SLIPS.claude!(empty)).toEqual([]);
    }
  });

  test("a full file of OpenCode's has none", () => {
    const permission = {
      "*": "ask",
      bash: { "*": "ask", "git *": "allow" },
      edit: { "*": "deny", "docs/*": "allow" },
      read: { "*": "allow", "*.env": "deny" },
      external_directory: "ask",
      doom_loop: "ask",
      webfetch: "deny",
    };
    const settings = { theme: "x", permission, agent: { build: { permission: { edit: "ask" } } } };
    expect(FOREIGN_SLIPS.opencode!(settings)).toEqual([]);
    expect(FOREIGN_SLIPS.opencode!({ permission: "ask" })).toEqual([]);
  });
});

test("a name that differs only in its case refuses, and allows nothing", () => {
  const lower = (verdict: string) => ({ permissions: { [verdict]: ["bash(rm:*)"] } });
  const call = { subjects: ["rm x"] };
  expect(judge("claude", lower("deny"), "bash", call)).toBe("block");
  expect(judge("claude", lower("allow"), "bash", call)).toBe("ask");
});

test("OpenCode's one word for everything, and its words on files", () => {
  const word = (permission: unknown, tool: string, subject: string) =>
    judge("opencode", { permission }, tool, { subjects: [subject] });
  expect(word("deny", "bash", "ls")).toBe("block");
  expect(word({ "*": "deny", bash: "ask" }, "bash", "ls")).toBe("ask");
  expect(word({ "*": "deny", bash: "ask" }, "write", "a.ts")).toBe("block");
  expect(word({ edit: { "*": "allow", "*.lock": "deny" } }, "write", "a/b.lock")).toBe("block");
});
