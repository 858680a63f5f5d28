// Looks for rules in a reply while it arrives. Each block has a text of its own; what is new of it is
// searched together with what came before, so that a match may be cut anywhere by the network.

import type { StreamEvent } from "@tau/ai/event";
import { callText, type CallText } from "./call-text.ts";
import type { StreamRule, StreamSource } from "../../context/stream-rule.ts";

export interface RuleMatch {
  rule: StreamRule;
  source: StreamSource;
  /** Of the call, where it is one. */
  callId?: string;
}

/** How far back a match may begin before what is new, in UTF-16 units. */
const REACH = 8192;
/** Replies come in thousands of pieces: not every few letters are worth a search. */
const SEARCH_EVERY = 48;
/** Arguments are read anew from their beginning. */
const READ_EVERY = 512;

interface Block {
  source: StreamSource;
  /** As it came: for a call, the JSON of its arguments. */
  raw: string;
  /** How much of it has been searched. */
  seen: number;
  tool?: { name: string; id: string };
}

export class StreamWatch {
  readonly #rules: readonly StreamRule[];
  #blocks = new Map<number, Block>();
  /** Each once in a reply. */
  #found = new Set<string>();

  constructor(rules: readonly StreamRule[]) {
    this.#rules = rules;
  }

  /** Rules that this event has completed a match of. `isEligible` is asked only then. */
  see(event: StreamEvent, isEligible: (rule: StreamRule) => boolean): RuleMatch[] {
    switch (event.type) {
      case "start":
        this.#blocks = new Map();
        this.#found = new Set();
        return [];
      case "text_start":
        return this.#open(event.index, { source: "text", raw: "", seen: 0 });
      case "thinking_start":
        return this.#open(event.index, { source: "thinking", raw: "", seen: 0 });
      case "toolcall_start": {
        const tool = { name: event.name, id: event.id };
        return this.#open(event.index, { source: "tool", raw: "", seen: 0, tool });
      }
      case "text_delta":
      case "thinking_delta":
      case "toolcall_delta":
        return this.#grow(event.index, event.delta, isEligible);
      case "text_end":
      case "thinking_end": {
        const block = this.#blocks.get(event.index);
        return block ? this.#inProse(block, isEligible) : [];
      }
      case "toolcall_end": {
        const { id, name, arguments: args, malformed } = event.block;
        const json = malformed ?? JSON.stringify(args);
        return this.#inCall({ id, name }, callText(name, json), isEligible);
      }
      default:
        return [];
    }
  }

  #open(index: number, block: Block): RuleMatch[] {
    this.#blocks.set(index, block);
    return [];
  }

  #grow(index: number, delta: string, isEligible: (rule: StreamRule) => boolean): RuleMatch[] {
    const block = this.#blocks.get(index);
    if (!block) return [];
    block.raw += delta;
    const { raw, seen, tool } = block;
    if (raw.length - seen < (tool ? READ_EVERY : SEARCH_EVERY)) return [];
    if (!tool) return this.#inProse(block, isEligible);
    block.seen = raw.length;
    return this.#inCall(tool, callText(tool.name, raw), isEligible);
  }

  #inProse(block: Block, isEligible: (rule: StreamRule) => boolean): RuleMatch[] {
    const { source, raw, seen } = block;
    block.seen = raw.length;
    return this.#matches((rule) => {
      if (!rule.prose.has(source) || rule.globs.length > 0) return false;
      return isFound(rule, raw, seen) && isEligible(rule);
    }).map((rule) => ({ rule, source }));
  }

  #inCall(
    { name, id }: { name: string; id: string },
    { text, paths }: CallText,
    isEligible: (rule: StreamRule) => boolean,
  ): RuleMatch[] {
    return this.#matches((rule) => {
      const isAbout = rule.tools.some(
        ({ tool, glob }) =>
          (tool === undefined || tool === name) && (glob === undefined || fitsOne([glob], paths)),
      );
      if (!isAbout || (rule.globs.length > 0 && !fitsOne(rule.globs, paths))) return false;
      return isFound(rule, text, 0) && isEligible(rule);
    }).map((rule) => ({ rule, source: "tool", callId: id }));
  }

  #matches(isMatch: (rule: StreamRule) => boolean): StreamRule[] {
    const found = this.#rules.filter((rule) => !this.#found.has(rule.name) && isMatch(rule));
    for (const { name } of found) this.#found.add(name);
    return found;
  }
}

/** In what came from `from` on, or begins a little before it. */
function isFound({ conditions }: StreamRule, text: string, from: number): boolean {
  return conditions.some((condition) => {
    // From there within the whole, so that anchors mean what they say.
    condition.lastIndex = Math.max(0, from - REACH);
    return condition.test(text);
  });
}

export function fitsOne(globs: readonly string[], paths: readonly string[]): boolean {
  return globs.some((glob) => {
    // A pattern without a slash is about names, wherever the file is.
    const pattern = new Bun.Glob(glob.includes("/") ? glob : `**/${glob}`);
    return paths.some((path) => pattern.match(path.replace(/^\.\//, "")));
  });
}
