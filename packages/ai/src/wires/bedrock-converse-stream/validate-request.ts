// The rules by which Converse accepts a body, written down independently of the encoder and
// as strict as the strictest of its models. A rule that is broken here is a session that
// gets a 400 for ever. For tests.

import { asArray, asNumber, asObject, asString, type Json } from "../json.ts";

export interface ValidateOptions {
  /** Whether a signature was made by the model the body goes to; any is taken otherwise. */
  isOwnSignature?: (signature: string) => boolean;
}

const TOOL_ID = /^[a-zA-Z0-9_-]{1,64}$/;
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const FORMATS = new Set(["png", "jpeg", "gif", "webp"]);
const FIELDS = new Set([
  "messages",
  "system",
  "inferenceConfig",
  "toolConfig",
  "additionalModelRequestFields",
]);
const MAX_CACHE_POINTS = 4;
const MIN_BUDGET_TOKENS = 1024;

/** What is wrong with a body, or nothing. */
export function validateConverseRequest(raw: unknown, options: ValidateOptions = {}): string[] {
  const body = asObject(raw);
  if (!body) return ["the body is no object"];
  const check = new RequestCheck(body, options);
  check.run();
  return check.faults;
}

class RequestCheck {
  readonly faults: string[] = [];
  #body: Json;
  #isOwn: (signature: string) => boolean;
  #ids = new Set<string>();

  constructor(body: Json, options: ValidateOptions) {
    this.#body = body;
    this.#isOwn = options.isOwnSignature ?? (() => true);
  }

  run(): void {
    for (const field of Object.keys(this.#body)) this.#must(FIELDS.has(field), `unknown ${field}`);
    for (const item of asArray(this.#body.system)) {
      const block = this.#one(item, "system");
      if (block.cachePoint === undefined) this.#text(block.text, "system");
    }
    this.#messages();
    this.#toolConfig();
    this.#thinking(this.#inference());
    const points = JSON.stringify(this.#body).split('"cachePoint":').length - 1;
    this.#must(points <= MAX_CACHE_POINTS, `${points} cache points are too many`);
  }

  #must(holds: boolean, fault: string): void {
    if (!holds) this.faults.push(fault);
  }

  /** Every member of the vendor's unions is an object with one key. */
  #one(item: unknown, where: string): Json {
    const block = asObject(item) ?? {};
    this.#must(Object.keys(block).length === 1, `${where}: a union must set one member`);
    return block;
  }

  #text(value: unknown, where: string): void {
    this.#must((asString(value) ?? "").trim() !== "", `${where}: the text field is blank`);
  }

  #messages(): void {
    const messages = asArray(this.#body.messages).map((message) => asObject(message) ?? {});
    this.#must(messages.length > 0, "a conversation must start with a user message");
    let open: string[] = [];
    messages.forEach((message, at) => {
      const where = `messages.${at}`;
      const role = at % 2 === 0 ? "user" : "assistant";
      this.#must(message.role === role, `${where}: roles must alternate`);
      const blocks = asArray(message.content).map((item) => this.#one(item, where));
      const said = blocks.filter((block) => block.cachePoint === undefined);
      this.#must(said.length > 0, `${where}: the content field is empty`);
      this.#must(blocks[0]?.cachePoint === undefined, `${where}: a cache point behind nothing`);
      if (message.role === "user") open = this.#user(said, open, where);
      else open = this.#assistant(said, where);
    });
    this.#must(messages.at(-1)?.role === "user", "a conversation must end with a user message");
    this.#must(open.length === 0, "toolUse without toolResult");
  }

  #user(blocks: readonly Json[], open: readonly string[], where: string): string[] {
    const results = blocks.filter((block) => block.toolResult !== undefined);
    const ids = results.map((block) => String(asObject(block.toolResult)?.toolUseId));
    const answers = JSON.stringify([...ids].sort()) === JSON.stringify([...open].sort());
    this.#must(answers, `${where}: results ${ids.join()} do not answer calls ${open.join()}`);
    const leading = blocks.slice(0, results.length);
    const first = leading.every((block) => block.toolResult !== undefined);
    this.#must(first, `${where}: results must come first`);
    for (const block of blocks) {
      const result = asObject(block.toolResult);
      if (!result) this.#input(block, where);
      else {
        this.#must(["success", "error"].includes(String(result.status)), `${where}: status`);
        const content = asArray(result.content);
        this.#must(content.length > 0, `${where}: a result must not be empty`);
        for (const inner of content) this.#input(this.#one(inner, where), `${where} result`);
      }
    }
    return [];
  }

  #input(block: Json, where: string): void {
    const image = asObject(block.image);
    if (!image) {
      this.#text(block.text, where);
      return;
    }
    this.#must(FORMATS.has(String(image.format)), `${where}: format ${String(image.format)}`);
    const bytes = asString(asObject(image.source)?.bytes) ?? "";
    this.#must(bytes !== "" && BASE64.test(bytes), `${where}: an image must be base64`);
  }

  /** Returns the calls that the next message has to answer. */
  #assistant(blocks: readonly Json[], where: string): string[] {
    const calls: string[] = [];
    for (const block of blocks) {
      const call = asObject(block.toolUse);
      const reasoning = asObject(block.reasoningContent);
      if (call) calls.push(this.#call(call, where));
      else if (reasoning) this.#reasoning(reasoning, where);
      else this.#text(block.text, where);
    }
    const last = blocks.at(-1);
    this.#must(last?.reasoningContent === undefined, `${where}: ends in reasoning`);
    return calls;
  }

  #call(call: Json, where: string): string {
    const id = asString(call.toolUseId) ?? "";
    this.#must(TOOL_ID.test(id), `${where}: toolUseId "${id}"`);
    this.#must(!this.#ids.has(id), `${where}: duplicate toolUseId ${id}`);
    this.#ids.add(id);
    this.#must(TOOL_NAME.test(asString(call.name) ?? ""), `${where}: toolUse.name`);
    this.#must(asObject(call.input) !== undefined, `${where}: toolUse.input must be an object`);
    return id;
  }

  #reasoning(reasoning: Json, where: string): void {
    this.#one(reasoning, where);
    const redacted = asString(reasoning.redactedContent);
    const signature = redacted ?? asString(asObject(reasoning.reasoningText)?.signature) ?? "";
    this.#must(signature !== "", `${where}: reasoning without signature`);
    this.#must(signature === "" || this.#isOwn(signature), `${where}: a foreign signature`);
    this.#must(redacted === undefined || BASE64.test(redacted), `${where}: redacted bytes`);
  }

  #toolConfig(): void {
    const config = asObject(this.#body.toolConfig);
    this.#must(config !== undefined || this.#ids.size === 0, "toolConfig must be defined");
    if (!config) return;
    const specs = asArray(config.tools)
      .map((item) => this.#one(item, "tools"))
      .filter((item) => item.cachePoint === undefined)
      .map((item) => asObject(item.toolSpec) ?? {});
    const names = specs.map((spec) => asString(spec.name) ?? "");
    this.#must(specs.length > 0, "tools must not be empty");
    this.#must(new Set(names).size === names.length, "tool names must be unique");
    for (const spec of specs) {
      this.#must(TOOL_NAME.test(asString(spec.name) ?? ""), "toolSpec.name");
      this.#must(spec.description !== "", "toolSpec.description must not be empty");
      this.#must(asObject(asObject(spec.inputSchema)?.json)?.type === "object", "inputSchema");
    }
    if (config.toolChoice === undefined) return;
    const choice = this.#one(config.toolChoice, "toolChoice");
    const known = Object.keys(choice).every((key) => ["auto", "any", "tool"].includes(key));
    this.#must(known, "toolChoice");
    const name = asString(asObject(choice.tool)?.name);
    this.#must(name === undefined || names.includes(name), "toolChoice names no tool");
  }

  #inference(): number {
    const config = asObject(this.#body.inferenceConfig) ?? {};
    const max = asNumber(config.maxTokens) ?? 0;
    this.#must(Number.isInteger(max) && max >= 1, "maxTokens must be a positive integer");
    const { temperature = 0, topP = 0 } = config as { temperature?: number; topP?: number };
    this.#must(temperature >= 0 && temperature <= 1, "temperature: range 0..1");
    this.#must(topP >= 0 && topP <= 1, "topP: range 0..1");
    return max;
  }

  #thinking(maxTokens: number): void {
    const thinking = asObject(asObject(this.#body.additionalModelRequestFields)?.thinking);
    if (thinking?.type !== "enabled") return;
    const budget = asNumber(thinking.budget_tokens) ?? 0;
    this.#must(budget >= MIN_BUDGET_TOKENS && budget < maxTokens, `budget_tokens ${budget}`);
    const choice = asObject(asObject(this.#body.toolConfig)?.toolChoice) ?? {};
    this.#must(choice.any === undefined && choice.tool === undefined, "thinking, tool forced");
    const config = asObject(this.#body.inferenceConfig) ?? {};
    this.#must(config.temperature === undefined, "temperature may not be set with thinking");
  }
}
