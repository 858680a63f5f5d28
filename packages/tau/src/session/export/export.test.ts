import { expect, test } from "bun:test";
import fc from "fast-check";
import { userText } from "@tau/ai/message";
import { emptyUsage } from "@tau/ai/usage";
import { BUILT_IN } from "../../features/built-in.ts";
import { loadRemarks } from "../../modes/load-remarks.ts";
import { createMemorySession } from "../log/open-session.ts";
import { exportHtml } from "./export-html.ts";
import { exportMarkdown } from "./export-markdown.ts";
import { collectSession, exportJson } from "./exported-session.ts";
import { fence } from "./fence.ts";

async function sample(text: string) {
  await using log = createMemorySession({ cwd: "/work <b>", now: () => 0 });
  await log.append({ type: "message", message: userText(text, 0) });
  await log.append({
    type: "message",
    message: {
      role: "assistant",
      content: [
        { type: "thinking", text },
        { type: "text", text },
        { type: "toolCall", id: "c", name: "bash", arguments: { command: text } },
      ],
      provider: "p",
      model: "m",
      wire: "in-process",
      stopReason: "toolUse",
      usage: emptyUsage(),
      timestamp: 0,
    },
  });
  await log.append({
    type: "message",
    message: {
      role: "toolResult",
      toolCallId: "c",
      toolName: "bash",
      content: [{ type: "text", text }],
      isError: true,
      timestamp: 0,
    },
  });
  return collectSession(log, undefined);
}

/** What a hostile reply is made of: markup, addresses that run something, and Markdown around them. */
const HOSTILE = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "<script>alert(1)</script>",
        "<img src=x onerror=y>",
        "\"'>",
        "<!--",
        "-->",
        "</pre></div></section>",
        "&lt;b&gt;",
        "&#60;b onclick=x>",
        "[a](javascript:alert(1))",
        "[a](JaVa\tScript:alert(1))",
        "[a](data:text/html,<script>)",
        "[a](vbscript:x)",
        '[a](https://e.x/"onclick="y "t\'>")',
        "![a](javascript:x)",
        "![a](https://e.x/p.png)",
        "<javascript:alert(1)>",
        "<https://e.x/<b>>",
        "[a][r]",
        "\n\n[r]: javascript:x 'y'\n\n",
      ),
      fc.constantFrom(
        "`",
        "```",
        "```html\n",
        "**",
        "_",
        "# ",
        "- ",
        "> ",
        "1. ",
        "| a |\n|---|\n",
      ),
      fc.constantFrom("\n", "\n\n", "    ", "\\", "\0"),
      fc.string(),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

/** By tag, the attributes that it may have. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    "html head title style body header h1 main section h2 h3 h4 h5 h6 p div details summary pre code ul ol li hr blockquote table thead tbody tr th td strong em del a meta"
      .split(" ")
      .map((tag) => [tag, []]),
  ),
  html: ["lang"],
  meta: ["charset", "name", "content", "http-equiv"],
  section: ["class"],
  p: ["class"],
  div: ["class"],
  details: ["class", "open"],
  ol: ["start"],
  th: ["class"],
  td: ["class"],
  a: ["href", "rel"],
};

/** Reads a page as a browser does, and says what should not be in it. */
function strangersIn(html: string): string[] {
  const found: string[] = [];
  const reader = new HTMLRewriter().on("*", {
    element: (element) => {
      const { tagName } = element;
      for (const [name, value] of element.attributes) {
        if (ALLOWED[tagName]?.includes(name) !== true) found.push(`${tagName} ${name}`);
        if (name === "href" && !/^(?:https?:\/\/|mailto:)/i.test(value)) found.push(value);
      }
      if (!(tagName in ALLOWED)) found.push(tagName);
    },
  });
  reader.transform(html);
  return found;
}

test("no word of a session becomes markup in HTML, whatever Markdown it stands in", async () => {
  await fc.assert(
    fc.asyncProperty(HOSTILE, async (text) => {
      const html = exportHtml(await sample(text));
      expect(strangersIn(html)).toEqual([]);
      expect(html).not.toMatch(/<script|<img|javascript:[^<]*"/i);
    }),
    { numRuns: 500 },
  );
});

test("an answer is a page, not its source", async () => {
  const html = exportHtml(
    await sample("# Plan\n\n- **bold** `a<b`\n\n```js\nx < 1\n```\n\n[here](https://e.x/?a=1&b=2)"),
  );
  for (const part of [
    "<h3>Plan</h3>",
    "<li><strong>bold</strong> <code>a&lt;b</code></li>",
    "<pre><code>x &lt; 1\n</code></pre>",
    '<a href="https://e.x/?a=1&amp;b=2" rel="noopener noreferrer">here</a>',
  ]) {
    expect(html).toContain(part);
  }
});

test("nesting without end is shown as it is", async () => {
  for (const sign of [">", "> ", "1. ", "- > "]) {
    const html = exportHtml(await sample(`${sign.repeat(20_000)}deep`));
    expect(html).not.toMatch(/<blockquote>|<li>/);
    expect(html).toContain("deep");
  }
});

test("commands are shown as they were typed, with their exit codes and how long they took", async () => {
  await using log = createMemorySession({ cwd: "/", now: () => 0 });
  const own = { id: "r", sign: "!", tool: "bash", arguments: { command: "make all" } };
  const content = [{ type: "text", text: "built\n[exit code 2]" }];
  const end = { isTold: true, isError: true, exitCode: 2, durationMs: 2500, content };
  await log.append({ type: "event", event: { type: "own_run_end", ...own, ...end } });
  await log.append({
    type: "event",
    event: { type: "command_start", name: "todo", line: "/todo" },
  });
  await log.append({
    type: "event",
    event: { type: "command_output", name: "todo", text: "One\n  [ ] two" },
  });
  const session = await collectSession(log, undefined);
  const remarks = await loadRemarks(BUILT_IN);
  const markdown = exportMarkdown(session, remarks);
  expect(markdown).toContain("```sh\n! make all\n```");
  expect(markdown).toContain("**bash** (failed, exit code 2, 2.5s)");
  expect(markdown).toContain("```\n/todo\n```\n\n```\nOne\n  [ ] two\n```");
  const html = exportHtml(session, remarks);
  expect(html).toContain("<summary>bash · exit code 2 · 2.5s</summary><pre>! make all</pre>");
  expect(html).toContain("<pre>One\n  [ ] two</pre>");
});

test("HTML stands alone: no script, no link, nothing from elsewhere", async () => {
  const html = exportHtml(await sample("hello"));
  expect(html).toContain("default-src 'none'");
  expect(html).not.toMatch(/<link|<script|https?:\/\//);
  expect(html).toContain("/work &lt;b&gt;");
});

test("a code block in Markdown cannot be ended by its content", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("`", "a", "\n")), (parts) => {
      const text = parts.join("");
      const [first, ...rest] = fence(text).split("\n");
      expect(rest.at(-1)).toBe(first!);
      expect(rest.slice(0, -1).some((line) => line.startsWith(first!))).toBe(false);
    }),
  );
});

test("Markdown reads like the conversation, JSON is all of it", async () => {
  const session = await sample("hello");
  const markdown = exportMarkdown(session);
  expect(markdown).toContain("## You\n\nhello");
  expect(markdown).toContain("## p/m\n\n*Thought*\n\n> hello\n\nhello");
  expect(markdown).toContain("**bash** (failed)\n\n```\nhello\n```");
  const parsed = JSON.parse(exportJson(session));
  expect(parsed.header.version).toBe(4);
  expect(parsed.entries).toHaveLength(3);
});
