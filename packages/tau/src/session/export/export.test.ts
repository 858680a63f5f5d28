import { expect, test } from "bun:test";
import fc from "fast-check";
import { userText } from "@tau/ai/message";
import { emptyUsage } from "@tau/ai/usage";
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

test("no word of a session becomes markup in HTML", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string(), async (noise) => {
      const html = exportHtml(
        await sample(`<script>alert(1)</script>"'><img src=x onerror=y>${noise}`),
      );
      expect(html).not.toContain("<script");
      expect(html).not.toContain("<img src=x");
      expect(html).toContain("&lt;script&gt;");
    }),
    { numRuns: 50 },
  );
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
  expect(markdown).toContain("## p/m\n\n> hello\n\nhello");
  expect(markdown).toContain("**bash** (failed)\n\n```\nhello\n```");
  const parsed = JSON.parse(exportJson(session));
  expect(parsed.header.version).toBe(4);
  expect(parsed.entries).toHaveLength(3);
});
