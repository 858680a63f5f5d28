// Logging in and out as a user does: keys from scripts and from a terminal, several
// accounts, tokens for other programs, and what is stored where.

import { describe, expect, test } from "bun:test";
import { CredentialStore } from "@tau/tau/credentials/credential-store";
import { runInTerminal, type TerminalSession } from "@tau/testkit/terminal";
import { stat } from "node:fs/promises";
import { isolatedHome, launcher, runTau } from "./support/run-tau.ts";

type Home = Awaited<ReturnType<typeof isolatedHome>>;

const KEY = "sk-test-0123456789abcdef";

function tau(home: Home, args: string[], stdin?: string, env: Record<string, string> = {}) {
  return runTau(args, { cwd: home.root, home, env, ...(stdin === undefined ? {} : { stdin }) });
}

function storeOf(home: Home): CredentialStore {
  return new CredentialStore(home.path(".tau", "agent", "agent.db"));
}

function inTerminal(home: Home, ...args: string[]): TerminalSession {
  return runInTerminal([launcher, ...args], { cwd: home.root, env: home.env });
}

describe("a key from a script", () => {
  test("is stored privately, printed by token, used before the environment, removed", async () => {
    await using home = await isolatedHome();
    const login = await tau(home, ["login", "openrouter", "--key-stdin"], `${KEY}\n`);
    expect(login).toEqual({ stdout: "Stored the key for openrouter.\n", stderr: "", exitCode: 0 });
    const path = home.path(".tau", "agent", "agent.db");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(home.path(".tau", "agent"))).mode & 0o777).toBe(0o700);

    const env = { OPENROUTER_API_KEY: "from-environment" };
    const token = await tau(home, ["token", "openrouter"], undefined, env);
    expect(token).toEqual({ stdout: `${KEY}\n`, stderr: "", exitCode: 0 });

    const logout = await tau(home, ["logout", "openrouter"]);
    expect(logout).toEqual({
      stdout: "Removed the key of openrouter.\n",
      stderr: "",
      exitCode: 0,
    });
    expect(await Bun.file(path).text()).not.toContain(KEY);
    const after = await tau(home, ["token", "openrouter"], undefined, env);
    expect(after.stdout).toBe("from-environment\n");
  });

  test("several of one provider have names; one of them may go", async () => {
    await using home = await isolatedHome();
    for (const name of ["work", "home"]) {
      await tau(home, ["login", "groq", "--key-stdin", "--account", name], `${KEY}-${name}`);
    }
    const wrong = await tau(home, ["logout", "groq", "--account", "wokr"]);
    expect(wrong).toMatchObject({
      stderr: 'tau: groq has no account "wokr"; it has "work", "home"\n',
      exitCode: 3,
    });
    const one = await tau(home, ["logout", "groq", "--account", "work"]);
    expect(one.stdout).toBe('Removed the key "work" of groq.\n');
    expect((await tau(home, ["token", "groq"])).stdout).toBe(`${KEY}-home\n`);
  });

  test("that is none is refused, and not repeated", async () => {
    await using home = await isolatedHome();
    for (const [input, sentence] of [
      ["", "tau: no key was given\n"],
      ["two words\nand lines\n", "tau: that is not a key: a key is one line without spaces\n"],
      ["x".repeat(100_000), "tau: that is not a key: a key is one line without spaces\n"],
    ] as const) {
      const result = await tau(home, ["login", "groq", "--key-stdin"], input);
      expect(result).toEqual({ stdout: "", stderr: sentence, exitCode: 2 });
    }
    const plan = await tau(home, ["login", "openai-codex", "--key-stdin"], KEY);
    expect(plan).toMatchObject({ exitCode: 2 });
    expect(plan.stderr).toContain("takes no keys; log in with: tau login openai-codex");
  });
});

describe("mistakes are one sentence with a next step", () => {
  const cases: [string[], string, number][] = [
    [["login"], "tau: name a provider: anthropic, openai-codex, openai-codex-device,", 2],
    [["login", "antropic"], 'tau: there is no login for "antropic"; did you mean "anthropic"?', 2],
    [["login", "a", "b"], "tau: name one provider at a time", 2],
    [
      ["login", "groq"],
      "tau: standard input is not a terminal; run tau login groq in a terminal,",
      2,
    ],
    [["logout"], "tau: nothing is stored; to log in: tau login", 3],
    [["logout", "groq"], "tau: nothing is stored for groq", 3],
    [["logout", "goq"], 'tau: unknown provider "goq"; did you mean "groq"?', 2],
    [["token"], "tau: name one provider", 2],
    [["token", "antropic"], 'tau: unknown provider "antropic"; did you mean "anthropic"?', 2],
    [
      ["token", "anthropic"],
      "tau: no working credential for anthropic; to store one: tau login anthropic, or set ANTHROPIC_",
      3,
    ],
    [
      ["login", "google-gemini-cli"],
      "tau: the login failed: Google requires the client secret of Gemini CLI for this login (its source code has it: ",
      1,
    ],
  ];
  for (const [args, sentence, code] of cases) {
    test(args.join(" "), async () => {
      await using home = await isolatedHome();
      const { stdout, stderr, exitCode } = await tau(home, args);
      expect(stderr.split("\n")[0]).toStartWith(sentence);
      expect([stdout, exitCode]).toEqual(["", code]);
      expect(await Bun.file(home.path(".tau", "agent", "agent.db")).exists()).toBe(false);
    });
  }

  test("logout without a name, where there is no terminal", async () => {
    await using home = await isolatedHome();
    await tau(home, ["login", "groq", "--key-stdin"], KEY);
    const { stderr, exitCode } = await tau(home, ["logout"]);
    expect(stderr).toStartWith("tau: name a provider: groq\n");
    expect(exitCode).toBe(2);
  });
});

describe("usage", () => {
  test("says what there is, and never a token", async () => {
    await using home = await isolatedHome();
    expect((await tau(home, ["usage"])).stdout).toBe("Nothing is stored. To log in: tau login\n");
    expect((await tau(home, ["usage", "--json"])).stdout).toBe("[]\n");
    const now = Date.now();
    {
      using store = storeOf(home);
      store.save("groq", "key", { kind: "api_key", key: KEY });
      const limited = store.save("xai-oauth", "ada@x.test", {
        kind: "oauth",
        tokens: { access: "sec-a", refresh: "sec-r", expiresAt: now + 7_205_000 },
      });
      store.limit(limited.id, now + 12 * 60_000 + 5000);
      const ended = store.save("kimi-code", "login", {
        kind: "oauth",
        tokens: { access: "sec-b", refresh: "sec-q", expiresAt: now - 1 },
      });
      store.disable(ended.id, "the vendor returned no token: revoked");
    }
    const { stdout, stderr, exitCode } = await tau(home, ["usage"]);
    expect([stderr, exitCode]).toEqual(["", 0]);
    const words = stdout.replaceAll(/\(\d\d:\d\d\)/g, "(time)");
    expect(words).toBe(
      [
        "groq",
        "  key         key",
        "",
        "xai-oauth",
        "  ada@x.test  login, renewed automatically, next in 2 h (time), rate-limited: available again in 12 min (time)",
        "",
        "kimi-code",
        "  login       no longer used: the vendor returned no token: revoked; log in again: tau login kimi-code",
        "",
      ].join("\n"),
    );
    const json = await tau(home, ["usage", "--json"]);
    expect(JSON.parse(json.stdout)).toMatchObject([
      { provider: "groq", label: "key", kind: "api_key", expiresAt: null, usage: null },
      { provider: "xai-oauth", kind: "oauth", expiresAt: now + 7_205_000 },
      { provider: "kimi-code", disabledCause: "the vendor returned no token: revoked" },
    ]);
    expect(json.stdout).not.toMatch(/sec-|sk-test/);
  });

  test("a report that is kept is shown without asking the vendor", async () => {
    await using home = await isolatedHome();
    const { UsageCache } = await import("@tau/tau/credentials/usage-cache");
    const now = Date.now();
    {
      using store = storeOf(home);
      const tokens = { access: "sec-a" };
      const { id } = store.save("anthropic", "ada", { kind: "oauth", tokens });
      using cache = new UsageCache(home.path(".tau", "agent", "agent.db"));
      const limits = [{ name: "5 hours", usedPercent: 25, resetsAt: now + 3_605_000 }];
      cache.put(id, { report: { limits }, fetchedAt: now - 1000, nextAt: now + 60_000 });
    }
    const { stdout } = await tau(home, ["usage"]);
    expect(stdout).toContain("    5 hours   25 % used, resets in 1 h (");
  });
});

test("a store that is damaged is named, and not overwritten", async () => {
  await using home = await isolatedHome();
  const path = await home.write(".tau/agent/agent.db", "a letter, not a database; keep it please");
  for (const args of [["usage"], ["logout", "groq"], ["login", "groq", "--key-stdin"]]) {
    const { stderr, exitCode } = await tau(home, args, KEY);
    expect(stderr).toBe(`tau: ${path} is not a credential store; move it away and log in again\n`);
    expect(exitCode).toBe(1);
  }
  expect(await Bun.file(path).text()).toStartWith("a letter");
});

describe("in a terminal", () => {
  test("a key is pasted without being echoed", async () => {
    await using home = await isolatedHome();
    await using terminal = inTerminal(home, "login", "perplexity");
    await terminal.waitFor("Paste your key for Perplexity");
    terminal.paste(KEY);
    await terminal.waitForIdle();
    terminal.press("enter");
    expect(await terminal.exited).toEqual({ code: 0, signal: null });
    expect(terminal.text()).toContain("Stored the key for perplexity.");
    expect(new TextDecoder().decode(terminal.bytes())).not.toContain(KEY.slice(0, 10));
    using store = storeOf(home);
    expect(store.list("perplexity")[0]!.secret).toEqual({ kind: "api_key", key: KEY });
  });

  test("Ctrl-C at a question: exit code 130, nothing stored", async () => {
    await using home = await isolatedHome();
    await using terminal = inTerminal(home, "login", "groq");
    await terminal.waitFor("Paste your key");
    terminal.press("ctrl+c");
    expect(await terminal.exited).toEqual({ code: 130, signal: null });
    expect(await Bun.file(home.path(".tau", "agent", "agent.db")).exists()).toBe(false);
  });

  test("a login shows its address and takes Ctrl-C; its port is closed", async () => {
    await using home = await isolatedHome();
    await using terminal = runInTerminal([launcher, "login", "anthropic"], {
      cwd: home.root,
      env: home.env,
      columns: 200,
    });
    await terminal.waitFor("https://claude.ai/oauth/authorize?");
    await terminal.waitFor(/[Pp]aste the code/);
    terminal.press("ctrl+c");
    expect(await terminal.exited).toEqual({ code: 130, signal: null });
    const url = /redirect_uri=([^&\s]+)/.exec(terminal.text())![1]!;
    expect(decodeURIComponent(url)).toMatch(/localhost:54545|platform\.claude\.com/);
  });

  test("without a name: a numbered list, for logging in and out", async () => {
    await using home = await isolatedHome();
    {
      await using terminal = inTerminal(home, "login");
      await terminal.waitFor("Log in to which provider?");
      terminal.send("nonsense\r");
      await terminal.waitFor('"nonsense" is not in the list');
      // Fits the screen of an old terminal.
      expect(terminal.text()).toContain(" 1  anthropic");
      terminal.send("groq\r");
      await terminal.waitFor("Paste your key for Groq");
      terminal.send(`${KEY}\r`);
      expect(await terminal.exited).toMatchObject({ code: 0 });
    }
    await using terminal = inTerminal(home, "logout");
    await terminal.waitFor("1  groq  key");
    terminal.send("1\r");
    expect(await terminal.exited).toMatchObject({ code: 0 });
    expect(terminal.text()).toContain("Removed the key of groq.");
  });
});
