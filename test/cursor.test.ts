// Cursor as a user has it: log in with a browser, ask which models there are, have a file read, and
// renew the login. The service is a script that speaks the real protocol over HTTP/2.

import { describe, expect, test } from "bun:test";
import { CredentialStore } from "@tau/tau/credentials/credential-store";
import { AgentRun, CursorAgentServer } from "@tau/testkit/cursor-agent-server";
import { unsignedToken } from "@tau/testkit/oauth-server";
import { isolatedHome, runTau, spawnTau } from "./support/run-tau.ts";

type Home = Awaited<ReturnType<typeof isolatedHome>>;

const HOUR_S = 3600;
const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;
const tokenFor = (name: string, exp: number): string =>
  unsignedToken({ sub: `auth0|user_${name}`, exp });

function at(server: CursorAgentServer): string {
  return `providers:\n  cursor:\n    baseUrl: ${server.origin}\n`;
}

/** The host that people log in at, as far as a client sees it. */
function loginHost(routes: Record<string, (request: Request, url: URL) => Response>) {
  const asked: string[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) => {
      const url = new URL(request.url);
      asked.push(url.pathname);
      return routes[url.pathname]?.(request, url) ?? new Response("{}", { status: 404 });
    },
  });
  return { origin: server.url.origin, asked, [Symbol.asyncDispose]: () => server.stop(true) };
}

/** Thinks, reads a file with Tau's tool, and says what is in it. */
async function readsTheFile(run: AgentRun): Promise<void> {
  run.say({ update: { thinking: { text: "A file, then." } } });
  run.say({ update: { thoughtEnded: {} } });
  run.text("I'll look.");
  const { text } = await run.call("read", { path: "hello.txt" });
  run.text(`The file says: ${/moin \w+/.exec(text)?.[0] ?? text}`);
  run.finish({ input: 900, output: 30 });
}

function saveLogin(home: Home, access: string, expiresAt: number): void {
  using store = new CredentialStore(home.path(".tau", "agent", "agent.db"));
  store.save("cursor", "me", {
    kind: "oauth",
    tokens: { access, refresh: "refresh-1", expiresAt },
  });
}

describe("asking", () => {
  test("a tool call reads a file, its result goes on with the same run, and the log has all of it", async () => {
    await using home = await isolatedHome();
    await using server = await CursorAgentServer.start(readsTheFile);
    await home.write(".tau/agent/models.yml", at(server));
    await home.write("work/hello.txt", "moin welt\n");
    const env = { CURSOR_ACCESS_TOKEN: tokenFor("ada", inSeconds(HOUR_S)) };
    const cwd = home.path("work");
    const args = ["--mode", "json", "-m", "cursor/composer-9", "What does hello.txt say?"];
    const { stdout, stderr, exitCode } = await runTau(args, { cwd, home, env });
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    expect(stdout).toContain("A file, then.");
    expect(stdout).toContain("The file says: moin welt");
    // One run for both requests: a plan counts runs.
    expect(server.runs).toHaveLength(1);
    const [run] = server.runs as [AgentRun];
    expect(run.headers.get("authorization")).toBe(`Bearer ${env.CURSOR_ACCESS_TOKEN}`);
    expect(run.body.model.id).toBe("composer-9");
    expect(run.body.tools.map(({ name }) => name)).toContain("read");
    expect(run.body.system.join()).not.toBe("");
  });

  test("a session that is resumed goes on from its log alone", async () => {
    await using home = await isolatedHome();
    await using server = await CursorAgentServer.start((run, turn) =>
      turn === 1 ? readsTheFile(run) : (run.text("Still moin."), run.finish()),
    );
    await home.write(".tau/agent/models.yml", at(server));
    await home.write("work/hello.txt", "moin welt\n");
    const env = { CURSOR_ACCESS_TOKEN: "token" };
    const options = { cwd: home.path("work"), home, env };
    const first = await runTau(
      ["-p", "-m", "cursor/composer-9", "What does hello.txt say?"],
      options,
    );
    expect(first.stdout).toContain("moin welt");
    const second = await runTau(["-p", "-c", "-m", "cursor/composer-9", "And now?"], options);
    expect(second).toMatchObject({ stdout: "Still moin.\n", exitCode: 0 });
    const roles = server.runs[1]!.body.messages.map(({ role }) => role);
    expect(roles).toEqual(["user", "assistant", "tool", "assistant", "user"]);
    expect(JSON.stringify(server.runs[1]!.body.messages)).toContain("moin welt");
  });

  test("an account that may not is one sentence", async () => {
    await using home = await isolatedHome();
    await using server = await CursorAgentServer.start((run) =>
      run.fail({
        code: "resource_exhausted",
        message: "Error",
        details: [
          {
            debug: {
              error: "ERROR_FREE_USER_USAGE_LIMIT",
              details: { detail: "You have used up your plan." },
            },
          },
        ],
      }),
    );
    await home.write(".tau/agent/models.yml", at(server));
    const env = { CURSOR_ACCESS_TOKEN: "token" };
    const args = ["-p", "-m", "cursor/auto", "hi"];
    const { stderr, exitCode } = await runTau(args, { cwd: home.root, home, env });
    expect(exitCode).toBe(1);
    expect(stderr).toContain("cursor/auto: You have used up your plan (add credit");
    expect(server.runs[0]!.body.model.id).toBe("default");
  });

  test("what is said is written down for whoever wants to know, without the token", async () => {
    await using home = await isolatedHome();
    await using server = await CursorAgentServer.start((run) => {
      run.text("moin");
      run.finish();
    });
    await home.write(".tau/agent/models.yml", at(server));
    const log = home.path("cursor.jsonl");
    const env = { CURSOR_ACCESS_TOKEN: "sekret", DEBUG_CURSOR: "verbose", DEBUG_CURSOR_LOG: log };
    await runTau(["-p", "-m", "cursor/composer-9", "hi"], { cwd: home.root, home, env });
    const text = await Bun.file(log).text();
    const lines = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { what: string });
    expect(lines.map(({ what }) => what)).toContain("request");
    expect(text).toContain("moin");
    expect(text).not.toContain("sekret");
    const quiet = { CURSOR_ACCESS_TOKEN: "sekret", DEBUG_CURSOR: "1" };
    const args = ["-p", "-m", "cursor/composer-9", "hi"];
    const { stderr } = await runTau(args, { cwd: home.root, home, env: quiet });
    expect(stderr).toContain('"what":"request"');
    expect(stderr).not.toContain("moin");
  });
});

describe("models", () => {
  test("are those of the account, and are remembered", async () => {
    await using home = await isolatedHome();
    await using server = await CursorAgentServer.start((run) => run.finish(), {
      models: [
        { id: "default", name: "Auto" },
        { id: "opus-9-max", name: "Opus 9 1M Max", maxMode: true },
      ],
      refuse: (_path, headers) =>
        headers.get("authorization") === "Bearer token" &&
        headers.get("x-cursor-client-version") === "cli-test"
          ? undefined
          : { status: 401, body: '{"code":"unauthenticated","message":"who?"}' },
    });
    const compat = "    compat: { clientVersion: cli-test }\n";
    await home.write(".tau/agent/models.yml", at(server) + compat);
    const options = { cwd: home.root, home, env: { CURSOR_ACCESS_TOKEN: "token" } };
    const refreshed = await runTau(["models", "refresh", "cursor"], options);
    expect(refreshed).toMatchObject({ exitCode: 0 });
    const listed = await runTau(["models", "cursor/"], options);
    expect(listed.stdout).toContain("opus-9-max");
    await runTau(["-p", "-m", "cursor/opus-9-max", "hi"], options);
    expect(server.runs[0]!.body.model).toMatchObject({ id: "opus-9-max", maxMode: true });
    const wrong = { ...options, env: { CURSOR_ACCESS_TOKEN: "old" } };
    const refused = await runTau(["models", "refresh", "cursor"], wrong);
    expect(refused.stdout + refused.stderr).toContain("who?");
  });
});

describe("logging in", () => {
  test("the page gets a challenge, the tokens are fetched with its secret and stored", async () => {
    const access = tokenFor("ada", inSeconds(HOUR_S));
    let polls = 0;
    const given: URLSearchParams[] = [];
    await using host = loginHost({
      "/auth/poll": (_request, url) => {
        given.push(url.searchParams);
        if (++polls < 2) return new Response("", { status: 404 });
        return Response.json({ accessToken: access, refreshToken: "refresh-1" });
      },
    });
    await using home = await isolatedHome();
    const env = { CURSOR_BASE_URL: host.origin };
    const { stdout, stderr, exitCode } = await runTau(["login", "cursor"], {
      cwd: home.root,
      home,
      env,
    });
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
    const page = new URL(/https:\/\/cursor\.com\/\S+/.exec(stdout + stderr)![0]);
    expect(page.pathname).toBe("/loginDeepControl");
    expect(page.searchParams.get("mode")).toBe("login");
    expect(page.searchParams.get("uuid")).toBe(given[0]!.get("uuid"));
    const hash = new Bun.CryptoHasher("sha256")
      .update(given[0]!.get("verifier")!)
      .digest("base64url");
    expect(page.searchParams.get("challenge")).toBe(hash);
    const token = await runTau(["token", "cursor"], { cwd: home.root, home });
    expect(token.stdout).toBe(`${access}\n`);
  });

  test("Ctrl-C ends the waiting", async () => {
    await using host = loginHost({});
    await using home = await isolatedHome();
    const env = { CURSOR_BASE_URL: host.origin };
    const child = spawnTau(["login", "cursor"], { cwd: home.root, home, env });
    while (!host.asked.includes("/auth/poll")) await Bun.sleep(20);
    child.kill("SIGINT");
    await child.exited;
    expect(child.exitCode).toBe(130);
  });

  test("a login that has expired is renewed before it is used", async () => {
    const access = tokenFor("ada", inSeconds(HOUR_S));
    const renewals: (string | null)[] = [];
    await using host = loginHost({
      "/auth/exchange_user_api_key": (request) => {
        renewals.push(request.headers.get("authorization"));
        return Response.json({ accessToken: access, refreshToken: "refresh-2" });
      },
    });
    await using home = await isolatedHome();
    await using server = await CursorAgentServer.start((run) => {
      run.text("moin");
      run.finish();
    });
    await home.write(".tau/agent/models.yml", at(server));
    saveLogin(home, "old", Date.now() - 1000);
    const args = ["-p", "-m", "cursor/composer-9", "hi"];
    const env = { CURSOR_BASE_URL: host.origin };
    const result = await runTau(args, { cwd: home.root, home, env });
    expect(result).toEqual({ stdout: "moin\n", stderr: "", exitCode: 0 });
    expect(renewals).toEqual(["Bearer refresh-1"]);
    expect(server.runs[0]!.headers.get("authorization")).toBe(`Bearer ${access}`);
  });
});
