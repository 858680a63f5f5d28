// The conversation in a terminal that can only print (TERM=dumb): leaving it, what happens by itself
// between prompts, consent, and where a resumed session stands.

import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { ModelServer, type Script } from "@tau/testkit/model-server";
import { isolatedHome } from "@tau/testkit/scratch";
import { runInTerminal } from "@tau/testkit/terminal";
import { agentScript, handIn, task } from "./support/agent-script.ts";
import { launcher } from "./support/run-tau.ts";

async function plainly(script: Script, settings = "") {
  const stack = new AsyncDisposableStack();
  const home = stack.use(await isolatedHome());
  await home.write(".tau/agent/config.yml", settings);
  await home.write("work/notes.txt", "one\n");
  const server = stack.use(await ModelServer.start(script));
  const start = (...args: string[]) =>
    stack.use(
      runInTerminal([launcher, "-m", "ollama/x", ...args], {
        cwd: home.path("work"),
        rows: 60,
        env: {
          ...home.env,
          TERM: "dumb",
          TAU_NO_TITLE: "1",
          OLLAMA_BASE_URL: server.baseUrl("openai-completions"),
        },
      }),
    );
  const locks = async (): Promise<string[]> => {
    const files = await readdir(home.path(".tau/agent"), { recursive: true });
    return files.filter((name) => name.endsWith(".lock"));
  };
  return { home, server, start, locks, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

const SLOWLY = { text: "an answer that takes a while", deltaChars: 3, delivery: { delayMs: 25 } };
const DONE = { code: 0, signal: null };

test.each([
  ["with the prompt", "hello\r\u0004", /^$/],
  ["while the answer comes", "hello\r", /hello\n+an ans/],
  ["at the end of the answer", "hello\r", /takes a while/],
  ["at the next prompt", "hello\r", /takes a while\n\n›/],
])(
  "Ctrl-D %s of a network model leaves when the answer is whole, and no lock",
  async (...given) => {
    const [, typed, moment] = given;
    await using talk = await plainly(() => SLOWLY);
    const terminal = talk.start();
    await terminal.waitFor(/\n›/);
    terminal.send(typed);
    if (!typed.endsWith("\u0004")) {
      await terminal.waitFor(moment);
      terminal.press("ctrl+d");
    }
    expect(await terminal.exited).toEqual(DONE);
    expect(terminal.text()).toContain("an answer that takes a while");
    expect(await talk.locks()).toEqual([]);
  },
);

test.each(["SIGHUP", "SIGTERM"] as const)("%s at the prompt leaves in order", async (signal) => {
  await using talk = await plainly(() => ({ text: "an answer" }));
  const terminal = talk.start();
  await terminal.waitFor(/\n›/);
  terminal.send("hello\r");
  await terminal.waitFor(/an answer\n\n›/);
  terminal.kill(signal);
  expect(await terminal.exited).toEqual({ code: 130, signal: null });
  expect(await talk.locks()).toEqual([]);
});

test("lines that are pasted are prompts one after the other", async () => {
  await using talk = await plainly((_request, turn) => ({ text: `answer ${turn}` }));
  const terminal = talk.start();
  await terminal.waitFor(/\n›/);
  terminal.send("first\rsecond\rthe rest");
  await terminal.waitFor(/answer 1\n\n› second\nanswer 2\n\n› the rest$/m);
});

test("a job that ends shows itself and what the model says to it, above the draft", async () => {
  const command = "until [ -e go ]; do sleep 0.05; done";
  await using talk = await plainly((_request, turn) => {
    if (turn === 1) return { toolCalls: [{ name: "bash", arguments: { command, async: true } }] };
    return { text: turn === 2 ? "I wait for it." : "The job is done now." };
  });
  const terminal = talk.start();
  await terminal.waitFor(/\n›/);
  terminal.send("start it\r");
  await terminal.waitFor(/I wait for it\.\n\n›/);
  terminal.send("my draft");
  await terminal.waitFor("› my draft");
  await talk.home.write("work/go", "");
  await terminal.waitFor(
    /Job \S+ completed[^\n]*\n  \(no output\)\nThe job is done now\.\n\n› my draft$/m,
  );
  terminal.send(" is here\r");
  await talk.server.request(4);
  const said = JSON.stringify(talk.server.requests[3]!.decoded.messages.at(-1));
  expect(said).toContain("my draft is here");
});

test("consent for this session holds for the same call again", async () => {
  const call = { toolCalls: [{ name: "bash", arguments: { command: "echo hi >> notes.txt" } }] };
  await using talk = await plainly(
    [call, call, { text: "Both done." }],
    "approvalMode: always-ask\n",
  );
  const terminal = talk.start();
  await terminal.waitFor(/\n›/);
  terminal.send("do it twice\r");
  await terminal.waitFor(
    "Run it? yes (y), edits (e), session (s), always (a), everywhere, no (Enter):",
  );
  expect(terminal.text()).toMatch(/beyond this once: bash\(.*echo hi/);
  terminal.send("s\r");
  await terminal.waitFor(/Both done\.\n\n›/);
  expect(await talk.home.read("work/notes.txt")).toBe("one\nhi\nhi\n");
  expect(terminal.scrollback().filter((line) => line.includes("Run it?"))).toHaveLength(1);
});

test("a resumed session shows its last exchanges and calls, and how to see the rest", async () => {
  const lines = (turn: number): string =>
    Array.from({ length: 6 }, (_, at) => `line ${turn}.${at}`).join("\n");
  await using talk = await plainly((request, turn) => {
    const isFirst = request.decoded.messages.at(-1)!.role === "user" && turn % 2 === 1;
    return isFirst
      ? { toolCalls: [{ name: "read", arguments: { path: "notes.txt" } }] }
      : { text: lines(turn / 2) };
  });
  const first = talk.start();
  await first.waitFor(/\n›/);
  for (let turn = 1; turn <= 8; turn++) {
    first.send(`question ${turn}\r`);
    await first.waitFor(new RegExp(`line ${turn}\\.5\\n\\n›`));
  }
  first.press("ctrl+d");
  expect(await first.exited).toEqual(DONE);
  const again = talk.start("-c");
  await again.waitFor(/line 8\.5\n\n›/);
  const shown = again.scrollback().join("\n");
  expect(shown).toMatch(/\d+ earlier entries: tau sessions show \S+\n/);
  expect(shown).toMatch(/line 7\.5\n\n› question 8\n {2}✓ read {2}notes\.txt\nline 8\.0/);
  expect(shown).toContain("› question 4");
  expect(shown).not.toContain("question 1");
}, 20_000);

test("a line can be corrected as in any terminal, and keys that move insert nothing", async () => {
  await using talk = await plainly(() => ({ text: "an answer" }));
  const terminal = talk.start();
  await terminal.waitFor(/\n›/);
  terminal.send("gone\u0015one two\u0017\u001b[D\u001bOCabcX\u007fd\r");
  await talk.server.request(1);
  expect(lastWords(talk.server)).toBe("one abcd");
  await terminal.waitFor(/› one abcd\nan answer\n\n›/);
  terminal.send("draft\u001b[A");
  await terminal.waitFor(/› one abcd$/m);
  terminal.send("\u001b[B");
  await terminal.waitFor(/› draft$/m);
  terminal.send(`\u0015${"wide ".repeat(30)}\u0017\u0017end\r`);
  await talk.server.request(2);
  expect(lastWords(talk.server)).toBe(`${"wide ".repeat(28)}end`);
});

function lastWords({ requests }: ModelServer): string {
  const [block] = requests.at(-1)!.decoded.messages.at(-1)!.content;
  return block?.type === "text" ? block.text : "";
}

test("Ctrl-C at a question stops the run", async () => {
  const call = { toolCalls: [{ name: "bash", arguments: { command: "echo hi >> notes.txt" } }] };
  await using talk = await plainly([call, { text: "Went on." }], "approvalMode: always-ask\n");
  const terminal = talk.start();
  await terminal.waitFor(/\n›/);
  terminal.send("do it\r");
  await terminal.waitFor(/no \(Enter\):$/m);
  terminal.press("ctrl+c");
  await terminal.waitFor(/Stopped\.\n\n›/);
  expect(talk.server.requests).toHaveLength(1);
  expect(await talk.home.read("work/notes.txt")).toBe("one\n");
});

test("two quick Ctrl-C while an answer comes leave in order, and keep its words", async () => {
  await using talk = await plainly(() => SLOWLY);
  const terminal = talk.start();
  await terminal.waitFor(/\n›/);
  terminal.send("hello\r");
  await terminal.waitFor(/hello\n+an ans/);
  terminal.press("ctrl+c");
  await Bun.sleep(30);
  terminal.press("ctrl+c");
  await terminal.exited;
  expect(await talk.locks()).toEqual([]);
  expect(terminal.text()).toMatch(/tau -r \S+ resumes this session\./);
  const again = talk.start("-c");
  await again.waitFor(/› hello\nan ans[^]*\nStopped\.\n\n›/);
});

test("an empty prompt is left with two Ctrl-C, and the way back is told", async () => {
  await using talk = await plainly(() => ({ text: "an answer" }));
  const terminal = talk.start();
  await terminal.waitFor(/\n›/);
  terminal.send("hello\r");
  await terminal.waitFor(/an answer\n\n›/);
  terminal.send("a draft");
  await terminal.waitFor("› a draft");
  terminal.press("ctrl+c");
  await terminal.waitFor(/›$/m);
  await Bun.sleep(600);
  terminal.press("ctrl+c");
  await terminal.waitFor(/Ctrl-C again leaves\.\n›/);
  terminal.press("ctrl+c");
  expect(await terminal.exited).toEqual(DONE);
  expect(terminal.text()).toMatch(/tau -r \S+ resumes this session\./);
  expect(await talk.locks()).toEqual([]);
});

test("what was seen live is what a resumed session shows: commands, the order of calls, failures", async () => {
  const bash = (command: string) => ({ name: "bash", arguments: { command } });
  const read = (path: string) => ({ name: "read", arguments: { path } });
  await using talk = await plainly([
    { toolCalls: [bash("sleep 0.3; echo oh; exit 3"), read("notes.txt"), read("gone.txt")] },
    { text: "Tried." },
    { text: "Again." },
  ]);
  const first = talk.start();
  await first.waitFor(/\n›/);
  first.send("try\r");
  await first.waitFor(/Tried\.\n\n›/);
  first.send("/todo append Mend it\r");
  await first.waitFor(/Mend it\n[^]*\n\n›$/m);
  first.send("again\r");
  await first.waitFor(/Again\.\n\n›/);
  const conversation = (text: string): string =>
    text.slice(text.indexOf("› try"), text.indexOf("Again."));
  const seen = conversation(first.text());
  expect(seen).toMatch(
    /✗ bash[^]*oh\n[^]*exit code 3[^]*✓ read {2}notes\.txt\n[^]*✗ read {2}gone\.txt\n {4}\S/,
  );
  expect(seen).toContain("› /todo append Mend it\n");
  first.press("ctrl+d");
  expect(await first.exited).toEqual(DONE);
  const again = talk.start("-c");
  await again.waitFor(/Again\.\n\n›/);
  expect(conversation(again.text())).toBe(seen);
});

const ASKING = `
export default (pi) => {
  pi.on("session_start", (_event, ctx) => ctx.ui.notify("an extension is here"));
  pi.on("tool_call", async (event, ctx) => {
    const isAllowed = await ctx.ui.confirm("Run this?", String(event.input.command));
    if (!isAllowed) return { block: true, reason: "The gate is shut" };
  });
  pi.registerCommand("ask", { handler: async (_args, ctx) => {
    const colour = await ctx.ui.select("Which colour?", ["red", "green"]);
    const name = await ctx.ui.input("Your name?");
    const text = await ctx.ui.editor("Change it", "x");
    const late = await ctx.ui.confirm("Late?", "", { timeout: 100 });
    ctx.ui.notify(JSON.stringify({ colour, name, text, late }));
  } });
};`;

test("an extension asks in lines and is answered in lines; without a yes it is no", async () => {
  const touch = (name: string) => ({
    toolCalls: [{ name: "bash", arguments: { command: `touch ${name}` } }],
  });
  await using talk = await plainly(
    [touch("first"), { text: "Shut." }, touch("second"), { text: "Open." }],
    "tools: { approvalMode: yolo }\n",
  );
  await talk.home.write(".tau/agent/extensions/gate.ts", ASKING);
  const terminal = talk.start();
  await terminal.waitFor("an extension is here");
  await terminal.waitFor(/\n›/);
  terminal.send("go\r");
  await terminal.waitFor("extension gate asks: Run this?");
  await terminal.waitFor("yes, no (Enter):");
  terminal.send("\r");
  await terminal.waitFor("Shut.");
  await terminal.waitFor(/Shut\.\n\n›/);
  terminal.send("again\r");
  await terminal.waitFor("touch second");
  await terminal.waitFor(/touch second[^]*yes, no \(Enter\):/);
  terminal.send("yes\r");
  await terminal.waitFor(/Open\.\n\n›/);
  expect(await readdir(talk.home.path("work"))).toEqual(["notes.txt", "second"]);
  terminal.send("/ask\r");
  await terminal.waitFor("Which one?");
  terminal.send("2\r");
  await terminal.waitFor("Your answer:");
  terminal.send("Ada\r");
  await terminal.waitFor(`{"colour":"green","name":"Ada","late":false}`);
});

test("agents: a line when one begins and ends, and consent is asked with its name", async () => {
  await using talk = await plainly(
    agentScript({
      Main: ({ turn }) => {
        if (turn > 1) return { text: "Noted." };
        const one = { id: "Tidier", description: "tidy up", assignment: "tidy up" };
        return { toolCalls: [task("task", one)] };
      },
      Tidier: ({ turn }) =>
        turn === 1
          ? { toolCalls: [{ name: "bash", arguments: { command: "rm -rf ~/old" } }] }
          : { toolCalls: [handIn("Tidied up.")] },
    }),
  );
  const terminal = talk.start();
  await terminal.waitFor(/\n›/);
  terminal.send("go\r");
  await terminal.waitFor("Tidier (task) begins: tidy up");
  await terminal.waitFor(/Tidier: bash asks: .*deletes/);
  await terminal.waitFor("no (Enter):");
  terminal.send("yes\r");
  await terminal.waitFor(/Tidier \(task\) finished after [\d.]+ s: tidy up\n {2}Tidied up\./);
  await terminal.waitFor(/Tidied up\.\n+Noted\.\n\n›/);
  terminal.press("ctrl+d");
  expect(await terminal.exited).toEqual(DONE);
  expect(terminal.text().split("Tidier (task) begins").length - 1).toBe(1);
});
