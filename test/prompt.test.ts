// What the model is told: words of the user's and the project's in their order, imports, rules and
// skills; and that nothing of a project's leads out of it.

import { expect, test } from "bun:test";
import { symlink } from "node:fs/promises";
import { ModelServer } from "@tau/testkit/model-server";
import { createScratchRepository, isolatedHome, type IsolatedHome } from "@tau/testkit/scratch";
import { runTau } from "./support/run-tau.ts";

const FILES = {
  "AGENTS.md": "Use tabs.\n@docs/style.md\n@../../etc/passwd\n```\n@docs/style.md\n```\n",
  "docs/style.md": "Short names.\n",
  "sub/AGENTS.md": "In here use spaces.\n",
  ".tau/rules/always.md": "---\nalwaysApply: true\n---\nNever push.\n",
  ".tau/rules/sql.md": '---\ndescription: How to write SQL\nglobs: "*.sql"\n---\nUpper case.\n',
  ".tau/skills/release/SKILL.md":
    "---\nname: release\ndescription: Make a release\n---\nStep one.\n",
  ".tau/skills/release/notes.md": "Notes.\n",
};

async function systemOf(home: IsolatedHome, cwd: string, args: string[] = []): Promise<string[]> {
  await using server = await ModelServer.start([{ text: "ok" }]);
  const env = { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: server.baseUrl("anthropic-messages") };
  const result = await runTau(["-p", "-m", "anthropic/claude-sonnet-4-5", ...args, "hi"], {
    cwd,
    home,
    env,
  });
  expect(result.exitCode).toBe(0);
  const { system } = server.requests[0]!.decoded;
  return [...system];
}

test("instructions, project and environment, the nearest file last; the same twice", async () => {
  await using home = await isolatedHome();
  await using repository = await createScratchRepository({ files: FILES });
  await home.write(".tau/agent/AGENTS.md", "I am Ada.\n");
  const cwd = repository.path("sub");
  const blocks = await systemOf(home, cwd);
  const whole = blocks.join("\n");
  expect(blocks[0]).toStartWith("You are Tau");
  const order = [
    "I am Ada.",
    "Use tabs.",
    "Short names.",
    "In here use spaces.",
    "Never push.",
    "- sql (*.sql): How to write SQL",
    "- release: Make a release",
    `Working directory: ${cwd}`,
  ];
  const places = order.map((words) => whole.indexOf(words));
  expect(places.every((at) => at >= 0)).toBe(true);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(whole).toContain("@../../etc/passwd");
  expect(whole).not.toContain("root:");
  expect(whole.split("Short names.").length).toBe(2);
  expect(whole).not.toContain("Upper case.");
  expect(await systemOf(home, cwd)).toEqual(blocks);
});

test("words of one's own replace Tau's; more words come behind; the place stays", async () => {
  await using home = await isolatedHome();
  await using repository = await createScratchRepository({
    files: { ".tau/SYSTEM.md": "You review. {{cwd}}\n", ".tau/APPEND_SYSTEM.md": "Cite lines.\n" },
  });
  const found = await systemOf(home, repository.root);
  expect(found[0]).toBe("You review. {{cwd}}");
  expect(found[1]).toBe("Cite lines.");
  expect(found.at(-1)).toContain(`Working directory: ${repository.root}`);
  await home.write("mine.txt", "From a file.\n");
  const flags = ["--system-prompt", home.path("mine.txt"), "--append-system-prompt", "And this."];
  const [own, added] = await systemOf(home, repository.root, flags);
  expect([own, added]).toEqual(["From a file.", "And this."]);
});

test("tau prompt shows it, with what each part costs", async () => {
  await using home = await isolatedHome();
  await using repository = await createScratchRepository({ files: FILES });
  const shown = await runTau(["prompt"], { cwd: repository.root, home });
  expect(shown.stdout).toContain("Use tabs.");
  const json = await runTau(["prompt", "--json"], { cwd: repository.root, home });
  const { parts, tokens } = JSON.parse(json.stdout) as {
    parts: { name: string; tokens: number }[];
    tokens: number;
  };
  expect(parts.map(({ name }) => name).slice(0, 3)).toEqual([
    "instructions",
    "project",
    "environment",
  ]);
  expect(tokens).toBeLessThan(8000);
  const counted = await runTau(["prompt", "--tokens"], { cwd: repository.root, home });
  expect(counted.stdout).toContain("together");
});

test("skills and rules are read by their names, and lead nowhere else", async () => {
  await using home = await isolatedHome();
  await using repository = await createScratchRepository({ files: FILES });
  await symlink("/etc/passwd", repository.path(".tau/skills/release/leak.md"));
  const paths = [
    "skill://release",
    "skill://release/notes.md",
    "rule://sql",
    "skill://relese",
    "skill://release/%2e%2e/%2e%2e/AGENTS.md",
    "skill://release/leak.md",
  ];
  await using server = await ModelServer.start([
    { toolCalls: paths.map((path) => ({ name: "read", arguments: { path } })) },
    { text: "ok" },
  ]);
  const env = { OLLAMA_BASE_URL: server.baseUrl("openai-completions") };
  await runTau(["-p", "-m", "ollama/x", "hi"], { cwd: repository.root, home, env });
  const results = server.requests[1]!.decoded.messages.filter(({ role }) => role === "toolResult");
  const texts = results.map(({ content }) => (content[0] as { text: string }).text);
  expect(texts[0]).toBe("Step one.");
  expect(texts[1]).toBe("Notes.");
  expect(texts[2]).toBe("Upper case.");
  expect(texts[3]).toContain("Did you mean release?");
  expect(texts[4]).toContain("is not a file of release");
  expect(texts[5]).not.toContain("root:");
});

test("a command kept as a file is what the model is asked, also from scripts", async () => {
  await using home = await isolatedHome();
  await using repository = await createScratchRepository({
    files: { ".tau/commands/review.md": "Review $1, please.\n" },
  });
  await using server = await ModelServer.start(() => ({ text: "ok" }));
  const env = { OLLAMA_BASE_URL: server.baseUrl("openai-completions") };
  const ask = (prompt: string) =>
    runTau(["-p", "-m", "ollama/x", prompt], { cwd: repository.root, home, env });
  await ask("/review src/a.ts");
  await ask("/etc/hosts says what?");
  const asked = server.requests.map(
    ({ decoded }) => (decoded.messages[0]!.content[0] as { text: string }).text,
  );
  expect(asked).toEqual(["Review src/a.ts, please.", "/etc/hosts says what?"]);
});
