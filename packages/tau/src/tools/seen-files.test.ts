// What a search shows of files that nobody named: secrets count as read, refused files are left out.

import { expect, test } from "bun:test";
import { isolatedHome } from "@tau/testkit/scratch";
import { createSearchTool } from "./search/tool.ts";
import { Workspace } from "./workspace.ts";

async function search(
  refused: readonly string[],
  { pattern = "TOKEN", skip }: { pattern?: string; skip?: number } = {},
): Promise<{ text: string; secrets: number; details: unknown }> {
  await using home = await isolatedHome();
  await home.write("work/.env", "TOKEN=1\n");
  await home.write("work/a.txt", "TOKEN\n");
  await using workspace = new Workspace({ cwd: home.path("work"), env: home.env });
  workspace.consent.decide = (tool, { spellings = [] }) =>
    tool === "read" && spellings.flat().some((name) => refused.includes(name)) ? "block" : "allow";
  workspace.consent.refusesReads = refused.length > 0;
  const tool = createSearchTool(workspace);
  const context = { signal: new AbortController().signal, update: () => {} } as never;
  const asked = { pattern, paths: ".", skip };
  const { content, details } = await tool.execute(asked, context);
  const text = content.map((block) => (block.type === "text" ? block.text : "")).join("");
  return { text, secrets: workspace.secrets.count, details };
}

test("a secret that a search shows was read", async () => {
  const { text, secrets } = await search([]);
  expect(text).toContain("TOKEN=1");
  expect(secrets).toBe(1);
});

test("a file that the settings refuse to have read is left out, and said to be", async () => {
  const { text, secrets } = await search([".env"]);
  expect(text).not.toContain("TOKEN=1");
  expect(text).toContain("a.txt");
  expect(text).toContain("do not let be read were not searched]");
  expect(secrets).toBe(0);
});

test("what a search says does not depend on what is in a file that may not be read", async () => {
  for (const skip of [undefined, 0, 1, 5]) {
    const right = await search([".env"], { pattern: "=1", skip });
    const wrong = await search([".env"], { pattern: "=2", skip });
    expect(right).toEqual(wrong);
  }
});
