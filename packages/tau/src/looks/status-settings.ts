// What the status line shows, as settings.

import { list, oneOf } from "../config/setting.ts";
import { settingGroup, type GroupValues } from "../config/setting-group.ts";

export const STATUS_SEGMENTS = [
  "model",
  "thinking",
  "path",
  "git",
  "title",
  "sandbox",
  "context",
  "tokens",
  "cost",
  "jobs",
  "time",
  "extensions",
] as const;
export type StatusSegment = (typeof STATUS_SEGMENTS)[number];

export const STATUS_LINE_ROWS = settingGroup("statusLine", "Status line", {
  preset: oneOf(
    ["default", "minimal", "compact", "full", "custom", "off"],
    "default",
    "Segments of the status line; `custom` uses the two lists below",
    { aliases: { nerd: "full", ascii: "default" } },
  ),
  separator: oneOf(
    ["dot", "slash", "pipe", "space"],
    "dot",
    "Separator between segments",
    // Spellings of the family whose settings open here.
    {
      aliases: {
        "powerline-thin": "dot",
        powerline: "dot",
        block: "pipe",
        ascii: "pipe",
        none: "space",
      },
    },
  ),
  leftSegments: list(`Segments on the left for \`custom\`: ${STATUS_SEGMENTS.join(", ")}`),
  rightSegments: list("Segments on the right for `custom`"),
});

export type StatusLineSettings = GroupValues<typeof STATUS_LINE_ROWS>;

export interface StatusLayout {
  left: readonly StatusSegment[];
  right: readonly StatusSegment[];
}

const PRESETS: Readonly<
  Record<Exclude<StatusLineSettings["preset"], "custom" | "off">, StatusLayout>
> = {
  default: {
    left: ["model", "thinking", "path", "git", "extensions"],
    right: ["sandbox", "jobs", "cost", "context"],
  },
  minimal: { left: ["model", "extensions"], right: ["sandbox", "context"] },
  compact: { left: ["model", "git", "extensions"], right: ["sandbox", "cost", "context"] },
  full: {
    left: ["model", "thinking", "path", "git", "title", "extensions"],
    right: ["sandbox", "jobs", "tokens", "cost", "context", "time"],
  },
};

/** Undefined: no status line. Names that are none are passed over. */
export function statusLayout(settings: StatusLineSettings): StatusLayout | undefined {
  const { preset } = settings;
  if (preset === "off") return undefined;
  if (preset !== "custom") return PRESETS[preset];
  const known = (names: readonly unknown[]): StatusSegment[] =>
    names.filter((name): name is StatusSegment =>
      (STATUS_SEGMENTS as readonly unknown[]).includes(name),
    );
  return { left: known(settings.leftSegments), right: known(settings.rightSegments) };
}
