// The rules by which generateContent accepts a body, written down independently of the
// encoder and as strict as the vendor's strictest model. A rule that is broken here is a
// session that gets a 400 for ever. For tests.

import { asArray, asNumber, asObject, asString, type Json } from "../json.ts";

export interface ValidateOptions {
  /** Whether a signature was made by the model the body goes to; any is taken otherwise. */
  isOwnSignature?: (signature: string) => boolean;
  /** Whether an id was given out by the vendor; any is taken otherwise. */
  isOwnId?: (id: string) => boolean;
  /** The model wants a signature on the first call of each step. */
  signedCalls?: boolean;
}

const NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/;
const IMAGE_TYPES = new Set(["image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"]);
/** The two values the vendor documents for calls that its own models did not make. */
const NO_SIGNATURE = new Set([
  "skip_thought_signature_validator",
  "context_engineering_is_the_way_to_go",
]);
const MODES = new Set(["AUTO", "ANY", "NONE"]);
const FIELDS = new Set([
  "contents",
  "systemInstruction",
  "tools",
  "toolConfig",
  "generationConfig",
]);

/** What is wrong with a body, or nothing. */
export function validateGoogleRequest(raw: unknown, options: ValidateOptions = {}): string[] {
  const body = asObject(raw);
  if (!body) return ["the body is no object"];
  const check = new RequestCheck(body, options);
  check.run();
  return check.faults;
}

class RequestCheck {
  readonly faults: string[] = [];
  #body: Json;
  #options: ValidateOptions;

  constructor(body: Json, options: ValidateOptions) {
    this.#body = body;
    this.#options = options;
  }

  run(): void {
    // Unknown fields are an error to this vendor.
    for (const field of Object.keys(this.#body)) this.#must(FIELDS.has(field), `unknown ${field}`);
    for (const part of asArray(asObject(this.#body.systemInstruction)?.parts)) {
      this.#must(asString(asObject(part)?.text)?.trim() !== "", "systemInstruction: empty text");
    }
    this.#contents();
    this.#tools();
    this.#generation();
  }

  #must(holds: boolean, fault: string): void {
    if (!holds) this.faults.push(fault);
  }

  #contents(): void {
    const contents = asArray(this.#body.contents).map((content) => asObject(content) ?? {});
    this.#must(contents.length > 0, "contents is not specified");
    let open: Json[] = [];
    contents.forEach((content, at) => {
      const where = `contents[${at}]`;
      const role = at % 2 === 0 ? "user" : "model";
      this.#must(content.role === role, `${where}: the role must be ${role}`);
      const parts = asArray(content.parts).map((part) => asObject(part) ?? {});
      this.#must(parts.length > 0, `${where}.parts must not be empty`);
      for (const part of parts) this.#part(part, where);
      if (content.role === "user") {
        this.#responses(parts, open, where);
        open = [];
      } else open = this.#calls(parts, where);
    });
    this.#must(contents.at(-1)?.role === "user", "requests must end with a user turn");
  }

  #part(part: Json, where: string): void {
    const data = ["text", "inlineData", "functionCall", "functionResponse"].filter(
      (field) => part[field] !== undefined,
    );
    this.#must(data.length === 1, `${where}: a part holds exactly one thing, not ${data.join()}`);
    const signature = asString(part.thoughtSignature);
    if (signature !== undefined) {
      const own = (): boolean => this.#options.isOwnSignature?.(signature) ?? true;
      this.#must(NO_SIGNATURE.has(signature) || own(), `${where}: a signature of another origin`);
    } else {
      this.#must(part.thought !== true, `${where}: a thought without signature`);
      this.#must(
        part.text === undefined || asString(part.text)?.trim() !== "",
        `${where}: empty text`,
      );
    }
    const blob = asObject(part.inlineData);
    if (blob) {
      const known = IMAGE_TYPES.has(String(blob.mimeType));
      this.#must(known, `${where}: Unsupported MIME type: ${String(blob.mimeType)}`);
      this.#must(asString(blob.data) !== "", `${where}: an image must not be empty`);
    }
  }

  /** Returns the calls that the next content has to answer. */
  #calls(parts: readonly Json[], where: string): Json[] {
    const ids = new Set<string>();
    const calls: Json[] = [];
    for (const part of parts) {
      this.#must(part.functionResponse === undefined, `${where}: a model gives no responses`);
      const call = asObject(part.functionCall);
      if (!call) continue;
      this.#must(NAME.test(asString(call.name) ?? ""), `${where}: function name`);
      this.#must(asObject(call.args) !== undefined, `${where}: args must be an object`);
      const id = asString(call.id);
      if (id !== undefined) {
        this.#must(id !== "" && !ids.has(id), `${where}: call id "${id}"`);
        this.#must(this.#options.isOwnId?.(id) ?? true, `${where}: a foreign call id "${id}"`);
        ids.add(id);
      }
      const unsigned = calls.length === 0 && part.thoughtSignature === undefined;
      this.#must(
        !(this.#options.signedCalls && unsigned),
        `${where}: function call is missing a thought_signature`,
      );
      calls.push(call);
    }
    return calls;
  }

  #responses(parts: readonly Json[], calls: readonly Json[], where: string): void {
    const responses = parts
      .map((part) => asObject(part.functionResponse))
      .filter((r) => r !== undefined);
    this.#must(
      responses.length === calls.length,
      `${where}: ${responses.length} responses to ${calls.length} calls`,
    );
    this.#must(
      parts.slice(0, responses.length).every((part) => part.functionResponse !== undefined),
      `${where}: responses must come first`,
    );
    for (const part of parts) {
      const foreign = part.functionCall !== undefined || part.thought !== undefined;
      this.#must(!foreign, `${where}: a user neither calls nor thinks`);
    }
    responses.forEach((response, at) => {
      const call = calls[at];
      this.#must(response.name === call?.name, `${where}: response ${at} names another function`);
      this.#must(response.id === call?.id, `${where}: response ${at} has another id`);
      const told = Object.keys(asObject(response.response) ?? {});
      this.#must(
        told.join() === "output" || told.join() === "error",
        `${where}: response ${at} is bare`,
      );
    });
  }

  #tools(): void {
    const names: string[] = [];
    for (const tool of asArray(this.#body.tools)) {
      for (const item of asArray(asObject(tool)?.functionDeclarations)) {
        const declaration = asObject(item) ?? {};
        names.push(asString(declaration.name) ?? "");
        this.#must(NAME.test(names.at(-1)!), "functionDeclarations: name");
        const both =
          declaration.parameters !== undefined && declaration.parametersJsonSchema !== undefined;
        this.#must(!both, "parameters and parametersJsonSchema exclude one another");
      }
    }
    this.#must(new Set(names).size === names.length, "Duplicate function declaration found");
    const config = asObject(asObject(this.#body.toolConfig)?.functionCallingConfig);
    if (!config) return;
    this.#must(names.length > 0, "function calling config without function declarations");
    this.#must(MODES.has(String(config.mode)), `mode ${String(config.mode)}`);
    const allowed = asArray(config.allowedFunctionNames).map(String);
    this.#must(
      allowed.length === 0 || config.mode === "ANY",
      "allowedFunctionNames wants mode ANY",
    );
    for (const name of allowed)
      this.#must(names.includes(name), `allowed function ${name} is unknown`);
  }

  #generation(): void {
    const config = asObject(this.#body.generationConfig) ?? {};
    const max = asNumber(config.maxOutputTokens) ?? 1;
    this.#must(Number.isInteger(max) && max >= 1, "maxOutputTokens must be positive");
    const temperature = asNumber(config.temperature) ?? 1;
    this.#must(temperature >= 0 && temperature <= 2, "temperature: range 0..2");
    const thinking = asObject(config.thinkingConfig) ?? {};
    const both = thinking.thinkingBudget !== undefined && thinking.thinkingLevel !== undefined;
    this.#must(!both, "thinking budget and level exclude one another");
  }
}
