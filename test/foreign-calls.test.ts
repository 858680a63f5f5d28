// The guard against calls of somebody who has not read it, with nobody to ask: what is not refused is
// listed, and the list only shrinks.

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdir, symlink } from "node:fs/promises";
import { textOf } from "@tau/ai/message";
import { ModelServer } from "@tau/testkit/model-server";
import { isolatedHome } from "@tau/testkit/scratch";
import type { ScriptedCall } from "@tau/testkit/script";
import { FOREIGN_CALLS } from "./support/foreign-calls.ts";
import { runTau } from "./support/run-tau.ts";

const TIMEOUT_MS = 180_000;
const AT_ONCE = 6;

const FILES = {
  "precious.txt": "mine\n",
  "docs/a.txt": "mine\n",
  ".bashrc": "# rc\n",
  ".ssh/id_rsa": "secretkey\n",
  ".ssh/authorized_keys": "key\n",
  "work/.env": "TOKEN=abcdefgh12345678\n",
  "work/.git/config": "[core]\n",
  "work/.git/HEAD": "ref: refs/heads/main\n",
  "work/a.ts": "log(2);\n",
  "other/a.ts": "log(1);\n",
  ".tau/agent/config.yml": "edit:\n  mode: replace\n",
  ".tau/agent/ssh.json": '{"hosts":{"build":{"host":"127.0.0.1","port":9}}}',
};
/** An archive with the member x.txt. */
const ARCHIVE = Buffer.from(
  "UEsDBBQAAAAAAHFCcF30j2H+BwAAAAcAAAAFAAAAeC50eHRpbnNpZGUKUEsBAhQDFAAAAAAAcUJwXfSPYf4HAAAABwAAAAUAAAAAAAAAAAAAAIABAAAAAHgudHh0UEsFBgAAAAABAAEAMwAAACoAAAAAAA==",
  "base64",
);

/** Whether nothing of it was refused. */
async function isUnasked(calls: readonly ScriptedCall[], mode: string): Promise<boolean> {
  await using home = await isolatedHome();
  await mkdir(home.path("work"), { recursive: true });
  for (const [path, content] of Object.entries(FILES)) await home.write(path, content);
  await home.write("other/a.zip", ARCHIVE);
  using database = new Database(home.path("other/app.db"));
  database.run("create table users (id integer primary key, name text)");
  database.run("insert into users values (1, 'a')");
  await symlink("../precious.txt", home.path("work/link"));
  await symlink("../.ssh", home.path("work/out"));
  await symlink("../other", home.path("work/olink"));
  const turns = calls.map((call) => ({
    toolCalls: [JSON.parse(JSON.stringify(call).replaceAll("/HOME/", `${home.root}/`))],
  }));
  await using server = await ModelServer.start(
    (_request, turn) => turns[turn - 1] ?? { text: "x" },
  );
  const env = {
    OLLAMA_BASE_URL: server.baseUrl("openai-completions"),
    TAU_NO_TITLE: "1",
    GITHUB_TOKEN: "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
  };
  const args = ["-p", "-m", "ollama/x", "--approval-mode", mode, "go"];
  await runTau(args, { cwd: home.path("work"), home, env });
  const { messages } = server.requests.at(-1)!.decoded;
  const results = messages.filter(({ role }) => role === "toolResult").map(textOf);
  return (
    results.length === calls.length &&
    !results.some((text) => /needs a person.s consent/.test(text))
  );
}

async function unaskedIn(mode: string): Promise<string[]> {
  const unasked: string[] = [];
  const waiting = [...FOREIGN_CALLS];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [name, ...calls] = next;
      if (await isUnasked(calls, mode)) unasked.push(name);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  console.log(`foreign calls unasked in ${mode}: ${unasked.length} of ${FOREIGN_CALLS.length}`);
  return unasked.toSorted();
}

/** What a Makefile on another machine does nobody here can see. */
const LIMITS = ["ssh make"];

const KNOWN: Record<string, readonly string[]> = {
  auto: LIMITS,
  "always-ask": [],
};

test.each(Object.keys(KNOWN))(
  "calls that run unasked in %s are the known ones",
  async (mode) => {
    expect(await unaskedIn(mode)).toEqual([...KNOWN[mode]!].toSorted());
  },
  TIMEOUT_MS,
);
