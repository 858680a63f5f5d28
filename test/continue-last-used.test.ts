// `-c` goes on where this terminal was last, also if that was a fork, a branch or what a handoff began.

import { expect, test } from "bun:test";
import { converse } from "./support/converse.ts";
import { connect } from "./support/rpc-connection.ts";
import { runTau } from "./support/run-tau.ts";

test("after /fork, -c opens the fork, also if nothing has been said in it", async () => {
  await using program = await converse([{ text: "First answer." }, { text: "Third answer." }], {
    env: { TERM_SESSION_ID: "the-same-terminal" },
  });
  const { terminal, say, idle, home, env, server } = program;
  say("first");
  await terminal.waitFor("First answer.");
  await idle();
  const before = await sessionsOf(home, env);
  say("/fork");
  await terminal.waitFor("This is a copy now");
  terminal.press("ctrl+d");
  await terminal.exited;
  const fork = (await sessionsOf(home, env)).find(({ id }) => id !== before[0]!.id);
  const { exitCode } = await runTau(["-p", "-c", "-m", "ollama/x", "third"], {
    cwd: home.root,
    home,
    env,
  });
  expect({ exitCode, requests: server.requests.length }).toEqual({ exitCode: 0, requests: 2 });
  const shown = await runTau(["sessions", "tree", fork!.id, "--json"], {
    cwd: home.root,
    home,
    env,
  });
  expect(shown.stdout).toContain("Third answer.");
});

test("over RPC, without a terminal, the fork is the one last used as well", async () => {
  await using rpc = await connect([{ text: "First." }, { text: "Third." }]);
  const { client, home, cwd } = rpc;
  await client.run("first");
  const { sessionId } = (await client.send("fork")) as { sessionId: string };
  await client.close();
  const env = { OLLAMA_BASE_URL: rpc.server.baseUrl("openai-completions") };
  await runTau(["-p", "-c", "-m", "ollama/x", "third"], { cwd, home, env });
  const { stdout } = await runTau(["sessions", "tree", sessionId, "--json"], { cwd, home, env });
  expect(stdout).toContain("Third.");
});

async function sessionsOf(
  home: Parameters<typeof runTau>[1]["home"],
  env: Record<string, string>,
): Promise<{ id: string }[]> {
  const { stdout } = await runTau(["sessions", "list", "--json"], { cwd: home.root, home, env });
  return JSON.parse(stdout) as { id: string }[];
}
