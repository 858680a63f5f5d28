// A rule that watches the stream, from the frontmatter of a rule file: what it looks for, where, and
// what happens then. It costs no context until it is broken.

import { INTERRUPT_MODES, type InterruptMode } from "./stream-rule-settings.ts";

export type StreamSource = "text" | "thinking" | "tool";

export interface ToolScope {
  /** Any tool where absent. */
  tool?: string;
  /** Only calls about such a file. */
  glob?: string;
}

export interface StreamRule {
  name: string;
  /** The rule's file, as the user sees it. */
  path: string;
  /** What the model is told. */
  content: string;
  /** One of them has to be found; global, so that a search can begin where the last one ended. */
  conditions: readonly RegExp[];
  /** Or one of these, as code with holes, in what an edit or a write would put into a file. */
  structures: readonly string[];
  prose: ReadonlySet<StreamSource>;
  tools: readonly ToolScope[];
  /** One of them has to fit a file of the call. */
  globs: readonly string[];
  interruptMode?: InterruptMode;
}

export type ParsedRule =
  /** Its conditions may all be broken: then it is a rule like any other. */
  | { kind: "plain"; problems: string[] }
  | { kind: "stream"; rule: Omit<StreamRule, "name" | "path" | "content">; problems: string[] };

type Frontmatter = Readonly<Record<string, unknown>>;

export function parseStreamRule(frontmatter: Frontmatter): ParsedRule {
  const problems: string[] = [];
  const conditions: RegExp[] = [];
  const shorthand: string[] = [];
  for (const text of conditionsOf(frontmatter)) {
    if (isFileGlob(text)) {
      shorthand.push(`tool:edit(${text})`, `tool:write(${text})`);
      continue;
    }
    const compiled = compile(text);
    if (compiled) conditions.push(compiled);
    else problems.push(`the condition ${text} is not a regular expression`);
  }
  if (shorthand.length > 0 && conditions.length === 0) conditions.push(/[^]/g);
  const structures = wordsOf(frontmatter.astCondition);
  if (conditions.length + structures.length === 0) return { kind: "plain", problems };
  const words = [...wordsOf(frontmatter.scope), ...shorthand];
  const scope = scopeOf(words.length === 0 ? DEFAULT_SCOPE : words, problems);
  if (scope.prose.size === 0 && scope.tools.length === 0) return { kind: "plain", problems };
  const mode = INTERRUPT_MODES.find((one) => one === frontmatter.interruptMode);
  const globs = wordsOf(frontmatter.globs).flatMap((one) => one.split(/\s*,\s*(?![^{]*\})/));
  return {
    kind: "stream",
    rule: { conditions, structures, ...scope, globs, interruptMode: mode },
    problems,
  };
}

/** Thinking about something is not doing it: whoever wants that watched says so. */
const DEFAULT_SCOPE = ["text", "tool"];
const TOOL_SCOPE = /^tool(?::([\w.*-]+)(?:\((.+)\))?)?$/;

function scopeOf(words: readonly string[], problems: string[]) {
  const prose = new Set<StreamSource>();
  const tools: ToolScope[] = [];
  for (const word of words) {
    const tool = TOOL_SCOPE.exec(word);
    if (word === "prose") prose.add("text").add("thinking");
    else if (word === "text" || word === "thinking") prose.add(word);
    else if (tool) {
      const [, name, glob] = tool;
      tools.push({
        tool: name === undefined || name === "*" ? undefined : name,
        glob,
      });
    } else
      problems.push(`the scope ${word} must be text, thinking, prose, tool or tool:NAME(GLOB)`);
  }
  return { prose, tools };
}

/** Also under the names that it had before. */
function conditionsOf({ condition, ttsr_trigger, ttsrTrigger }: Frontmatter): string[] {
  return wordsOf(condition ?? ttsr_trigger ?? ttsrTrigger);
}

function wordsOf(given: unknown): string[] {
  const all = Array.isArray(given) ? given : [given];
  return all.flatMap((one) => (typeof one === "string" && one.trim() !== "" ? [one.trim()] : []));
}

/** `*.ts`, `src/**` and the like, which as regular expressions would mean nothing. */
function isFileGlob(text: string): boolean {
  if (!text.includes("*") || /[\\()[\]^$+|\s]/.test(text)) return false;
  return text.startsWith("*") || text.includes("/*") || text.includes("**");
}

const LITERAL = /^\/((?:[^/\\]|\\.)+)\/([a-z]*)$/s;
/** As other languages write flags. */
const LEADING_FLAGS = /^\(\?([ims]+)\)/;

function compile(text: string): RegExp | undefined {
  const literal = LITERAL.exec(text);
  const [source, flags] = literal ? [literal[1]!, literal[2]!] : [text, ""];
  const leading = LEADING_FLAGS.exec(source);
  const all = new Set(`g${flags.replace(/[gy]/g, "")}${leading?.[1] ?? ""}`);
  try {
    return new RegExp(leading ? source.slice(leading[0].length) : source, [...all].join(""));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
