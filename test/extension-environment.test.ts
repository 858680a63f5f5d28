// What extensions do to the variables of the process is theirs: Tau's commands run with what Tau was started
// with, whatever the extension sets or deletes, and whenever.

import { expect, test } from "bun:test";
import { extended } from "./support/extended.ts";

const MEDDLER = `
process.env.PATH = "/nowhere";
process.env.FROM_MODULE = "module";
export default (pi) => {
  pi.registerFlag("meddle", { type: "boolean", description: "to be loaded early" });
  pi.on("session_start", () => { delete process.env.HOME; });
  pi.registerTool({
    name: "own_variables",
    description: "What its own programs get",
    parameters: { type: "object", properties: {} },
    execute: async () => {
      const { stdout } = await pi.exec("/usr/bin/env", []);
      return { content: [{ type: "text", text: stdout }] };
    },
  });
};`;

const look = {
  toolCalls: [
    { name: "bash", arguments: { command: 'command -v ls; echo "[$HOME][$FROM_MODULE]"' } },
    { name: "own_variables", arguments: {} },
  ],
};

for (const args of [[], ["--meddle"]]) {
  test(`commands run as if nothing had been set (${args.join(" ") || "no flag"})`, async () => {
    await using program = await extended({ "meddler.ts": MEDDLER }, [look, { text: "Done." }]);
    const { stdout, stderr } = await program.run("-p", "go", "--yolo", ...args);
    expect({ stdout, stderr }).toEqual({ stdout: "Done.\n", stderr: "" });
    const [bash, own] = program.requests()[1]!.slice(-2);
    expect(bash).toContain("/ls\n");
    expect(bash).toContain(`[${program.home.root}][]`);
    expect(own).toContain("PATH=/nowhere");
    expect(own).toContain("FROM_MODULE=module");
    expect(own).not.toContain("\nHOME=");
  });
}
