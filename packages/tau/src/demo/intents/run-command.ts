// Runs one command, exactly as given, and reports how it ended.

import { COLUMNS, clip, count, fence, inlineCode, paragraphs, prose } from "../markdown.ts";
import { bash, failed, type Intent, type Plan } from "../plan.ts";
import { parseCommandText } from "../tool-text.ts";
import { unquote, type Utterance } from "../utterance.ts";

/** The user has seen the whole output beside the call; the answer repeats its end. */
const SHOWN_LINES = 12;

const VERB = /^(?:run|execute|exec)\s+(?:(?:the\s+|this\s+)?(?:shell\s+)?command:?\s+)?/i;
/** English rather than a command: "run the tests" names a wish that rules cannot fulfil. */
const ENGLISH = /^(?:the|my|all|our|some|this|that|it|a|an|tests?)(?:\s|$)/i;

export const runCommand: Intent = {
  title: "run a command",
  example: "run git status",
  hint: /^(?:run|execute|exec|start|git|npm|npx|bun|node|ls|cat|make|cargo|go|python3?|docker)\b/i,
  match(utterance) {
    const command = commandIn(utterance);
    return command === undefined ? undefined : run(command);
  },
};

function commandIn({ request, asked }: Utterance): string | undefined {
  const prompt = /^\$\s+(.+)$/s.exec(request);
  if (prompt !== null) return prompt[1]!.trim();
  const verb = VERB.exec(request);
  if (verb === null) return undefined;
  const rest = request.slice(verb[0].length).trim();
  const fenced = /^```[\w-]*\n(.*?)\n?```/s.exec(rest);
  // Backticks that open the text quote a command; later ones belong to it.
  const quoted = /^`([^`]+)`/.exec(rest);
  const exact = fenced?.[1] ?? quoted?.[1] ?? soleQuoted(rest);
  if (exact !== undefined) return exact.trim() || undefined;
  let bare = rest.replace(/[\s,]+(?:please|for me)[.!?]*$/i, "").replace(/(?<=\w)\.$/, "");
  if (asked) bare = bare.replace(/\s*\?$/, "");
  return bare === "" || ENGLISH.test(bare) ? undefined : bare;
}

/** `"npm test"`, where the quotes close nothing before the end. */
function soleQuoted(rest: string): string | undefined {
  const inside = unquote(rest);
  return inside === undefined || inside.includes(rest[0]!) ? undefined : inside;
}

function* run(command: string): Plan {
  const outcome = yield bash(command);
  const { output, exitCode } = parseCommandText(outcome.text);
  const name = inlineCode(clip(command.replace(/\s+/g, " "), COLUMNS - 20));
  if (!outcome.ok && (outcome.absent || exitCode === undefined)) {
    return failed(outcome, {
      tool: "bash",
      doing: `run ${name}`,
      next: "Check the command and ask again.",
    });
  }
  const lines = output === "" ? [] : output.split("\n");
  const shown = lines.slice(-SHOWN_LINES);
  const failure = exitCode !== undefined && exitCode !== 0;
  const ending = failure ? `failed with exit code ${exitCode}` : "finished with exit code 0";
  const lead =
    lines.length === 0
      ? "It printed nothing."
      : lines.length > shown.length
        ? `The last ${SHOWN_LINES} of ${count(lines.length, "line")}:`
        : "";
  return paragraphs(
    prose(`${name} ${ending}. ${lead}`),
    shown.length === 0 ? "" : fence(shown.join("\n"), "text"),
    failure ? prose("I only report what happened; finding the cause needs a real model.") : "",
  );
}
