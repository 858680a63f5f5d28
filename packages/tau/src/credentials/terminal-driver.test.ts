import { describe, expect, test } from "bun:test";
import { loadLogin } from "@tau/ai/oauth/logins";
import { CannotAsk, LoopbackUnavailable, type OAuthContext } from "@tau/ai/oauth/oauth";
import { OAuthServer } from "@tau/testkit/oauth-server";
import { createScratchDirectory, type ScratchDirectory } from "@tau/testkit/scratch";
import { runInTerminal } from "@tau/testkit/terminal";
import { chmod } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { listenOnLoopback } from "./loopback-listener.ts";
import { TerminalDriver } from "./terminal-driver.ts";

/** A browser that goes where it is sent and notes what it saw. */
async function installBrowser(scratch: ScratchDirectory): Promise<Record<string, string>> {
  const script = `#!${process.execPath}
const page = await fetch(process.argv[2]);
const seen = { status: page.status, text: await page.text(), env: Object.keys(process.env) };
await Bun.write(${JSON.stringify(scratch.path("seen.json"))}, JSON.stringify(seen));
`;
  await chmod(await scratch.write("bin/xdg-open", script), 0o755);
  return { PATH: scratch.path("bin"), DISPLAY: ":0", HOME: scratch.root, ANTHROPIC_API_KEY: "x" };
}

function driverIn(env: Record<string, string>) {
  const output = new PassThrough();
  let text = "";
  output.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  const driver = new TerminalDriver({
    env,
    platform: "linux",
    terminal: {
      input: new PassThrough() as unknown as NodeJS.ReadStream,
      output: output as unknown as NodeJS.WriteStream,
    },
  });
  return { driver, text: () => text };
}

function contextWith(signal = new AbortController().signal): OAuthContext {
  return { fetch, signal, env: {}, now: Date.now };
}

async function eventually<T>(look: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await look();
    } catch (error) {
      if (tries > 100) throw error;
      await Bun.sleep(20);
    }
  }
}

describe("a whole login at the vendor's page", () => {
  test("in the browser: it is opened, redirected back and told that it may close", async () => {
    await using scratch = await createScratchDirectory();
    await using server = new OAuthServer({ reply: { account: { email_address: "ada@x.test" } } });
    const { driver, text } = driverIn(await installBrowser(scratch));
    const endpoints = { authorize: server.url("/authorize"), token: server.url("/token") };
    const login = (await loadLogin("anthropic", { endpoints, ports: [0] }))!;
    const result = await login.login(driver, contextWith());
    expect(result).toMatchObject({ kind: "oauth", tokens: { account: "ada@x.test" } });
    expect(text()).toContain(`\n${server.origin}/authorize?`);
    // No terminal: nothing but words.
    expect(text()).not.toContain("\x1b");
    const seen = await eventually(() => Bun.file(scratch.path("seen.json")).json());
    expect(seen).toMatchObject({ status: 200 });
    expect(seen.text).toContain("You can close this window.");
    expect(seen.env).toContain("DISPLAY");
    expect(seen.env).not.toContain("ANTHROPIC_API_KEY");
  });

  test("refused there: an error, and the page says that too", async () => {
    await using scratch = await createScratchDirectory();
    await using server = new OAuthServer({ denies: true });
    const { driver } = driverIn(await installBrowser(scratch));
    const endpoints = { authorize: server.url("/authorize"), token: server.url("/token") };
    const login = (await loadLogin("openai-codex", { endpoints, ports: [0] }))!;
    const outcome = login.login(driver, contextWith());
    expect(await outcome.catch((error: unknown) => error)).toMatchObject({ code: "access_denied" });
    const seen = await eventually(() => Bun.file(scratch.path("seen.json")).json());
    expect(seen.text).toContain("The login was not completed");
  });

  test("by a device code, without any display: address and code are printed", async () => {
    await using server = new OAuthServer();
    const { driver, text } = driverIn({ PATH: "/nowhere" });
    const endpoints = { device: server.url("/device"), token: server.url("/token") };
    const login = (await loadLogin("xai-oauth", { endpoints }))!;
    const context = { ...contextWith(), sleep: async () => {} };
    expect(await login.login(driver, context)).toMatchObject({ kind: "oauth" });
    expect(text()).toContain(`Go to ${server.url("/activate")}\nand enter  WDJB-MJHT\n`);
  });

  test("an interrupt closes the port", async () => {
    const { driver, text } = driverIn({});
    const endpoints = { authorize: "http://vendor.test/authorize" };
    const login = (await loadLogin("gitlab-duo", { endpoints, ports: [0] }))!;
    const stop = new AbortController();
    const outcome = login.login(driver, contextWith(stop.signal)).catch((error: unknown) => error);
    const url = await eventually(async () => new URL(/http\S+/.exec(text())![0]));
    const redirect = url.searchParams.get("redirect_uri")!;
    expect((await fetch(redirect)).status).toBe(400);
    stop.abort();
    expect(await outcome).toMatchObject({ name: "AbortError" });
    await eventually(async () => {
      const answer = await fetch(redirect).then(
        () => "open",
        () => "closed",
      );
      expect(answer).toBe("closed");
    });
  });
});

describe("on a terminal, with the question for a pasted code open", () => {
  const fixture = join(import.meta.dir, "login-in-terminal.fixture.ts");
  const account = { email_address: "ada@x.test" };
  /** Wide, so that the address is on one line. */
  const run = (server: OAuthServer) =>
    runInTerminal([process.execPath, fixture, server.origin], { columns: 600 });
  const addressOn = (screen: string[]) => /http\S+/.exec(screen.join("\n"))![0];

  test("the browser's redirect ends it, and the question goes away", async () => {
    await using server = new OAuthServer({ reply: { account } });
    await using terminal = run(server);
    const screen = await terminal.waitFor("Or paste the code");
    expect((await fetch(addressOn(screen))).status).toBe(200);
    expect(await terminal.exited).toEqual({ code: 0, signal: null });
    expect(terminal.text()).toMatch(/browser ends up:\nas ada@x\.test/);
  });

  test("the address that another machine's browser ended at is pasted", async () => {
    await using server = new OAuthServer({ reply: { account } });
    await using terminal = run(server);
    const screen = await terminal.waitFor("Or paste the code");
    const page = await fetch(addressOn(screen), { redirect: "manual" });
    terminal.paste(`${page.headers.get("location")}\n`);
    expect(await terminal.exited).toEqual({ code: 0, signal: null });
    expect(terminal.text()).toContain("as ada@x.test");
  });
});

describe("what listens", () => {
  const options = { port: 0, path: "/back", state: "s1" };

  test("hears only its own path and state, then closes", async () => {
    const listener = listenOnLoopback(options);
    const { origin } = new URL(listener.redirectUri);
    const status = async (path: string, init?: RequestInit) =>
      (await fetch(origin + path, init)).status;
    expect(await status("/other?code=1&state=s1")).toBe(404);
    expect(await status("/back?code=1&state=other")).toBe(400);
    expect(await status("/back?code=1")).toBe(400);
    expect(await status("/back?code=1&state=s1", { method: "POST" })).toBe(404);
    expect(await status("/back?code=1&state=s1")).toBe(200);
    expect((await listener.settled).get("code")).toBe("1");
    await eventually(async () => {
      expect(await status("/back").catch(() => "closed")).toBe("closed");
    });
  });

  test("only on this machine's own address", async () => {
    const listener = listenOnLoopback(options);
    const { port } = new URL(listener.redirectUri);
    const others = Object.values(networkInterfaces())
      .flat()
      .filter((each) => each && !each.internal && each.family === "IPv4");
    for (const other of others) {
      const answer = fetch(`http://${other!.address}:${port}/back`).then(() => "open");
      expect(await answer.catch(() => "closed")).toBe("closed");
    }
    listener.close();
  });

  test("a taken port is a typed failure; the vendor's name for this machine is kept", () => {
    const first = listenOnLoopback({ ...options, host: "localhost" });
    const url = new URL(first.redirectUri);
    expect(url.hostname).toBe("localhost");
    expect(() => listenOnLoopback({ ...options, port: Number(url.port) })).toThrow(
      LoopbackUnavailable,
    );
    first.close();
  });
});

test("a vendor's words do not steer the terminal, and only web pages are opened", async () => {
  await using scratch = await createScratchDirectory();
  const { driver, text } = driverIn(await installBrowser(scratch));
  driver.showCode("AB\x1b[2J\x07", "file:///etc/passwd");
  expect(text()).toBe("Go to file:///etc/passwd\nand enter  AB[2J\n\n");
  await Bun.sleep(100);
  expect(await Bun.file(scratch.path("seen.json")).exists()).toBe(false);
});

test("without a terminal nobody is asked", async () => {
  const { driver } = driverIn({});
  const answer = driver.ask("Key:", { secret: true });
  expect(await answer.catch((error: unknown) => error)).toBeInstanceOf(CannotAsk);
});
