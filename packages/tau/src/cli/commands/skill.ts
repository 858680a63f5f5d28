// `tau skill`: packages whose skills alone are wanted, from git, npm, a path or a tarball.

import type { ExitCode } from "../../exit-code.ts";
import type { ParsedArgs } from "../../feature-api/subcommand.ts";
import { pluginCommand } from "../plugin/plugin-place.ts";
import { unknownVerb, VERBS } from "./plugin.ts";

const SKILL_VERBS = ["install", "list", "remove", "update", "show"];

export async function run(args: ParsedArgs): Promise<ExitCode> {
  const [word = "list", ...rest] = args.positionals;
  if (!SKILL_VERBS.includes(word)) throw unknownVerb(word, "skill", SKILL_VERBS);
  return VERBS[word]!(await pluginCommand(args, "skills"), rest);
}
