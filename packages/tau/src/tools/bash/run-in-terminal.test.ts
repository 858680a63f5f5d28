// A command for a person at a terminal, as the model has it: with someone there, and with nobody.

import { expect, test } from "bun:test";
import { ToolError } from "@tau/agent/tool";
import type { Pty } from "@tau/host/pty/pty";
import { processesWithEnv } from "@tau/testkit/processes";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { Workspace } from "../workspace.ts";
import { createBashTool } from "./tool.ts";

interface Person {
  /** Types what a terminal would send, once the program has printed something. */
  on(pty: Pty, seen: string): void;
  leaves?: (pty: Pty) => Promise<void>;
}

async function open(person: Person | undefined, more: Record<string, string> = {}) {
  const scratch = await createScratchDirectory();
  const env = {
    HOME: scratch.root,
    PATH: process.env.PATH,
    TMPDIR: scratch.path("tmp"),
    EDITOR: "my-editor",
    ...more,
  };
  const workspace = new Workspace({ cwd: scratch.root, env });
  if (person) {
    workspace.shells.showTerminal = async (terminal) => {
      let seen = "";
      const pty = terminal.open({ columns: 70, rows: 20 }, (bytes) => {
        seen += Buffer.from(bytes).toString();
        person.on(pty, seen);
      });
      await (person.leaves ? person.leaves(pty) : pty.exited);
    };
  }
  const tool = createBashTool(workspace);
  const controller = new AbortController();
  return {
    scratch,
    controller,
    async run(command: string, params: object = { pty: true }) {
      const context = { id: "c", signal: controller.signal, update: () => {} };
      try {
        const { content } = await tool.execute({ command, ...params }, context as never);
        return content.map((block) => (block.type === "text" ? block.text : "")).join("");
      } catch (error) {
        if (!(error instanceof ToolError)) throw error;
        return error.content.map((block) => (block.type === "text" ? block.text : "")).join("");
      }
    },
    async [Symbol.asyncDispose]() {
      await workspace[Symbol.asyncDispose]();
      await scratch[Symbol.asyncDispose]();
    },
  };
}

const silent: Person = { on: () => {} };

test("a person answers, and the model gets what was said, in plain text", async () => {
  const answered = new Set<Pty>();
  await using t = await open({
    on(pty, seen) {
      if (!seen.includes("Name? ") || answered.has(pty)) return;
      answered.add(pty);
      pty.write("ada\r");
    },
  });
  const text = await t.run(
    "test -t 0 && read -p 'Name? ' name; printf '\\033[31mhi\\033[0m %s\\n 1%%\\r99%%\\n' $name; stty size; exit 4",
  );
  expect(text).toBe("Name? ada\nhi ada\n99%\n20 70\n[exit code 4]");
});

test("it begins as the agent's shell is, but with a person there, and changes nothing in it", async () => {
  await using t = await open(silent);
  await t.run("mkdir sub; cd sub; export COLOUR=red; f() { echo f; }; alias hi='echo hi'", {});
  await Bun.sleep(400);
  expect(
    await t.run('pwd; echo $COLOUR $EDITOR "[$PAGER]" $TERM; f; hi; cd /; export COLOUR=blue'),
  ).toBe(`${t.scratch.path("sub")}\nred my-editor [] xterm-256color\nf\nhi`);
  expect(await t.run("pwd; echo $COLOUR $EDITOR", {})).toBe(`${t.scratch.path("sub")}\nred true`);
  expect(await t.run("pwd", { pty: true, cwd: "/usr" })).toBe("/usr");
});

test("with nobody there it runs the normal way, and says so", async () => {
  await using nobody = await open(undefined);
  expect(await nobody.run("test -t 1 || echo plain")).toBe(
    "[no terminal: nobody is there to use one]\nplain",
  );
  await using refused = await open(silent, { TAU_NO_PTY: "1" });
  expect(await refused.run("test -t 1 || echo plain")).toEndWith("plain");
});

test("a person has one terminal at a time, whatever the model asks for at once", async () => {
  let shown = 0;
  let most = 0;
  await using t = await open({
    on: () => {},
    leaves: async (pty) => {
      most = Math.max(most, ++shown);
      await pty.exited;
      shown -= 1;
    },
  });
  const all = ["a", "b", "c"].map((word) => t.run(`sleep 0.1; echo ${word}`));
  expect(await Promise.all(all)).toEqual(["a", "b", "c"]);
  expect(most).toBe(1);
});

test("long output is kept whole beside the session", async () => {
  await using t = await open(silent);
  const text = await t.run("seq 1 40000");
  expect(text).toStartWith("1\n2\n");
  expect(text).toContain("\n40000\n");
  expect(text).toEndWith("[the whole output: artifact://0]");
});

test("timeout, abort and a person who leaves end the program with all that it started", async () => {
  const mark = { name: "TAU_TEST_TERMINAL", value: crypto.randomUUID() };
  const stubborn = `trap '' TERM HUP INT; export ${mark.name}=${mark.value}; (setsid sleep 300 &); sleep 300 & echo up; sleep 300`;
  await using late = await open(silent);
  expect(await late.run(stubborn, { pty: true, timeout: 1 })).toBe("up\n[timed out after 1 s]");
  await using left = await open({
    on: () => {},
    leaves: async (pty) => {
      while (!pty.output().text.includes("up")) await Bun.sleep(10);
    },
  });
  expect(await left.run(stubborn)).toBe("up\n[ended by the user]");
  await using gone = await open({
    on: (_pty, seen) => seen.includes("up") && gone.controller.abort(),
  });
  expect(await gone.run(stubborn)).toBe("up\n[aborted]");
  expect(await processesWithEnv(mark)).toEqual([]);
});
