// From a line to its response: reads it, finds the command, checks its fields, carries it out in its
// turn, and answers exactly once, with the id that came, whatever goes wrong on the way.

import { describeIssues } from "@tau/agent/schema-issue";
import { suggest } from "../../base/suggest.ts";
import { CommandLane } from "./command-lane.ts";
import type { CommandRow, RpcContext } from "./command-row.ts";
import { COMMAND_ALIASES, findRpcCommand, UNSUPPORTED } from "./command-table.ts";
import { failureOf } from "./failure.ts";
import type { InputLine } from "./line-reader.ts";
import { RpcError, type RpcId, type RpcResponse } from "./protocol.ts";

/** The longest command: a prompt with a few images of the largest size. */
export const MAX_LINE_BYTES = 32 * 1024 * 1024;
/** Of what cannot be understood, enough to recognise it. */
const SHOWN_CHARACTERS = 60;

type Fields = Readonly<Record<string, unknown>>;

interface Addressed {
  id?: RpcId;
  command: string;
}

export class Dispatcher {
  readonly #context: RpcContext;
  readonly #rows: readonly CommandRow[];
  readonly #respond: (response: RpcResponse) => void;
  readonly #lane = new CommandLane();
  readonly #atOnce = new Set<Promise<void>>();

  constructor(
    context: RpcContext,
    rows: readonly CommandRow[],
    respond: (response: RpcResponse) => void,
  ) {
    this.#context = context;
    this.#rows = rows;
    this.#respond = respond;
  }

  /** Never throws. */
  accept(line: InputLine): void {
    let address: Addressed = { command: "parse" };
    try {
      const fields = parse(line);
      if (!fields) return;
      address = addressOf(fields);
      const row = rowFor(this.#rows, fields);
      address = { ...address, command: String(fields.type) };
      const checked = row.schema.validate({ ...fields, type: row.name });
      if (!checked.ok) {
        const { jsonSchema } = row.schema;
        throw new RpcError("invalid", describeIssues(address.command, jsonSchema, checked.issues));
      }
      const bytes = line.type === "line" ? line.text.length : 0;
      this.#begin(row, checked.value, address, bytes);
    } catch (error) {
      this.#fail(address, error);
    }
  }

  /** Prompts that have not begun are dropped; what is on is told. */
  dropWork(): void {
    this.#lane.dropWork();
  }

  /** Everything that was accepted has been answered. */
  async whenIdle(): Promise<void> {
    await this.#lane.whenIdle();
    await Promise.all(this.#atOnce);
  }

  #begin(row: CommandRow, params: unknown, address: Addressed, bytes: number): void {
    const { order = "in_turn", kind } = row;
    if (order === "at_once") {
      const { signal } = new AbortController();
      const done = this.#run(row, params, address, signal);
      this.#atOnce.add(done);
      void done.then(() => this.#atOnce.delete(done));
      return;
    }
    const isTaken = this.#lane.push({
      bytes,
      order,
      isWork: kind === "work",
      run: async (signal) => {
        await this.#context.whenRead(signal);
        if (signal.aborted) this.#fail(address, dropped());
        else await this.#run(row, params, address, signal);
      },
      drop: () => this.#fail(address, dropped()),
    });
    if (!isTaken) {
      throw new RpcError("overloaded", "too many commands are waiting; read the responses first");
    }
  }

  async #run(
    row: CommandRow,
    params: unknown,
    address: Addressed,
    signal: AbortSignal,
  ): Promise<void> {
    let isAnswered = false;
    const reply = (data?: unknown): void => {
      if (isAnswered) return;
      isAnswered = true;
      this.#respond({ type: "response", ...address, success: true, data });
    };
    try {
      const data = await row.run(this.#context, params, { signal, reply });
      reply(data);
    } catch (error) {
      if (isAnswered) this.#context.report(error);
      else this.#fail(address, error);
    }
  }

  #fail(address: Addressed, error: unknown): void {
    const failure = failureOf(error);
    if (failure.code === "internal") this.#context.report(error);
    this.#respond({ type: "response", ...address, success: false, error: failure });
  }
}

function dropped(): RpcError {
  return new RpcError("aborted", "it was stopped before it started");
}

/** Undefined for a line with nothing on it. */
function parse(line: InputLine): Fields | undefined {
  if (line.type === "too_long") {
    const megabytes = MAX_LINE_BYTES / 1024 / 1024;
    throw new RpcError("too_long", `a command has at most ${megabytes} MB; this one was dropped`);
  }
  if (line.type === "no_text") throw new RpcError("parse", "the line is not UTF-8 text");
  if (line.text.trim() === "") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(line.text);
  } catch (error) {
    // Too deep for the parser is no JSON either.
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    throw new RpcError("parse", `the line is not JSON: ${shown(line.text)}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new RpcError("parse", `a command is a JSON object, not ${shown(line.text)}`);
  }
  return value as Fields;
}

function addressOf({ id, type }: Fields): Addressed {
  const command = typeof type === "string" ? type.slice(0, SHOWN_CHARACTERS) : "parse";
  if (typeof id === "string" || typeof id === "number") return { id, command };
  return { command };
}

function rowFor(rows: readonly CommandRow[], { type }: Fields): CommandRow {
  if (typeof type !== "string") {
    throw new RpcError("invalid", 'type: missing; name the command, such as "prompt"');
  }
  const row = findRpcCommand(rows, type);
  if (row) return row;
  if (Object.hasOwn(UNSUPPORTED, type)) {
    throw new RpcError("unsupported", `Tau has no ${type}: ${UNSUPPORTED[type]}`);
  }
  const names = [...rows.map(({ name }) => name), ...Object.keys(COMMAND_ALIASES)];
  const near = suggest(type.slice(0, SHOWN_CHARACTERS), names);
  const hint = near === undefined ? `there are ${names.join(", ")}` : `did you mean ${near}?`;
  throw new RpcError("unknown_command", `there is no command ${shown(type)}; ${hint}`);
}

function shown(text: string): string {
  const { length } = text;
  return length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS).toWellFormed()}…`;
}
