// Says what the demo is, what it can do and how to get a real model: the answer to
// greetings and questions about itself, and to every request it does not understand.

import { bullets, clip, inlineCode, paragraphs, prose, table } from "../markdown.ts";
import type { Intent, Plan } from "../plan.ts";
import type { Utterance } from "../utterance.ts";

const WHAT_IT_IS =
  "I am `tau/demo`, a small program built into Tau. I am not a language model: I follow a " +
  "few fixed rules, work offline, and use the same tools on your files as a real model would.";

/** How much of a request is quoted back: enough to recognise it. */
const QUOTED_COLUMNS = 56;

/** Questions about the demo itself, and how the answer to each begins. */
const OPENINGS: readonly { asks: RegExp; say: string }[] = [
  {
    asks: /^(?:hi|hello|hey|hallo|howdy|yo|good (?:morning|afternoon|evening|day))\b/i,
    say: "Hello.",
  },
  {
    asks: /^(?:thanks?|thank you|thx|cheers|great|nice|cool|ok(?:ay)?)\b/i,
    say: "You are welcome.",
  },
  { asks: /^(?:bye|goodbye|quit|exit)$/i, say: "Goodbye. Press Ctrl+D to leave Tau." },
  { asks: /^(?:\?+$|\/?(?:help|usage|tour|demo|what now|get(?:ting)? started)\b)/i, say: "" },
  { asks: /^(?:who|what)(?:'s|\s+is|\s+are)?\s+(?:you|tau|this tool|your name)\b/i, say: "" },
  { asks: /^(?:what|which)\s+(?:\w+\s+)?(?:can|do|could)\s+you\b/i, say: "" },
  { asks: /^(?:what|which)\s+(?:ai|llm|(?:language\s+)?model)\b/i, say: "" },
  { asks: /^are you\b/i, say: "" },
  { asks: /\b(?:api[ _]?key|connect|configure|real model|use (?:a )?model)\b/i, say: "" },
];

// oxlint-disable-next-line require-yield -- a plan that needs no tool is a plan all the same
export function* introduce(utterance: Utterance, abilities: readonly Intent[]): Plan {
  const { sentence } = utterance;
  if (sentence === "") return introduction("", abilities);
  const opening = OPENINGS.find(
    (each) => each.asks.test(sentence) || each.asks.test(utterance.raw.trim()),
  );
  if (opening !== undefined) return introduction(opening.say, abilities);
  const nearest = abilities.find((ability) => ability.hint.test(sentence));
  const advice = nearest === undefined ? "" : adviceFor(nearest);
  const length = utterance.whole ? "" : " (it is longer than a request to me can be)";
  return paragraphs(
    prose(
      `I did not understand this request: ${inlineCode(clip(sentence, QUOTED_COLUMNS))}${length}`,
    ),
    advice,
    introduction("", abilities),
  );
}

function adviceFor(ability: Intent): string {
  return prose(
    `The nearest thing I can do is to ${ability.title}. Write it like this: ${inlineCode(ability.example)}`,
  );
}

function introduction(opening: string, abilities: readonly Intent[]): string {
  return paragraphs(
    prose(`${opening} ${WHAT_IT_IS}`),
    "What I can do:",
    table(
      [{ title: "Ability" }, { title: "Example" }],
      abilities.map((ability) => [ability.title, inlineCode(ability.example)]),
    ),
    "To work with a real model, start Tau again with one of these:",
    bullets([
      "`ANTHROPIC_API_KEY`, `OPENAI_API_KEY` or `GEMINI_API_KEY` set",
      "`tau --model ollama/NAME` for a model on a local server",
    ]),
    "`tau --help` lists everything else.",
  );
}
