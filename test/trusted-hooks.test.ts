// Hooks of a trusted project, while what they run changes: only what was allowed runs, and what it guards is
// blocked without it.

import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { extended } from "./support/extended.ts";
import { bash, groups, lastOf, there } from "./support/hook-files.ts";

test("a project's hook that the session rewrote does not run, and what it guards is blocked", async () => {
  const rewrite = { path: ".claude/hooks/guard.sh", content: "touch evil\n" };
  await using program = await extended({}, [
    bash("touch first"),
    { toolCalls: [{ name: "write", arguments: rewrite }] },
    bash("touch second"),
    bash("touch third"),
    { text: "Done." },
  ]);
  await program.home.write("work/.claude/hooks/guard.sh", "touch ran\n");
  const command = 'sh "$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh';
  const hooks = [{ hooks: [command] }];
  await program.home.write(
    "work/.claude/settings.json",
    groups({ PreToolUse: hooks, PostToolUse: hooks, Stop: hooks }),
  );
  await program.command("trust", "allow");
  const { stderr } = await program.run("-p", "go", "--approval-mode", "yolo");
  expect(await readFile(join(program.cwd, rewrite.path), "utf8")).toBe(rewrite.content);
  const made = ["ran", "first", "evil", "second", "third"].filter((name) => there(program, name));
  expect(made).toEqual(["ran", "first"]);
  for (const at of [3, 4]) expect(lastOf(program, at)).toContain("have changed since you allowed");
  expect(stderr.match(/have changed since you allowed/g)).toHaveLength(1);
});

test.each([
  [
    "a script",
    'sh "$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh',
    ".claude/hooks/guard.sh",
    (run: string) => run,
  ],
  ["a Makefile", "make -s guard", "Makefile", (run: string) => `guard:\n\t${run}\n`],
  [
    "a script of package.json",
    "npm run --silent guard",
    "package.json",
    (run: string) => JSON.stringify({ scripts: { guard: "npm run --silent inner", inner: run } }),
  ],
  [
    "a file that a script of package.json names",
    "npm run --silent guard",
    "scripts/guard.sh",
    (run: string) => run,
  ],
] as const)(
  "%s that a program changed meanwhile is not run, and the call is blocked",
  async (...row) => {
    const [, command, file, content] = row;
    // What the script does is not seen from the line: only its owner wrote it.
    await using program = await extended({}, [
      bash("touch first"),
      bash("sh ./build.sh"),
      bash("touch second"),
      { text: "Done." },
    ]);
    const { home } = program;
    await home.write("work/.git/HEAD", "ref: refs/heads/main\n");
    await home.write(
      "work/package.json",
      JSON.stringify({ scripts: { guard: "sh scripts/guard.sh" } }),
    );
    await home.write(`work/${file}`, content("touch ran"));
    await home.write("replacement", content("touch evil"));
    await home.write("work/build.sh", `cp "$HOME/replacement" ${file}\n`);
    await home.write("work/.claude/settings.json", groups({ PreToolUse: [{ hooks: [command] }] }));
    await program.command("trust", "allow");
    const { stderr } = await program.run("-p", "go", "--approval-mode", "yolo");
    const made = ["ran", "first", "evil", "second"].filter((name) => there(program, name));
    expect(made).toEqual(["ran", "first"]);
    expect(lastOf(program, 3)).toContain(
      "have changed since you allowed them; review them with `tau trust`, and allow them again with `tau trust allow`",
    );
    expect(stderr).toContain("have changed since you allowed them");
  },
);

test("what a hook's program reads beside its own scripts may change", async () => {
  await using program = await extended({}, [bash("touch first"), { text: "Done." }]);
  const { home } = program;
  const packageFile = (version: string): string =>
    JSON.stringify({
      scripts: { guard: "touch ran", other: version },
      dependencies: { a: version },
    });
  await home.write("work/.git/HEAD", "ref: refs/heads/main\n");
  await home.write("work/package.json", packageFile("1"));
  const hooks = groups({ PreToolUse: [{ hooks: ["npm run --silent guard"] }] });
  await home.write("work/.claude/settings.json", hooks);
  await program.command("trust", "allow");
  await home.write("work/package.json", packageFile("2"));
  await program.run("-p", "go", "--approval-mode", "yolo");
  expect(["ran", "first"].filter((name) => there(program, name))).toEqual(["ran", "first"]);
});
