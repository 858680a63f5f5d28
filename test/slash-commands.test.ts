// What lines that begin with a slash do in the terminal: screens that open, choices that hold, and
// what is said where something is wrong.

import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { converse } from "./support/converse.ts";

test("/model, /thinking and /approval change what they name, and say so", async () => {
  await using talk = await converse([{ text: "Hello." }, { text: "From the other." }]);
  const { terminal, say, server } = talk;
  say("hi");
  await terminal.waitFor("Hello.");
  say("/model ollama/other");
  await terminal.waitFor("The model is ollama/other.");
  await terminal.waitFor(/\nollama\/other ·/);
  say("again");
  await terminal.waitFor("From the other.");
  expect(server.requests[1]!.body).toMatchObject({ model: "other" });
  say("/model nonsense/none");
  await terminal.waitFor(/nonsense/);
  say("/thinking loud");
  await terminal.waitFor("choose one of off, minimal");
  say("/approval yolo");
  await terminal.waitFor("Approval is yolo in this session.");
});

test("the model picker: typing filters, Enter takes, and a saved choice is there next time", async () => {
  await using talk = await converse([{ text: "Hello." }], { env: { OPENAI_API_KEY: "k" } });
  const { terminal, say, home } = talk;
  say("/model");
  await terminal.waitFor("Models");
  terminal.send("gpt 5 mini");
  await terminal.waitFor(/❯ +openai\/gpt-5-mini/, { timeoutMs: 8_000 });
  terminal.press("enter");
  await terminal.waitFor("It is your default now.");
  const config = await Bun.file(home.path(".tau/agent/config.yml")).text();
  expect(config).toContain("default: openai/gpt-5-mini");
});

test("/resume leads to another session, and back by its name", async () => {
  await using talk = await converse([{ text: "About dials." }, { text: "About clouds." }]);
  const { terminal, say, idle } = talk;
  say("tell me about dials");
  await terminal.waitFor("About dials.");
  await idle();
  say("/rename the dials");
  await terminal.waitFor('Renamed this session to "the dials".');
  say("/new");
  await terminal.waitFor("Started a new session.");
  say("and clouds?");
  await terminal.waitFor("About clouds.");
  await idle();
  say("/resume");
  await terminal.waitFor("Sessions of this directory");
  terminal.send("dials");
  await terminal.waitFor(/❯ +the dials/);
  terminal.press("enter");
  await terminal.waitFor("In the dials.");
  await terminal.waitFor(/In the dials\.\n\n› tell me about dials/);
  expect(terminal.title()).toContain("the dials");
});

test("/settings changes a value for good, and the screen follows", async () => {
  await using talk = await converse([]);
  const { terminal, say, home } = talk;
  say("/settings");
  await terminal.waitFor("type to search all settings");
  terminal.send("statusLine.preset");
  await terminal.waitFor(/❯ +statusLine\.preset/);
  terminal.press("right");
  await terminal.waitFor(/statusLine\.preset +minimal/);
  terminal.press("escape");
  terminal.press("escape");
  await terminal.waitFor("Changed: statusLine.preset");
  expect(await Bun.file(home.path(".tau/agent/config.yml")).text()).toContain("preset: minimal");
  // The directory is no part of it any more.
  await terminal.waitFor((seen) => /^ollama\/x {20}/m.test(seen.text()));
});

test("/theme is seen before it is chosen, and taken back by Esc", async () => {
  await using talk = await converse([]);
  const { terminal, say, home } = talk;
  say("/theme");
  await terminal.waitFor("─ Theme ─");
  const colour = (): number | undefined => {
    const row = terminal.screen().findIndex((line) => line.includes("╭─ Theme"));
    return terminal.cell(row, 0)?.foreground as number | undefined;
  };
  const before = JSON.stringify(colour());
  terminal.press("up");
  await terminal.waitFor(() => JSON.stringify(colour()) !== before);
  terminal.press("escape");
  await terminal.waitFor((seen) => !seen.text().includes("─ Theme ─"));
  expect(existsSync(home.path(".tau/agent/config.yml"))).toBe(false);
  say("/theme solarized-light");
  await terminal.waitFor("is now solarized-light.");
  say("/theme no-such");
  await terminal.waitFor(/no-such/);
});

test("/theme shows what is selected where not all fit", async () => {
  await using talk = await converse([], { rows: 8 });
  const { terminal, say } = talk;
  say("/theme");
  await terminal.waitFor("─ Theme ─");
  terminal.press("end");
  await terminal.waitFor("❯ solarized-light");
  expect(terminal.screen().join("\n")).toContain("╰─");
});

test("/export writes once, /copy copies, /transcript shows all of it", async () => {
  const long = Array.from({ length: 60 }, (_, index) => `row ${index + 1}`).join("\n");
  await using talk = await converse([
    { toolCalls: [{ name: "bash", arguments: { command: "seq 1 60 | sed 's/^/row /'" } }] },
    { text: "Sixty rows." },
  ]);
  const { terminal, say, home, idle } = talk;
  say("count");
  await terminal.waitFor("Sixty rows.");
  await idle();
  expect(terminal.scrollback()).not.toContain("  row 10");
  terminal.press("ctrl+o");
  await terminal.waitFor("─ Conversation");
  await terminal.waitFor("row 60");
  terminal.press("home");
  await terminal.waitFor("› count");
  terminal.send("/row 31");
  terminal.press("enter");
  await terminal.waitFor("row 31");
  terminal.press("escape");
  // Not an Alt with what follows.
  await Bun.sleep(150);
  terminal.press("escape");
  await terminal.waitFor(/─\n›/);
  await Bun.sleep(150);
  expect(terminal.scrollback().join("\n")).not.toContain("row 31");
  say("/export talk.md");
  await terminal.waitFor("Written to");
  expect(await Bun.file(home.path("talk.md")).text()).toContain(long.slice(0, 60));
  say("/export talk.md");
  await terminal.waitFor("already exists; choose another name");
  say("/copy");
  await terminal.waitFor("Copied.");
  const sent = new TextDecoder().decode(terminal.bytes());
  expect(sent).toContain(`\x1b]52;c;${btoa("Sixty rows.")}\x07`);
});

test("a command that is none says what was meant and keeps the line; a path goes to the model", async () => {
  await using talk = await converse([{ text: "A file of hosts." }]);
  const { terminal, say, server } = talk;
  say("/modle");
  await terminal.waitFor("did you mean /model?");
  expect(terminal.text()).toContain("› /modle");
  terminal.press("ctrl+u");
  say("/etc/hosts is what?");
  await terminal.waitFor("A file of hosts.");
  expect(JSON.stringify(server.requests[0]!.decoded.messages.at(-1))).toContain("/etc/hosts is");
});

test("prompts that are kept as files are offered and sent; so are skills", async () => {
  await using talk = await converse([{ text: "Reviewed." }]);
  const { terminal, server, home } = talk;
  await home.write(
    ".tau/agent/commands/polish.md",
    "---\ndescription: make it shine\n---\nPolish $1 until it shines.\n",
  );
  // It is noticed while Tau runs; how soon is the system's matter.
  terminal.send("/");
  await terminal.waitFor("/compact");
  for (let tries = 0; !terminal.text().includes("make it shine") && tries < 40; tries++) {
    terminal.send("polish");
    await Bun.sleep(100);
    if (!terminal.text().includes("make it shine"))
      for (const _ of "polish") terminal.press("backspace");
  }
  expect(terminal.text()).toContain("make it shine");
  terminal.press("tab");
  terminal.send("the brass");
  terminal.press("enter");
  await terminal.waitFor("Reviewed.");
  const said = JSON.stringify(server.requests[0]!.decoded.messages.at(-1));
  expect(said).toContain("Polish the until it shines.");
  expect(terminal.scrollback()).toContain("› /polish the brass");
});
