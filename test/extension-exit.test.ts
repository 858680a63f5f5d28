// An extension that wants to end the process is kept from it and named, wherever it calls for it; the
// session goes on, and Tau itself ends as it always does.

import { expect, test } from "bun:test";
import { converse } from "./support/converse.ts";
import { extended } from "./support/extended.ts";
import { connect } from "./support/rpc-connection.ts";

const CALLS = {
  "process.exit(3)": "process.exit(3)",
  "process.abort()": "process.abort()",
  "process.kill(process.pid)": "process.kill(process.pid, 'SIGKILL')",
  "process.reallyExit()": "process.reallyExit(3)",
};

for (const [shown, call] of Object.entries(CALLS)) {
  test(`print mode: ${shown} in a handler, and in a timer`, async () => {
    await using program = await extended(
      {
        "quitter.ts": `
export default (pi) => {
  pi.on("turn_end", () => {
    ${call};
  });
  pi.on("input", async () => {
    setTimeout(() => { ${call}; });
    await new Promise((resolve) => setTimeout(resolve, 20));
  });
};`,
      },
      [{ text: "Still here." }],
    );
    const { stdout, stderr, exitCode } = await program.run("-p", "go");
    expect({ stdout, exitCode }).toEqual({ stdout: "Still here.\n", exitCode: 0 });
    const said = (line: number): string =>
      `The extension quitter calls ${shown} (quitter.ts:${line}), which would end Tau; it was kept from it.`;
    expect(stderr).toContain(said(4));
    expect(stderr).toContain(said(7));
  });
}

test("at load it is one that cannot be loaded, and the others are there", async () => {
  await using program = await extended(
    {
      "bad.ts": `import { exit } from "node:process";\nimport { leave } from "../lib/leave.ts";\nleave(exit);\nexport default () => {};`,
      "good.ts": `export default (pi) => pi.on("turn_end", (_event, ctx) => ctx.ui.notify("good is there"));`,
    },
    [{ text: "Hello." }],
  );
  await program.home.write(
    ".tau/agent/lib/leave.ts",
    "export const leave = (exit) => {\n  exit(0);\n};\n",
  );
  const { stdout, stderr, exitCode } = await program.run("-p", "go");
  expect({ stdout, exitCode }).toEqual({ stdout: "Hello.\n", exitCode: 0 });
  expect(stderr).toContain(
    "the extension bad is not loaded: it calls process.exit(0) (leave.ts:2), which would end Tau",
  );
  expect(stderr).toContain("good is there");
});

const COMMAND = `
export default (pi) => {
  pi.registerCommand("leave", { handler: async () => { process.exit(5); } });
};`;

test("the terminal: a command that exits is told of, and Ctrl+D still leaves", async () => {
  await using program = await converse([{ text: "Hello." }], {
    before: (home) => home.write(".tau/agent/extensions/leaver.ts", COMMAND),
  });
  const { terminal, say } = program;
  say("/leave");
  await terminal.waitFor("leaver calls process.exit(5)");
  say("go");
  await terminal.waitFor("Hello.");
  terminal.press("ctrl+d");
  expect((await terminal.exited).code).toBe(0);
});

test("RPC: a handler that exits is an event, and the connection stays", async () => {
  await using rpc = await connect([{ text: "Hello." }, { text: "Again." }], {
    before: (home) =>
      home.write(
        ".tau/agent/extensions/leaver.ts",
        `export default (pi) => pi.on("turn_end", () => process.exit(5));`,
      ),
  });
  await rpc.client.run("go");
  const told = await rpc.event(({ type }) => type === "hook_error");
  expect(JSON.stringify(told)).toContain("leaver calls process.exit(5)");
  await rpc.client.run("again");
  expect(await rpc.client.close()).toBe(0);
});
