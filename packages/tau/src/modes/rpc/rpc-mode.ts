// RPC mode: a program on the other end of two pipes drives Tau, hears everything that happens, and
// answers its questions. Wires the lines, the session and the commands together; it lasts until the
// client leaves.

import { ownEnvironment } from "@tau/host/process/own-environment";
import { isExpectedFailure } from "../../base/expected-failure.ts";
import { currentDirectory } from "../../base/working-directory.ts";
import { COMMAND, VERSION } from "../../brand.ts";
import { writeError } from "../../base/output.ts";
import { isSwitchedOn } from "../../config/environment-value.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { ActiveSession, type ActiveEnd } from "../../assembly/active-session.ts";
import type { CreateSessionOptions } from "../../assembly/create-session.ts";
import type { SessionEvent } from "../../session/session-event.ts";
import { Interrupt } from "../../base/interrupt.ts";
import { AGENT_SESSIONS } from "../../feature-api/agent-sessions.ts";
import { PENDING_WORK } from "../../feature-api/pending-work.ts";
import { AgentFeed, type AgentFeedKind } from "../agent-feed.ts";
import { plainEvent } from "../json-lines.ts";
import type { RpcContext } from "./command-row.ts";
import { allRpcCommands, loadProtocols } from "./command-table.ts";
import { Dispatcher, MAX_LINE_BYTES } from "./dispatcher.ts";
import { FrameWriter, type OutgoingEvent } from "./frame-writer.ts";
import type { StdoutGuard } from "./guard-stdout.ts";
import { readLines } from "./line-reader.ts";
import { RPC_VERSION, type ReadyEvent } from "./protocol.ts";
import { Questions } from "./questions.ts";
import { RpcInterface } from "./rpc-interface.ts";
import { Runs } from "./runs.ts";
import { Settling } from "./settling.ts";
import { SessionWishes } from "./session-wishes.ts";

/** At the end: for commands to be answered, and again for the client to read what was said. */
const LAST_WORDS_MS = 2000;

export async function serveRpc(
  options: CreateSessionOptions,
  guard: StdoutGuard,
  agentEvents: AgentFeedKind = "none",
): Promise<ExitCode> {
  using interrupt = new Interrupt();
  const { cwd = currentDirectory(), env = ownEnvironment() } = options;
  // Nobody reads any more: the same as if nobody wrote any more.
  const gone = new AbortController();
  const writer = new FrameWriter(guard.write, () => gone.abort());
  const wishes = new SessionWishes(report);
  const runs = new Runs((event) => {
    writer.event(ending(event));
    if (event.type === "agent_end") settling.ended(event.end as ActiveEnd);
  });
  const settling = new Settling({
    active: () => active,
    runs,
    emit: (event) => writer.event(event),
  });
  const ending = (event: OutgoingEvent): OutgoingEvent =>
    event.type === "agent_end" ? { ...event, pending: settling.pending } : event;
  const agents = new AgentFeed({
    kind: agentEvents,
    write: (event) => writer.event(event),
    heard: ({ type }) => {
      if (type === "agent_start") settling.begun();
      if (type === "agent_end") settling.look();
    },
  });
  const questions = new Questions({
    emit: (event) => writer.event(event),
    hide: (value) => active.session.hide(value),
    runId: () => runs.current,
    stop: (agent) => void stopAt(agent).catch(report),
  });
  const ui = new RpcInterface({
    questions,
    emit: (event) => writer.event({ ...event, runId: runs.current }),
    hide: (value) => active.session.hide(value),
  });
  const active = await ActiveSession.open({
    ...options,
    ui,
    cwd,
    env,
    titles: "off",
    wakes: true,
    ask: questions.ask,
    hooks: [...(options.hooks ?? []), waitingForReader(writer)],
  });
  const notices = [...active.notices];
  const protocols = await loadProtocols(active.features, (notice) => notices.push(notice));
  const context: RpcContext = {
    active,
    protocols,
    runs,
    questions,
    wishes,
    agents,
    settling,
    compactions: { isAskedFor: false, isTold: false },
    cwd,
    env,
    whenRead: (signal) => writer.whenNot("full", signal),
    stop: async ({ agents: isAll = false } = {}) => {
      dispatcher.dropWork();
      // First: what they tell starts a run, which is stopped below.
      if (isAll) await active.part(PENDING_WORK)?.stop();
      await active.session.abort();
    },
    report,
  };
  const dispatcher = new Dispatcher(context, allRpcCommands(protocols), (response) =>
    writer.respond(response),
  );
  const stopAt = async (agent: string | undefined): Promise<void> => {
    if (agent === undefined) await context.stop();
    else await active.part(AGENT_SESSIONS)?.abort(agent);
  };
  follow(context, (event) => writer.event(ending(event)));
  greet(active, { cwd, notices }, writer);
  ui.begin();
  const ends = AbortSignal.any([gone.signal, interrupt.signal]);
  await hear(dispatcher, writer, ends);
  questions.close();
  dispatcher.dropWork();
  await active.session.abort();
  await Promise.race([dispatcher.whenIdle(), Bun.sleep(LAST_WORDS_MS)]);
  await active[Symbol.asyncDispose]();
  await Promise.race([writer.flush(), Bun.sleep(LAST_WORDS_MS)]);
  return interrupt.signal.aborted ? EXIT.interrupted : EXIT.done;
}

/** Until the client has said its last word, or is to be heard no more. */
async function hear(dispatcher: Dispatcher, writer: FrameWriter, ends: AbortSignal): Promise<void> {
  for await (const line of readLines(inputUntil(ends), { maxBytes: MAX_LINE_BYTES })) {
    // Even refusals weigh something: who floods and does not read is not heard any more.
    await writer.whenNot("flooded", ends);
    if (ends.aborted) return;
    dispatcher.accept(line);
  }
}

async function* inputUntil(ends: AbortSignal): AsyncGenerator<Uint8Array> {
  const reader = Bun.stdin.stream().getReader();
  const onEnd = (): void => {
    // What waits for the next bytes is told that there are none.
    void reader.cancel().catch(report);
  };
  if (ends.aborted) onEnd();
  else ends.addEventListener("abort", onEnd, { once: true });
  for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
}

/** A run goes on as fast as its events are read. */
function waitingForReader(writer: FrameWriter): NonNullable<CreateSessionOptions["hooks"]>[number] {
  return {
    owner: { kind: "behaviour", name: "rpc-output", order: 1001 },
    handlers: {
      request: async (_told, { signal }) => {
        await writer.whenNot("full", signal);
        return undefined;
      },
      tool_call: async (_told, { signal }) => {
        await writer.whenNot("full", signal);
        return undefined;
      },
    },
  };
}

function follow(context: RpcContext, tell: (event: OutgoingEvent) => void): void {
  const { active, runs, wishes, compactions, settling, agents } = context;
  agents.follow(active);
  const apply = (event: SessionEvent): void => {
    if (event.type === "session_changed") {
      runs.leave();
      wishes.applyTo(active);
    }
    if (event.type === "auto_compaction_start") compactions.isTold = true;
    if (event.type === "auto_compaction_end") compactions.isTold = false;
  };
  active.subscribe((event, origin) => {
    apply(event);
    const runId = runs.follow(event);
    // The session's own events are the rule: only others say whose they are.
    const isOwn = origin.session === active.session.id && origin.agent === undefined;
    tell({ ...plainEvent(event), runId, origin: isOwn ? undefined : origin });
    if (event.type === "agent_start") settling.begun();
    if (event.type === "agent_end") settling.ended(event.end);
  });
}

function greet(
  { session }: ActiveSession,
  { cwd, notices }: Pick<ReadyEvent, "cwd" | "notices">,
  writer: FrameWriter,
): void {
  const { provider, id } = session.model;
  const ready: ReadyEvent = {
    type: "ready",
    v: RPC_VERSION,
    version: VERSION,
    sessionId: session.id,
    cwd,
    model: { provider, id },
    notices,
  };
  writer.event({ ...ready });
}

/** Told to whoever looks at standard error, and the mode goes on. */
function report(error: unknown): void {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  if (isExpectedFailure(error)) return writeError(`${COMMAND}: ${message}\n`);
  writeError(`${COMMAND}: a bug: ${message}\n`);
  if (isSwitchedOn(process.env, "TAU_DEBUG")) writeError(`${stack ?? ""}\n`);
}
