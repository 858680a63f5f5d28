// Every variable of its own that Tau reads, as rows: what it is, which setting it outweighs, and
// whether a project's `.env` may say it. Keys and addresses of providers are in the providers' rows.

export interface VariableRow {
  type: "text" | "boolean" | "number" | "path";
  help: string;
  /**
   * The names it has in the family whose users walk over (`OMP_X`, `PI_X`) count too. `own`: they do
   * not, because there they would mean another program's business.
   */
  family?: "own";
  /** The setting that it outweighs; of a map, the entry: `modelRoles.smol`. */
  setting?: string;
  /** A project's `.env` may set it: it decides nothing about what runs or where requests go. */
  project?: "may";
  /** Read before any file is: only the environment itself can set it. */
  file?: "never";
}

export const ENVIRONMENT = {
  TAU_MODEL: { type: "text", help: "Model to use, if no flag names one" },
  TAU_SMOL_MODEL: {
    type: "text",
    help: "Model for small tasks",
    setting: "modelRoles.smol",
  },
  TAU_SLOW_MODEL: {
    type: "text",
    help: "Model for hard tasks",
    setting: "modelRoles.slow",
  },
  TAU_PLAN_MODEL: { type: "text", help: "Model for planning", setting: "modelRoles.plan" },
  TAU_EDIT_VARIANT: {
    type: "text",
    help: "Edit format of all models",
    setting: "edit.mode",
    project: "may",
  },
  TAU_PROMPT_PROFILE: {
    type: "text",
    help: "Size of the system prompt",
    setting: "prompt.profile",
    project: "may",
  },
  TAU_PY: { type: "boolean", help: "Enable Python cells", setting: "eval.py" },
  TAU_JS: { type: "boolean", help: "Enable JavaScript cells", setting: "eval.js" },
  TAU_SHELL_PATH: {
    type: "path",
    help: "Shell that runs commands",
    setting: "bash.shellPath",
  },
  TAU_NO_PTY: {
    type: "boolean",
    help: "Run commands that ask for a terminal (PTY) without one",
  },
  TAU_NO_TITLE: {
    type: "boolean",
    help: "Do not ask a model for session titles",
    project: "may",
  },
  TAU_NO_STRICT: {
    type: "boolean",
    help: "Send tools without strict schemas, for servers that reject them",
  },
  TAU_CACHE_RETENTION: {
    type: "text",
    help: "Prompt cache retention: `long` keeps prompts cached for longer, if the vendor offers it",
  },
  TAU_MAX_AST_FILES: {
    type: "number",
    help: "Maximum number of files per structural rewrite, up to 1,000",
    project: "may",
  },
  TAU_DEBUG: { type: "boolean", help: "Print stack traces with internal errors" },
  TAU_AGENT_DIR: {
    type: "path",
    help: "Directory for the user's files, instead of `~/.tau/agent`",
    // Theirs holds files of the same names with other contents.
    family: "own",
    file: "never",
  },
  TAU_ENGINE_CACHE: {
    type: "path",
    help: "Directory in which bundled engines are unpacked; an absolute path",
    family: "own",
    file: "never",
  },
  TAU_FROM_SOURCE: {
    type: "boolean",
    help: "In a checkout, run the source modules instead of compiling them first",
    family: "own",
    file: "never",
  },
} as const satisfies Record<`TAU_${string}`, VariableRow>;

export type VariableName = keyof typeof ENVIRONMENT;

export const VARIABLE_NAMES = Object.keys(ENVIRONMENT) as VariableName[];

/** The row as it was declared, with what it leaves out. */
export function variableRow(name: VariableName): VariableRow {
  return ENVIRONMENT[name];
}

export function isVariable(name: string): name is VariableName {
  return Object.hasOwn(ENVIRONMENT, name);
}

const FAMILY = ["OMP_", "PI_"] as const;

/** The first that is set counts. */
export function aliasesOf(name: VariableName): readonly string[] {
  if (variableRow(name).family === "own") return [];
  return FAMILY.map((prefix) => prefix + name.slice("TAU_".length));
}

/** The variable that a family's name stands for. */
export function variableBehind(alias: string): VariableName | undefined {
  const prefix = FAMILY.find((one) => alias.startsWith(one));
  if (prefix === undefined) return undefined;
  const name = `TAU_${alias.slice(prefix.length)}`;
  return isVariable(name) && aliasesOf(name).includes(alias) ? name : undefined;
}
