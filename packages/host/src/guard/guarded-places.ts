// Places that nobody changes unasked, because what stands there is run or obeyed later without
// anybody asking again: start-up files, keys, hooks, planned jobs, settings of whatever fetches
// programs, and Tau's own. Making a file there is as bad as overwriting one.

import { isInPlace, rowOf, type GuardWorld, type PlaceRow } from "./place-table.ts";

const START_UP = "a shell start-up file";
const PLANNED = "a place for planned jobs";
const PACKAGES = "a package manager's settings";
const CREDENTIALS = "a place for credentials";
const LOGIN = "a program that starts with the session";
const AGENT = "another agent's settings";

/** Nobody changes it by hand; git does all the time. */
export const HISTORY = "a repository's history";

/** Laws over every guarded place take their list from here. */
export const GUARDED_ROWS: readonly PlaceRow[] = [
  {
    what: START_UP,
    home: [
      ".bashrc",
      ".bashrc.d",
      ".bash_profile",
      ".bash_login",
      ".bash_logout",
      ".bash_aliases",
      ".bash_completion",
      ".bash_completion.d",
      ".local/share/bash-completion",
      ".profile",
      ".zshrc",
      ".zshenv",
      ".zprofile",
      ".zlogin",
      ".zlogout",
      ".zsh",
      ".oh-my-zsh",
      ".config/zsh",
      ".config/fish",
      ".config/nushell",
      ".config/powershell",
      ".kshrc",
      ".mkshrc",
      ".cshrc",
      ".tcshrc",
      ".login",
      ".logout",
      ".inputrc",
      ".config/environment.d",
      ".pam_environment",
      ".envrc",
      ".config/direnv",
      ".config/mise",
      ".config/starship.toml",
      ".tmux.conf",
      ".config/tmux",
      ".screenrc",
    ],
  },
  {
    what: LOGIN,
    home: [
      ".xinitrc",
      ".xprofile",
      ".xsession",
      ".xsessionrc",
      ".Xresources",
      ".config/autostart",
      ".config/autostart-scripts",
      ".config/plasma-workspace",
      ".config/systemd",
      ".local/share/systemd",
      ".local/share/dbus-1",
      ".local/share/applications",
      ".config/i3",
      ".config/sway",
      ".config/hypr",
      "Library/LaunchAgents",
      "Library/LaunchDaemons",
    ],
    system: ["/Library/LaunchAgents", "/Library/LaunchDaemons"],
  },
  {
    what: PLANNED,
    home: [".crontab"],
    system: ["/var/spool/cron", "/var/spool/at", "/usr/lib/cron"],
  },
  {
    what: "a place for keys",
    home: [".ssh", ".gnupg", ".password-store", ".local/share/keyrings", "Library/Keychains"],
  },
  {
    what: "git's settings",
    home: [".gitconfig", ".config/git", ".git-templates", ".gitattributes", ".githooks"],
    // Only git writes these; what is in them it runs unasked.
    files: [
      ".git/config",
      ".git/config.worktree",
      ".git/info/attributes",
      ".git/info/grafts",
      ".git/info/sparse-checkout",
      ".git/commondir",
      ".git/modules/*/config",
      ".git/worktrees/*/config.worktree",
    ],
  },
  // It may be a file that names another directory.
  { what: "a repository's link to its history", files: [".git"] },
  { what: "a git hook", anywhere: [".git/hooks", ".git/modules/*/hooks"] },
  {
    what: HISTORY,
    anywhere: [
      ".git/objects",
      ".git/refs",
      ".git/packed-refs",
      ".git/HEAD",
      ".git/index",
      ".git/logs",
      ".git/worktrees",
      ".git/modules",
    ],
  },
  {
    what: "another version control system's settings",
    home: [".hgrc", ".config/hg", ".config/jj", ".jjconfig.toml", ".subversion", ".config/breezy"],
    files: [".hg/hgrc", ".jj/repo/config.toml"],
  },
  {
    what: PACKAGES,
    home: [
      ".npmrc",
      ".yarnrc",
      ".yarnrc.yml",
      ".config/pnpm",
      ".config/yarn",
      ".bunfig.toml",
      ".pip",
      ".config/pip",
      ".config/uv",
      ".config/pypoetry",
      ".config/pdm",
      ".condarc",
      ".cargo/config",
      ".cargo/config.toml",
      ".cargo/env",
      ".rustup/settings.toml",
      ".config/go/env",
      ".gemrc",
      ".bundle/config",
      ".m2/settings.xml",
      ".m2/settings-security.xml",
      ".gradle/gradle.properties",
      ".gradle/init.gradle",
      ".gradle/init.gradle.kts",
      ".gradle/init.d",
      ".sbt",
      ".ivy2",
      ".nuget/NuGet",
      ".config/NuGet",
      ".config/composer",
      ".composer",
      ".config/nix",
      ".config/nixpkgs",
      ".config/home-manager",
      ".config/containers",
      ".asdfrc",
      ".tool-versions",
      ".curlrc",
      ".wgetrc",
      ".config/curlrc",
      ".aria2",
    ],
  },
  {
    what: CREDENTIALS,
    home: [
      ".pypirc",
      ".netrc",
      ".docker",
      ".aws",
      ".azure",
      ".kube",
      ".oci",
      ".config/gcloud",
      ".config/gh",
      ".config/glab-cli",
      ".config/hub",
      ".config/op",
      ".config/doctl",
      ".git-credentials",
      ".cargo/credentials",
      ".cargo/credentials.toml",
      ".gem/credentials",
      ".pgpass",
      ".my.cnf",
      ".vault-token",
      ".terraformrc",
      ".terraform.d",
      ".ansible.cfg",
    ],
  },
  {
    what: "a start-up file of an editor or a language",
    home: [
      ".vimrc",
      ".vim",
      ".gvimrc",
      ".exrc",
      ".config/nvim",
      ".emacs",
      ".emacs.d",
      ".config/emacs",
      ".nanorc",
      ".config/nano",
      ".config/helix",
      ".config/Code",
      ".vscode",
      ".vscode-server",
      ".cursor",
      ".gdbinit",
      ".config/gdb",
      ".lldbinit",
      ".pythonrc",
      ".pythonrc.py",
      ".local/lib/python*",
      ".config/matplotlib",
      ".ipython",
      ".jupyter",
      ".irbrc",
      ".pryrc",
      ".perltidyrc",
      ".Rprofile",
      ".Renviron",
      ".julia/config",
      ".ghci",
      ".node_repl_history",
      ".node_modules",
      // Every module below the home directory finds packages there.
      "node_modules",
      ".psqlrc",
      ".sqliterc",
      ".mysqlrc",
      ".lesskey",
      ".lessfilter",
      ".mailcap",
      ".makerc",
      ".pam_environment",
      ".config/mimeapps.list",
    ],
  },
  {
    what: AGENT,
    home: [
      ".claude",
      ".claude.json",
      ".codex",
      ".omp",
      ".pi",
      ".gemini",
      ".config/opencode",
      ".opencode",
      ".config/goose",
      ".config/crush",
      ".codeium/windsurf/mcp_config.json",
      ".aider.conf.yml",
    ],
  },
  {
    // Whoever opens the project with an agent or an editor lets them run what stands there.
    what: "settings that an agent or an editor obeys in this project",
    project: [
      ".tau",
      ".claude/settings.json",
      ".claude/settings.local.json",
      ".claude/hooks",
      ".claude/SYSTEM.md",
      ".claude/APPEND_SYSTEM.md",
      ".claude/TITLE_SYSTEM.md",
      ".mcp.json",
      "mcp.json",
      "ssh.json",
      ".ssh.json",
      ".codex",
      ".gemini/settings.json",
      ".gemini/SYSTEM.md",
      ".gemini/APPEND_SYSTEM.md",
      ".gemini/TITLE_SYSTEM.md",
      ".opencode",
      "opencode.json",
      "opencode.jsonc",
      ".cursor/mcp.json",
      ".cursor/hooks.json",
      ".cursor/environment.json",
      ".continue",
      ".windsurf",
      ".kiro/hooks",
      ".kiro/settings",
      ".roo/mcp.json",
      ".amazonq/mcp.json",
      ".crush.json",
      "crush.json",
      ".goose",
      ".aider.conf.yml",
      ".omp",
      ".pi",
      ".vscode/tasks.json",
      ".vscode/launch.json",
      ".vscode/settings.json",
      ".vscode/mcp.json",
      ".idea/runConfigurations",
      ".idea/workspace.xml",
      ".fleet/run.json",
      ".zed/tasks.json",
      ".zed/settings.json",
      ".envrc",
      ".devcontainer/devcontainer.json",
      ".devcontainer.json",
    ],
    // Skills and notes are texts; the prompt that an agent starts with is more.
    except: /^(?!.*SYSTEM\.md$).*\.md$/i,
  },
  {
    // Whatever the files are called: a description is a part of the tool.
    what: "code that an agent runs in this project",
    project: [
      ".tau/tools",
      ".claude/tools",
      ".codex/tools",
      ".omp/tools",
      ".pi/tools",
      ".gemini/extensions",
      ".github/hooks",
    ],
  },
  {
    // They are obeyed as soon as somebody opens a file, starts a debugger or comes into the directory.
    what: "a start-up file of an editor, a debugger or a shell in this project",
    project: [
      ".exrc",
      ".vimrc",
      ".gvimrc",
      ".nvimrc",
      ".nvim.lua",
      ".lvimrc",
      ".lazy.lua",
      ".dir-locals.el",
      ".dir-locals-2.el",
      ".gdbinit",
      ".lldbinit",
      ".irbrc",
      ".pryrc",
      ".Rprofile",
      ".ghci",
      ".autoenv.zsh",
      ".autoenv",
      ".env.fish",
      ".bashrc",
      ".zshrc",
      ".zshenv",
      ".bash_profile",
      ".tmux.conf",
      ".screenrc",
      ".inputrc",
    ],
  },
  {
    what: "settings that choose which programs run in this project",
    project: [
      "mise.toml",
      ".mise.toml",
      "mise.local.toml",
      ".mise.local.toml",
      ".mise/config.toml",
      ".config/mise",
      ".npmrc",
      ".yarnrc",
      ".yarnrc.yml",
      ".pnpmfile.cjs",
      ".cargo/config.toml",
      ".cargo/config",
      ".mvn/jvm.config",
      ".mvn/maven.config",
      ".mvn/extensions.xml",
      ".bundle/config",
      ".terraformrc",
      ".curlrc",
      ".wgetrc",
      // The interpreter that runs cells.
      ".venv/pyvenv.cfg",
      ".venv/bin/python*",
      ".venv/Scripts/python*",
      "venv/pyvenv.cfg",
      "venv/bin/python*",
      "venv/Scripts/python*",
    ],
  },
  {
    what: "the system's settings",
    system: ["/etc", "/private/etc", "/boot", "/efi", "/System"],
  },
  {
    what: "a system directory",
    system: [
      "/bin",
      "/sbin",
      "/lib",
      "/lib64",
      "/usr/bin",
      "/usr/sbin",
      "/usr/lib",
      "/usr/libexec",
      "/usr/local/bin",
      "/usr/local/sbin",
      "/usr/local/lib",
      "/opt/homebrew/bin",
      "/snap",
      "/nix/store",
    ],
  },
  { what: "the kernel's own files", system: ["/proc", "/sys"] },
];

const OWN = "Tau's own settings";

/** What the path is, if nobody changes it unasked. Patterns count as all that they may match. */
export function guardedPlace(path: string, world: GuardWorld): string | undefined {
  const { home, workspace, pathDirectories } = world;
  const agentDirectory = world.agentDirectory ?? `${home}/.tau/agent`;
  const isOwn = isInPlace(path, agentDirectory, world) || isInPlace(path, `${home}/.tau`, world);
  // What a session keeps for the model is the model's to change; a tree of its own is a project like any.
  if (isOwn && isSessionFile(path, agentDirectory)) return undefined;
  const isOwnTree =
    isTree(workspace, agentDirectory) && isInPlace(path, workspace, world) && !leadsUp(path);
  if (isOwn && !isOwnTree) return OWN;
  const found = rowOf(GUARDED_ROWS, path, world);
  if (found) return found.what;
  const isProgram = pathDirectories.some(
    (directory) => isInPlace(path, directory, world) && !isOfProject(directory, workspace, world),
  );
  return isProgram ? "a directory in which programs are looked for" : undefined;
}

function isSessionFile(path: string, agentDirectory: string): boolean {
  const rest = path.startsWith(`${agentDirectory}/`) ? path.slice(agentDirectory.length + 1) : "";
  return /^sessions\/(?:[^/]+\/)+local(?:\/|$)/.test(rest) && !leadsUp(rest);
}

function leadsUp(path: string): boolean {
  return path.split("/").includes("..");
}

/** Where isolated trees are made; the workspace is in one of them. */
function isTree(workspace: string, agentDirectory: string): boolean {
  const [above, inside = ""] = [
    `${agentDirectory}/trees/`,
    workspace.slice(agentDirectory.length + 7),
  ];
  return workspace.startsWith(above) && /^[^/]+\/(?:mount\/)?tree\/[^/]+/.test(inside);
}

/** The project's own programs are part of the work, unless the project is the whole home. */
function isOfProject(directory: string, workspace: string, world: GuardWorld): boolean {
  return isInPlace(directory, workspace, world) && !isInPlace(world.home, workspace, world);
}
