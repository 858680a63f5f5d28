import { expect, test } from "bun:test";
import { isolatedHome } from "@tau/testkit/scratch";
import { Workspace } from "../workspace.ts";
import type { EditMode } from "../file-tool-settings.ts";
import { createEditTool } from "./tool.ts";

test("what an edit deletes, moves, makes and takes is judged by where it really is", async () => {
  await using home = await isolatedHome();
  for (const path of ["work/own", "work/a/x", "precious", ".bashrc"]) await home.write(path, "x\n");
  const hunk = "@@ -1 +1 @@\n-x\n+y\n";
  const table: [EditMode, string, string | undefined][] = [
    ["hashline", "¶own#0A3F\ndelete file", undefined],
    ["hashline", "¶own#0A3F\nmove to lib/own", undefined],
    ["hashline", "¶../precious#0A3F\ndelete file", "removes ~/precious, outside the project"],
    ["hashline", "¶../precious#0A3F\nmove to own2", "removes ~/precious, outside the project"],
    ["hashline", "¶own#0A3F\nmove to ../precious", "overwrites ~/precious, outside the project"],
    ["hashline", "¶own#0A3F\nmove to ../.bash_profile", "creates ~/.bash_profile"],
    ["hashline", "¶~/.bashrc#0A3F\ndelete file", "removes ~/.bashrc"],
    ["patch", `--- a/own\n+++ b/own\n${hunk}`, undefined],
    ["patch", "diff --git a/x b/n\ncopy from ../precious\ncopy to n\n", "~/precious"],
    ["patch", `--- x/own\n+++ y/own\n${hunk}`, undefined],
    ["patch", `--- a/../precious\n+++ b/../precious\n${hunk}`, "overwrites ~/precious"],
    ["patch", `--- ../precious\n+++ ../precious\n${hunk}`, "overwrites ~/precious"],
    [
      "patch",
      "diff --git a/own b/n\nrename from own\nrename to ../.bash_profile\n",
      "creates ~/.bash_profile",
    ],
    ["patch", `--- a/../precious\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n`, "removes ~/precious"],
  ];
  for (const [editMode, input, want] of table) {
    await using workspace = new Workspace({
      cwd: home.path("work"),
      env: home.env,
      settings: { editMode },
    });
    const judged = await createEditTool(workspace).assess!({ input });
    const guard = want === undefined ? undefined : expect.stringContaining(want);
    expect({ input, guard: judged?.guard }).toEqual({ input, guard });
  }
});
