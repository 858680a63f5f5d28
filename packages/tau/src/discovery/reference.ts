// Everything that is looked for, as a part of the page about discovery, made from the rows.

import { KINDS } from "./kinds.ts";
import type { ProjectReach } from "./row.ts";
import { SOURCE_IDS, SOURCES } from "../config/sources.ts";
import { DISCOVERY_TABLE } from "./table.ts";

const REACH: Readonly<Record<ProjectReach, string>> = {
  ancestors: "",
  directory: ", only in the working directory",
  nearest: ", only the nearest",
};

export function discoveryReference(): string {
  const lines: string[] = [];
  for (const source of SOURCE_IDS) {
    // What plugins bring is found where they are installed.
    if (source === "plugin") continue;
    lines.push(`### ${SOURCES[source].title} (\`${source}\`)`, "");
    lines.push("| Kind | In a project | In your home directory |", "| --- | --- | --- |");
    for (const row of DISCOVERY_TABLE.filter((one) => one.source === source)) {
      const { kind, project = [], user = [], reach = "ancestors", members, isInert } = row;
      const inside = members === undefined ? "" : ` (entries of \`${members}\`)`;
      const shown = isInert ? ", shown only" : "";
      const where = project.length === 0 ? "" : `${listed(project)}${inside}${REACH[reach]}`;
      const own = user.length === 0 ? "" : `${listed(user.map(atHome))}${inside}`;
      lines.push(`| ${KINDS[kind].title}${shown} | ${where} | ${own} |`);
    }
    lines.push("");
  }
  return lines.join("\n").trimEnd();
}

function listed(patterns: readonly string[]): string {
  return patterns.map((pattern) => `\`${pattern}\``).join(", ");
}

function atHome(pattern: string): string {
  return pattern.replace(/^@\//, "~/.tau/agent/");
}
