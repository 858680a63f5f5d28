// The screens on a real terminal, with the bytes that a terminal sends for its keys.

import { expect, test } from "bun:test";
import { createScratchDirectory, type ScratchDirectory } from "@tau/testkit/scratch";
import { runInTerminal, type TerminalOptions, type TerminalSession } from "@tau/testkit/terminal";
import { join } from "node:path";
import { reply, user } from "../../../session/log/test/support.ts";
import { SessionStore } from "../../../session/session-store.ts";

const PROGRAM = join(import.meta.dir, "test", "show-screen.ts");

function show(which: string, root: string, options: TerminalOptions = {}): TerminalSession {
  return runInTerminal([process.execPath, PROGRAM, which, root], options);
}

async function withSession(scratch: ScratchDirectory): Promise<void> {
  const env = { HOME: scratch.root, TAU_AGENT_DIR: scratch.path("agent") };
  const store = new SessionStore({ env, cwd: scratch.root });
  await using log = await store.open({ kind: "new" });
  const { id } = await log.append(user("Look at the parser"));
  await log.append(reply("It has no guard."));
  await log.moveLeaf(id, "tree");
  await log.append(reply("It is slow."));
}

test("the tree: a label with Shift+L, filters with Alt, a choice with its question", async () => {
  await using scratch = await createScratchDirectory();
  await withSession(scratch);
  await using terminal = show("tree", scratch.root);
  await terminal.waitFor("2 of 3");
  terminal.press("shift+l");
  await terminal.waitFor("A label for this entry");
  terminal.send("Pivot");
  terminal.press("enter");
  await terminal.waitFor("[Pivot] assistant  It is slow.");
  terminal.press("alt+u");
  await terminal.waitFor("yours only");
  terminal.press("ctrl+o");
  await terminal.waitFor("labelled only");
  terminal.press("alt+d");
  await terminal.waitFor("It has no guard.");
  terminal.press("end");
  terminal.press("enter");
  await terminal.waitFor("Summarise the branch you leave?");
  terminal.press("enter");
  await terminal.waitFor('"summarise":false');
  // What stood on the screen before is there again.
  expect(terminal.text()).toContain("> a draft");
});

test("Esc closes every screen, at any size, and leaves nothing behind", async () => {
  await using scratch = await createScratchDirectory();
  await withSession(scratch);
  const titles = {
    models: "─ Models ─",
    sessions: "─ Sessions of this directory ─",
    settings: "─ Settings ─",
    login: "─ Log in ─",
    hotkeys: "─ Keys ─",
    transcript: "─ Conversation ─",
  };
  for (const [which, title] of Object.entries(titles)) {
    const size = which.length % 2 === 0 ? { columns: 80, rows: 24 } : { columns: 200, rows: 50 };
    await using terminal = show(which, scratch.root, size);
    await terminal.waitFor(title, { timeoutMs: 10_000 });
    await terminal.resize(size.columns + 20, size.rows + 5);
    await terminal.waitFor((shown) =>
      shown.screen().some((row) => row.includes(title) && row.length > size.columns),
    );
    terminal.press("esc");
    await terminal.waitFor("answer: ");
    expect(terminal.text()).not.toContain(title);
    expect((await terminal.exited).code).toBe(0);
  }
});

test("a paste filters and does not choose; the caret stands behind it", async () => {
  await using scratch = await createScratchDirectory();
  await withSession(scratch);
  await using terminal = show("sessions", scratch.root);
  await terminal.waitFor("1 of 1");
  terminal.paste("the\nparser\n");
  await terminal.waitFor("❯ the parser");
  expect(terminal.cursor()).toMatchObject({ column: "❯ the parser ".length });
  terminal.press("enter");
  await terminal.waitFor('answer: "');
});
