// How extensions have their tools' calls, messages and entries look at the terminal.

import { expect, test } from "bun:test";
import type { IsolatedHome } from "@tau/testkit/scratch";
import { converse } from "./support/converse.ts";

const having =
  (sources: Readonly<Record<string, string>>) =>
  async (home: IsolatedHome): Promise<void> => {
    for (const [name, source] of Object.entries(sources)) {
      await home.write(`.tau/agent/extensions/${name}`, source);
    }
  };

const FAMILY = `
import { Text } from "@mariozechner/pi-tui";
export default (pi) => {
  pi.registerTool({
    name: "weather", label: "Weather", description: "d",
    parameters: { type: "object", properties: { city: { type: "string" } } },
    execute: async (_id, params) => ({ content: [{ type: "text", text: "raw words" }], details: { degrees: 21, city: params.city } }),
    renderCall: (args, theme) => new Text(theme.fg("toolTitle", "weather ") + theme.bold("of " + args.city), 0, 0),
    renderResult: (result, { expanded }, theme) => new Text(theme.fg("success", result.details.degrees + " degrees" + (expanded ? " exactly" : "")), 0, 0),
  });
  pi.registerTool({
    name: "broken", description: "d", parameters: { type: "object", properties: {} },
    execute: async () => ({ content: [{ type: "text", text: "plain result" }] }),
    renderResult: () => { throw new Error("no paint"); },
  });
  pi.registerMessageRenderer("card", (message, _options, theme) => new Text("[" + theme.fg("accent", typeof message.content === "string" ? message.content : "blocks: " + message.content[0].text) + "|" + message.details.mark + "]", 0, 0));
  pi.registerMessageRenderer("torn", () => { throw new Error("torn apart"); });
  pi.registerEntryRenderer("tally", (entry) => new Text("tally is " + entry.data.count, 0, 0));
  pi.registerCommand("cards", { handler: async () => {
    pi.sendMessage({ customType: "card", content: "a card", display: true, details: { mark: "!" } });
    pi.sendMessage({ customType: "card", content: [{ type: "text", text: "another" }], display: true, details: { mark: "?" } });
    pi.sendMessage({ customType: "torn", content: "words of the torn one", display: true });
    pi.appendEntry("tally", { count: 7 });
  } });
};`;

test("the family's renderers draw calls, messages and entries; one that throws gives way to the usual look", async () => {
  const call = (name: string, args: Record<string, unknown>) => ({
    toolCalls: [{ name, arguments: args }],
  });
  await using program = await converse(
    [call("weather", { city: "Oslo" }), call("broken", {}), { text: "There." }],
    { before: having({ "looks.ts": FAMILY }), config: "tools: { approvalMode: yolo }\n", rows: 40 },
  );
  const { terminal, say, idle } = program;
  say("go");
  await terminal.waitFor("There.");
  await idle();
  expect(terminal.text()).toMatch(/✓ weather {2}of Oslo/);
  expect(terminal.text()).toContain("21 degrees");
  expect(terminal.text()).not.toContain("raw words");
  expect(terminal.text()).toContain("plain result");
  await terminal.waitFor("the view of broken of looks failed: Error: no paint");
  say("/cards");
  await terminal.waitFor("tally is 7");
  // As it was sent: a string, or blocks.
  expect(terminal.text()).toContain("[a card|!]");
  expect(terminal.text()).toContain("[blocks: another|?]");
  expect(terminal.text()).toContain("words of the torn one");
  await terminal.waitFor("the look of torn of looks failed: Error: torn apart");
  expect(terminal.text().split("failed: Error: torn apart")).toHaveLength(2);
  terminal.press("ctrl+o");
  await terminal.waitFor("21 degrees exactly");
});

const OWN = `
import { defineExtension, note } from "@tau/extension";
export default defineExtension({
  name: "counting",
  entries: [{ customType: "count", show: (entry) => [note("count " + entry.data.n)] }],
  commands: [{ name: "count", help: "counts", when: "any", run: async ({ session }) => { await session.host.append([{ type: "custom", customType: "count", data: { n: 3 } }]); } }],
  terminal: async () => ({
    entries: { count: (entry, { theme, columns }) => [theme.style("accent")("#".repeat(entry.data.n)) + " of " + columns] },
    status: [
      { name: "count", render: ({ session }) => session.messages.length + " messages" },
      { name: "worse", render: () => { throw new Error("speechless"); } },
    ],
    panel: () => ({ state: "live", render: () => { throw new Error("blank"); }, enter() {}, follow() {} }),
  }),
});`;

test("Tau's own kind draws its entries and has its words in the status line", async () => {
  await using program = await converse([], { before: having({ "counting.ts": OWN }) });
  const { terminal, say } = program;
  await terminal.waitFor("0 messages");
  await terminal.waitFor("the status worse of counting failed: Error: speechless");
  await terminal.waitFor("the panel of counting failed: Error: blank");
  say("/count");
  await terminal.waitFor("### of 80");
});
