// A model that writes secrets itself, in its words, its thinking and its calls, cut anywhere: nothing that
// is kept, exported or told to a program has one, and the tools get the values, also after a resume.

import { expect, test } from "bun:test";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { IsolatedHome } from "@tau/testkit/scratch";
import type { ScriptedReply } from "@tau/testkit/script";
import fc from "fast-check";
import { connect } from "./support/rpc-connection.ts";
import { isolatedHome, runTau } from "./support/run-tau.ts";

const PLAIN = "plain-secret-abcdefg";
const QUOTED = 'a "quoted" \\ secret';
const FOR_GOOD = "hidden-for-good-1";
const FROM_ENVIRONMENT = "env-secret-1234567";
const BY_PATTERN = "AKIAABCDEFGHIJKLMNOP";
const SECRETS = [PLAIN, QUOTED, FOR_GOOD, FROM_ENVIRONMENT, BY_PATTERN];

const SETTINGS = "secrets:\n  enabled: true\nretry: { enabled: false }\n";
const SECRETS_FILE = [
  `- type: plain\n  content: ${PLAIN}`,
  `- type: plain\n  content: '${QUOTED}'`,
  `- type: plain\n  content: ${FOR_GOOD}\n  mode: replace\n  replacement: "***"`,
  '- type: regex\n  content: "AKIA[0-9A-Z]{16}"',
].join("\n");
const env = { DEPLOY_TOKEN: FROM_ENVIRONMENT };

const words = fc
  .array(fc.constantFrom(...SECRETS, "a ", "plain-", "secret", "hidden-", "AKIA", "\n", "é"), {
    maxLength: 6,
  })
  .map((parts) => parts.join(""));

interface Reply {
  text: string;
  thinking: string;
  content: string;
  deltaChars: number;
}

const reply: fc.Arbitrary<Reply> = fc.record({
  text: words,
  thinking: words,
  content: words,
  deltaChars: fc.integer({ min: 1, max: 9 }),
});

/** As it reads, and as JSON and HTML have it. */
function leaksIn(texts: Iterable<readonly [string, string]>): string[] {
  const forms = (secret: string): string[] => [
    secret,
    JSON.stringify(secret).slice(1, -1),
    Bun.escapeHTML(secret),
  ];
  return [...texts].flatMap(([name, text]) =>
    SECRETS.filter((secret) => forms(secret).some((form) => text.includes(form))).map(
      (secret) => `${secret} in ${name}`,
    ),
  );
}

async function keptIn(home: IsolatedHome): Promise<[string, string][]> {
  const root = home.path(".tau/agent");
  const found = await readdir(root, { recursive: true, withFileTypes: true });
  const files = found.filter((entry) => entry.isFile() && entry.name !== "secrets.yml");
  return Promise.all(
    files.map(async ({ parentPath, name }) => [
      name,
      await readFile(join(parentPath, name), "utf8"),
    ]),
  );
}

test("no secret that a model writes is kept, exported or told; tools get what it wrote", async () => {
  const replies: ScriptedReply[] = [];
  await using rpc = await connect(() => replies.shift() ?? { text: "done" }, {
    settings: SETTINGS,
    env,
  });
  const { client, events, home } = rpc;
  await home.write(".tau/agent/secrets.yml", SECRETS_FILE);
  let at = 0;
  await fc.assert(
    fc.asyncProperty(reply, async ({ text, thinking, content, deltaChars }) => {
      const path = `out-${++at}.txt`;
      const toolCalls = [{ name: "write", arguments: { path, content } }];
      replies.push({ text, thinking, toolCalls, deltaChars });
      await client.run("go");
      expect(await home.read(`work/${path}`)).toBe(content);
      expect(leaksIn([["events", JSON.stringify(events)]])).toEqual([]);
      expect(leaksIn(await keptIn(home))).toEqual([]);
    }),
    { numRuns: 12 },
  );
  const { sessionId } = (await client.send("get_state")) as { sessionId: string };
  await client.close();
  for (const format of ["md", "html", "json"]) {
    const args = ["sessions", "export", sessionId, "--format", format];
    const { stdout } = await runTau(args, { cwd: rpc.cwd, home, env });
    expect(stdout).toContain("out-1.txt");
    expect(leaksIn([[format, stdout]])).toEqual([]);
  }
}, 60_000);

test("a resumed session restores what the model wrote before", async () => {
  const written = { path: "first.txt", content: `${PLAIN} ${FOR_GOOD}` };
  const first: ScriptedReply = { toolCalls: [{ name: "write", arguments: written }] };
  await using rpc = await connect(
    (request, turn) => {
      if (turn === 1) return first;
      if (turn !== 3) return { text: "done" };
      // What it is shown of its own call.
      const [content] = /#[A-Z2-9]{8}# #[A-Z2-9]{8}#/.exec(request.text)!;
      return { toolCalls: [{ name: "write", arguments: { path: "second.txt", content } }] };
    },
    { settings: SETTINGS },
  );
  const { home, client, server, cwd } = rpc;
  await home.write(".tau/agent/secrets.yml", SECRETS_FILE);
  await client.run("write it");
  await client.close();
  const args = ["-c", "-p", "-m", "ollama/x", "again"];
  const base = { OLLAMA_BASE_URL: server.baseUrl("openai-completions") };
  const { exitCode } = await runTau(args, { cwd, home, env: base });
  expect(exitCode).toBe(0);
  expect(await home.read("work/first.txt")).toBe(written.content);
  expect(await home.read("work/second.txt")).toBe(written.content);
});

test("what a session and its entries are called has none, and exports of older logs have none", async () => {
  await using home = await isolatedHome();
  const options = { cwd: home.root, home, env };
  const tau = (...args: string[]) => runTau(args, options);
  await tau("-p", "-m", "tau/demo", `say ${FROM_ENVIRONMENT} and ${PLAIN}`);
  expect(leaksIn(await keptIn(home)).length).toBeGreaterThan(1);
  const [{ id }] = JSON.parse((await tau("sessions", "--json")).stdout) as { id: string }[] as [
    { id: string },
  ];
  const tree = JSON.parse((await tau("sessions", "tree", id, "--json")).stdout) as {
    rows: { id: string }[];
  };
  await home.write(".tau/agent/config.yml", SETTINGS);
  await home.write(".tau/agent/secrets.yml", SECRETS_FILE);
  const exported = await Promise.all(
    ["md", "html", "json"].map((format) => tau("sessions", "export", id, "--format", format)),
  );
  for (const { stdout } of exported) {
    expect(stdout).toMatch(/say #[A-Z2-9]{8}# and #[A-Z2-9]{8}#/);
    expect(leaksIn([["export", stdout]])).toEqual([]);
  }
  const renamed = await tau("sessions", "rename", id, `about ${FROM_ENVIRONMENT}`);
  const labelled = await tau("sessions", "label", id, tree.rows[0]!.id, `mind ${PLAIN}`);
  expect(renamed.stdout).toMatch(/is now "about #[A-Z2-9]{8}#"/);
  expect(labelled.stdout).toMatch(/is now \[mind #[A-Z2-9]{8}#\]/);
  const log = (await keptIn(home)).find(([name]) => name.endsWith(".jsonl"))![1];
  const said = log.split("\n").filter((line) => /"type":"(?:title|label)"/.test(line));
  expect(said.length).toBeGreaterThan(1);
  expect(leaksIn([["names", said.slice(-2).join("\n")]])).toEqual([]);
});
