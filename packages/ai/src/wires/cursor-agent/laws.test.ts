// Laws of the wire: JSON and messages come back from protobuf as they went in, how the network cuts
// the bytes makes no difference, and a reply comes back up to the losses that the wire has.

import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { FrameTooLarge } from "../../frame-too-large.ts";
import type { AssistantBlock, AssistantMessage } from "../../message.ts";
import { renamedOrigin, renamedReplies, renamedRequests } from "../renamed-conversation.ts";
import { testStreamLaws } from "../stream-laws.ts";
import { decodePieces, encodeEvents, eventsOf, messageOf } from "../wire-test-support.ts";
import type { AgentBody } from "./agent-body.ts";
import { Blobs } from "./blobs.ts";
import { client } from "./client.ts";
import { envelope, EnvelopeDecoder, MAX_MESSAGE_BYTES, type Envelope } from "./envelope.ts";
import { RequestGatherer } from "./gather-request.ts";
import { decodeJson, encodeJson } from "./json-value.ts";
import { CLIENT_MESSAGE, DONE, SERVER_MESSAGE, TODO } from "./messages.ts";
import { decode, encode, field, list } from "./protobuf.ts";
import { requestContext, runRequest } from "./run-request.ts";
import { server } from "./server.ts";

const NAMES = { base: "openai-completions", own: "cursor-agent" } as const;
const ORIGIN = renamedOrigin(NAMES);

describe("protobuf", () => {
  const TABLE = {
    text: field(1, "text"),
    bytes: field(2, "bytes"),
    int: field(3, "int"),
    bool: field(16, "bool"),
    double: field(5, "double"),
    inner: field(2047, { names: list(1, "text"), empty: field(2, {}) }),
  };
  const value = fc.record(
    {
      text: fc.string({ unit: "grapheme" }),
      bytes: fc.uint8Array({ maxLength: 300 }),
      int: fc.maxSafeNat(),
      bool: fc.boolean(),
      double: fc.double({ noNaN: true }),
      inner: fc.record({
        names: fc.array(fc.string({ unit: "grapheme" }), { minLength: 1 }),
        empty: fc.constant({}),
      }),
    },
    { requiredKeys: [] },
  );

  test("what is encoded is decoded", () => {
    fc.assert(
      fc.property(value, (given) => {
        expect(decode(TABLE, encode(TABLE, given))).toEqual(given);
      }),
    );
  });

  test("any bytes are a message or a SyntaxError, and so is every beginning of a message", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          value.map((it) => encode(TABLE, it)),
        ),
        fc.nat(),
        (bytes, at) => {
          try {
            decode(TABLE, bytes.subarray(0, at % (bytes.length + 1)));
          } catch (error) {
            expect(error).toBeInstanceOf(SyntaxError);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });

  test("JSON comes back as it went in", () => {
    const json = fc.jsonValue({ depthSize: "medium" });
    fc.assert(
      fc.property(json, (given) => {
        const plain: unknown = JSON.parse(JSON.stringify(given));
        expect(decodeJson(encodeJson(plain))).toEqual(plain);
      }),
    );
  });

  test("JSON that is nested without end is refused", () => {
    let bytes = encodeJson("x");
    for (let depth = 0; depth < 1000; depth++) {
      bytes = encode(
        { it: field(6, "bytes") },
        { it: encode({ it: field(1, "bytes") }, { it: bytes }) },
      );
    }
    expect(() => decodeJson(bytes)).toThrow(SyntaxError);
  });
});

describe("envelopes", () => {
  const messages = fc.array(
    fc.record({ bytes: fc.uint8Array({ maxLength: 40 }), isEnd: fc.boolean() }),
    {
      minLength: 1,
      maxLength: 4,
    },
  );

  test("every way to cut the stream in two gives the same messages", () => {
    fc.assert(
      fc.property(messages, (given) => {
        const whole = Buffer.concat(
          given.map(({ bytes, isEnd }) => envelope(bytes, isEnd ? 2 : 0)),
        );
        const expected = given.map(({ bytes, isEnd }) => ({ isEnd, message: bytes }));
        for (let place = 0; place <= whole.length; place++) {
          const got: Envelope[] = [];
          const decoder = new EnvelopeDecoder((one) => got.push(one));
          decoder.push(whole.subarray(0, place));
          decoder.push(whole.subarray(place));
          expect(got).toEqual(expected);
        }
      }),
      { numRuns: 50 },
    );
  });

  test("a compressed message is read, within the limit", () => {
    const got: Envelope[] = [];
    const decoder = new EnvelopeDecoder((one) => got.push(one));
    decoder.push(envelope(gzipSync("hello"), 1));
    expect(new TextDecoder().decode(got[0]!.message)).toBe("hello");
    const bomb = gzipSync(Buffer.alloc(MAX_MESSAGE_BYTES + 1));
    expect(() => decoder.push(envelope(bomb, 1))).toThrow(SyntaxError);
    const broken = new EnvelopeDecoder(() => undefined);
    expect(() => broken.push(envelope(Buffer.from("no gzip"), 1))).toThrow(SyntaxError);
  });

  test("a length that is a lie is refused before anything of it has come", () => {
    const decoder = new EnvelopeDecoder(() => undefined);
    expect(() => decoder.push(Uint8Array.of(0, 0x7f, 0xff, 0xff, 0xff))).toThrow(FrameTooLarge);
  });
});

/** Opaque bytes, withheld thoughts, empty blocks, why it stopped, and where texts were parted. */
function carried(message: AssistantMessage): AssistantMessage {
  const content: AssistantBlock[] = [];
  let isParted = true;
  for (const block of message.content) {
    const last = content.at(-1);
    if (block.type === "toolCall") {
      const { id, name, arguments: args } = block;
      content.push({ type: "toolCall", id, name, arguments: args });
      isParted = true;
    } else {
      if (last?.type === block.type && !isParted) last.text += block.text;
      else if (block.text !== "") content.push({ type: block.type, text: block.text });
      // The end of a thought is told, that of a text is not.
      if (block.text !== "" || block.type === "thinking") isParted = block.type === "thinking";
    }
  }
  const hasCalls = content.some(({ type }) => type === "toolCall");
  return { ...message, content, stopReason: hasCalls ? "toolUse" : "stop" };
}

describe("replies", () => {
  testStreamLaws({
    client,
    server,
    origin: ORIGIN,
    reply: renamedReplies(NAMES),
    carried,
    streamsOnly: true,
  });

  test("a failed or broken reply is one, and no broken call looks whole", () => {
    fc.assert(
      fc.property(renamedReplies(NAMES, { complete: false }), (message) => {
        const told = messageOf(eventsOf(message));
        const got = messageOf(
          decodePieces(client, [encodeEvents(server, eventsOf(message))], ORIGIN),
        );
        if (told.error) expect(got.stopReason).toMatch(/^(?:error|aborted)$/);
        const calls = (of: AssistantMessage) =>
          of.content.flatMap((block) =>
            block.type === "toolCall" && block.malformed === undefined ? [block.arguments] : [],
          );
        expect(calls(got)).toEqual(calls(told));
      }),
      { numRuns: 300 },
    );
  });
});

/** The client's side of the beginning of a run, without a network. */
function gathered(body: AgentBody): AgentBody | undefined {
  const blobs = new Blobs();
  const asked: Uint8Array[] = [];
  const gatherer = new RequestGatherer((bytes) => asked.push(bytes));
  let got = gatherer.push(envelope(runRequest(body, blobs)));
  const decoder = new EnvelopeDecoder(({ message }) => {
    const said = decode(SERVER_MESSAGE, message);
    if (said.todo) {
      const { id, execId } = decode(TODO, said.todo);
      const context = { success: { context: requestContext(body) } };
      const done = encode(DONE, { id, execId, context });
      got = gatherer.push(envelope(encode(CLIENT_MESSAGE, { done })));
    }
    const name = said.blobs?.get?.name;
    if (name) {
      const blob = { id: said.blobs!.id, got: { data: blobs.get(name) } };
      got = gatherer.push(envelope(encode(CLIENT_MESSAGE, { blobs: blob })));
    }
  });
  for (const bytes of asked) decoder.push(bytes);
  return got;
}

describe("requests", () => {
  test("any session is understood at the other end as it was meant", () => {
    fc.assert(
      fc.property(renamedRequests(NAMES), (whole) => {
        const encoded = client.encodeRequest(whole).body;
        const body = JSON.parse(JSON.stringify(encoded)) as AgentBody;
        if (body.messages.length === 0) return;
        const got = gathered(body)!;
        const { conversationId, ...told } = got;
        if (body.conversationId !== undefined) expect(conversationId).toBe(body.conversationId);
        const { conversationId: _given, ...meant } = body;
        expect(joinedLast(told)).toEqual(joinedLast(meant));
      }),
      { numRuns: 200 },
    );
  });

  test("a call has an id that the service takes, used once, and its result has the same", () => {
    fc.assert(
      fc.property(renamedRequests(NAMES), (whole) => {
        const { body } = client.encodeRequest(whole);
        const told = (body as unknown as AgentBody).messages;
        const ids = told.flatMap((message) =>
          message.role === "assistant"
            ? message.content.flatMap((part) =>
                part.type === "tool-call" ? [part.toolCallId] : [],
              )
            : [],
        );
        for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
        expect(new Set(ids).size).toBe(ids.length);
        for (const message of told) if (message.role === "tool") expect(ids).toContain(message.id);
      }),
      { numRuns: 200 },
    );
  });
});

/** What is asked now is one text with its images. */
function joinedLast(body: Omit<AgentBody, "conversationId">): unknown {
  const last = body.messages.at(-1);
  if (last?.role !== "user") return body;
  const texts = last.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const images = last.content.filter(({ type }) => type === "image");
  return {
    ...body,
    messages: [...body.messages.slice(0, -1), { texts: texts.join("\n"), images }],
  };
}
