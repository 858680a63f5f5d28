// The irc tool: agents write to one another by name.

import { defineTool, textOutput, ToolError, type Tool, type ToolOutput } from "@tau/agent/tool";
import type { Mailbox } from "@tau/agent/mailbox";
import {
  boolean,
  description,
  number,
  optional,
  picklist,
  pipe,
  strictObject,
  string,
} from "valibot";
import { suggest } from "../../base/suggest.ts";
import type { AgentView } from "../../feature-api/agent-view.ts";
import { MAIN } from "./agent-names.ts";
import prompt from "./irc-prompt.md" with { type: "text" };
import {
  messagesIn,
  messageText,
  nextMessage,
  sendMessage,
  takeMessages,
  type Receipt,
} from "./messages.ts";
import type { AgentRegistry } from "./registry.ts";
import type { Waiting } from "./waiting.ts";

export interface IrcPlace {
  /** Whose tool it is. */
  self: string;
  mailbox: Mailbox;
  registry: AgentRegistry;
  waiting: Waiting;
  timeoutMs: number;
}

const ALL = "all";

const parameters = strictObject({
  op: picklist(["send", "wait", "inbox", "list"]),
  to: optional(pipe(string(), description('send: a name, or "all"'))),
  message: optional(string()),
  replyTo: optional(pipe(string(), description("send: the message that it answers"))),
  await: optional(pipe(boolean(), description("send: wait for the answer"))),
  from: optional(pipe(string(), description("wait: only of this agent"))),
  timeoutMs: optional(pipe(number(), description("0: for ever"))),
  peek: optional(pipe(boolean(), description("inbox: leave them there"))),
});

export function createIrcTool(place: IrcPlace): Tool {
  return defineTool({
    name: "irc",
    description: prompt.trim(),
    parameters,
    tier: "read",
    concurrency: "shared",
    polls: true,
    // How long somebody waits is theirs to say.
    timeoutMs: "waits_for_person",
    async execute(given, { signal }): Promise<ToolOutput> {
      switch (given.op) {
        case "list":
          return list(place);
        case "inbox":
          return inbox(place, given.peek ?? false);
        case "wait":
          return wait(place, { ...given, signal });
        case "send":
          return send(place, { ...given, signal });
      }
    },
  });
}

interface Sending extends Waited {
  to?: string;
  message?: string;
  replyTo?: string;
  await?: boolean;
}

async function send(place: IrcPlace, sending: Sending): Promise<ToolOutput> {
  const { registry, self } = place;
  const to = sending.to?.trim() ?? "";
  const text = sending.message?.trim() ?? "";
  if (to === "") throw new ToolError("Say to whom: `to` is an agent's name.");
  if (text === "") throw new ToolError("There is no message: `message` is empty.");
  const isToAll = to.toLowerCase() === ALL;
  if (isToAll && sending.await) throw new ToolError("Of all nobody's answer can be awaited.");
  const targets = isToAll ? awake(place) : [known(to, place)];
  if (targets.length === 0) throw new ToolError("Nobody else is awake.");
  if (targets.includes(self)) throw new ToolError("That is you: nobody writes to themselves.");
  const message = { from: self, text, replyTo: sending.replyTo };
  const receipts = await Promise.all(
    targets.map((one) => sendMessage(registry, { ...message, to: one })),
  );
  const words = receipts.map(receiptText).join("\n");
  if (receipts.every(({ outcome }) => outcome === "failed")) throw new ToolError(words);
  if (!sending.await) return textOutput(words, { receipts });
  const answer = await wait(place, { ...sending, from: targets[0] });
  const content = [{ type: "text" as const, text: words }, ...answer.content];
  return { content, details: { receipts, ...(answer.details as object) } };
}

interface Waited {
  from?: string;
  timeoutMs?: number;
  signal: AbortSignal;
}

async function wait(
  place: IrcPlace,
  { from: given, timeoutMs, signal }: Waited,
): Promise<ToolOutput> {
  const { self, mailbox, waiting } = place;
  const from = given === undefined ? undefined : known(given.trim(), place);
  if (from === self) throw new ToolError("That is you: nobody writes to themselves.");
  const inVain = messagesIn(mailbox, from).length > 0 ? undefined : waiting.whyInVain(self, from);
  if (inVain !== undefined) return textOutput(`Not waited: ${inVain}`, { waited: null });
  using _waits = waiting.begin(self, from);
  const limit = patience(timeoutMs, place.timeoutMs);
  const mail = await nextMessage(mailbox, { from, timeoutMs: limit, signal });
  if (mail) return textOutput(messageText(mail), { waited: { id: mail.id, from: mail.sender } });
  if (signal.aborted) throw new ToolError("Stopped waiting.");
  const whose = from === undefined ? "" : ` from ${from}`;
  return textOutput(`No message${whose} within ${limit / 1000} s.`, { waited: null });
}

/** What cannot be meant is as if nothing was said. */
function patience(given: number | undefined, usual: number): number {
  if (given === undefined || !Number.isFinite(given) || given < 0) return usual;
  return given === 0 ? 0 : Math.max(1, Math.trunc(given));
}

async function inbox({ mailbox }: IrcPlace, isPeek: boolean): Promise<ToolOutput> {
  const mails = isPeek ? messagesIn(mailbox) : await takeMessages(mailbox);
  const text = mails.map(messageText).join("\n\n");
  const ids = mails.map(({ id, sender: from }) => ({ id, from }));
  return textOutput(text || "No messages.", { inbox: ids });
}

function list(place: IrcPlace): ToolOutput {
  const rows = peers(place).map(rowOf);
  if (place.self !== MAIN) rows.unshift(`- ${MAIN}: the user's own session`);
  return textOutput(rows.join("\n") || "There are no other agents.", { peers: peers(place) });
}

function rowOf({ id, kind, state, parent, unread, description: about, doing }: AgentView): string {
  const facts = [
    kind,
    state,
    parent === MAIN ? "" : `of ${parent}`,
    unread > 0 ? `${unread} unread` : "",
  ];
  const words = doing ?? about;
  return `- ${id} [${facts.filter(Boolean).join(", ")}]${words ? `: ${words}` : ""}`;
}

function peers({ registry, self }: IrcPlace): AgentView[] {
  return registry.views().filter(({ id, state }) => id !== self && state !== "aborted");
}

function awake(place: IrcPlace): string[] {
  const agents = peers(place).filter(({ state }) => state === "running" || state === "idle");
  const ids = agents.map(({ id }) => id);
  return place.self === MAIN ? ids : [MAIN, ...ids];
}

function known(name: string, place: IrcPlace): string {
  if (name.toLowerCase() === MAIN.toLowerCase()) return MAIN;
  const agent = place.registry.get(name);
  if (agent && agent.state !== "aborted") return agent.id;
  const names = peers(place).map(({ id }) => id);
  if (agent) throw new ToolError(`${agent.id} was stopped and cannot be reached.`);
  const near = suggest(name, [MAIN, ...names]);
  const hint = near ? ` Did you mean ${near}?` : ` There are ${[MAIN, ...names].join(", ")}.`;
  throw new ToolError(`There is no agent "${name}".${hint}`);
}

function receiptText(receipt: Receipt): string {
  if (receipt.outcome === "failed") return `${receipt.to}: not delivered (${receipt.error})`;
  return `${receipt.to}: ${RECEIPT_WORDS[receipt.outcome]} [message ${receipt.id}]`;
}

const RECEIPT_WORDS = {
  injected: "sent; it hears of it at its next step",
  woken: "sent; it begins to work on it",
  revived: "sent; it was parked and comes back for it",
} as const;
