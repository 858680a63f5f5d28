// Extensions of the family around a request to a model: they see the body that the vendor gets and may replace
// it, and are told what the server answers with. What of the family's user interface does nothing here is
// said when they are loaded.

import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { converse } from "./support/converse.ts";
import { extended } from "./support/extended.ts";

test("handlers see the payload one after the other, and what they make of it is sent", async () => {
  await using program = await extended(
    {
      "a.ts": `
export default (pi) => {
  pi.on("before_provider_request", ({ payload }) => ({ ...payload, temperature: 0.25, seen: [payload.model] }));
};`,
      "b.ts": `
import { appendFileSync } from "node:fs";
export default (pi) => {
  pi.on("before_provider_request", (event) => { event.payload.seen.push("b"); });
  pi.on("before_provider_request", () => { throw new Error("not this one"); });
  pi.on("after_provider_response", ({ status, headers }) => {
    appendFileSync("answered", status + " " + headers["content-type"] + "\\n");
  });
};`,
    },
    [{ text: "Hello." }],
  );
  const { stdout, stderr } = await program.run("-p", "go");
  expect(stdout).toBe("Hello.\n");
  expect(stderr).toContain("b failed at before_provider_request: Error: not this one (b.ts:5)");
  expect(stderr).not.toContain("never tells");
  const body = program.server.requests[0]!.body as Record<string, unknown>;
  expect(body).toMatchObject({ model: "x", temperature: 0.25, seen: ["x", "b"] });
  const answered = await readFile(join(program.cwd, "answered"), "utf8");
  expect(answered).toStartWith("200 text/event-stream");
});

test("what has no effect is said by name at the start, with what to do instead", async () => {
  await using program = await extended(
    {
      "shape.ts": `
export default (pi) => {
  pi.on("session_start", (_event, ctx) => {
    ctx.ui.setEditorComponent(() => ({}));
    ctx.ui.onTerminalInput(() => undefined);
  });
  pi.on("resources_discover", () => ({ themePaths: ["./themes"] }));
};`,
    },
    [{ text: "Hello." }],
  );
  const { stderr } = await program.run("-p", "go");
  expect(stderr).toContain(
    "the extension shape calls ctx.ui.setEditorComponent, which does nothing in Tau: the prompt is drawn by Tau",
  );
  expect(stderr).toContain("calls ctx.ui.onTerminalInput, which does nothing in Tau: ");
  expect(stderr).toContain("shape brings themes (themePaths), which Tau takes from files only: ");
});

test("a header stands above the prompt, and goes", async () => {
  await using program = await converse([], {
    before: (home) =>
      home.write(
        ".tau/agent/extensions/head.ts",
        `
export default (pi) => {
  pi.on("session_start", (_event, ctx) => {
    ctx.ui.setHeader((_tui, theme) => ({ render: () => [theme.bold("a header")], invalidate() {} }));
  });
  pi.registerCommand("behead", { handler: async (_args, ctx) => ctx.ui.setHeader(undefined) });
};`,
      ),
  });
  const { terminal, say } = program;
  await terminal.waitFor("a header");
  say("/behead");
  await terminal.waitFor((seen) => !seen.text().includes("a header"));
});
