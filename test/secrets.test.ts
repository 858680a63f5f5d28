// A session with secrets around: in the environment, in files, in output that comes in pieces, in
// what the user types. None of them leaves for a model or is written down, and commands still work.

import { expect, test } from "bun:test";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { textOf, userText } from "@tau/tau/sdk";
import { answer, armed } from "./support/consent.ts";
import { converse } from "./support/converse.ts";
import { embed } from "./support/embedded.ts";
import { connect } from "./support/rpc-connection.ts";
import { isolatedHome, runTau } from "./support/run-tau.ts";

const FROM_ENVIRONMENT = "env-secret-1234567";
const FROM_FILE = "file-secret-abcdefg";
const BY_PATTERN = "AKIAABCDEFGHIJKLMNOP";
const ALL = [FROM_ENVIRONMENT, FROM_FILE, BY_PATTERN];

test("no request, session, artifact or event has one; a command gets the real value", async () => {
  let turn = 0;
  await using embedding = await embed((request) => {
    const said = request.decoded.messages.map(textOf).join("\n");
    const isAside = request.decoded.tools.length <= 1;
    if (isAside)
      return { text: `<title>About ${/#[A-Z2-9]{8}#/.exec(said)?.[0] ?? "nothing"}</title>` };
    turn++;
    if (turn === 1) {
      return {
        toolCalls: [
          { name: "read", arguments: { path: "config.env" } },
          {
            name: "bash",
            arguments: {
              // In two writes, so that no piece of the output has the whole of it.
              command: `a=file-secret; printf "%s" "$a"; sleep 0.05; echo -abcdefg; seq 1 20000; cat config.env`,
            },
          },
        ],
      };
    }
    if (turn === 2) {
      const placeholder = /FILE=(#[A-Z2-9]{8}#)/.exec(said)![1]!;
      return {
        toolCalls: [
          {
            name: "bash",
            arguments: {
              command: `[ "${placeholder}" = "$(sed -n 's/FILE=//p' config.env)" ] && echo same; printf %s "${placeholder}" | wc -c`,
            },
          },
          { name: "write", arguments: { path: "copy.txt", content: `value ${placeholder}\n` } },
        ],
      };
    }
    return { text: "done" };
  });
  const { home, server } = embedding;
  await home.write("config.env", `FILE=${FROM_FILE}\nENV=${FROM_ENVIRONMENT}\nAWS=${BY_PATTERN}\n`);
  await home.write(".tau/agent/config.yml", "secrets:\n  enabled: true\n");
  await home.write(
    ".tau/agent/secrets.yml",
    `- type: plain\n  content: ${FROM_FILE}\n- type: regex\n  content: "AKIA[0-9A-Z]{16}"\n`,
  );
  const options = embedding.options();
  const told: string[] = [];
  const listen = (event: unknown) => void told.push(JSON.stringify(event));
  const session = await embedding.start({
    titles: "on",
    env: { ...options.env!, DEPLOY_TOKEN: FROM_ENVIRONMENT },
    hooks: [
      {
        owner: { kind: "extension", name: "curious" },
        handlers: {
          input: listen,
          run_start: listen,
          context: listen,
          request: listen,
          stream: listen,
          reply: listen,
          tool_call: listen,
          tool_result: listen,
          turn_end: listen,
          idle: listen,
        },
      },
    ],
  });
  const events: string[] = [];
  session.subscribe((event) => {
    const { type } = event;
    // What a call was given is the model's own words; what runs is not told.
    events.push(JSON.stringify(type === "hook_error" ? { type } : event));
  });
  let steering: Promise<unknown> | undefined;
  session.subscribe(({ type }) => {
    if (type !== "tool_execution_start") return;
    // Into the turn that is on: it is written down before any handler of a request sees it.
    steering ??= session.steer(userText(`mind ${FROM_FILE}, too`));
  });
  await session.prompt(userText(`use ${FROM_ENVIRONMENT} and ${BY_PATTERN}`));
  await steering;
  const results = session.messages
    .filter(({ role }) => role === "toolResult")
    .map(textOf)
    .join("\n");
  await session.compact();
  await session[Symbol.asyncDispose]();

  expect(server.requests.length).toBeGreaterThan(3);
  // It does hear of the calls that have them.
  expect(told.join("\n")).toMatch(/"arguments":\{"path":"copy.txt","content":"value #/);
  const everything: [string, string][] = [
    ...server.requests.map((request, at): [string, string] => [`request ${at + 1}`, request.text]),
    ["events", events.join("\n")],
    ["what an extension is told", told.join("\n")],
    ["results", results],
  ];
  for (const format of ["md", "html", "json"]) {
    const args = ["sessions", "export", session.id, "--format", format];
    const { stdout } = await runTau(args, { cwd: home.root, home });
    expect(stdout).toContain("config.env");
    everything.push([`export as ${format}`, stdout]);
  }
  const kept = home.path(".tau/agent");
  for (const entry of await readdir(kept, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name === "secrets.yml") continue;
    const path = join(entry.parentPath, entry.name);
    everything.push([path, await readFile(path, "utf8")]);
  }
  expect(everything.some(([name]) => name.endsWith(".bash.log"))).toBe(true);
  const leaks = everything.flatMap(([name, text]) =>
    ALL.filter((secret) => text.includes(secret)).map((secret) => `${secret} in ${name}`),
  );
  expect(leaks).toEqual([]);
  expect(results).toContain(`same\n${FROM_FILE.length}`);
  expect(await home.read("copy.txt")).toBe(`value ${FROM_FILE}\n`);
});

test("what the user runs, and what a session is called, is written down without them", async () => {
  await using rpc = await connect([{ text: "done" }], {
    settings: "secrets:\n  enabled: true\n",
    env: { DEPLOY_TOKEN: FROM_ENVIRONMENT },
  });
  const { client, events, home } = rpc;
  const named = await client.send("set_session_name", { name: `about ${FROM_ENVIRONMENT}` });
  const command = `printf %s "${FROM_ENVIRONMENT}" | wc -c`;
  const ran = (await client.send("bash", { command })) as { output: string };
  expect(ran.output.trim()).toBe(String(FROM_ENVIRONMENT.length));
  await client.run("go");
  expect(JSON.stringify([named, events])).not.toContain(FROM_ENVIRONMENT);
  const kept = home.path(".tau/agent");
  for (const entry of await readdir(kept, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const text = await readFile(join(entry.parentPath, entry.name), "utf8");
    expect(`${entry.name}: ${text.includes(FROM_ENVIRONMENT)}`).toBe(`${entry.name}: false`);
  }
});

test("where the file of secrets cannot be read, nothing is sent", async () => {
  await using home = await isolatedHome();
  await home.write(".tau/agent/config.yml", "secrets:\n  enabled: true\n");
  await home.write(".tau/agent/secrets.yml/inside", "");
  const args = ["-p", "-m", "tau/demo", "hi"];
  const { exitCode, stdout, stderr } = await runTau(args, { cwd: home.root, home });
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
  expect(stderr).toContain("secrets.yml: is a directory; fix it");
});

test("what an earlier session has in its calls, results and words does not leave either", async () => {
  const call = { name: "bash", arguments: { command: `echo ${FROM_FILE}` } };
  await using embedding = await embed((_request, turn) =>
    turn === 1 ? { text: `I echo ${FROM_FILE}`, toolCalls: [call] } : { text: "ok" },
  );
  const { home, server } = embedding;
  const first = await embedding.start();
  await first.prompt(userText(`echo ${FROM_FILE}`));
  await first[Symbol.asyncDispose]();
  const before = server.requests.length;
  expect(server.requests[before - 1]!.text).toContain(FROM_FILE);
  await home.write(".tau/agent/config.yml", "secrets:\n  enabled: true\n");
  await home.write(".tau/agent/secrets.yml", `- type: plain\n  content: ${FROM_FILE}\n`);
  const again = await embedding.start({
    session: { kind: "resume", wanted: first.id },
    titles: "on",
  });
  await again.prompt(userText("and now?"));
  await again.compact();
  await again[Symbol.asyncDispose]();
  const later = server.requests.slice(before);
  expect(later.length).toBeGreaterThan(1);
  expect(later[0]!.text).toContain("echo #");
  expect(later.filter(({ text }) => text.includes(FROM_FILE))).toEqual([]);
});

test("without being switched on, nothing is touched", async () => {
  await using embedding = await embed([{ text: "fine" }]);
  const options = embedding.options();
  await using session = await embedding.start({
    env: { ...options.env!, DEPLOY_TOKEN: FROM_ENVIRONMENT },
  });
  await session.prompt(userText(`use ${FROM_ENVIRONMENT}`));
  expect(embedding.server.requests[0]!.text).toContain(FROM_ENVIRONMENT);
});

test("a question shows the placeholder, and what runs has the value", async () => {
  const command = `printf %s ${FROM_FILE} > out.txt`;
  await using talk = await converse(
    [{ toolCalls: [{ name: "bash", arguments: { command } }] }, { text: "done" }],
    {
      config: "secrets:\n  enabled: true\ntools:\n  approvalMode: always-ask\n",
      before: (home) =>
        home.write(".tau/agent/secrets.yml", `- type: plain\n  content: ${FROM_FILE}\n`),
    },
  );
  talk.say("go");
  await armed(talk.terminal, "printf");
  const shown = talk.terminal.scrollback().join("\n") + talk.terminal.screen().join("\n");
  expect(shown).toMatch(/printf %s #[A-Z2-9]{8}#/);
  expect(shown).not.toContain(FROM_FILE);
  await answer(talk.terminal, "y");
  await talk.idle();
  expect(await Bun.file(talk.home.path("out.txt")).text()).toBe(FROM_FILE);
});
