// Searching and finding end to end: a scripted model that calls the tools in a real session on
// real files, and what it is told.

import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { mkdir, utimes } from "node:fs/promises";
import { textOf, userText, type Message, type Session } from "@tau/tau/sdk";
import { createEditTool } from "@tau/tau/tools/edit/tool";
import { createFindTool } from "@tau/tau/tools/find/tool";
import { createSearchTool } from "@tau/tau/tools/search/tool";
import { Workspace } from "@tau/tau/tools/workspace";
import { createLocalKind } from "@tau/tau/resources/local-kind";
import { ResourceResolver } from "@tau/tau/resources/resolver";
import type { ResourceKind } from "@tau/tau/resources/resource";
import { embed } from "./support/embedded.ts";

interface Call {
  name: string;
  arguments: Record<string, unknown>;
}

/** A call, or one made from what the call before it gave. */
type Step = Call | ((last: string) => Call);

interface Result {
  text: string;
  isError: boolean;
}

interface Setting {
  files?: Record<string, string | Uint8Array>;
  prepare?(root: string): Promise<void>;
  kinds?: readonly ResourceKind[];
  during?(session: Session): void;
}

async function converse(steps: readonly Step[], setting: Setting = {}) {
  await using embedding = await embed((request, turn) => {
    const step = steps[turn - 1];
    if (!step) return { text: "done" };
    const last = textOf(request.decoded.messages.at(-1)!);
    return { toolCalls: [typeof step === "function" ? step(last) : step] };
  });
  const { home, server } = embedding;
  for (const [path, text] of Object.entries(setting.files ?? {})) await home.write(path, text);
  await setting.prepare?.(home.root);
  await using workspace = new Workspace({ cwd: home.root, env: home.env });
  if (setting.kinds) {
    const kinds = [...setting.kinds, workspace.resources.schemes, createLocalKind(workspace.files)];
    Object.assign(workspace, { resources: new ResourceResolver(kinds, workspace.files) });
  }
  const session = await embedding.start({
    session: { kind: "memory" },
    // The project is the whole home of the test, which is not overwritten unasked.
    approvalMode: "yolo",
    toolNames: [],
    tools: [createSearchTool(workspace), createFindTool(workspace), createEditTool(workspace)],
  });
  setting.during?.(session);
  const end = await session.prompt(userText("go"));
  const results = session.messages
    .filter(
      (message): message is Extract<Message, { role: "toolResult" }> =>
        message.role === "toolResult",
    )
    .map((message): Result => ({ text: textOf(message), isError: message.isError }));
  await session[Symbol.asyncDispose]();
  const read = (path: string): Promise<string> => home.read(path);
  const left = Object.fromEntries(
    await Promise.all(
      Object.keys(setting.files ?? {}).map(async (path) => [path, await read(path)]),
    ),
  ) as Record<string, string>;
  return { results, end, requests: server.requests, left };
}

const search = (pattern: string, paths: string | string[] = ".", rest = {}): Call => ({
  name: "search",
  arguments: { pattern, paths, ...rest },
});
const find = (paths: string | string[], rest = {}): Call => ({
  name: "find",
  arguments: { paths, ...rest },
});
const filesIn = (text: string): string[] =>
  [...text.matchAll(/^¶(.*)#[0-9A-Z]{4}$/gm)].map(([, path]) => path!);
const lines = (count: number): string =>
  Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join("");

describe("search", () => {
  test("finds ${foo} as it is written", async () => {
    const { results } = await converse([search("${foo}")], {
      files: { "a.sh": "echo ${foo}\necho foo\n" },
    });
    expect(results[0]!.text).toMatch(/^¶a\.sh#[0-9A-Z]{4}\n\*1:echo \$\{foo\}\n 2:echo foo$/);
  });

  test("goes through 45 files as 20, 20 and 5", async () => {
    const names = Array.from({ length: 45 }, (_, at) => `src/f${String(at).padStart(2, "0")}.ts`);
    const next = (last: string): Call =>
      search("needle", "src", { skip: Number(/skip=(\d+)/.exec(last)![1]) });
    const { results } = await converse([search("needle", "src"), next, next], {
      files: Object.fromEntries(names.map((name) => [name, "a needle\n"])),
    });
    expect(results.map(({ text }) => filesIn(text).length)).toEqual([20, 20, 5]);
    expect(results.flatMap(({ text }) => filesIn(text))).toEqual(names);
    expect(results[0]!.text).toEndWith("[files 1-20 of 45 that match; go on with skip=20]");
    expect(results[2]!.text).not.toContain("skip=");
  });

  test("sees dotfiles, and ignored files only when told", async () => {
    const { results } = await converse(
      [search("needle"), search("needle", ".", { gitignore: false })],
      {
        files: { ".hidden/a": "needle\n", "out/b.log": "needle\n", ".gitignore": "out/\n" },
        prepare: async (root) => void (await mkdir(`${root}/.git`)),
      },
    );
    expect(filesIn(results[0]!.text)).toEqual([".hidden/a"]);
    expect(filesIn(results[1]!.text)).toEqual([".hidden/a", "out/b.log"]);
  });

  test("stays within the lines of a file; a directory has none", async () => {
    const { results } = await converse(
      [search("line \\d*5$", "src/f.ts:50-100"), search("line", "src:1-5")],
      { files: { "src/f.ts": lines(200) } },
    );
    const matched = [...results[0]!.text.matchAll(/^\*(\d+):/gm)].map(([, line]) => Number(line));
    expect(matched).toEqual([55, 65, 75, 85, 95]);
    expect(results[1]).toEqual({
      isError: true,
      text: "src is a directory: lines can be chosen of a single file.",
    });
  });

  test("leaves a missing path out and says so", async () => {
    const { results } = await converse([search("needle", ["a.txt", "gone.txt"])], {
      files: { "a.txt": "needle\n" },
    });
    expect(results[0]!.isError).toBe(false);
    expect(filesIn(results[0]!.text)).toEqual(["a.txt"]);
    expect(results[0]!.text).toContain("[left out, since they do not exist: gone.txt]");
  });

  test("gives a tag and numbers that drive an edit directly", async () => {
    const edit = (last: string): Call => {
      const [header] = /^¶.*$/m.exec(last)!;
      const [, line] = /^\*(\d+):/m.exec(last)!;
      return {
        name: "edit",
        arguments: { input: `${header}\nreplace ${line}..${line}:\n+const answer = 42;\n` },
      };
    };
    const { results, left } = await converse([search("answer", "src"), edit], {
      files: { "src/a.ts": `${lines(30)}const answer = 41;\r\n${lines(3)}`, "src/b.ts": "no\n" },
    });
    expect(results[1]).toMatchObject({ isError: false });
    expect(left["src/a.ts"]).toBe(`${lines(30)}const answer = 42;\r\n${lines(3)}`);
    expect(left["src/b.ts"]).toBe("no\n");
  });

  test("refuses an edit by a tag once the line has changed on disk", async () => {
    let root = "";
    const edit = (last: string): Call => {
      const [header] = /^¶.*$/m.exec(last)!;
      writeFileSync(`${root}/a.txt`, "someone else's\n");
      return { name: "edit", arguments: { input: `${header}\nreplace 1..1:\n+mine\n` } };
    };
    const { results, left } = await converse([search("theirs"), edit], {
      files: { "a.txt": "theirs\n" },
      prepare: async (at) => void (root = at),
    });
    expect(results[1]!.isError).toBe(true);
    expect(left["a.txt"]).toBe("someone else's\n");
  });

  test("foo\\nbar spans lines", async () => {
    const { results } = await converse([search("foo\\nbar")], {
      files: { "a.txt": "x\nfoo\nbar\ny\n" },
    });
    expect(results[0]!.text).toMatch(/\n 1:x\n\*2:foo\n\*3:bar\n 4:y$/);
  });

  test("looks into members of archives, under their own names and without tags", async () => {
    const archives: ResourceKind = {
      name: "archive",
      open: async ({ path }) =>
        path === "a.zip:src/x.ts"
          ? { type: "text", shown: path, text: "one\nneedle\n", notes: [] }
          : undefined,
    };
    const { results } = await converse(
      [search("needle", "a.zip:src/x.ts"), search("one", "a.zip:src/x.ts:2-9")],
      { files: { "a.zip": "PK" }, kinds: [archives] },
    );
    expect(results[0]).toEqual({ isError: false, text: "# a.zip:src/x.ts\n 1|one\n*2|needle" });
    expect(results[1]!.text).toBe("No matches found");
  });

  test("ends with the session's abort", async () => {
    const { results, end } = await converse([search("(\\w+ )+nowhere(\\w+)?$")], {
      files: { "big.txt": "some words of many kinds\n".repeat(200_000) },
      during: (session) => {
        session.subscribe((event) => {
          if (event.type === "tool_execution_start") void session.abort();
        });
      },
    });
    expect(end).toMatchObject({ reason: "aborted" });
    expect(results).toEqual([{ isError: true, text: "The call was aborted." }]);
  });
});

describe("find", () => {
  test("*.ts finds nested files; src/*.ts does not; the newest comes first", async () => {
    const files = { "src/deep/old.ts": "", "src/a.ts": "", "new.ts": "", "x.md": "" };
    const { results } = await converse([find("*.ts"), find("src/*.ts")], {
      files,
      prepare: async (root) => {
        for (const [at, name] of Object.keys(files).entries()) {
          await utimes(`${root}/${name}`, 1_700_000_000 + at, 1_700_000_000 + at);
        }
      },
    });
    expect(results[0]!.text).toBe("new.ts\n# src/\na.ts\n# src/deep/\nold.ts");
    expect(results[1]!.text).toBe("src/a.ts");
  });

  test("gives 200 at most, and says that there are more", async () => {
    const names = Array.from({ length: 210 }, (_, at) => `f${at}.txt`);
    const { results } = await converse([find("*.txt", { limit: 5000 })], {
      files: Object.fromEntries(names.map((name) => [name, ""])),
    });
    expect(results[0]!.text.match(/^f\d+\.txt$/gm)).toHaveLength(200);
    expect(results[0]!.text).toContain("[the newest 200 of 210 paths;");
  });

  test("refuses the root of the disk, and keeps a name with spaces whole", async () => {
    const { results } = await converse([find("/"), find("my notes.md")], {
      files: { "my notes.md": "", my: "", "notes.md": "" },
    });
    expect(results[0]!.isError).toBe(true);
    expect(results[1]).toEqual({ isError: false, text: "my notes.md" });
  });

  test("ends with the session's abort", async () => {
    const { results, end } = await converse([find("**/*")], {
      files: { "a.txt": "" },
      during: (session) => {
        session.subscribe((event) => {
          if (event.type === "tool_execution_start") void session.abort();
        });
      },
    });
    expect(end).toMatchObject({ reason: "aborted" });
    expect(results).toEqual([{ isError: true, text: "The call was aborted." }]);
  });
});

test("what the model is told of both tools is short", async () => {
  const { requests } = await converse([]);
  const told = requests[0]!.decoded.tools.filter(({ name }) => name !== "edit");
  expect(told.map(({ name }) => name)).toEqual(["search", "find"]);
  const { length } = JSON.stringify(told);
  expect(length).toBeLessThan(2600);
});
