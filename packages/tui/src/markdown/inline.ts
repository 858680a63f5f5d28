// Styles inside a line of text: emphasis, code, links, breaks. Runs in linear time over
// whatever it is given; what is not understood stays as it was written.

import type { Span } from "../components/spans.ts";
import { layered, plain, type Paint, type Theme } from "../theme/theme.ts";
import { linkTo, safeUrl } from "./safe-link.ts";

export interface InlineLook {
  theme: Theme;
  hyperlinks: "on" | "off";
  /** How text looks where nothing else is said. */
  base: Paint;
}

type Flag = "bold" | "italic" | "strike";

interface Node {
  text: string;
  kind: "text" | "code" | "break" | "delimiter";
  /** Styles and links that begin after, or end before, this node's own text. */
  opens: Flag[];
  closes: Flag[];
  linkStart?: string;
  linkEnd?: string;
  count: number;
  canOpen: boolean;
  canClose: boolean;
}

const ESCAPABLE = /[!-/:-@[-`{-~]/;
const BLANK = /\s/;
const SIGN = /[\p{P}\p{S}]/u;
const BARE_URL = /https?:\/\/[^\s<>"'`\\]+/y;
const ANGLE_LINK = /<((?:https?:\/\/|mailto:)[^\s<>]+)>/y;
const BREAK_TAG = /<br\s*\/?>/iy;
const ENTITY = /&(amp|lt|gt|quot|apos|nbsp|#39);/y;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  "#39": "'",
  nbsp: "\u00a0",
};
// `](` and up to so many characters of address and title; longer ones are text.
const LINK_TARGET =
  /\]\(\s*(?:<([^<>\n]{0,2048})>|((?:[^\s()\\]|\\.|\([^\s()]{0,512}\)){0,2048}))(?:\s+(?:"[^"\n]{0,512}"|'[^'\n]{0,512}'))?\s*\)/y;

function at(pattern: RegExp, text: string, index: number): RegExpExecArray | null {
  pattern.lastIndex = index;
  return pattern.exec(text);
}

/**
 * One list of spans for each line that a hard break makes. In a text that is `unfinished`,
 * strong text and code that are open at its end already look as they will once closed.
 */
export function parseInline(
  text: string,
  look: InlineLook,
  end: "finished" | "unfinished",
): Span[][] {
  const closed = end === "finished" ? text : text + missingBacktick(text);
  const nodes = scan(closed);
  const open = matchEmphasis(nodes);
  if (end === "unfinished") {
    for (const node of open.filter(({ text }) => text === "**")) {
      node.opens.push("bold");
      node.count = 0;
    }
  }
  return paintNodes(nodes, look);
}

/** What a code span that has begun lacks; only the plain kind is worth foreseeing. */
function missingBacktick(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const isOpen = runs.length % 2 === 1 && runs.every((run) => run === "`");
  return isOpen && !text.endsWith("`") ? "`" : "";
}

function scan(text: string): Node[] {
  const nodes: Node[] = [];
  const brackets: Node[] = [];
  const runs = backtickRuns(text);
  let pending = "";
  const push = (kind: Node["kind"], content: string, extra: Partial<Node> = {}): Node => {
    if (pending !== "") nodes.push(makeNode("text", pending));
    pending = "";
    const node = makeNode(kind, content, extra);
    nodes.push(node);
    return node;
  };
  for (let index = 0; index < text.length;) {
    const char = text[index]!;
    if (char === "\\") {
      const next = text[index + 1];
      if (next === "\n") push("break", "");
      else pending += next !== undefined && ESCAPABLE.test(next) ? next : char + (next ?? "");
      index += 2;
    } else if (char === "`") {
      index = scanCode(text, index, runs, push, (ticks) => (pending += ticks));
    } else if (char === "\n") {
      const isHard = pending.endsWith("  ");
      pending = pending.trimEnd();
      if (isHard) push("break", "");
      else pending += " ";
      index++;
      while (text[index] === " ") index++;
    } else if (char === "*" || char === "_" || char === "~") {
      let end = index;
      while (text[end] === char) end++;
      push("delimiter", text.slice(index, end), flanking(text, index, end));
      index = end;
    } else if (char === "[" || (char === "!" && text[index + 1] === "[")) {
      const mark = char === "!" ? "![" : "[";
      brackets.push(push("text", mark));
      index += mark.length;
    } else if (char === "]") {
      const opener = brackets.pop();
      const target = opener && at(LINK_TARGET, text, index);
      if (target) {
        opener.text = "";
        opener.linkStart = unescape(target[1] ?? target[2] ?? "");
        push("text", "", { linkEnd: opener.linkStart });
        index += target[0].length;
      } else {
        pending += "]";
        index++;
      }
    } else if (char === "<") {
      const link = at(ANGLE_LINK, text, index);
      const lineBreak = link ? null : at(BREAK_TAG, text, index);
      if (link) pushLink(push, link[1]!);
      else if (lineBreak) push("break", "");
      else pending += char;
      index += link?.[0].length ?? lineBreak?.[0].length ?? 1;
    } else if (char === "h" && !/\w/.test(text[index - 1] ?? "") && at(BARE_URL, text, index)) {
      const url = trimUrl(at(BARE_URL, text, index)![0]);
      // Inside `[…](…)` the address around it counts.
      if (brackets.length > 0) pending += url;
      else pushLink(push, url);
      index += url.length;
    } else if (char === "&") {
      const entity = at(ENTITY, text, index);
      pending += entity ? ENTITIES[entity[1]!]! : char;
      index += entity?.[0].length ?? 1;
    } else {
      const start = index;
      do index++;
      while (index < text.length && !SPECIAL.has(text[index]!));
      pending += text.slice(start, index);
    }
  }
  if (pending !== "") push("text", "");
  return nodes;
}

const SPECIAL = new Set("\\`\n*_~[]!<h&");

type Push = (kind: Node["kind"], content: string, extra?: Partial<Node>) => Node;

function pushLink(push: Push, url: string): void {
  push("text", "", { linkStart: url });
  push("text", url);
  push("text", "", { linkEnd: url });
}

function makeNode(kind: Node["kind"], text: string, extra: Partial<Node> = {}): Node {
  return { text, kind, opens: [], closes: [], count: 0, canOpen: false, canClose: false, ...extra };
}

/** Where runs of backticks begin, by length: finding a partner must not read on for ever. */
function backtickRuns(text: string): Map<number, number[]> {
  const runs = new Map<number, number[]>();
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    const list = runs.get(run.length);
    if (list) list.push(index);
    else runs.set(run.length, [index]);
  }
  for (const list of runs.values()) list.reverse();
  return runs;
}

function scanCode(
  text: string,
  index: number,
  runs: Map<number, number[]>,
  push: Push,
  keep: (ticks: string) => void,
): number {
  let end = index;
  while (text[end] === "`") end++;
  const length = end - index;
  const places = runs.get(length) ?? [];
  while (places.length > 0 && places.at(-1)! < end) places.pop();
  const close = places.at(-1);
  if (close === undefined) {
    keep(text.slice(index, end));
    return end;
  }
  const code = text.slice(end, close).replaceAll("\n", " ");
  const isPadded = code.startsWith(" ") && code.endsWith(" ") && code.trim() !== "";
  push("code", isPadded ? code.slice(1, -1) : code);
  return close + length;
}

function flanking(text: string, start: number, end: number): Partial<Node> {
  const before = start === 0 ? " " : text[start - 1]!;
  const after = end >= text.length ? " " : text[end]!;
  const left = !BLANK.test(after) && (!SIGN.test(after) || BLANK.test(before) || SIGN.test(before));
  const right =
    !BLANK.test(before) && (!SIGN.test(before) || BLANK.test(after) || SIGN.test(after));
  const inWords = text[start] === "_";
  return {
    count: end - start,
    canOpen: left && (!inWords || !right || SIGN.test(before)),
    canClose: right && (!inWords || !left || SIGN.test(after)),
  };
}

/** Pairs what belongs together; gives back what is still open. */
function matchEmphasis(nodes: readonly Node[]): Node[] {
  const stack: Node[] = [];
  // Below this no opener of the kind is left: a second search would find nothing again.
  const bottom: Record<string, number> = {};
  for (const node of nodes) {
    if (node.kind !== "delimiter") continue;
    const char = node.text[0]!;
    while (node.canClose && node.count > 0) {
      const opener = findOpener(stack, char, node.count, bottom[char] ?? 0);
      if (opener < 0) {
        bottom[char] = stack.length;
        break;
      }
      const partner = stack[opener]!;
      const used = partner.count >= 2 && node.count >= 2 ? 2 : 1;
      const flag: Flag = char === "~" ? "strike" : used === 2 ? "bold" : "italic";
      partner.opens.push(flag);
      node.closes.push(flag);
      partner.count -= used;
      node.count -= used;
      stack.length = partner.count > 0 ? opener + 1 : opener;
    }
    if (node.canOpen && node.count > 0) stack.push(node);
  }
  return stack.filter((node) => node.count === node.text.length);
}

function findOpener(stack: readonly Node[], char: string, count: number, bottom: number): number {
  for (let index = stack.length - 1; index >= bottom; index--) {
    const candidate = stack[index]!;
    if (candidate.text[0] !== char || candidate.count === 0) continue;
    // A single tilde is a tilde: `~/bin and ~/lib` is no struck-out text.
    if (char === "~" && (candidate.count !== 2 || count !== 2)) continue;
    return index;
  }
  return -1;
}

function paintNodes(nodes: readonly Node[], look: InlineLook): Span[][] {
  const { theme } = look;
  const lines: Span[][] = [[]];
  const depth: Record<Flag, number> = { bold: 0, italic: 0, strike: 0 };
  const links: { url: string; shown: string }[] = [];
  const paints = new Map<string, Paint>();
  const paintFor = (isCode: boolean): Paint => {
    const link = links.at(-1)?.url;
    const key = `${depth.bold > 0}${depth.italic > 0}${depth.strike > 0}${isCode}${link ?? ""}`;
    let paint = paints.get(key);
    if (!paint) {
      paint = link === undefined ? look.base : theme.style("mdLink");
      if (isCode) paint = theme.style("mdCode");
      if (depth.bold > 0) paint = layered(theme.attribute("bold"), paint);
      if (depth.italic > 0) paint = layered(theme.attribute("italic"), paint);
      if (depth.strike > 0) paint = layered(theme.attribute("strikethrough"), paint);
      const target = link === undefined || look.hyperlinks === "off" ? undefined : safeUrl(link);
      if (target !== undefined) paint = layered(linkTo(target), paint);
      paints.set(key, paint);
    }
    return paint;
  };
  const add = (text: string, paint: Paint): void => {
    if (text === "") return;
    const link = links.at(-1);
    if (link) link.shown += text;
    lines.at(-1)!.push(paint === plain ? { text } : { text, paint });
  };
  for (const node of nodes) {
    for (const flag of node.closes) depth[flag]--;
    if (node.kind === "break") lines.push([]);
    else if (node.kind === "delimiter") add(node.text.slice(0, node.count), paintFor(false));
    else add(node.text, paintFor(node.kind === "code"));
    for (const flag of node.opens) depth[flag]++;
    if (node.linkStart !== undefined) links.push({ url: node.linkStart, shown: "" });
    if (node.linkEnd === undefined) continue;
    const link = links.pop();
    // Without clickable text the address has to be readable.
    if (link && look.hyperlinks === "off" && link.url !== "" && link.shown !== link.url) {
      add(` (${link.url})`, theme.style("mdLinkUrl"));
    }
  }
  return lines;
}

function trimUrl(url: string): string {
  const trimmed = url.replace(/[.,;:!?*_~]+$/, "");
  const opened = trimmed.split("(").length;
  return trimmed.endsWith(")") && trimmed.split(")").length > opened
    ? trimmed.slice(0, -1)
    : trimmed;
}

const unescape = (text: string): string => text.replace(/\\([!-/:-@[-`{-~])/g, "$1");
