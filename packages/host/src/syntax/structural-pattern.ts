// A pattern is code with holes. Many patterns are no whole program in their language (a call
// in Go, a method in Java), so they are read in the places where such code can stand until
// one of them takes it; the engine then gets that place and the node to pick from it.

import { loadEngine, type Engine, type EngineRule, type SyntaxNode } from "./engine.ts";
import { PATTERN_SPOT, type LanguageRow } from "./language-table.ts";
import { capturedNames, withExpando } from "./metavariable.ts";
import { fail, succeed, type Outcome } from "./syntax-failure.ts";
import { findFlaw, findImagined } from "./syntax-flaw.ts";

export type Strictness = "cst" | "smart" | "ast" | "relaxed" | "signature";

export interface StructuralPattern {
  pattern: string;
  /** Picks the node of this kind out of the pattern, which then is its surroundings. */
  selector?: string;
  strictness?: Strictness;
}

/** For what a pattern cannot say: kinds of nodes, what is inside, around, before and after. */
export interface StructuralRule {
  rule: EngineRule;
  constraints?: Record<string, EngineRule>;
  utils?: Record<string, EngineRule>;
}

export type StructuralQuery = StructuralPattern | StructuralRule;

export interface CompiledQuery {
  matcher: StructuralRule;
  captures: Map<string, "node" | "list">;
}

/** A pattern is a few lines; the engine reads nested ones recursively. */
const MAX_PATTERN_CHARS = 10_000;

/** The words that a member of a class begins with. */
const MODIFIER =
  /^(?:public|private|protected|internal|static|abstract|override|virtual|sealed|async)\b/;

/** How the engine writes `$` for its own grammars. */
const BUILT_IN_EXPANDO: Readonly<Record<string, string>> = { Html: "z", Css: "_" };

export async function compileQuery(
  query: StructuralQuery,
  language: LanguageRow,
): Promise<Outcome<CompiledQuery>> {
  const engine = await loadEngine();
  const why = engine.missing(language);
  if (why !== undefined) {
    return fail("language_unavailable", `There is no parser for ${language.name} here (${why}).`);
  }
  const matcher = "rule" in query ? succeed(query) : matcherOf(engine, query, language);
  if (!matcher.ok) return matcher;
  if (JSON.stringify(matcher.value).length > MAX_PATTERN_CHARS) return tooLong();
  try {
    // The engine reads a matcher when it is first used.
    engine.parse(language, "").find(asConfig(matcher.value));
  } catch (error) {
    return refused(query, language, error);
  }
  return succeed({ matcher: matcher.value, captures: capturedNames(query) });
}

/** The engine's types know no kinds of nodes of other languages. */
export function asConfig(matcher: StructuralRule): Parameters<SyntaxNode["findAll"]>[0] {
  return matcher as unknown as Parameters<SyntaxNode["findAll"]>[0];
}

function matcherOf(
  engine: Engine,
  { pattern: raw, selector, strictness = "smart" }: StructuralPattern,
  language: LanguageRow,
): Outcome<StructuralRule> {
  const pattern = raw.trim();
  if (pattern === "") {
    return fail(
      "bad_pattern",
      "The pattern is empty; write the code to look for, with $NAME for metavariables.",
    );
  }
  if (pattern.length > MAX_PATTERN_CHARS) return tooLong();
  if (selector !== undefined) {
    return succeed({ rule: { pattern: { context: pattern, selector, strictness } } });
  }
  const contexts = [...(language.patternContexts ?? [PATTERN_SPOT])];
  if (language.memberContext && MODIFIER.test(pattern)) contexts.unshift(language.memberContext);
  const spellings = pattern.endsWith("};") ? [pattern, pattern.slice(0, -1)] : [pattern];
  const readings = spellings.flatMap((spelling) =>
    contexts.map((context) => readIn(engine, language, spelling, context)),
  );
  const best =
    readings.find(({ flaw }) => flaw === "none") ?? readings.find(({ flaw }) => flaw === "holes");
  if (best) {
    // As it stands, unless it has to be picked out of surroundings.
    const rule =
      best.kind !== undefined
        ? { pattern: { context: best.code, selector: best.kind, strictness } }
        : { pattern: strictness === "smart" ? best.code : { context: best.code, strictness } };
    return succeed({ rule });
  }
  const why = readings.find(({ why }) => why !== undefined)?.why;
  return fail(
    "bad_pattern",
    `The pattern is not ${language.name} code (${why ?? "it is more than one node"}); write one whole expression, statement or declaration, or give its surroundings as the pattern and the kind of node to pick as the selector.`,
  );
}

interface Reading {
  /** `holes`: only what stands for other code is out of place, which the engine can match. */
  flaw: "none" | "holes" | "other";
  why?: string;
  /** The pattern in its surroundings. */
  code: string;
  /** The node to pick, where there are surroundings. */
  kind?: string;
}

function readIn(engine: Engine, language: LanguageRow, pattern: string, context: string): Reading {
  const { grammar } = language;
  const expando =
    "builtIn" in grammar ? (BUILT_IN_EXPANDO[grammar.builtIn] ?? "$") : grammar.expando;
  const start = context.indexOf(PATTERN_SPOT);
  const code = context.replace(PATTERN_SPOT, () => pattern);
  const root = engine.parse(language, withExpando(code, expando));
  const flaw = findFlaw(root);
  const harmless = flaw && onlyHoles(root, expando);
  if (flaw && !harmless) return { flaw: "other", why: flaw.what, code };
  const reading: Reading = { flaw: flaw ? "holes" : "none", code };
  if (context === PATTERN_SPOT) {
    return isOne(root) ? reading : { flaw: "other", why: "it is more than one node", code };
  }
  const node = nodeAt(root, start, start + withExpando(pattern, expando).length);
  if (!node) return { flaw: "other", why: "it is more than one node", code };
  // The engine picks the first of that kind, which may be in the surroundings.
  const kind = String(node.kind());
  if (root.find({ rule: { kind } })?.id() === node.id()) return { ...reading, kind };
  return { flaw: "other", why: "it is ambiguous in its surroundings", code };
}

/** As the engine sees it: down to where the pattern branches, there is one node. */
function isOne(root: SyntaxNode): boolean {
  return root.children().filter((child) => child.text().trim() !== "").length === 1;
}

/** A hole may stand where the grammar wants no name, such as for the statements of a body. */
function onlyHoles(root: SyntaxNode, expando: string): boolean {
  const holes = withExpando("$$$", expando);
  if (findImagined(root).some((node) => node.kind() !== ";")) return false;
  return root.findAll({ rule: { kind: "ERROR" } }).every((error) => {
    const text = error.text();
    return text.startsWith(expando) && (text.startsWith(holes) || /^\W?[A-Z_0-9]+$/.test(text));
  });
}

/** The node with exactly this text; of several, the innermost that is not a piece of it. */
function nodeAt(root: SyntaxNode, start: number, end: number): SyntaxNode | undefined {
  let found: SyntaxNode | undefined;
  for (let node: SyntaxNode | undefined = root; node;) {
    const range = node.range();
    if (range.start.index === start && range.end.index === end) found = node;
    node = node.children().find((child) => {
      const inner = child.range();
      return inner.start.index <= start && end <= inner.end.index;
    });
  }
  return found;
}

function tooLong() {
  return fail(
    "bad_pattern",
    `The pattern is longer than ${MAX_PATTERN_CHARS} characters; look for its distinctive part.`,
  );
}

function refused(query: StructuralQuery, language: LanguageRow, error: unknown) {
  const said = error instanceof Error ? error.message : String(error);
  // The engine tells the chain of causes, the cause itself last.
  const cause = said.split("|->").pop()!.trim().split("\n")[0];
  if ("rule" in query) {
    return fail(
      "bad_rule",
      `The rule does not fit ${language.name}: ${cause} Correct it and search again.`,
    );
  }
  return fail(
    "bad_pattern",
    `The pattern does not fit ${language.name}: ${cause} Write one node, such as an expression or a statement, or name the one to pick with a selector.`,
  );
}
