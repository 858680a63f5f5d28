// Which rules watch the stream, and which are for the prompt. Those of a project that watch need the
// user's trust: an expression can be made to take for ever, and they stop replies.

import type { StreamRule } from "./stream-rule.ts";
import type { DiscoveredItem } from "../discovery/item.ts";
import { shownText } from "../discovery/shown-text.ts";
import { watchesStream } from "../discovery/watches-stream.ts";
import { shownPath } from "../resources/local-path.ts";
import type { InstructionPlace } from "./discover-instructions.ts";
import { DEFAULT_INSTRUCTIONS } from "./instruction-settings.ts";

interface Sorting {
  place: InstructionPlace;
  root: string;
  read: (item: DiscoveredItem) => Promise<string | undefined>;
  notices: string[];
}

export interface SortedRules {
  rules: StreamRule[];
  others: DiscoveredItem[];
}

export async function sortRules(
  items: readonly DiscoveredItem[],
  { place, read, notices }: Sorting,
): Promise<SortedRules> {
  const { streamRules: settings } = place.settings ?? DEFAULT_INSTRUCTIONS;
  const known = items.filter(({ name }) => !settings.disabledRules.includes(name));
  // Most rules are for the prompt, and most users have no other: nothing more is loaded for them.
  if (!settings.enabled || !known.some(watchesStream)) return { rules: [], others: known };
  const { parseStreamRule } = await import("./stream-rule.ts");
  const isHeldBack = await holdBack(known.filter(watchesStream), place, notices);
  const rules: StreamRule[] = [];
  const others: DiscoveredItem[] = [];
  for (const item of known) {
    if (!watchesStream(item)) {
      others.push(item);
      continue;
    }
    if (isHeldBack(item)) continue;
    const { problems, ...parsed } = parseStreamRule(item.frontmatter);
    const path = shownPath(item.path, place.cwd);
    for (const problem of problems) notices.push(shownText(`${path}: ${problem}`));
    const content = parsed.kind === "stream" ? await read(item) : undefined;
    if (parsed.kind === "stream" && content) {
      rules.push({ name: item.name, path, content, ...parsed.rule });
    } else others.push(item);
  }
  return { rules, others };
}

async function holdBack(
  items: readonly DiscoveredItem[],
  { cwd, env }: InstructionPlace,
  notices: string[],
): Promise<(item: DiscoveredItem) => boolean> {
  const ofProject = items.filter(({ level }) => level === "project");
  if (ofProject.length === 0) return () => false;
  const [{ trustOf }, { heldBackNotice }] = await Promise.all([
    import("../trust/project-standing.ts"),
    import("../trust/held-back-notice.ts"),
  ]);
  const trust = await trustOf(cwd, env);
  if (trust.state === "trusted") return () => false;
  const names = ofProject.map(({ name }) => name).join(", ");
  const notice = heldBackNotice(trust, `its stream rules are ignored (${names})`);
  if (notice !== undefined) notices.push(notice);
  return ({ level }) => level === "project";
}
