// The tools that an agent's file names, in Tau's words: files written for other tools are understood, and
// a name that nobody has here is passed over.

/** What a name stands for where it is not a tool's own. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  exec: ["bash", "eval"],
  // Of Claude Code and its relatives.
  Read: ["read"],
  Write: ["write"],
  Edit: ["edit"],
  MultiEdit: ["edit"],
  NotebookEdit: ["edit"],
  NotebookRead: ["read"],
  Bash: ["bash"],
  BashOutput: ["job"],
  KillShell: ["job"],
  KillBash: ["job"],
  Grep: ["search"],
  Glob: ["find"],
  LS: ["find"],
  WebFetch: ["read"],
  WebSearch: ["web_search"],
  Task: ["task"],
  Agent: ["task"],
  grep: ["search"],
  glob: ["find"],
  ls: ["find"],
};

export function toolsNamed(names: readonly string[]): string[] {
  // `Bash(git:*)` is about the same tool: what of it may run is for the rules of consent to say.
  const bare = names.map((name) => name.replace(/\(.*$/s, "").trim());
  return [
    ...new Set(bare.flatMap((name) => (Object.hasOwn(GROUPS, name) ? GROUPS[name]! : [name]))),
  ];
}
