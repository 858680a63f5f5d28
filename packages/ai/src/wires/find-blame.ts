// Which tool or image a refusal is about. Vendors have no common code for it: they name a place in
// the request, or a tool, or say in words that the model does not see. All of that is read here, at
// the edge, because a session that cannot tell would be refused for good. Gateways pass on what the
// vendors behind them say, so that one table serves every wire.

import type { Blame } from "../blame.ts";
import type { ModelErrorKind, ModelFailure } from "../error.ts";
import type { ImageBlock } from "../message.ts";
import type { ModelRequest } from "../request.ts";
import { asObject, parseObject, type Json } from "./json.ts";

/** Other kinds are about the account, the load or the length. Local servers answer with a 500. */
const REFUSALS: ReadonlySet<ModelErrorKind> = new Set([
  "not_found",
  "invalid_request",
  "overloaded",
  "protocol",
]);

const MAX_NESTING = 8;

/** `sent`: the body as it went out. */
export function withBlame(
  failure: ModelFailure,
  answer: string,
  request: ModelRequest,
  sent: string,
): ModelFailure {
  if (!REFUSALS.has(failure.kind)) return failure;
  const words = [...textsIn(answer, 0)].join("\n");
  const blames = allToolsIn(words, request);
  if (blames.length === 0) blames.push(...toolsIn(`${words}\n${placesIn(answer)}`, request, sent));
  if (blames.length === 0) blames.push(...schemasIn(words, request));
  if (blames.length === 0) blames.push(...imagesIn(words, request, sent));
  if (blames.length === 0 && OLD_REASONING.some((pattern) => pattern.test(words))) {
    blames.push({ part: "reasoning" });
  }
  return blames.length === 0 ? failure : { ...failure, blames };
}

/** As vendors say that they do not take back what they gave. */
const OLD_REASONING = [
  /invalid `?signature`? in `?thinking`? block/i,
  /`?thinking`? or `?redacted_thinking`? blocks .{0,80}cannot be modified/i,
  /invalid_encrypted_content|encrypted content .{0,80}could not be (?:verified|decrypted)/i,
  /item .{1,80} of type .?reasoning.? was provided without its required following item/i,
  /item with id .?rs_\w*.? not found/i,
  /thought[ _]signature is (?:not valid|invalid|missing)/i,
];

/** Also those of an answer inside an answer, as gateways send it. */
function* textsIn(value: unknown, depth: number): Generator<string> {
  if (depth > MAX_NESTING) return;
  if (typeof value === "string") {
    const inner = /^\s*[[{]/.test(value) ? parsed(value) : undefined;
    if (inner === undefined) yield value;
    else yield* textsIn(inner, depth + 1);
  } else if (typeof value === "object" && value !== null) {
    for (const inner of Object.values(value)) yield* textsIn(inner, depth + 1);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** `"loc": ["body", "tools", 3, "function"]`, as pydantic says it. */
function placesIn(answer: string): string {
  const places = [...answer.matchAll(/"tools"\s*,\s*(\d+)/g)];
  return places.map(([, index]) => `tools.${index}`).join("\n");
}

/** As servers say that they, or a model, take no tools. */
const NO_TOOLS = [
  // Ollama
  /does(?: not|n't) support (?:tools?|tool use|tool calling|function calling)\b/i,
  // OpenRouter
  /no endpoints found that support tool use/i,
  // vLLM
  /tool choice requires --enable-auto-tool-choice/i,
  // llama.cpp
  /tools param requires --jinja/i,
  /(?:tools?|tool use|tool calling|function calling) (?:is|are) not (?:supported|enabled|available)\b/i,
];
/** OpenAI and those who repeat it, Groq. */
const MOST_TOOLS = [
  /'tools': array too long\. Expected an array with maximum length ([\d,]+)/i,
  /'tools'\s*: maximum number of items is ([\d,]+)/i,
];

function allToolsIn(words: string, { tools }: ModelRequest): Blame[] {
  if (tools.length === 0) return [];
  for (const pattern of MOST_TOOLS) {
    const most = Number(pattern.exec(words)?.[1]?.replaceAll(",", ""));
    if (most > 0) return [{ part: "tools", most }];
  }
  return NO_TOOLS.some((pattern) => pattern.test(words)) ? [{ part: "tools" }] : [];
}

/** About the schema of a tool that is not named. */
const NAMELESS_SCHEMA = [
  // Moonshot, and gateways to it
  /tools\.function\.parameters is not a valid|flavored json schema/i,
  // llama.cpp, which makes one grammar of them all
  /failed to parse grammar|json schema conversion failed|error parsing grammar/i,
];

function schemasIn(words: string, { tools }: ModelRequest): Blame[] {
  if (tools.length === 0) return [];
  return NAMELESS_SCHEMA.some((pattern) => pattern.test(words)) ? [{ part: "schemas" }] : [];
}

/** `tools.73.custom.input_schema`, `tools[5].function.parameters`, `function_declarations[11]` */
const TOOL_PLACES = [
  /function_?declarations[.[](\d+)/gi,
  /\btools[.[](\d+)(?!\]\.function_?decl)/gi,
];
/** `Invalid schema for function 'name'`, "`name` functionDeclaration" */
const TOOL_NAMES = [
  /\b(?:function|tool)\b[^'"`\n]{0,40}['"`]([^'"`\n]{1,128})['"`]/gi,
  /['"`]([^'"`\n]{1,128})['"`]\s+function_?declaration/gi,
];
const ABOUT_SCHEMAS = /schema|parameters|declaration|properties/i;
/** A local server quotes what its grammar cannot say. */
const QUOTED_SCHEMA = /unrecognized schema: (\{.*\})/i;

function toolsIn(words: string, { tools }: ModelRequest, sent: string): Blame[] {
  const names = new Set<string>();
  for (const place of TOOL_PLACES) {
    for (const [, index] of words.matchAll(place)) {
      const tool = tools[Number(index)];
      if (tool) names.add(tool.name);
    }
    if (names.size > 0) break;
  }
  if (names.size === 0 && ABOUT_SCHEMAS.test(words)) {
    for (const pattern of TOOL_NAMES) {
      for (const [, name] of words.matchAll(pattern)) {
        if (tools.some((tool) => tool.name === name)) names.add(name!);
      }
    }
  }
  if (names.size === 0) for (const name of quotedIn(words, sent)) names.add(name);
  return [...names].map((name) => ({ part: "tool", name }));
}

function quotedIn(words: string, sent: string): string[] {
  const quoted = parsed(QUOTED_SCHEMA.exec(words)?.[1] ?? "");
  if (quoted === undefined) return [];
  const text = JSON.stringify(quoted);
  const tools = (parseObject(sent)?.tools ?? []) as { function?: { name?: string } }[];
  return tools
    .filter((tool) => JSON.stringify(tool).includes(text))
    .flatMap((tool) => tool.function?.name ?? []);
}

/** As vendors and local servers say that a model does not see. */
const NO_SIGHT = [
  /at most 0 image/i,
  /'messages\.\d+\.content' ?: value must be a string/i,
  /content\.type is invalid, allowed values: \['text'\]/i,
  /copilot-vision-request/i,
  /(?:image|vision|multi-?modal)\w*(?: inputs?| content)? (?:is|are) not (?:supported|enabled|available)/i,
  /(?:does not|doesn't|do not|cannot|can't) (?:support|accept|process|handle|read|take) (?:any )?(?:image|vision|multi-?modal)/i,
  /no endpoints found that support image/i,
  /not a (?:multi-?modal|vision)/i,
  /unknown variant `image/i,
  /image(?:_url)? is only supported by/i,
  /text-only (?:server|model)/i,
  /content must be a string/i,
  /\bmmproj\b/i,
];
const BAD_IMAGE =
  /(?:process|invalid|exceed|too (?:large|many|big)|maximum|unsupported|corrupt|damaged|decod|dimension|fail|not valid)/i;
/** `messages.7.content.2.image.source.base64.data`, `input[3].content[1].image_url` */
const MESSAGE_PLACE = /\b(?:messages|input|contents)(?:\.\w+|\[\d+\]){2,}/g;

function imagesIn(words: string, request: ModelRequest, sent: string): Blame[] {
  const images = request.messages.flatMap(({ content }) =>
    (content as { type: string }[]).filter((block) => block.type === "image"),
  ) as ImageBlock[];
  if (images.length === 0) return [];
  if (NO_SIGHT.some((pattern) => pattern.test(words))) return [{ part: "sight" }];
  if (!/\bimages?\b|image_|\bimage/i.test(words)) return [];
  const body = parseObject(sent);
  const found = new Set<number>();
  for (const [place] of words.matchAll(MESSAGE_PLACE)) {
    const node = body && JSON.stringify(nodeAt(body, place) ?? "");
    const at = images.flatMap(({ data }, index) => (node?.includes(data) ? [index] : []));
    if (at.length === 1) found.add(at[0]!);
  }
  if (found.size > 0) return [...found].map((index) => ({ part: "image", index }));
  return BAD_IMAGE.test(words) ? [{ part: "image" }] : [];
}

/** As far as the place leads: vendors put the names of types into it. */
function nodeAt(body: Json, place: string): unknown {
  const steps = place.split(/[.[\]]+/).filter((step) => step !== "");
  const [first = ""] = steps;
  let at: unknown = first in body ? body : asObject(body.request);
  for (const step of steps) {
    const next = (at as Record<string, unknown> | undefined)?.[step];
    if (typeof next !== "object" || next === null) break;
    at = next;
  }
  return at;
}
