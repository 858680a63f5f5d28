// One row below the prompt: which model, where, how full, how much. Parts that have nothing to
// say are left out; where there is no room, the left ones yield from their end.

import type { Component, Rendered } from "@tau/tui/component";
import { cleanLine } from "@tau/tui/components/clean-text";
import { fitSpans, widthOfSpans, type Span } from "@tau/tui/components/spans";
import type { Theme } from "@tau/tui/theme/theme";
import type { ThemeToken } from "@tau/tui/theme/tokens";
import { fitLineMiddle } from "@tau/tui/width";
import { shortName } from "../../../feature-api/sender.ts";
import { colouredSpans } from "./coloured-spans.ts";
import type { SandboxStatus } from "../../../tools/confinement.ts";
import type { GitState } from "../git-state.ts";
import type {
  StatusLayout,
  StatusLineSettings,
  StatusSegment,
} from "../../../looks/status-settings.ts";

/** `from`: the extension's name; absent if it is Tau's own. */
export interface SentWords {
  from?: string;
  words: string;
}

/** What the line is made of. */
export interface StatusFacts {
  model: string;
  thinking: string | undefined;
  path: string;
  git: GitState | undefined;
  title: string | undefined;
  contextTokens: number;
  contextWindow: number;
  inputTokens: number;
  outputTokens: number;
  costUsd: number;
  runningJobs: number;
  runningAgents: number;
  /** As it was found; undefined if none is wanted. */
  sandbox: SandboxStatus | undefined;
  /** What features and extensions say, in a few words each; colours may be in it. */
  extensions: readonly SentWords[];
}

export interface StatusLineOptions {
  theme: Theme;
  layout: StatusLayout;
  separator: StatusLineSettings["separator"];
  facts(): StatusFacts;
}

const SEPARATORS = { dot: " · ", slash: " / ", pipe: " | ", space: "  " } as const;
/** Beyond these shares of the window it is time to think of a summary. */
const CONTEXT_WARNING = 0.7;
const CONTEXT_ALARM = 0.9;
const MAX_TITLE_COLUMNS = 30;
const MAX_PATH_COLUMNS = 32;
/** Of one extension's words. */
const MAX_WORDS_COLUMNS = 40;

export class StatusLine implements Component {
  readonly state = "live";
  readonly #options: StatusLineOptions;

  constructor(options: StatusLineOptions) {
    this.#options = options;
  }

  render(columns: number): Rendered {
    const { layout, facts } = this.#options;
    const width = Math.max(1, columns);
    const now = facts();
    const right = this.#side(layout.right, now);
    const left = this.#side(layout.left, now);
    let room = width - widthOfSpans(right) - (right.length > 0 ? 1 : 0);
    if (room < 1) return { rows: [fitSpans(right, width)], stableRows: 0 };
    const head = fitSpans(left, room);
    room -= Math.min(room, widthOfSpans(left));
    const gap = " ".repeat(room + (right.length > 0 ? 1 : 0));
    return { rows: [head + gap + fitSpans(right, width)], stableRows: 0 };
  }

  #side(segments: readonly StatusSegment[], facts: StatusFacts): Span[] {
    const { theme, separator } = this.#options;
    const between = { text: SEPARATORS[separator], paint: theme.style("statusLineSep") };
    const parts = segments.flatMap((segment) => {
      const spans = DRAW[segment](facts, theme);
      return spans.length === 0 ? [] : [spans];
    });
    return parts.flatMap((spans, index) => (index === 0 ? spans : [between, ...spans]));
  }
}

/** Empty for none. */
function counted(count: number, what: string): string {
  return count === 0 ? "" : `${count} ${what}${count === 1 ? "" : "s"}`;
}

type DrawSegment = (facts: StatusFacts, theme: Theme) => Span[];

const one = (theme: Theme, token: ThemeToken, text: string): Span[] =>
  text === "" ? [] : [{ text: cleanLine(text), paint: theme.style(token) }];

const DRAW: Readonly<Record<StatusSegment, DrawSegment>> = {
  model: ({ model }, theme) => one(theme, "statusLineModel", model),
  thinking: ({ thinking }, theme) =>
    thinking === undefined || thinking === "off" ? [] : one(theme, "statusLineModel", thinking),
  path: ({ path }, theme) =>
    one(theme, "statusLinePath", fitLineMiddle(cleanLine(path), MAX_PATH_COLUMNS)),
  git: ({ git }, theme) => {
    if (!git) return [];
    const isDirty = git.changed + git.untracked + git.staged > 0;
    const token = isDirty ? "statusLineGitDirty" : "statusLineGitClean";
    return one(theme, token, `${theme.symbols.branch} ${git.branch}${isDirty ? "*" : ""}`);
  },
  title: ({ title }, theme) =>
    one(theme, "muted", fitLineMiddle(cleanLine(title ?? ""), MAX_TITLE_COLUMNS)),
  context: ({ contextTokens, contextWindow }, theme) => {
    if (contextWindow <= 0) return [];
    const share = contextTokens / contextWindow;
    const token =
      share >= CONTEXT_ALARM ? "error" : share >= CONTEXT_WARNING ? "warning" : "statusLineContext";
    return one(theme, token, `${Math.round(share * 100)}% of ${short(contextWindow)}`);
  },
  tokens: ({ inputTokens, outputTokens }, theme) => {
    if (inputTokens + outputTokens === 0) return [];
    const { scrollUp, scrollDown } = theme.symbols;
    return one(
      theme,
      "statusLineSpend",
      `${scrollUp}${short(inputTokens)} ${scrollDown}${short(outputTokens)}`,
    );
  },
  cost: ({ costUsd }, theme) =>
    costUsd === 0 ? [] : one(theme, "statusLineCost", `$${costUsd.toFixed(costUsd < 1 ? 3 : 2)}`),
  jobs: ({ runningJobs, runningAgents }, theme) => {
    const counts = [counted(runningAgents, "agent"), counted(runningJobs, "job")];
    return one(theme, "statusLineSubagents", counts.filter(Boolean).join(", "));
  },
  sandbox: ({ sandbox }, theme) => {
    switch (sandbox?.state) {
      case undefined:
        return [];
      case "checking":
        return one(theme, "dim", `sandbox${theme.symbols.ellipsis}`);
      case "missing":
        return one(theme, "warning", "sandbox missing");
      case "in_force":
        return one(theme, "dim", sandbox.network === "on" ? "sandbox, network on" : "sandbox");
    }
  },
  extensions: ({ extensions }, theme) => sentSpans(extensions, theme),
  time: (_facts, theme) => {
    const now = new Date();
    const two = (value: number): string => String(value).padStart(2, "0");
    return one(theme, "dim", `${two(now.getHours())}:${two(now.getMinutes())}`);
  },
};

/** Tau's own first; then the word that says whose the others are, and each with its name. */
function sentSpans(all: readonly SentWords[], theme: Theme): Span[] {
  const paint = theme.style("dim");
  const own = all.filter(({ from }) => from === undefined);
  const sent = all.filter(({ from }) => from !== undefined);
  const senders = new Set(sent.map(({ from }) => from));
  const mark = senders.size > 1 ? "extensions" : "extension";
  let last: string | undefined;
  const spans = [...own, ...sent].map(({ from, words }, at): Span[] => {
    const isNew = from !== undefined && from !== last;
    last = from;
    const name = isNew ? [{ text: `${shortName(from)} `, paint }] : [];
    const first = at === own.length && from !== undefined ? [{ text: `${mark} `, paint }] : [];
    const gap = at === 0 ? [] : [{ text: "  " }];
    return [...gap, ...first, ...name, ...colouredSpans(words, MAX_WORDS_COLUMNS)];
  });
  return spans.flat();
}

/** `812`, `12k`, `1.2M`. */
export function short(count: number): string {
  if (count < 1000) return String(Math.round(count));
  if (count < 1_000_000) return `${Math.round(count / 1000)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}
