// The features that come with Tau, in the order in which the model is told of their tools. A new one
// is a folder and a line here.

import type { Feature } from "../feature-api/feature.ts";
import { astEdit } from "../tools/ast-edit/feature.ts";
import { astGrep } from "../tools/ast-grep/feature.ts";
import { bash } from "../tools/bash/feature.ts";
import { edit } from "../tools/edit/feature.ts";
import { evaluate } from "../tools/eval/feature.ts";
import { find } from "../tools/find/feature.ts";
import { jobs } from "../tools/job/feature.ts";
import { read } from "../tools/read/feature.ts";
import { search } from "../tools/search/feature.ts";
import { ssh } from "../tools/ssh/feature.ts";
import { write } from "../tools/write/feature.ts";
import { agents } from "./agents/feature.ts";
import { approval } from "./approval/feature.ts";
import { ask } from "./ask/feature.ts";
import { checkpoint } from "./checkpoint/feature.ts";
import { commandHooks } from "./command-hooks/feature.ts";
import { compaction } from "./compaction/feature.ts";
import { repository } from "./repository/feature.ts";
import { resolve } from "./resolve/feature.ts";
import { retry } from "./retry/feature.ts";
import { sampling } from "./sampling/feature.ts";
import { sandbox } from "./sandbox/feature.ts";
import { secrets } from "./secrets/feature.ts";
import { slashCommands } from "./slash-commands/feature.ts";
import { streamRules } from "./stream-rules/feature.ts";
import { titles } from "./titles/feature.ts";
import { todo } from "./todo/feature.ts";

export const BUILT_IN: readonly Feature[] = [
  read,
  write,
  edit,
  search,
  find,
  astGrep,
  astEdit,
  bash,
  jobs,
  evaluate,
  ssh,
  agents,
  ask,
  checkpoint,
  secrets,
  approval,
  sandbox,
  slashCommands,
  repository,
  sampling,
  streamRules,
  commandHooks,
  retry,
  compaction,
  resolve,
  todo,
  titles,
];

/** Whoever decides between features asks these first, wherever they stand: nobody takes a name from them. */
export function builtInFirst(features: readonly Feature[]): Feature[] {
  const isBuiltIn = (feature: Feature): boolean => BUILT_IN.includes(feature);
  return [...features.filter(isBuiltIn), ...features.filter((one) => !isBuiltIn(one))];
}
