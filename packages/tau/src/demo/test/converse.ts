// Plays both sides of a conversation with the demo. Its tool calls are answered from a
// script or, by `realTools`, by really doing them in a directory; the laws of the stream
// are checked on the way.

import { dirname } from "node:path";
import { ToolTable } from "@tau/agent/tool-table";
import { isTerminal, type StreamEvent } from "@tau/ai/event";
import { textOf, toolCallsOf, userText, type Message, type ToolCallBlock } from "@tau/ai/message";
import type { ModelRequest } from "@tau/ai/request";
import { createReadTool } from "../../tools/read/tool.ts";
import { Workspace } from "../../tools/workspace.ts";
import { callDemoModel, demoModel } from "../demo-model.ts";

export interface ToolAnswer {
  text: string;
  isError?: boolean;
}

export type Tools = (call: ToolCallBlock) => ToolAnswer | Promise<ToolAnswer>;

export interface Conversation {
  answer: string;
  calls: ToolCallBlock[];
  messages: Message[];
}

/** No command of a test takes long; one that hangs must fail with its name. */
const COMMAND_TIMEOUT_MS = 10_000;
/** One more than the demo allows itself. */
const TOO_MANY_CALLS = 7;

export function requestOf(messages: readonly Message[], tools = ["read", "bash"]): ModelRequest {
  return {
    model: demoModel,
    system: ["You are a test."],
    messages,
    tools: tools.map((name) => ({ name, description: name, parameters: { type: "object" } })),
    stream: true,
  };
}

export async function converse(
  text: string,
  tools: Tools = scripted(),
  options: { offered?: string[]; before?: readonly Message[] } = {},
): Promise<Conversation> {
  const messages: Message[] = [...(options.before ?? []), userText(text, 0)];
  const calls: ToolCallBlock[] = [];
  for (;;) {
    const stream = callDemoModel(requestOf(messages, options.offered));
    const events: StreamEvent[] = [];
    for await (const event of stream) events.push(event);
    const terminal = events.filter(isTerminal);
    if (events[0]?.type !== "start" || terminal.length !== 1 || terminal[0]!.type !== "done") {
      throw new Error(`The reply ended with ${JSON.stringify(terminal)}`);
    }
    const message = await stream.result();
    messages.push(message);
    const asked = toolCallsOf(message);
    if (asked.length === 0) return { answer: textOf(message), calls, messages };
    for (const call of asked) {
      calls.push(call);
      if (calls.length >= TOO_MANY_CALLS) throw new Error("The demo does not stop calling tools.");
      messages.push(resultOf(call, await tools(call)));
    }
  }
}

export function resultOf(call: ToolCallBlock, { text, isError = false }: ToolAnswer): Message {
  return {
    role: "toolResult",
    toolCallId: call.id,
    toolName: call.name,
    content: [{ type: "text", text }],
    isError,
    timestamp: 0,
  };
}

/** Answers in the order of the calls. */
export function scripted(...answers: readonly (string | ToolAnswer)[]): Tools {
  let at = 0;
  return (call) => {
    const answer = answers[at++];
    if (answer === undefined) throw new Error(`Unexpected: ${JSON.stringify(call)}`);
    return typeof answer === "string" ? { text: answer } : answer;
  };
}

export function realTools(directory: string): Tools {
  const workspace = new Workspace({ cwd: directory, env: { HOME: directory } });
  const table = new ToolTable([createReadTool(workspace)]);
  return async (call) => {
    if (call.name === "bash") return runBash(directory, String(call.arguments.command));
    const { signal } = new AbortController();
    const { result } = await table.run(call, { signal, update: () => {} });
    return { text: textOf(result), isError: result.isError };
  };
}

export async function runBash(directory: string, command: string): Promise<ToolAnswer> {
  const child = Bun.spawn(["bash", "-c", command], {
    cwd: directory,
    // Neither this machine's git settings nor a repository around the directory.
    env: {
      PATH: process.env.PATH ?? "",
      HOME: directory,
      LC_ALL: "C.UTF-8",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CEILING_DIRECTORIES: dirname(directory),
    },
    timeout: COMMAND_TIMEOUT_MS,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, code] = await Promise.all([
    child.stdout.text(),
    child.stderr.text(),
    child.exited,
  ]);
  if (code === 0) return { text: out + err || "(no output)" };
  return { text: `${out}${err}\n[exit code ${code}]`, isError: true };
}
