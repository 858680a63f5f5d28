// Guards that others have published: with a model that asks for what they forbid, they block it, in print
// mode, over RPC and at a terminal.

import { expect } from "bun:test";
import { readdir } from "node:fs/promises";
import { converse } from "./support/converse.ts";
import { extended } from "./support/extended.ts";
import { call, lastLines, published } from "./support/published-extensions.ts";
import { connect } from "./support/rpc-connection.ts";

const works = await published({
  "@architectit/pi-guardrails": "0.2.0",
  "pi-bash-confirm": "3.3.2",
  "pi-permission-suite": "0.2.3",
  "pi-plan-mode": "0.2.4",
});

works("pi-bash-confirm", "blocks rm -rf, and lets pass what is said to be safe", async (path) => {
  await using program = await extended({}, [
    call("bash", { command: "rm -rf ../kept" }),
    call("bash", { command: "echo harmless" }),
    { text: "I see." },
  ]);
  const settings = { bashConfirm: { safeCommands: ["^echo"], blockedCommands: ["rm -rf"] } };
  await program.home.write(".pi/agent/settings.json", JSON.stringify(settings));
  await program.home.write("kept/file.txt", "here");
  const { stdout, stderr } = await program.run("-p", "clean up", "--yolo", "-e", path);
  expect(stdout).toBe("I see.\n");
  expect(stderr).toContain("Bash confirmation extension loaded");
  const [, blocked, passed] = lastLines(program);
  expect(blocked).toContain("rm -rf");
  expect(blocked).not.toContain("harmless");
  expect(passed).toContain("harmless");
  expect(await program.home.read("kept/file.txt")).toBe("here");
});

works("pi-bash-confirm", "over RPC a dialog that cannot be drawn is a no", async (path) => {
  const script = [call("bash", { command: "rm -rf ../precious.txt" }), { text: "I see." }];
  await using connection = await connect(script, { args: ["-e", path, "--yolo"] });
  await connection.client.send("prompt", { message: "clean up" });
  const end = await connection.event(({ type }) => type === "tool_execution_end");
  expect(end.result).toMatchObject({ isError: true, content: [{ text: "No selection" }] });
  // Whoever says no wants to be asked what to do instead: it stops the run, too.
  const over = await connection.event(({ type }) => type === "agent_end");
  expect(over.end).toEqual({ reason: "aborted" });
  expect(await connection.home.read("precious.txt")).toBe("mine\n");
});

works("pi-bash-confirm", "at a terminal it asks, and 5 says no", async (path) => {
  await using talk = await converse(
    [call("bash", { command: "rm -rf kept" }), { text: "I see." }],
    {
      config: `extensions: [${JSON.stringify(path)}]\n`,
      before: (home) => home.write("kept/file.txt", "here"),
    },
  );
  talk.say("clean up");
  await talk.terminal.waitFor("Bash Command Confirmation");
  await talk.terminal.waitFor("rm -rf kept");
  talk.terminal.send("5");
  await talk.terminal.waitFor("Blocked by user");
  expect(await talk.home.read("kept/file.txt")).toBe("here");
});

works("@architectit/pi-guardrails", "blocks rm -rf, and not every command", async (path) => {
  await using program = await extended({}, [
    call("bash", { command: "rm -rf /" }),
    call("bash", { command: "echo harmless" }),
    call("write", { path: "new.txt", content: "made" }),
    { text: "I see." },
  ]);
  const config = { toolPermissions: { defaultLevel: "auto", tools: { bash: "auto" } } };
  await program.home.write(
    ".pi/agent/extensions/pi-guardrails/config.json",
    JSON.stringify(config),
  );
  const { stdout } = await program.run("-p", "clean up", "--yolo", "-e", path);
  expect(stdout).toBe("I see.\n");
  const [, blocked, passed, unread] = lastLines(program);
  expect(blocked).toBe("toolResult: Command blocked: Dangerous command blocked: rm -rf /");
  expect(passed).toBe("toolResult: harmless");
  expect(unread).toContain("Law 1 violation");
  expect(await readdir(program.cwd)).toEqual([]);
});

works(
  "pi-permission-suite",
  "plan mode lets nothing be changed, by a tool or in a shell",
  async (path) => {
    await using program = await extended({}, [
      call("set_approval_mode", { mode: "plan" }),
      call("write", { path: "new.txt", content: "made" }),
      call("bash", { command: "touch made" }),
      call("bash", { command: "ls -a" }),
      { text: "Planned." },
    ]);
    await program.run("-p", "plan it", "--yolo", "-e", path);
    const [asked, , write, touch, list] = lastLines(program);
    // Before the run it says which mode there is.
    expect(asked).toContain("ACT");
    expect(write).toContain("PLAN: write");
    expect(touch).toContain("PLAN: bash");
    expect(list).toBe("toolResult: .\n..");
    expect(await readdir(program.cwd)).toEqual([]);
  },
);

works(
  "pi-plan-mode",
  "a plan goes on in the next process: the model is told, and edits of other files are held back",
  async (path) => {
    const patch = "¶file.txt#1111\nreplace 1..1:\n+changed\n";
    await using program = await extended({}, (request) => {
      const asked = JSON.stringify(request.decoded.messages.at(-1));
      return asked.includes("go on") ? call("edit", { input: patch }) : { text: "Two lines." };
    });
    await program.home.write("work/file.txt", "kept\n");
    const { stderr } = await program.run("-p", "/pi-plan-mode:plan tidy up", "-e", path);
    const [, plan] = /Plan mode enabled: (\S+\.md)/.exec(stderr) ?? [];
    expect(await program.home.read(`.pi/agent/sessions/plans/${plan}`)).toStartWith(
      "# Plan: tidy up",
    );
    await program.run("-p", "-c", "go on", "--yolo", "-e", path);
    const last = program.server.requests.at(-1)!.decoded;
    expect(last.system.join("\n")).toContain("[PLAN MODE ACTIVE - DO NOT EXECUTE]");
    // A message of a kind of its own, which was said when nothing ran.
    expect(program.requests().at(-1)!.join("\n")).toContain("user: Plan mode is now active.");
    expect(lastLines(program).at(-1)).toContain("toolResult: Plan mode active.");
    expect(await program.home.read("work/file.txt")).toBe("kept\n");
  },
);
