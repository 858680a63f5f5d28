// The rules by which the Messages API accepts a body, written down independently of the
// encoder and as strict as the vendor's strictest model. A rule that is broken here is a
// session that gets a 400 for ever. For tests.

import { asArray, asNumber, asObject, asString, type Json } from "../json.ts";

export interface ValidateOptions {
  /** Whether a signature was made by the model the body goes to; any is taken otherwise. */
  isOwnSignature?: (signature: string) => boolean;
}

const TOOL_ID = /^[a-zA-Z0-9_-]{1,64}$/;
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const IMAGE_TYPES = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"]);
const MAX_CACHE_MARKERS = 4;
const MIN_BUDGET_TOKENS = 1024;

/** What is wrong with a body, or nothing. */
export function validateAnthropicRequest(raw: unknown, options: ValidateOptions = {}): string[] {
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
  #toolIds = new Set<string>();
  #usesTools = false;

  constructor(body: Json, options: ValidateOptions) {
    this.#body = body;
    this.#isOwn = options.isOwnSignature ?? (() => true);
  }

  run(): void {
    const body = this.#body;
    this.#must(asString(body.model) !== undefined, "model is required");
    const max = asNumber(body.max_tokens) ?? 0;
    this.#must(Number.isInteger(max) && max >= 1, "max_tokens must be a positive integer");
    for (const block of asArray(body.system)) this.#text(asObject(block) ?? {}, "system");
    this.#messages();
    this.#tools();
    this.#thinking(max);
    const markers = JSON.stringify(body).split('"cache_control":').length - 1;
    this.#must(markers <= MAX_CACHE_MARKERS, `${markers} cache markers are too many`);
  }

  #must(holds: boolean, fault: string): void {
    if (!holds) this.faults.push(fault);
  }

  #messages(): void {
    const messages = asArray(this.#body.messages).map((message) => asObject(message) ?? {});
    this.#must(messages.length > 0, "messages: at least one message is required");
    let open: string[] = [];
    messages.forEach((message, at) => {
      const where = `messages.${at}`;
      const role = at % 2 === 0 ? "user" : "assistant";
      this.#must(message.role === role, `${where}: the role must be ${role}`);
      const blocks = asArray(message.content).map((block) => asObject(block) ?? {});
      this.#must(blocks.length > 0, `${where}: content must not be empty`);
      if (message.role === "user") {
        this.#user(blocks, open, where);
        open = [];
      } else open = this.#assistant(blocks, { where, isLast: at === messages.length - 1 });
    });
    this.#must(open.length === 0, `tool_use without tool_result at the end: ${open.join()}`);
  }

  #user(blocks: readonly Json[], open: readonly string[], where: string): void {
    const results = blocks.filter((block) => block.type === "tool_result");
    const ids = results.map((block) => String(block.tool_use_id));
    this.#must(
      JSON.stringify([...ids].sort()) === JSON.stringify([...open].sort()),
      `${where}: results ${ids.join()} do not answer calls ${open.join()}`,
    );
    const leading = blocks.slice(0, results.length);
    this.#must(
      leading.every((block) => block.type === "tool_result"),
      `${where}: results must come first`,
    );
    for (const block of blocks) {
      if (block.type !== "tool_result") this.#content(block, where);
      else this.#result(block, where);
    }
  }

  #result(block: Json, where: string): void {
    const content = asArray(block.content).map((inner) => asObject(inner) ?? {});
    this.#must(content.length > 0, `${where}: a result must not be empty`);
    for (const inner of content) {
      this.#content(inner, `${where} result`);
      const plain = block.is_error !== true || inner.type === "text";
      this.#must(plain, `${where}: where is_error is true, content must be text`);
    }
  }

  #content(block: Json, where: string): void {
    if (block.type === "text") this.#text(block, where);
    else if (block.type === "image") {
      const source = asObject(block.source) ?? {};
      this.#must(source.type === "base64", `${where}: images must be base64`);
      const known = IMAGE_TYPES.has(String(source.media_type));
      this.#must(known, `${where}: image type ${String(source.media_type)}`);
      this.#must(asString(source.data) !== "", `${where}: an image must not be empty`);
    } else this.faults.push(`${where}: a user's block may not be ${String(block.type)}`);
  }

  #text(block: Json, where: string): void {
    const text = asString(block.text) ?? "";
    this.#must(block.type === "text", `${where}: type text expected`);
    this.#must(text.trim() !== "", `${where}: text must contain non-whitespace text`);
  }

  /** Returns the calls that the next message has to answer. */
  #assistant(blocks: readonly Json[], at: { where: string; isLast: boolean }): string[] {
    const { where } = at;
    const calls: string[] = [];
    for (const block of blocks) {
      if (block.type === "text") this.#text(block, where);
      else if (block.type === "thinking") this.#signed(block.signature, where);
      else if (block.type === "redacted_thinking") this.#signed(block.data, where);
      else if (block.type === "tool_use") calls.push(this.#call(block, where));
      else this.faults.push(`${where}: a reply's block may not be ${String(block.type)}`);
    }
    const last = blocks.at(-1);
    const thought = last?.type === "thinking" || last?.type === "redacted_thinking";
    this.#must(!thought, `${where}: the final block must not be thinking`);
    if (at.isLast && last?.type === "text") {
      const text = asString(last.text) ?? "";
      this.#must(text === text.trimEnd(), `${where}: final content ends in whitespace`);
    }
    return calls;
  }

  #signed(signature: unknown, where: string): void {
    const data = asString(signature) ?? "";
    this.#must(data !== "", `${where}: thinking without signature`);
    this.#must(data === "" || this.#isOwn(data), `${where}: a signature of another origin`);
  }

  #call(block: Json, where: string): string {
    const id = asString(block.id) ?? "";
    this.#usesTools = true;
    this.#must(TOOL_ID.test(id), `${where}: tool_use.id "${id}"`);
    this.#must(!this.#toolIds.has(id), `${where}: tool_use ids must be unique: ${id}`);
    this.#toolIds.add(id);
    this.#must(TOOL_NAME.test(asString(block.name) ?? ""), `${where}: tool_use.name`);
    this.#must(asObject(block.input) !== undefined, `${where}: tool_use.input must be an object`);
    return id;
  }

  #tools(): void {
    const tools = asArray(this.#body.tools).map((tool) => asObject(tool) ?? {});
    const names = tools.map((tool) => asString(tool.name) ?? "");
    this.#must(
      tools.length > 0 || !this.#usesTools,
      "tools must be declared where history uses them",
    );
    this.#must(new Set(names).size === names.length, "tool names must be unique");
    for (const tool of tools) {
      this.#must(TOOL_NAME.test(asString(tool.name) ?? ""), "tools: name");
      this.#must(asObject(tool.input_schema)?.type === "object", "tools: input_schema.type");
    }
    const choice = asObject(this.#body.tool_choice);
    if (!choice) return;
    this.#must(tools.length > 0, "tool_choice without tools");
    if (choice.type === "tool") {
      this.#must(names.includes(asString(choice.name) ?? ""), "tool_choice names no tool");
    } else {
      this.#must(["auto", "any", "none"].includes(String(choice.type)), "tool_choice.type");
    }
  }

  #thinking(maxTokens: number): void {
    const body = this.#body;
    const temperature = asNumber(body.temperature) ?? 1;
    this.#must(temperature >= 0 && temperature <= 1, "temperature: range 0..1");
    const both = body.temperature !== undefined && body.top_p !== undefined;
    this.#must(!both, "temperature and top_p cannot both be specified");
    const thinking = asObject(body.thinking);
    if (!thinking || thinking.type === "disabled") return;
    if (thinking.type === "enabled") {
      const budget = asNumber(thinking.budget_tokens) ?? 0;
      this.#must(budget >= MIN_BUDGET_TOKENS, "budget_tokens must be at least 1024");
      this.#must(maxTokens > budget, "max_tokens must be greater than budget_tokens");
      this.#must(this.#loopBeganWithThinking(), "a tool loop must begin with thinking");
    }
    const forced = ["any", "tool"].includes(String(asObject(body.tool_choice)?.type));
    this.#must(!forced, "thinking may not be enabled when tool_choice forces tool use");
    this.#must(body.temperature === undefined, "temperature may not be set with thinking");
    this.#must((asNumber(body.top_p) ?? 1) >= 0.95, "top_p must be at least 0.95 with thinking");
    const last = asObject(asArray(body.messages).at(-1));
    this.#must(last?.role === "user", "a reply cannot be prefilled when thinking is enabled");
  }

  #loopBeganWithThinking(): boolean {
    let first: unknown;
    for (const item of asArray(this.#body.messages).toReversed()) {
      const message = asObject(item) ?? {};
      const type = asObject(asArray(message.content)[0])?.type;
      if (message.role === "assistant") first = type;
      else if (type !== "tool_result") break;
    }
    return first === undefined || first === "thinking" || first === "redacted_thinking";
  }
}
