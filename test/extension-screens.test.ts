// What extensions show and ask at the terminal, as a person sees it.

import { expect, test } from "bun:test";
import { isolatedHome, type IsolatedHome } from "@tau/testkit/scratch";
import { runInTerminal } from "@tau/testkit/terminal";
import { converse } from "./support/converse.ts";
import { launcher } from "./support/run-tau.ts";

const GATE = `
export default (pi) => {
  pi.on("tool_call", async (event, ctx) => {
    if (event.toolName !== "bash") return;
    const isAllowed = await ctx.ui.confirm("Run this?", String(event.input.command));
    if (!isAllowed) return { block: true, reason: "The gate is shut" };
  });
};`;

const touch = (name: string) => ({
  toolCalls: [{ name: "bash", arguments: { command: `touch ${name}` } }],
});

/** Extensions of the user's own, by file name. */
const having =
  (sources: Readonly<Record<string, string>>) =>
  async (home: IsolatedHome): Promise<void> => {
    for (const [name, source] of Object.entries(sources)) {
      await home.write(`.tau/agent/extensions/${name}`, source);
    }
  };

const config = "retry: { enabled: false }\ntools: { approvalMode: yolo }\n";

for (const size of [
  { columns: 80, rows: 24 },
  { columns: 40, rows: 15 },
]) {
  test(`a gate asks at ${size.columns} columns: No blocks the call, Yes lets it run`, async () => {
    await using program = await converse(
      [touch("first"), { text: "I see." }, touch("second"), { text: "Done." }],
      { config, before: having({ "gate.ts": GATE }), ...size },
    );
    const { terminal, say, home } = program;
    say("go");
    await terminal.waitFor("extension gate asks");
    await terminal.waitFor("touch first");
    await terminal.waitFor("Choose, then Enter");
    terminal.press("enter");
    await terminal.waitFor("I see.");
    expect(await Bun.file(home.path("first")).exists()).toBe(false);
    expect(terminal.text()).toContain("The gate is shut");
    say("again");
    await terminal.waitFor("touch second");
    await terminal.waitFor("Choose, then Enter");
    terminal.send("y");
    terminal.press("enter");
    await terminal.waitFor("Done.");
    expect(await Bun.file(home.path("second")).exists()).toBe(true);
  });
}

const SHOWN = `
export default (pi) => {
  pi.on("session_start", (_event, ctx) => {
    ctx.ui.setStatus("mood", ctx.ui.theme.fg("accent", "feeling fine"));
    ctx.ui.setStatus("odd", "a\\x1b]0;taken over\\x07b");
    ctx.ui.setWidget("lines", ["one line above", "another"]);
    ctx.ui.setWidget("below", ["one line below"], { placement: "belowEditor" });
    ctx.ui.setWidget("drawn", (_tui, theme) => ({ render: (width) => [theme.bold("drawn at " + width)], invalidate() {} }));
    ctx.ui.notify("Welcome from the extension", "warning");
  });
  pi.registerCommand("tidy", { handler: async (_args, ctx) => {
    ctx.ui.setStatus("mood", undefined);
    ctx.ui.setWidget("lines", undefined);
    ctx.ui.setEditorText("was set");
  } });
};`;

test("status, widgets and notices are seen, and go when they are taken away", async () => {
  await using program = await converse([], { before: having({ "shown.ts": SHOWN }) });
  const { terminal, say } = program;
  await terminal.waitFor("feeling fine");
  await terminal.waitFor("one line below");
  const rows = terminal.screen();
  const prompt = rows.findIndex((row) => row.startsWith("›"));
  const at = (words: string): number => rows.findIndex((row) => row.includes(words));
  expect(at("one line above")).toBeGreaterThan(0);
  expect(at("one line above")).toBeLessThan(prompt);
  expect(at("drawn at 80")).toBeLessThan(prompt);
  expect(at("one line below")).toBeGreaterThan(prompt);
  expect(at("Welcome from the extension")).toBeGreaterThan(at("Tau "));
  expect(terminal.text()).toContain("ab");
  expect(terminal.title()).not.toContain("taken over");
  say("/tidy");
  await terminal.waitFor("was set");
  expect(terminal.text()).not.toContain("feeling fine");
  expect(terminal.text()).not.toContain("one line above");
  expect(terminal.text()).toContain("one line below");
});

test("what an extension has put up stays in the next session if it is there again", async () => {
  await using program = await converse([], { before: having({ "shown.ts": SHOWN }) });
  const { terminal, say } = program;
  await terminal.waitFor("feeling fine");
  say("/new");
  await terminal.waitFor("Started a new session.");
  expect(terminal.text()).toContain("feeling fine");
  expect(terminal.text()).toContain("one line above");
});

const TROUBLE = `
export default (pi) => {
  pi.on("session_start", (_event, ctx) => {
    let drawn = 0;
    const widget = (name, render) => ctx.ui.setWidget(name, () => ({ render, invalidate() {} }));
    widget("garbage", (width) => ["x".repeat(500), "\\x1b[2J\\x1b[Hgarbage", "two\\nlines", 7]);
    widget("nonsense", () => "not rows");
    widget("throwing", () => { if (drawn++ > 0) throw new Error("out of paint"); return ["painted"]; });
    widget("slow", () => { Bun.sleepSync(1200); return ["at last"]; });
    widget("tall", () => Array.from({ length: 300 }, (_, at) => "row " + at));
    ctx.ui.setWidget("missing", () => undefined);
  });
};`;

test("widgets that throw, are slow or draw nonsense are taken away by name, and the screen stays whole", async () => {
  await using program = await converse([{ text: "All is well." }], {
    before: having({ "trouble.ts": TROUBLE }),
  });
  const { terminal, say } = program;
  await terminal.waitFor("trouble failed at drawing");
  say("hello");
  await terminal.waitFor("All is well.");
  await terminal.waitFor((seen) =>
    seen.scrollback().concat(seen.screen()).join("\n").includes("out of paint"),
  );
  const all = terminal.scrollback().concat(terminal.screen()).join("\n");
  expect(all).toContain("not a list of rows");
  expect(all).toContain("drawing it takes");
  expect(all).toContain("no function render");
  const rows = terminal.screen();
  expect(rows.some((row) => row.includes("garbage"))).toBe(true);
  expect(rows.some((row) => row.includes("two lines"))).toBe(true);
  expect(rows.some((row) => row.includes("more rows"))).toBe(true);
  expect(rows.filter((row) => /^row \d/.test(row)).length).toBeLessThan(10);
  expect(rows.some((row) => row.startsWith("›"))).toBe(true);
});

const GAME = `
export default (pi) => {
  pi.registerCommand("game", { handler: async (_args, ctx) => {
    const score = await ctx.ui.custom((tui, theme, _keys, done) => {
      let at = 0;
      return {
        render: (width) => [theme.fg("accent", "The game"), "at " + at],
        handleInput(data) {
          if (data === "\\x1b[C") at++;
          if (data === "q") throw new Error("bad move");
          if (data === "\\x1b") done(at);
          tui.requestRender();
        },
        invalidate() {},
      };
    });
    ctx.ui.notify("You got to " + score);
  } });
};`;

test("a screen takes every key; Esc and Ctrl+C lead out, and one that fails is closed and named", async () => {
  await using program = await converse([], { before: having({ "game.ts": GAME }) });
  const { terminal, say } = program;
  say("/game");
  await terminal.waitFor("The game");
  terminal.press("right");
  terminal.press("right");
  await terminal.waitFor("at 2");
  terminal.press("escape");
  await terminal.waitFor("You got to 2");
  say("/game");
  await terminal.waitFor("at 0");
  terminal.press("ctrl+c");
  await terminal.waitFor("You got to undefined");
  say("/game");
  await terminal.waitFor("at 0");
  terminal.send("q");
  await terminal.waitFor("game failed at drawing: Error: bad move");
  await terminal.waitFor(/─\n›/);
});

const ASKING = `
export default (pi) => {
  pi.registerCommand("ask", { handler: async (_args, ctx) => {
    const name = await ctx.ui.input("Your name?", "nobody");
    const text = await ctx.ui.editor("Change it", "first\\nsecond");
    const colour = await ctx.ui.select("Which colour?", ["red", "green", "blue"]);
    const late = await ctx.ui.confirm("Too late?", "", { timeout: 200 });
    ctx.ui.notify(JSON.stringify({ name, text, colour, late }));
  } });
};`;

test("a line, a text, one of several, and what nobody answers in time", async () => {
  await using program = await converse([], { before: having({ "asking.ts": ASKING }) });
  const { terminal, say } = program;
  say("/ask");
  await terminal.waitFor("extension asking: Your name?");
  say("Ada");
  await terminal.waitFor("extension asking: Change it");
  await terminal.waitFor("second");
  terminal.send(" row");
  terminal.press("enter");
  await terminal.waitFor("Which colour?");
  await terminal.waitFor("Choose, then Enter");
  terminal.press("down");
  terminal.press("enter");
  await terminal.waitFor(/"late":false/);
  expect(terminal.text().replace(/\n +/g, " ").replace(/\n/g, "")).toContain(
    `extension asking: {"name":"Ada","text":"first\\nsecond row","colour":"green","late":false}`,
  );
});

const LATER = `
export default (pi) => {
  pi.registerCommand("later", { handler: async (_args, ctx) => {
    setTimeout(async () => ctx.ui.notify("Named " + (await ctx.ui.input("Your name?"))), 500);
  } });
};`;

test("whoever types a prompt keeps their keys: a line that is asked for waits until they want to answer", async () => {
  await using program = await converse([], { before: having({ "later.ts": LATER }) });
  const { terminal, say } = program;
  say("/later");
  terminal.send("half a pro");
  await terminal.waitFor("? extension later asks  Your name?");
  terminal.send("mpt");
  await terminal.waitFor("› half a prompt");
  terminal.press("ctrl+x");
  await terminal.waitFor("Answer it");
  await terminal.waitFor("Choose, then Enter");
  terminal.press("enter");
  await terminal.waitFor("extension later: Your name?");
  say("Ada");
  await terminal.waitFor("Named Ada");
  await terminal.waitFor("› half a prompt");
});

const FIRST = `
export default (pi) => {
  pi.on("session_start", async (_event, ctx) => {
    ctx.ui.notify("before anything");
    ctx.ui.notify((await ctx.ui.confirm("Begin?", "")) ? "begun" : "not begun");
  });
};`;

test("a question can be put while the session is still being opened", async () => {
  await using home = await isolatedHome();
  await having({ "first.ts": FIRST })(home);
  await using terminal = runInTerminal([launcher, "-m", "tau/demo"], {
    cwd: home.root,
    env: home.env,
  });
  await terminal.waitFor("extension first asks");
  await terminal.waitFor("Choose, then Enter");
  terminal.send("y");
  terminal.press("enter");
  await terminal.waitFor(/Tau [^]*  extension first: before anything\n+  extension first: begun/);
});
