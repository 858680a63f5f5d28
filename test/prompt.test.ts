// What the model is told: words of the user's and the project's in their order, imports, rules and
// skills; and that nothing of a project's leads out of it.

import { describe, expect, test } from "bun:test";
import { symlink } from "node:fs/promises";
import { textOf, userText } from "@tau/ai/message";
import { ModelServer } from "@tau/testkit/model-server";
import { createScratchRepository, isolatedHome, type IsolatedHome } from "@tau/testkit/scratch";
import { embed } from "./support/embedded.ts";
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
  // Somebody else's words do not take the place of Tau's, nor of the user's, until they are trusted.
  await home.write(".tau/agent/APPEND_SYSTEM.md", "Mine.\n");
  const before = await systemOf(home, repository.root);
  expect(before[0]).toStartWith("You are Tau");
  expect(before).toContain("Mine.");
  expect(before.join("\n")).not.toContain("Cite lines.");
  const shown = await runTau(["trust"], { cwd: repository.root, home });
  expect(shown.stdout).toContain("replaces Tau's own instructions to the model");
  await runTau(["trust", "allow"], { cwd: repository.root, home });
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

interface Told {
  model: string;
  parts: { name: string; tokens: number; text: string }[];
  tokens: number;
}

describe("what the whole prompt costs, tools and all", () => {
  const told = async (home: IsolatedHome, env: Record<string, string>, model: string) => {
    const args = ["prompt", "--json", "-m", model];
    const result = await runTau(args, { cwd: home.root, home, env });
    expect(result.exitCode).toBe(0);
    return JSON.parse(result.stdout) as Told;
  };
  /** What `tau prompt` shows is what is sent, byte for byte, and the same at the next start. */
  const isSent = async (home: IsolatedHome, { parts }: Told, more: Record<string, string>) => {
    await using server = await ModelServer.start(() => ({ text: "ok" }));
    const env = { OLLAMA_BASE_URL: server.baseUrl("openai-completions"), ...more };
    for (let start = 0; start < 2; start++) {
      await runTau(["-p", "-m", "ollama/x", "hi"], { cwd: home.root, home, env });
    }
    const [first, second] = server.requests.map(({ decoded }) => decoded);
    const { system, tools } = first!;
    expect(second).toMatchObject({ system, tools });
    expect(tools.map(({ name }) => `tool ${name}`)).toEqual(
      parts.map(({ name }) => name).filter((name) => name.startsWith("tool ")),
    );
    const words = parts.filter(({ name }) => !name.startsWith("tool ")).map(({ text }) => text);
    expect(system.join("\n\n")).toBe(words.join("\n\n"));
  };

  test("at most 8,000 tokens", async () => {
    await using home = await isolatedHome();
    const whole = await told(home, {}, "ollama/x");
    expect(whole.tokens).toBeLessThanOrEqual(8000);
    expect(whole.parts.map(({ name }) => name)).toContain("tool eval");
    await isSent(home, whole, {});
  });

  test("at most 2,000 where the profile is small", async () => {
    await using home = await isolatedHome();
    const env = { TAU_PROMPT_PROFILE: "small" };
    const whole = await told(home, env, "ollama/x");
    expect(whole.tokens).toBeLessThanOrEqual(2000);
    expect(whole.parts.map(({ name }) => name)).toEqual([
      "instructions",
      "environment",
      "tool read",
      "tool write",
      "tool edit",
      "tool search",
      "tool find",
      "tool bash",
    ]);
    await isSent(home, whole, env);
  });

  test("a model with a small window is told little by itself", async () => {
    await using home = await isolatedHome();
    await home.write(
      ".tau/agent/models.yml",
      "providers:\n  box:\n    baseUrl: http://127.0.0.1:1/v1\n    api: openai-completions\n    auth: none\n    models:\n      - id: tiny\n        contextWindow: 8192\n        maxTokens: 1024\n",
    );
    const { tokens, model } = await told(home, {}, "box/tiny");
    expect(model).toBe("box/tiny");
    expect(tokens).toBeLessThanOrEqual(2000);
  });
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

test("skills and what comes with Tau are called by name, in scripts and in the middle of a run", async () => {
  await using embedding = await embed((_request, turn) =>
    turn === 3 ? { toolCalls: [{ name: "find", arguments: { paths: "*.md" } }] } : { text: "ok" },
  );
  const { home, server } = embedding;
  const skill = await home.write(
    "work/.tau/skills/release/SKILL.md",
    FILES[".tau/skills/release/SKILL.md"],
  );
  const cwd = home.path("work");
  const env = { OLLAMA_BASE_URL: server.baseUrl("openai-completions") };
  const ask = (prompt: string) => runTau(["-p", "-m", "ollama/x", prompt], { cwd, home, env });
  await ask("/skill:release the 2.0, please");
  await ask("/review src/a.ts");
  const session = await embedding.start({ cwd });
  let steering: Promise<unknown> | undefined;
  session.subscribe((event) => {
    if (event.type === "tool_execution_start") steering = session.steer(userText("/skill:release"));
  });
  await session.prompt(userText("begin"));
  await steering;
  await session[Symbol.asyncDispose]();
  const said = server.requests.map(({ decoded }) =>
    textOf(decoded.messages.findLast(({ role }) => role === "user")!),
  );
  expect(said[0]).toBe(`Step one.\n\nSkill: ${skill}\n\nUser: the 2.0, please`);
  expect(said[1]).toStartWith("Review the changes in this repository: src/a.ts");
  expect(said[2]).toBe("begin");
  expect(said.at(-1)).toBe(`Step one.\n\nSkill: ${skill}`);
});

test("words for names change how a session is named, and nothing else", async () => {
  await using embedding = await embed((request) => ({
    text: request.decoded.system.includes("Name it like a ship.")
      ? "<title>Endurance</title>"
      : "ok",
  }));
  await embedding.home.write(".tau/agent/TITLE_SYSTEM.md", "Name it like a ship.\n");
  const session = await embedding.start({ cwd: embedding.home.path("work"), titles: "on" });
  const { promise: named, resolve } = Promise.withResolvers<string>();
  session.subscribe((event) => {
    if (event.type === "title_changed") resolve(event.title);
  });
  await session.prompt(userText("hello"));
  expect(await named).toBe("Endurance");
  await session[Symbol.asyncDispose]();
  expect(embedding.server.requests[0]!.decoded.system[0]).toStartWith("You are Tau");
});
