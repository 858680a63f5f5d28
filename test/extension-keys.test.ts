// Keys that extensions bind at the terminal.

import { expect, test } from "bun:test";
import { converse } from "./support/converse.ts";

const FIRST = `
export default (pi) => {
  pi.registerShortcut("ctrl+shift+y", { description: "Say hello", handler: (ctx) => ctx.ui.notify("hello from " + ctx.cwd.length) });
  pi.registerShortcut("alt+i", { description: "Fail", handler: () => { throw new Error("no such thing"); } });
  pi.registerShortcut("f6", { description: "Count", handler: (ctx) => ctx.ui.notify("six") });
  pi.registerShortcut("ctrl+p", { description: "Take a reserved one", handler: () => {} });
  pi.registerShortcut("ctrl+a", { description: "Take a bound one", handler: () => {} });
  pi.registerShortcut("alt+m", { description: "Take a kept one", handler: () => {} });
  pi.registerShortcut("x", { description: "Take a letter", handler: () => {} });
};`;
const SECOND = `
export default (pi) => {
  pi.registerShortcut("F6", { description: "Count again", handler: (ctx) => ctx.ui.notify("another six") });
};`;

test("a key does what its extension wants; Tau's own, letters and another's are refused by name", async () => {
  await using program = await converse([], {
    rows: 40,
    before: async (home) => {
      await home.write(".tau/agent/extensions/first.ts", FIRST);
      await home.write(".tau/agent/extensions/second.ts", SECOND);
    },
  });
  const { terminal, say } = program;
  await terminal.waitFor("the extension first has it");
  const told = terminal.text().replace(/\n/g, " ");
  expect(told).toContain("the key Ctrl+P of the extension first is not bound: it is Tau's own");
  expect(told).toContain("the key Ctrl+A of the extension first is not bound: it is Tau's own");
  expect(told).toContain("the key Alt+M of the extension first is not bound: it is Tau's own");
  expect(told).toContain("the key X of the extension first is not bound: it types");
  expect(told).toContain(
    "the key F6 of the extension second is not bound: the extension first has",
  );
  terminal.press("f6");
  await terminal.waitFor(/^  extension first: six$/m);
  terminal.send("\x1b[121;6u");
  await terminal.waitFor("hello from");
  terminal.press("alt+i");
  await terminal.waitFor("first failed at Alt+I: Error: no such thing");
  say("/hotkeys");
  await terminal.waitFor("filter by key");
  terminal.send("Say hello");
  await terminal.waitFor("Ctrl+Shift+Y");
  expect(terminal.text()).not.toContain("another six");
});
