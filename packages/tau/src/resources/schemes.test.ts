// What has an address inside Tau: found, listed, refused with what there is.

import { expect, test } from "bun:test";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { Glob } from "bun";
import { join } from "node:path";
import { Workspace } from "../tools/workspace.ts";
import { PAGES } from "./docs-scheme.ts";
import { parseAddress } from "./schemes.ts";

const { signal } = new AbortController();

test("every page of the documentation can be read as tau://", async () => {
  const docs = join(import.meta.dir, "../../../../docs");
  const files = await Array.fromAsync(new Glob("*.md").scan({ cwd: docs }));
  expect(Object.keys(PAGES).toSorted()).toEqual(files.map((file) => file.slice(0, -3)).toSorted());
  await using scratch = await createScratchDirectory();
  await using workspace = new Workspace({ cwd: scratch.root, env: { HOME: scratch.root } });
  const { resource } = await workspace.resources.open("tau://sessions:1-3", signal);
  expect(resource).toMatchObject({ type: "text", text: expect.stringContaining("# Sessions") });
  expect(workspace.resources.open("tau://sesions", signal)).rejects.toThrow("tau://sessions?");
});

test("local:// stays inside of its own directory", async () => {
  await using scratch = await createScratchDirectory();
  const localRoot = scratch.path("own");
  await using workspace = new Workspace({
    cwd: scratch.root,
    env: { HOME: scratch.root },
    localRoot,
  });
  await scratch.write("own/notes.md", "mine\n");
  const { resource } = await workspace.resources.open("local://notes.md", signal);
  expect(resource).toMatchObject({ type: "file", path: scratch.path("own/notes.md") });
  expect(workspace.files.resolve("local://a/b.md")).toBe(scratch.path("own/a/b.md"));
  expect(workspace.files.shown(scratch.path("own/a/b.md"))).toBe("local://a/b.md");
  expect(workspace.files.shown(scratch.path("src/x.ts"))).toBe("src/x.ts");
  for (const path of ["local://../x", "local://a/../../x", "local://a\\..\\x"]) {
    expect(() => workspace.files.resolve(path)).toThrow("leads out");
  }
});

test("addresses and paths that only look like them", () => {
  expect(parseAddress("artifact://3?x=1")).toMatchObject({ scheme: "artifact", path: "3" });
  expect(parseAddress("C:/x")).toBeUndefined();
  expect(parseAddress("a.zip:b")).toBeUndefined();
  expect(parseAddress("./x://y")).toBeUndefined();
});
