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

export function describeProblem({ file, line, key, message }: ConfigProblem): string {
  const place = line === undefined ? file : `${file}:${line}`;
  return key === undefined ? `${place}: ${message}` : `${place}: ${key}: ${message}`;
}
