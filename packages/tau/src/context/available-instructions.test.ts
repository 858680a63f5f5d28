import { expect, test } from "bun:test";
import { createScratchRepository } from "@tau/testkit/scratch";
import { AvailableInstructions, availableInstructions } from "./available-instructions.ts";
import { DEFAULT_INSTRUCTIONS } from "./instruction-settings.ts";

const FILES = {
  ".tau/commands/deploy.md":
    "---\ndescription: Ship it\nargument-hint: [stage] [tag]\n---\nDeploy $1.\n",
  ".claude/commands/git/commit.md":
    "\n\x1b[31mCommit\x1b[0m what is staged, with a message in the manner of this repository.\n",
  ".claude/commands/review.md": "Our own review.\n",
  ".tau/prompts/deploy.md": "Shadowed by the command.\n",
  ".tau/prompts/tidy.md": "Tidy up.\n",
  ".tau/skills/pdf/SKILL.md": "---\ndescription: Read PDFs\n---\nx\n",
  ".tau/skills/inner/SKILL.md": "---\ndescription: Not to call\nuser-invocable: false\n---\nx\n",
};

test("commands, prompts and skills by name, with whose they are; files before what is bundled", async () => {
  await using repository = await createScratchRepository({ files: FILES });
  const place = { cwd: repository.root, env: { HOME: repository.path("home") } };
  const all = await availableInstructions(place);
  expect(
    all.map(({ name, kind, description, source }) => [name, kind, description, source]),
  ).toEqual([
    ["deploy", "command", "Ship it", "Tau"],
    [
      "git:commit",
      "command",
      "Commit what is staged, with a message in the manner of this…",
      "Claude Code",
    ],
    ["init", "command", "Write or renew the AGENTS.md of this repository", "Tau"],
    ["review", "command", "Our own review.", "Claude Code"],
    ["skill:pdf", "skill", "Read PDFs", "Tau"],
    ["tidy", "prompt", "Tidy up.", "Tau"],
  ]);
  expect(all[0]).toMatchObject({ argumentHint: "[stage] [tag]", level: "project" });
  expect(all[2]).toMatchObject({ level: "bundled" });
  const skills = { ...DEFAULT_INSTRUCTIONS.skills, enableSkillCommands: false };
  const without = await availableInstructions({
    ...place,
    settings: { ...DEFAULT_INSTRUCTIONS, skills, disabledSources: ["claude"] },
  });
  expect(without.map(({ name }) => name)).toEqual(["deploy", "init", "review", "tidy"]);
});

test("it follows the files once it is started, and nothing after it is disposed of", async () => {
  await using repository = await createScratchRepository({
    files: { ".tau/commands/a.md": "A.\n" },
  });
  const instructions = new AvailableInstructions({
    cwd: repository.root,
    env: { HOME: repository.path("home") },
  });
  expect(instructions.current).toEqual([]);
  await instructions.start();
  const names = () => instructions.current.map(({ name }) => name);
  expect(names()).toEqual(["a", "init", "review"]);
  const { promise: changed, resolve } = Promise.withResolvers<string[]>();
  instructions.subscribe((all) => resolve(all.map(({ name }) => name)));
  await repository.write(".tau/commands/b.md", "B.\n");
  expect(await changed).toEqual(["a", "b", "init", "review"]);
  await instructions[Symbol.asyncDispose]();
  await repository.write(".tau/commands/c.md", "C.\n");
  await instructions.refresh();
  expect(names()).toEqual(["a", "b", "init", "review"]);
});
