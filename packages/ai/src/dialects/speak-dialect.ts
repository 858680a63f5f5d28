// Rewrites a neutral request so that any wire can send it to a server without structured
// calls: definitions move into the system prompt, earlier calls and results become text.
// What is rendered depends on the history up to a message and on the conventions' rules
// for old reasoning alone, so within a turn a longer request begins with the shorter one.

import type { ImageBlock, Message, ToolResultMessage, UserMessage } from "../message.ts";
import { toolCallsOf, userText } from "../message.ts";
import { repairConversation } from "../repair.ts";
import type { ModelRequest, ToolChoice } from "../request.ts";
import type { Dialect, RenderContext } from "./dialect.ts";

export function speakDialect(request: ModelRequest, dialect: Dialect): ModelRequest {
  const { toolChoice, tools, ...rest } = request;
  // Pairs every call with its result, in the order of the calls.
  const history = repairConversation(request.messages, { model: request.model });
  const messages = renderHistory(history, dialect, tools);
  const note = choiceNote(toolChoice);
  if (note !== undefined && tools.length > 0) messages.push(userText(note, 0));
  const system = tools.length > 0 ? [...rest.system, dialect.renderTools(tools)] : rest.system;
  return { ...rest, system, messages, tools: [] };
}

function renderHistory(
  history: readonly Message[],
  dialect: Dialect,
  tools: ModelRequest["tools"],
): Message[] {
  const lastUser = history.findLastIndex((message) => message.role === "user");
  const lastAnswer = history.findLastIndex(
    (message) => message.role === "assistant" && toolCallsOf(message).length === 0,
  );
  const contextAt = (at: number): RenderContext => ({
    tools,
    isSinceUser: at > lastUser,
    isSinceAnswer: at > lastAnswer,
  });
  const out: Message[] = [];
  for (let at = 0; at < history.length; at++) {
    const message = history[at]!;
    if (message.role === "toolResult") {
      const results = resultsFrom(history, at);
      out.push(renderTurnResults(results, dialect, contextAt(at)));
      at += results.length - 1;
    } else if (message.role === "assistant") {
      const text = dialect.renderAssistant(message, contextAt(at));
      if (text === "") continue;
      out.push({ ...message, content: [{ type: "text", text }], stopReason: "stop" });
    } else out.push(message);
  }
  return out;
}

function resultsFrom(history: readonly Message[], first: number): ToolResultMessage[] {
  const results: ToolResultMessage[] = [];
  for (let at = first; history[at]?.role === "toolResult"; at++) {
    results.push(history[at] as ToolResultMessage);
  }
  return results;
}

/** Results are the user's word in every convention; their images follow the text. */
function renderTurnResults(
  results: readonly ToolResultMessage[],
  dialect: Dialect,
  context: RenderContext,
): UserMessage {
  const placed = results.map((message, callIndex) => ({ message, callIndex }));
  const images = results.flatMap((message) =>
    message.content.filter((block): block is ImageBlock => block.type === "image"),
  );
  return {
    role: "user",
    content: [{ type: "text", text: dialect.renderResults(placed, context) }, ...images],
    timestamp: results[0]!.timestamp,
  };
}

/** Nothing can be forced on a text; it can be asked for, at the end, where no prefix changes. */
function choiceNote(choice: ToolChoice | undefined): string | undefined {
  if (choice === undefined || choice === "auto") return undefined;
  if (choice === "none") return "(Answer without calling a tool.)";
  if (choice === "required") return "(Call a tool now.)";
  return `(Call the tool ${choice.name} now.)`;
}
