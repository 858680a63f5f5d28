// The tools of a session in a sandbox of each kind: they work as they do without one, what they start is
// confined, and when the network is let in, shells and kernels are started anew.

import { expect } from "bun:test";
import { Database } from "bun:sqlite";
import { ToolTable } from "@tau/agent/tool-table";
import { textOf } from "@tau/ai/message";
import { makePdf } from "@tau/host/document/test/office-files";
import { KINDS, sandboxTest, type Kind } from "@tau/host/sandbox/test/sandbox-test";
import { isolatedHome } from "@tau/testkit/scratch";
import { defaultsOf } from "../../config/setting-group.ts";
import { Confinement } from "../../tools/confinement.ts";
import { createEvalTool } from "../../tools/eval/tool.ts";
import { Workspace } from "../../tools/workspace.ts";
import { workspaceTools } from "../test/workspace-tools.ts";
import { SANDBOX_ROWS } from "./settings.ts";
import { workspaceSandbox } from "./workspace-sandbox.ts";

async function open(kind: Kind) {
  const home = await isolatedHome();
  const cwd = home.path("work");
  await home.write("work/notes.txt", "first\na needle\n");
  await Bun.$`git init -q ${cwd}`.quiet();
  await home.write("work/.gitignore", "ignored\n");
  await home.write("work/sub/ignored/x.txt", "another needle\n");
  await home.write("work/sub/code.ts", "const answer = compute(41);\n");
  const env = { ...home.env, PATH: process.env.PATH, TMPDIR: home.path("tmp") };
  await home.write("tmp/x", "");
  const workspace = new Workspace({ cwd, env });
  const settings = { ...defaultsOf(SANDBOX_ROWS), mode: "workspace", kind } as const;
  const confinement = new Confinement({
    network: "off",
    make: (network) => workspaceSandbox({ cwd, env, settings: { ...settings, network } }),
  });
  workspace.confine(confinement);
  const cells = createEvalTool(workspace);
  const table = new ToolTable([...(await workspaceTools(workspace)), cells]);
  const { signal } = new AbortController();
  return {
    home,
    confinement,
    async run(name: string, args: object): Promise<string> {
      const call = { type: "toolCall" as const, id: "c", name, arguments: { ...args } };
      const { result } = await table.run(call, { signal, update: () => {} });
      return textOf(result);
    },
    async [Symbol.asyncDispose]() {
      await cells[Symbol.asyncDispose]();
      await workspace[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

const cell = (language: string, code: string): object => ({ cells: [{ language, code }] });

for (const kind of KINDS) {
  const each = (name: string, body: () => Promise<void>): void =>
    sandboxTest(`${name} (${kind})`, body, 60_000, kind);

  each("search, syntax, documents and databases are read in it", async () => {
    await using session = await open(kind);
    const { home, run } = session;
    const found = await run("search", { pattern: "needle", paths: "." });
    expect(found).toContain("notes.txt");
    expect(found).not.toContain("ignored");
    // The rules above the tree hold in it as well.
    expect(await run("search", { pattern: "needle", paths: "sub" })).not.toContain("another");
    expect(await run("ast_grep", { pat: "compute($A)", paths: "." })).toContain("code.ts");
    await Bun.write(home.path("work/letter.pdf"), makePdf([["Dear swift"]]));
    expect(await run("read", { path: "letter.pdf" })).toContain("Dear swift");
    const database = new Database(home.path("work/a.sqlite"), { create: true });
    database.run("PRAGMA journal_mode = WAL");
    database.run("CREATE TABLE birds (id INTEGER PRIMARY KEY, name TEXT)");
    database.run("INSERT INTO birds VALUES (1, 'swift')");
    // While another program has it open, and after that.
    expect(await run("read", { path: "a.sqlite:birds" })).toContain("swift");
    database.close();
    expect(await run("read", { path: "a.sqlite:birds" })).toContain("swift");
    const written = await run("write", { path: "a.sqlite:birds", content: '{"name": "wren"}' });
    expect(written).toContain("Inserted a row");
    expect(await run("read", { path: "a.sqlite:birds" })).toContain("wren");
  });

  each("without a network one line says what to do; let in, all is started anew", async () => {
    await using session = await open(kind);
    const { confinement, run } = session;
    using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("hi") });
    const outside = `exec 3<>/dev/tcp/192.0.2.1/80`;
    const note = "the sandbox has none; only the user can let it in, with /sandbox network on";
    expect(await run("bash", { command: "true" })).not.toContain(note);
    expect(await run("bash", { command: outside })).toContain(note);
    // What fails for another reason is not told so, or not again.
    expect(await run("bash", { command: "x=1; false" })).not.toContain(note);
    expect(await run("eval", cell("py", "x = 1"))).not.toContain("[");
    expect(await run("eval", cell("js", "const x = 1;"))).not.toContain("[");
    expect(await run("eval", cell("py", "x"))).toBe("1");
    await confinement.setNetwork("on");
    expect(confinement.status).toMatchObject({ state: "in_force", kind, network: "on" });
    const get = `exec 3<>/dev/tcp/127.0.0.1/${server.port}; echo reached; echo "[\${x-gone}]"`;
    const shell = await run("bash", { command: get });
    expect(shell).toContain("reached\n[gone]");
    expect(shell).toContain("[the sandbox has changed, and with it the shell");
    const python = `import urllib.request\nprint(urllib.request.urlopen("http://127.0.0.1:${server.port}/").read(), "x" in globals())`;
    const told = await run("eval", cell("py", python));
    expect(told).toContain("the py kernel was started anew");
    expect(told).toContain("b'hi' False");
    const javascript = `console.log(await (await fetch("http://127.0.0.1:${server.port}/")).text(), typeof x)`;
    expect(await run("eval", cell("js", javascript))).toContain("hi undefined");
    expect(await run("eval", cell("js", "2 + 2"))).toBe("4");
  });

  each("a cell that is stopped keeps its state, and what it started ends", async () => {
    await using session = await open(kind);
    const { run } = session;
    await run("eval", cell("py", "kept = 7"));
    const slow = { cells: [{ language: "py", code: "!sleep 300", timeout: 1 }] };
    expect(await run("eval", slow)).toContain("stopped after 1 s");
    expect(await run("eval", cell("py", "kept"))).toBe("7");
    const busy = { cells: [{ language: "js", code: "var k = 1; for (;;) {}", timeout: 1 }] };
    expect(await run("eval", busy)).toContain("stopped after 1 s");
  });
}
