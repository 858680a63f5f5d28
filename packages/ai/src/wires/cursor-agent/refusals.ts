// The service's agent has tools of its own that are to be run here: it reads, writes, searches and
// starts commands on the user's machine. Tau's loop owns all of that (approval, confinement, the
// log), so each is refused in the form in which its own client would refuse it, with words that send
// the model to the tools that it was given.

import { TOOL_SERVER_ID } from "./agent-body.ts";
import { CLIENT_MESSAGE } from "./messages.ts";
import { encode, field, rawFields, type Table } from "./protobuf.ts";

interface Refusal {
  /** Where the answer stands, and what of it says "refused". */
  answer: number;
  refused: number;
  reason: number;
  /** What the answer repeats of the request: its place there, and in the answer. */
  repeats?: readonly (readonly [from: number, to: number])[];
}

const PATH = [[1, 1]] as const;
const COMMAND = [
  [1, 1],
  [2, 2],
] as const;

/** By the number of the request. */
const REFUSALS: Readonly<Record<number, Refusal>> = {
  /** Run a command. */
  2: { answer: 2, refused: 4, reason: 3, repeats: COMMAND },
  /** Write a file. */
  3: { answer: 3, refused: 6, reason: 2, repeats: PATH },
  /** Delete a file. */
  4: { answer: 4, refused: 6, reason: 2, repeats: PATH },
  /** Search. */
  5: { answer: 5, refused: 2, reason: 1 },
  /** Read a file. */
  7: { answer: 7, refused: 3, reason: 2, repeats: PATH },
  /** List a directory. */
  8: { answer: 8, refused: 3, reason: 2, repeats: PATH },
  /** Diagnostics of a file. */
  9: { answer: 9, refused: 3, reason: 2, repeats: PATH },
  /** Run a command and stream what it prints. */
  14: { answer: 14, refused: 5, reason: 3, repeats: COMMAND },
  /** Start a command in the background. */
  16: { answer: 16, refused: 3, reason: 3, repeats: COMMAND },
  /** List what tool servers offer to read. */
  17: { answer: 17, refused: 3, reason: 1 },
  /** Read it. */
  18: { answer: 18, refused: 3, reason: 2, repeats: [[2, 1]] },
  /** Fetch a page. */
  20: { answer: 20, refused: 2, reason: 2, repeats: PATH },
  /** Read a file without its secrets. */
  29: { answer: 29, refused: 3, reason: 2, repeats: PATH },
};

/** May something run without asking? By leaving it empty, the answer is no. */
const PRECHECKS = new Set([41, 42, 43]);
/** What a request has besides what is to be done: ids, and where it belongs to. */
const ABOUT_THE_REQUEST = new Set([1, 15, 19, 55]);

const TOOLS = `the tools of the MCP server "${TOOL_SERVER_ID}"`;
const REASON = `This tool is not available here. Use ${TOOLS} instead; they can do the same.`;

/** The messages that answer a request which is not for us to do. */
export function refuse(todo: Uint8Array, id: number, execId: string): Uint8Array[] {
  const asked = [...rawFields(todo)].find(({ no }) => !ABOUT_THE_REQUEST.has(no));
  const refusal = asked && REFUSALS[asked.no];
  if (asked && refusal && typeof asked.given !== "number") {
    const body = refusalOf(refusal, asked.given);
    return [answer(id, execId, refusal.answer, body)];
  }
  if (asked && PRECHECKS.has(asked.no)) return [answer(id, execId, asked.no, new Uint8Array())];
  const failure = { id, error: REASON, code: "unknown_exec_variant" };
  return [
    encode(CLIENT_MESSAGE, { notDone: { failure } }),
    encode(CLIENT_MESSAGE, { notDone: { close: { id } } }),
  ];
}

function answer(id: number, execId: string, no: number, body: Uint8Array): Uint8Array {
  const done = { id: field(1, "int"), execId: field(15, "text"), answer: field(no, "bytes") };
  return encode(CLIENT_MESSAGE, { done: encode(done, { id, execId, answer: body }) });
}

function refusalOf({ refused, reason, repeats = [] }: Refusal, request: Uint8Array): Uint8Array {
  const given = new Map([...rawFields(request)].map(({ no, given: value }) => [no, value]));
  const table: Record<string, Table[string]> = { reason: field(reason, "text") };
  const value: Record<string, unknown> = { reason: REASON };
  for (const [from, to] of repeats) {
    const text = given.get(from);
    if (!(text instanceof Uint8Array)) continue;
    table[`repeated${to}`] = field(to, "bytes");
    value[`repeated${to}`] = text;
  }
  const inner = encode(table as Table, value as never);
  return encode({ refused: field(refused, "bytes") }, { refused: inner });
}

/** By the number of the question: where "no" stands in the answer, from the outside in. */
const NO: Readonly<Record<number, readonly number[]>> = {
  /** May it search the web? */
  2: [2],
  /** A question to the user. */
  3: [1, 3],
  /** May it change into another mode? */
  4: [2],
  5: [2],
  6: [2],
  /** Shows a plan. */
  7: [1, 2],
  /** May it fetch a page? */
  9: [2],
};

/** The service asks the user something, or for leave to use tools of its own. */
export function decline(question: Uint8Array): Uint8Array {
  const fields = [...rawFields(question)];
  const id = fields.find(({ no }) => no === 1)?.given;
  const asked = fields.find(({ no }) => no !== 1);
  let body = encode({ reason: field(1, "text") }, { reason: REASON });
  for (const no of (NO[asked?.no ?? 0] ?? []).toReversed()) {
    body = encode({ it: field(no, "bytes") }, { it: body });
  }
  const table = { id: field(1, "int"), answer: field(asked?.no ?? 2, "bytes") };
  const number = typeof id === "number" ? id : 0;
  return encode(CLIENT_MESSAGE, { answer: encode(table, { id: number, answer: body }) });
}
