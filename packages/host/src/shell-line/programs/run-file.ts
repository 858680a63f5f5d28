// Scripts in files and on the input: what the line has put there is judged, what comes from elsewhere
// is not known, and the project's own files are its work.

import { posix } from "node:path";
import { targetsOf, type CommandCall, type CommandInput } from "../command-call.ts";
import { exactText, type Field } from "../field.ts";
import { isFetched } from "../note-fetched.ts";
import { judgeWrittenScript } from "../note-written.ts";
import { sameOutcome, type Outcome } from "../shell-state.ts";

export function runScript(
  call: CommandCall,
  script: Field | undefined,
  positional?: readonly Field[],
): Outcome {
  const { effects } = call;
  const text = exactText(script);
  if (text !== undefined) return call.walk.runText(call, text, positional);
  if (script?.isDownload) effects.downloadsAndExecutes = true;
  else if (script) effects.unknown.push("its script is only known when it runs");
  return sameOutcome({ directories: undefined, variables: new Map(), positional: undefined });
}

const STANDARD_INPUT = /^(?:\/dev\/(?:stdin|fd\/0)|\/proc\/self\/fd\/0)$/;

/** A script in a file: it may do anything, and must not have come from the network. */
export function judgeFile(call: CommandCall, file: Field): void {
  const { effects, input, walk } = call;
  effects.executes = true;
  if (file.isDownload || isFetched(call, file)) effects.downloadsAndExecutes = true;
  // `bash <(echo rm x)`: what is printed is the script.
  else if (file.isPipe && file.printed !== undefined) walk.runText(call, file.printed);
  else if (file.isPipe && !isCompletion(call.node.text))
    effects.unknown.push("its script comes from elsewhere");
  else if (STANDARD_INPUT.test(posix.normalize(file.text ?? ""))) judgeInput(call, input);
  else if (/^\/dev\/(?:tcp|udp)\//.test(file.prefix)) effects.downloadsAndExecutes = true;
  else judgeWrittenScript(call, file);
}

/** `source <(kubectl completion bash)` */
function isCompletion(text: string): boolean {
  return /^(?:source|\.)\s+<\(\s*[\w.-]+\s+(?:completions?|hook|init|shellenv)(?:\s+[\w-]+)*\s*\)$/.test(
    text.trim(),
  );
}

export function judgeInput(call: CommandCall, input: CommandInput): void {
  const { effects } = call;
  if (input.isDownload) effects.downloadsAndExecutes = true;
  else if (input.text !== undefined) {
    const inner = { ...call, input: { ...input, text: undefined, isPresent: false } };
    call.walk.runText(inner, input.text, []);
  } else if (input.isPresent) effects.unknown.push("its script comes from elsewhere");
}

/** A file of code that an option names: the project's own is its work, others ask. */
export function judgeLoaded(call: CommandCall, field: Field): void {
  const { text } = field;
  const isInside =
    text !== undefined && targetsOf(call, field).every(({ place }) => place === "inside");
  if (field.isPipe || isInside) judgeFile(call, field);
  else call.effects.unknown.push(`it runs or loads ${text ?? "what is only known when it runs"}`);
}

/** What this line has put into a file that a program is given. */
export function contentOf(call: CommandCall, field: Field | undefined): string | undefined {
  if (!field || field.text === undefined || call.walk.written.size === 0) return undefined;
  for (const { path } of targetsOf(call, field)) {
    const content = path === undefined ? undefined : call.walk.written.get(path);
    if (typeof content === "object") return content.text;
  }
  return undefined;
}
