// Everything that has a path, through the tools a model has, in a real session: archives,
// databases, documents, notebooks, pictures, pages, and what a hostile one of each tries.

import { describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { ToolTable } from "@tau/agent/tool-table";
import type { ToolContent } from "@tau/agent/tool";
import { workspaceTools } from "@tau/tau/features/test/workspace-tools";
import { Workspace } from "@tau/tau/tools/workspace";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { mkdir } from "node:fs/promises";

async function open() {
  const scratch = await createScratchDirectory();
  const workspace = new Workspace({
    cwd: scratch.root,
    env: { HOME: scratch.root, PATH: process.env.PATH },
  });
  const table = new ToolTable(await workspaceTools(workspace));
  const { signal } = new AbortController();
  const run = async (name: string, args: Record<string, unknown>) => {
    const call = { type: "toolCall" as const, id: "c", name, arguments: args };
    const { result } = await table.run(call, { signal, update: () => {} });
    const content = result.content as ToolContent[];
    const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
    return { text, isError: result.isError, content };
  };
  return {
    scratch,
    read: (path: string) => run("read", { path }),
    write: (path: string, content: string) => run("write", { path, content }),
    edit: (input: string) => run("edit", { input }),
    search: (pattern: string, paths: string) => run("search", { pattern, paths }),
    python: (code: string) => {
      const done = Bun.spawnSync(["python3", "-c", code], { cwd: scratch.root, stderr: "pipe" });
      expect(done.stderr.toString()).toBe("");
    },
    async [Symbol.asyncDispose]() {
      await workspace[Symbol.asyncDispose]();
      await scratch[Symbol.asyncDispose]();
    },
  };
}

describe("archives", () => {
  const ZIP = `
import zipfile
with zipfile.ZipFile("a.zip", "w") as z:
    z.writestr("docs/one.txt", "first\\nsecond\\nthird\\n")
    z.writestr("docs/two.bin", b"\\0\\1\\2")
    z.writestr("top.md", "# Top\\n")
`;

  test("are listed, read by lines, searched, and written member by member", async () => {
    await using t = await open();
    t.python(ZIP);
    expect((await t.read("a.zip")).text).toContain("docs/");
    expect((await t.read("a.zip:docs")).text).toContain("one.txt  19 bytes");
    expect((await t.read("a.zip:docs/one.txt:2-3")).text).toBe("second\nthird");
    expect((await t.read("a.zip:docs/two.bin")).text).toContain("is not text");
    expect((await t.search("sec", "a.zip:docs/one.txt")).text).toContain("second");
    expect((await t.write("a.zip:docs/one.txt", "new\n")).text).toBe(
      "Wrote a.zip:docs/one.txt (4 bytes).",
    );
    expect((await t.read("a.zip:docs/one.txt")).text).toBe("new");
    expect((await t.read("a.zip:top.md")).text).toBe("# Top");
    await t.write("fresh/new.tar.gz:x/y.txt", "made\n");
    expect((await t.read("fresh/new.tar.gz:x/y.txt")).text).toBe("made");
  });

  test("are searched whole, or below a directory, and say what was not text", async () => {
    await using t = await open();
    t.python(ZIP);
    t.python(`
import tarfile, io
with tarfile.open("b.tar.gz", "w:gz") as z:
    for name, text in [("src/a.txt", b"needle one\\n"), ("src/deep/b.txt", b"x\\nneedle two\\n"), ("other.txt", b"needle three\\n")]:
        member = tarfile.TarInfo(name); member.size = len(text); z.addfile(member, io.BytesIO(text))
`);
    const whole = (await t.search("second|Top", "a.zip")).text;
    expect(whole).toContain("# a.zip:docs/one.txt\n 1|first\n*2|second");
    expect(whole).toContain("# a.zip:top.md\n*1|# Top");
    expect(whole).toContain("[1 members of a.zip are not text, or too large]");
    expect((await t.search("Top", "a.zip:docs")).text).toStartWith("No matches found");
    const tar = (await t.search("needle", "b.tar.gz:src")).text;
    expect(tar).toContain("b.tar.gz:src/a.txt");
    expect(tar).toContain("b.tar.gz:src/deep/b.txt");
    expect(tar).not.toContain("three");
  });

  test("do not lead out of themselves", async () => {
    await using t = await open();
    t.python(ZIP);
    for (const path of ["a.zip:../top.md", "a.zip:docs/../../x"]) {
      expect((await t.read(path)).isError).toBe(true);
      expect((await t.write(path, "x")).isError).toBe(true);
    }
    // Absolute inside of an archive is from its own root.
    expect((await t.write("a.zip:/etc/passwd", "x")).text).toContain("Wrote a.zip:");
    expect((await t.read("a.zip:etc/passwd")).text).toBe("x");
    await t.scratch.write("broken.zip", "PK not really");
    expect(await t.read("broken.zip")).toMatchObject({ isError: true });
  });
});

describe("databases", () => {
  async function withDatabase() {
    const t = await open();
    const db = new Database(t.scratch.path("app.db"), { create: true });
    db.run("CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT)");
    db.run("INSERT INTO users (name) VALUES ('Ada'), ('Grace')");
    db.close();
    return t;
  }

  test("tables, rows, queries; a row's number is no line number", async () => {
    await using t = await withDatabase();
    expect((await t.read("app.db")).text).toContain("users");
    expect((await t.read("app.db:users")).text).toContain("CREATE TABLE users");
    const row = (await t.read("app.db:users:2")).text;
    expect(row).toContain("Grace");
    expect(row).not.toContain("Ada");
    expect((await t.read("app.db:users?where=name='Ada'")).text).toContain("Ada");
    expect((await t.read("app.db?q=SELECT count(*) AS n FROM users")).text).toContain("2");
  });

  test("one row is written, updated, deleted", async () => {
    await using t = await withDatabase();
    expect((await t.write("app.db:users", "{name: 'Alan'}")).text).toBe(
      "Inserted a row into users.",
    );
    expect((await t.write("app.db:users:3", "{name: 'Alan T.'}")).text).toBe(
      "Updated row 3 in users.",
    );
    expect((await t.read("app.db:users:3")).text).toContain("Alan T.");
    expect((await t.write("app.db:users:3", " ")).text).toBe("Deleted row 3 in users.");
    expect((await t.write("app.db:users:3", " ")).text).toContain("There is no row 3");
    expect((await t.write("none.db:users", "{}")).isError).toBe(true);
  });

  test("reading changes nothing, however it is asked", async () => {
    await using t = await withDatabase();
    const before = await Bun.file(t.scratch.path("app.db")).bytes();
    for (const path of [
      "app.db:users?where=1;drop table users",
      "app.db?q=DELETE FROM users",
      "app.db?q=ATTACH 'x.db' AS x",
      "app.db?q=PRAGMA journal_mode=WAL",
    ]) {
      expect((await t.read(path)).isError).toBe(true);
    }
    expect(await Bun.file(t.scratch.path("app.db")).bytes()).toEqual(before);
    await t.scratch.write("fake.db", "just text\n");
    expect((await t.read("fake.db")).text).toContain("1:just text");
  });
});

describe("documents", () => {
  test("a spreadsheet and a web book made by hand are read as text", async () => {
    await using t = await open();
    t.python(`
import zipfile
with zipfile.ZipFile("book.epub", "w") as z:
    z.writestr("mimetype", "application/epub+zip")
    z.writestr("META-INF/container.xml", '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles><rootfile full-path="o.opf" media-type="application/oebps-package+xml"/></rootfiles></container>')
    z.writestr("o.opf", '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><manifest><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c"/></spine></package>')
    z.writestr("c.xhtml", '<html xmlns="http://www.w3.org/1999/xhtml"><body><h1>Chapter</h1><p>Once upon a time.</p></body></html>')
`);
    const { text } = await t.read("book.epub");
    expect(text).toContain("# Chapter");
    expect(text).toContain("Once upon a time.");
    await t.scratch.write("broken.pdf", "%PDF-1.4 nothing");
    expect(await t.read("broken.pdf")).toMatchObject({ isError: true });
  });

  test("a notebook is read and edited as cells, and stays a notebook", async () => {
    await using t = await open();
    const cell = (id: string, source: string[]) => ({
      cell_type: "code",
      id,
      execution_count: 1,
      metadata: { tags: [id] },
      outputs: [{ output_type: "stream", name: "stdout", text: ["hi\n"] }],
      source,
    });
    const notebook = {
      cells: [cell("a", ["x = 1\n", "x"]), cell("b", ["y = 2"])],
      metadata: {},
      nbformat: 4,
      nbformat_minor: 5,
    };
    await t.scratch.write("n.ipynb", JSON.stringify(notebook, null, 1));
    const { text } = await t.read("n.ipynb");
    expect(text).toContain("# %% [code] cell:0");
    const [note, header] = text.split("\n");
    expect(note).toBe("[outputs are left out; n.ipynb:raw has them]");
    const line = /(\d+):y = 2/.exec(text)![1];
    const edited = await t.edit(`${header}\nreplace ${line}..${line}:\n+y = 3\n`);
    expect(edited.isError).toBe(false);
    const after = JSON.parse(await t.scratch.read("n.ipynb"));
    expect(after.cells[0]).toEqual(notebook.cells[0]);
    expect(after.cells[1].source.join("")).toBe("y = 3");
    expect((await t.read("n.ipynb:raw")).text).toContain('"nbformat": 4');
  });

  test("a picture comes as a picture, with what it is", async () => {
    await using t = await open();
    const png = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    );
    await t.scratch.write("dot", png);
    const { content, text } = await t.read("dot");
    expect(text).toContain("image/png, 1×1");
    expect(content.at(-1)).toMatchObject({ type: "image", mimeType: "image/png" });
    await t.scratch.write("torn.png", png.subarray(0, 30));
    expect((await t.read("torn.png")).isError).toBe(true);
  });
});

describe("pages", () => {
  test("are fetched once and paged; a number behind the host is a port", async () => {
    await using t = await open();
    let hits = 0;
    using server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch(request) {
        const { pathname } = new URL(request.url);
        if (pathname === "/away") return Response.redirect("http://169.254.169.254/latest", 302);
        if (pathname !== "/page") return new Response("none", { status: 404 });
        hits++;
        const items = Array.from({ length: 400 }, (_, at) => `<p>Item ${at + 1}</p>`).join("");
        return new Response(`<html><title>List</title><body><h1>List</h1>${items}</body></html>`, {
          headers: { "content-type": "text/html" },
        });
      },
    });
    const url = `http://127.0.0.1:${server.port}/page`;
    const first = await t.read(url);
    expect(first.text).toContain(`URL: ${url}`);
    expect(first.text).toContain("Item 1\n");
    expect(first.text).toContain("artifact://0");
    const before = hits;
    expect((await t.read(`${url}:500-502`)).text).toContain("Item 250");
    expect((await t.read(`${url}:600-602`)).text).toContain("Item 300");
    expect(hits).toBe(before);
    const failed = await t.read(`http://127.0.0.1:${server.port}/gone`);
    expect(failed).toMatchObject({ isError: false });
    expect(failed.text).toContain("Method: failed");
    expect((await t.read(`http://127.0.0.1:${server.port}/away`)).isError).toBe(true);
  });
});

test("what a session keeps and knows has addresses", async () => {
  await using t = await open();
  expect((await t.write("local://notes/plan.md", "step one\n")).isError).toBe(false);
  expect((await t.read("local://notes/plan.md")).text).toContain("1:step one");
  expect((await t.read("tau://")).text).toContain("tau://sessions");
  expect((await t.read("tau://sessions:1-2:raw")).text).toContain("# Sessions");
  expect((await t.search("durable|kept", "tau://sessions")).text).toContain("kept");
  await mkdir(t.scratch.path("d"));
  expect((await t.read("artifact://7")).text).toContain("There is no artifact 7");
});
