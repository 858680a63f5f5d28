// Something wrong in a configuration file, with the place to mend it. Problems are
// collected and shown; what is right in the file still counts.

export interface ConfigProblem {
  file: string;
  /** From 1; absent where the file as a whole is the problem. */
  line?: number;
  /** Dotted, as a user would name it. */
  key?: string;
  message: string;
  severity: "error" | "warning";
}

export function placeOf({ file, line }: ConfigProblem): string {
  return line === undefined ? file : `${file}:${line}`;
}

export function describeProblem(problem: ConfigProblem): string {
  const { key, message } = problem;
  const place = placeOf(problem);
  return key === undefined ? `${place}: ${message}` : `${place}: ${key}: ${message}`;
}

/** A word of the user that is lost, and with it perhaps a refusal. */
export interface LostWord {
  problem: ConfigProblem;
  /** The only tool that it can have been about; every call is asked about if absent. */
  tool?: string;
  /** If the session has this tool, nothing is lost. */
  unlessTool?: string;
}

/** A session reads its settings when it begins. */
export const UNTIL_MENDED = "until you fix it and start a new session";

/** What holds if a lost word can only have been about one tool. */
export function everyCall(tool: string): string {
  return `every call of ${tool} is asked about ${UNTIL_MENDED}`;
}

/** What holds if nobody can say what a lost word was about. */
export const EVERY_CALL = `every call is asked about ${UNTIL_MENDED}`;
