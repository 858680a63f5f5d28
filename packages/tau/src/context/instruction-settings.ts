// What the user wants of all that lies around for models: which tools' files, which skills, and how
// rules behave that watch the stream.

import {
  DEFAULT_STREAM_RULES,
  STREAM_RULE_ROWS,
  type StreamRuleSettings,
} from "./stream-rule-settings.ts";
import { flag, list } from "../config/setting.ts";
import { defaultsOf, settingGroup, type GroupValues } from "../config/setting-group.ts";
import type { Settings } from "../config/settings.ts";
import { disabledSourcesFrom } from "../discovery/settings.ts";
import type { SourceId } from "../config/sources.ts";

export const SKILL_ROWS = settingGroup("skills", "Skills", {
  enabled: flag(true, "Whether the model is told about skills"),
  enableSkillCommands: flag(true, "Whether `/skill:NAME` runs a skill"),
  includeSkills: list("Patterns of the skills to include; if empty, all are"),
  ignoredSkills: list("Patterns of the skills to ignore", {
    // Otherwise a repository could put the user's own skills out of force.
    scope: "user",
  }),
  customDirectories: list("Additional directories with skills, each a `NAME/SKILL.md`", {
    scope: "user",
  }),
});

export type SkillSettings = GroupValues<typeof SKILL_ROWS>;

export interface InstructionSettings {
  disabledSources: readonly SourceId[];
  skills: SkillSettings;
  streamRules: StreamRuleSettings;
}

export const DEFAULT_INSTRUCTIONS: InstructionSettings = {
  disabledSources: [],
  skills: defaultsOf(SKILL_ROWS),
  streamRules: DEFAULT_STREAM_RULES,
};

export function instructionSettingsFrom(settings: Settings): InstructionSettings {
  return {
    disabledSources: disabledSourcesFrom(settings),
    skills: settings.group(SKILL_ROWS),
    streamRules: settings.group(STREAM_RULE_ROWS),
  };
}
