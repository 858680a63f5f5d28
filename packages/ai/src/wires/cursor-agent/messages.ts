// The messages of the agent service that a conversation with it needs, as tables. The service
// publishes no description of them: numbers and kinds are what its clients are seen to send and take.

import { BYTES_ENTRY, field, list } from "./protobuf.ts";

const EMPTY = {};

// What we offer.

export const TOOL = {
  name: field(1, "text"),
  description: field(2, "text"),
  /** A JSON schema, as protobuf's own JSON value. */
  schema: field(3, "bytes"),
  provider: field(4, "text"),
  toolName: field(5, "text"),
};

const RULE = {
  path: field(1, "text"),
  content: field(2, "text"),
  kind: field(3, { always: field(1, EMPTY) }),
  source: field(4, "int"),
};
/** A rule of the user's own, as opposed to the team's. */
export const USER_RULE = 2;

export const REQUEST_CONTEXT = {
  rules: list(2, RULE),
  tools: list(7, TOOL),
};

export const TOOL_SERVER = {
  name: field(1, "text"),
  id: field(2, "text"),
  tools: list(5, TOOL),
  status: field(7, "text"),
};

// A request to run.

const IMAGE = {
  uuid: field(2, "text"),
  mimeType: field(7, "text"),
  data: field(8, "bytes"),
};

export const USER_MESSAGE = {
  text: field(1, "text"),
  id: field(2, "text"),
  context: field(3, { images: list(1, IMAGE) }),
};

export const MODEL_DETAILS = {
  id: field(1, "text"),
  /** There, though empty, for a model that thinks. */
  thinking: field(2, EMPTY),
  displayId: field(3, "text"),
  name: field(4, "text"),
  maxMode: field(7, "bool"),
};

const REQUESTED_MODEL = {
  id: field(1, "text"),
  maxMode: field(2, "bool"),
  parameters: list(3, { id: field(1, "text"), value: field(2, "text") }),
};

/** Of both lists, only the names of blobs: the service asks for those that it wants to read. */
const CONVERSATION = {
  prompt: list(1, "bytes"),
  tokens: field(5, { used: field(1, "int"), most: field(2, "int") }),
  turns: list(8, "bytes"),
};

const ACTION = {
  userMessage: field(1, { message: field(1, USER_MESSAGE) }),
  resume: field(2, EMPTY),
};

export const RUN_REQUEST = {
  conversation: field(1, CONVERSATION),
  action: field(2, ACTION),
  details: field(3, MODEL_DETAILS),
  tools: field(4, { tools: list(1, TOOL) }),
  conversationId: field(5, "text"),
  model: field(9, REQUESTED_MODEL),
};

// What was said before, for the service's own account of it.

export const CALL_ARGUMENTS = {
  name: field(1, "text"),
  arguments: list(2, BYTES_ENTRY),
  callId: field(3, "text"),
  provider: field(4, "text"),
  toolName: field(5, "text"),
  /** May it run? It is not to be run yet. */
  asksOnly: field(7, "bool"),
};

export const TOOL_RESULT = {
  success: field(1, {
    content: list(1, {
      text: field(1, { text: field(1, "text") }),
      image: field(2, { data: field(1, "bytes"), mimeType: field(2, "text") }),
    }),
    isError: field(2, "bool"),
  }),
  error: field(2, { error: field(1, "text") }),
  approved: field(7, EMPTY),
};

export const STEP = {
  said: field(1, { text: field(1, "text") }),
  call: field(2, {
    tool: field(15, { arguments: field(1, CALL_ARGUMENTS), result: field(2, TOOL_RESULT) }),
    callId: field(57, "text"),
  }),
};

export const TURN = { agent: field(1, { user: field(1, "bytes"), steps: list(2, "bytes") }) };

// Both directions.

export const CLIENT_MESSAGE = {
  run: field(1, RUN_REQUEST),
  /** An answer to what is to be done here; its kinds are in refusals.ts. */
  done: field(2, "bytes"),
  blobs: field(3, {
    id: field(1, "int"),
    got: field(2, { data: field(1, "bytes") }),
    set: field(3, { error: field(1, { message: field(1, "text") }) }),
  }),
  notDone: field(5, {
    close: field(1, { id: field(1, "int") }),
    failure: field(2, { id: field(1, "int"), error: field(2, "text"), code: field(4, "text") }),
  }),
  answer: field(6, "bytes"),
  heartbeat: field(7, EMPTY),
};

const UPDATE = {
  text: field(1, { text: field(1, "text") }),
  thinking: field(4, { text: field(1, "text") }),
  thoughtEnded: field(5, EMPTY),
  tokens: field(8, { count: field(1, "int") }),
  heartbeat: field(13, EMPTY),
  turnEnded: field(14, {
    input: field(1, "int"),
    output: field(2, "int"),
    cacheRead: field(3, "int"),
    cacheWrite: field(4, "int"),
    reasoning: field(5, "int"),
  }),
};

export const SERVER_MESSAGE = {
  update: field(1, UPDATE),
  /** What is to be done here; its kinds are in refusals.ts. */
  todo: field(2, "bytes"),
  checkpoint: field(3, CONVERSATION),
  blobs: field(4, {
    id: field(1, "int"),
    get: field(2, { name: field(1, "bytes") }),
    set: field(3, { name: field(1, "bytes"), data: field(2, "bytes") }),
  }),
  question: field(7, "bytes"),
};

export const TODO = {
  id: field(1, "int"),
  context: field(10, EMPTY),
  call: field(11, CALL_ARGUMENTS),
  execId: field(15, "text"),
  toolServers: field(36, { ids: list(1, "text") }),
};

export const DONE = {
  id: field(1, "int"),
  context: field(10, { success: field(1, { context: field(1, REQUEST_CONTEXT) }) }),
  result: field(11, TOOL_RESULT),
  execId: field(15, "text"),
  toolServers: field(36, { success: field(1, { servers: list(1, TOOL_SERVER) }) }),
};

export const MODEL_LIST = { models: list(1, MODEL_DETAILS) };
