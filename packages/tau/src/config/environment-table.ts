// Variables of its own that Tau reads, as rows: what one is, which setting it outweighs, and whether a
// project's `.env` may say it. Those of Tau itself are here; those of a feature are in its folder. Keys
// and addresses of providers are in the providers' rows.

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

/** The one beginning of their names: it says whose they are. */
export type VariableName = `TAU_${string}`;

export type VariableRows = Readonly<Record<VariableName, VariableRow>>;

/** Tau's own. */
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
  TAU_PROMPT_PROFILE: {
    type: "text",
    help: "Size of the system prompt",
    setting: "prompt.profile",
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
} as const satisfies VariableRows;
