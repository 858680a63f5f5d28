// Which commands want a person in front of them: those get a terminal, everything else runs in
// the agent's shell.

/** By their names alone. */
const ALWAYS: ReadonlySet<string> = new Set(
  "vi vim nvim view nano pico emacs micro hx helix kak less more most man top htop btop atop watch tmux screen mc ranger nnn lf tig lazygit gitui ssh mosh telnet ftp sftp gdb lldb pdb passwd su fzf dialog whiptail nmtui cfdisk".split(
    " ",
  ),
);
/** Only where they are given nothing to do: then they are a prompt of their own. */
const ALONE: ReadonlySet<string> = new Set(
  "python python3 ipython node bun deno irb ruby php lua julia R ghci sbcl psql mysql mariadb sqlite3 redis-cli mongosh bash zsh fish sh bc".split(
    " ",
  ),
);
/** With these words they ask. */
const ASKING: readonly RegExp[] = [
  /^git\s+(?:\S+\s+)*?(?:rebase\s+(?:.*\s)?(?:-i|--interactive)\b|(?:add|checkout|restore|reset|stash|commit)\s+(?:.*\s)?(?:-p|--patch|-i|--interactive)\b)/,
  /^git\s+commit\b(?!.*(?:\s-\w*[mFC]|--message|--file|--no-edit|--reuse-message))/,
  /^(?:docker|podman|kubectl)\s+(?:.*\s)?(?:exec|run|attach)\s+(?:.*\s)?(?:-\w*[it]\w*|--interactive|--tty)\b/,
  /^(?:sudo)\b/,
  /^(?:npm|pnpm|yarn|bun)\s+(?:init|create|login)\b(?!.*(?:\s-y|--yes))/,
  /^(?:gh|glab)\s+auth\s+login\b/,
];

export function wantsTerminal(command: string): boolean {
  const words = command.trim().split(/\s+/);
  // Variables before a command, and words that only stand before another one.
  while (/^\w+=\S*$/.test(words[0] ?? "") || ["command", "exec", "env"].includes(words[0] ?? "")) {
    words.shift();
  }
  // Its output goes elsewhere: nobody is to look at it.
  if (/[|>]/.test(command)) return false;
  const name = (words[0] ?? "").replace(/^.*\//, "");
  if (ALWAYS.has(name) || (ALONE.has(name) && words.length === 1)) return true;
  const rest = words.join(" ");
  return ASKING.some((pattern) => pattern.test(rest));
}
