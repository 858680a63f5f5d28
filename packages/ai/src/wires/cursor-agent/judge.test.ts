// Somebody else's Connect and somebody else's protobuf as the service: what we send is read, and
// what is sent to us is written, by code that is not ours. Its descriptions are made of our tables.

import { create, createFileRegistry, type DescService } from "@bufbuild/protobuf";
import {
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  FileDescriptorProtoSchema,
} from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type ServiceImpl } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { describe, expect, test } from "bun:test";
import { createServer } from "node:http2";
import { callModel } from "../../call.ts";
import { discoverModels } from "../../discovery/discover-models.ts";
import { KeptConnections } from "../../kept-connections.ts";
import { textOf, toolCallsOf, userText, type Message } from "../../message.ts";
import { resultOf, testModel, testRequest } from "../openai-testing.ts";
import { encodeJson } from "./json-value.ts";
import { CLIENT_MESSAGE, DONE, MODEL_LIST, SERVER_MESSAGE, TODO } from "./messages.ts";
import { decode, encode, type Table, type Value } from "./protobuf.ts";

const SCALARS = {
  text: Type.STRING,
  bytes: Type.BYTES,
  int: Type.INT64,
  bool: Type.BOOL,
  double: Type.DOUBLE,
};

interface MessageShape {
  name: string;
  field: {
    name: string;
    number: number;
    type: Type;
    label: Label;
    typeName?: string;
    jsonName: string;
  }[];
}

/** Every table within becomes a message of its own, named after the way to it. */
function describeTable(name: string, table: Table, into: MessageShape[]): void {
  const field = Object.entries(table).map(([key, { no: number, kind, many }]) => {
    const label = many ? Label.REPEATED : Label.OPTIONAL;
    const own = { name: key, number, label, jsonName: key };
    if (typeof kind === "string") return { ...own, type: SCALARS[kind] };
    const inner = `${name}_${key}`;
    describeTable(inner, kind, into);
    return { ...own, type: Type.MESSAGE, typeName: `.agent.v1.${inner}` };
  });
  into.push({ name, field });
}

function agentService(): DescService {
  const messageType: MessageShape[] = [];
  describeTable("Client", CLIENT_MESSAGE, messageType);
  describeTable("Server", SERVER_MESSAGE, messageType);
  describeTable("Models", MODEL_LIST, messageType);
  describeTable("Nothing", {}, messageType);
  const run = { inputType: ".agent.v1.Client", outputType: ".agent.v1.Server" };
  const list = { inputType: ".agent.v1.Nothing", outputType: ".agent.v1.Models" };
  const file = create(FileDescriptorProtoSchema, {
    name: "agent.proto",
    package: "agent.v1",
    syntax: "proto3",
    messageType,
    service: [
      {
        name: "AgentService",
        method: [
          { name: "Run", ...run, clientStreaming: true, serverStreaming: true },
          { name: "GetUsableModels", ...list },
        ],
      },
    ],
  });
  return createFileRegistry(file, () => undefined).getService("agent.v1.AgentService")!;
}

/** What it reads, by our names. */
type Said = Value<typeof CLIENT_MESSAGE>;

interface Service {
  run?: (said: AsyncIterable<Said>) => AsyncIterable<unknown>;
  getUsableModels?: () => unknown;
}

async function judge(service: Service) {
  const adapter = connectNodeAdapter({
    routes: (router) => {
      router.service(agentService(), service as Partial<ServiceImpl<DescService>>);
    },
  });
  const server = createServer(adapter as never);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}

interface Read {
  run?: Said["run"];
  context?: Value<typeof DONE>["context"];
  blob?: Said["blobs"];
  result?: Value<typeof DONE>;
}

const TOOLS = [{ name: "read", description: "Reads.", parameters: { type: "object" } }];

async function next(said: AsyncIterator<Said>): Promise<Said> {
  for (;;) {
    const { value, done } = await said.next();
    if (done === true) throw new Error("the client has left");
    if (!value.heartbeat) return value;
  }
}

describe("@connectrpc/connect-node", () => {
  test("reads a run, asks for its context and blobs, gets a call's result and is understood", async () => {
    const read: Read = {};
    await using server = await judge({
      async *run(messages) {
        const said = messages[Symbol.asyncIterator]();
        read.run = (await next(said)).run;
        yield { todo: encode(TODO, { id: 1, execId: "e", context: {} }) };
        read.context = decode(DONE, (await next(said)).done!).context;
        yield { blobs: { id: 2n, get: { name: read.run!.conversation!.prompt![0] } } };
        read.blob = (await next(said)).blobs;
        yield { update: { thinking: { text: "Hm — 日本" } } };
        yield { update: { thoughtEnded: {} } };
        yield { update: { text: { text: "Looking 👋" } } };
        const path = { key: "path", value: encodeJson("a.txt") };
        const call = { name: "tau-read", toolName: "read", callId: "c1", arguments: [path] };
        yield { todo: encode(TODO, { id: 3, execId: "f", call }) };
        read.result = decode(DONE, (await next(said)).done!);
        yield { update: { text: { text: "It is there." } } };
        yield { update: { turnEnded: { input: 7n, output: 3n } } };
      },
    });
    const model = testModel("cursor-agent", {
      baseUrl: server.url,
      id: "composer-9",
      name: "Composer",
    });
    const connections = new KeptConnections();
    const ask = (messages: Message[]) =>
      callModel(
        testRequest(model, { messages, tools: TOOLS, system: ["Be brief."], cacheKey: "s-1" }),
        {
          credential: "token",
          connections,
        },
      ).result();
    const asked = userText("Read it. 日本", 0);
    const first = await ask([asked]);
    expect(first.error).toBeUndefined();
    expect(first.content.slice(0, 2)).toEqual([
      { type: "thinking", text: "Hm — 日本" },
      { type: "text", text: "Looking 👋" },
    ]);
    expect(toolCallsOf(first)).toMatchObject([
      { id: "c1", name: "read", arguments: { path: "a.txt" } },
    ]);
    const second = await ask([asked, first, resultOf("c1", "hello")]);
    expect(textOf(second)).toBe("It is there.");
    const { run, context, blob, result } = read;
    expect(run!.action!.userMessage!.message!.text).toBe("Read it. 日本");
    expect(run!.model!.id).toBe("composer-9");
    expect(run!.conversationId).toBe("s-1");
    expect(context!.success!.context!.rules![0]!.content).toBe("Be brief.");
    expect(context!.success!.context!.tools![0]).toMatchObject({
      toolName: "read",
      provider: "tau",
    });
    expect(JSON.parse(new TextDecoder().decode(blob!.got!.data))).toEqual({
      role: "system",
      content: "Be brief.",
    });
    expect(result).toMatchObject({
      id: 3,
      execId: "f",
      result: { success: { content: [{ text: { text: "hello" } }], isError: false } },
    });
  });

  test("its errors are understood, with their code", async () => {
    await using server = await judge({
      async *run() {
        yield { update: { text: { text: "half" } } };
        const metadata = { "retry-after": "3" };
        throw new ConnectError("slow down", Code.ResourceExhausted, metadata);
      },
    });
    const model = testModel("cursor-agent", { baseUrl: server.url });
    const reply = await callModel(testRequest(model), { credential: "t" }).result();
    expect(reply.error).toMatchObject({
      kind: "rate_limit",
      code: "resource_exhausted",
      message: "slow down",
      retryAfterMs: 3000,
    });
  });

  test("its list of models is read", async () => {
    await using server = await judge({
      getUsableModels: () => ({
        models: [
          { id: "default", name: "Auto" },
          { id: "claude-opus-9", name: "Opus 9 1M", maxMode: true, thinking: {} },
          { id: "default", name: "again" },
        ],
      }),
    });
    const found = await discoverModels("cursor", {
      baseUrl: server.url,
      headers: { authorization: "Bearer t" },
    });
    expect(found).toEqual([
      { id: "default", name: "Auto", contextWindow: 200_000, thinks: false },
      {
        id: "claude-opus-9",
        name: "Opus 9 1M",
        contextWindow: 1_000_000,
        thinks: false,
        quirks: { maxMode: true },
      },
    ]);
  });
});
