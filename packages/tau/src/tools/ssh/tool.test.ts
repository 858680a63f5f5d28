import { expect, test } from "bun:test";
import { isolatedHome } from "@tau/testkit/scratch";
import { ToolTable } from "@tau/agent/tool-table";
import { ruleFor, verdictFor } from "../../features/approval/approval-rule.ts";
import { Workspace } from "../workspace.ts";
import { loadHosts } from "./load-hosts.ts";
import { defaultsOf } from "../../config/setting-group.ts";
import { SSH_ROWS } from "./settings.ts";
import { createSshTool } from "./tool.ts";

test("consent to a command on a host is for that host, whatever deadline it comes with", async () => {
  await using home = await isolatedHome();
  const settings = { ...defaultsOf(SSH_ROWS), hosts: { build: { host: "10.0.0.1" } } };
  const loaded = loadHosts({ cwd: home.root, env: home.env, settings, project: "untrusted" });
  await using workspace = new Workspace({ cwd: home.root, env: home.env });
  const tool = createSshTool(workspace, loaded)!;
  const subjectOf = async (args: Record<string, unknown>): Promise<string> => {
    const call = { type: "toolCall" as const, id: "1", name: "ssh", arguments: args };
    const checked = new ToolTable([tool]).prepare(call);
    if (!checked.ok) throw new Error(checked.why);
    const { tier, subjects } = await tool.assess!(checked.prepared.params);
    expect(tier).toBe("exec");
    return subjects[0]!;
  };
  const first = await subjectOf({ host: "build", command: "make all" });
  const rules = [ruleFor("ssh", first)];
  const verdict = async (args: Record<string, unknown>) =>
    verdictFor(rules, "ssh", { subject: await subjectOf(args) });
  expect(await verdict({ command: " make all\n", host: "build", timeout: 5 })).toBe("allow");
  expect(await verdict({ host: "other", command: "make all" })).toBeUndefined();
  expect(await verdict({ host: "build", command: "make all; rm -rf x" })).toBeUndefined();
  await tool[Symbol.asyncDispose]();
});
