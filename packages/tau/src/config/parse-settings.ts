// Reads the part of a settings file that one schema knows. A key with a mistake is reported
// with its place and left out; everything else in the file counts.

import { safeParse, type GenericSchema, type InferOutput } from "valibot";
import type { ConfigProblem } from "../model/config-problem.ts";
import { lineOf } from "./yaml-position.ts";

export interface ParsedSettings<T> {
  /** Empty where the file as a whole cannot be read. */
  output: Partial<T>;
  problems: ConfigProblem[];
}

export async function parseSettings<S extends GenericSchema<object>>(
  text: string,
  file: string,
  schema: S,
): Promise<ParsedSettings<InferOutput<S>>> {
  const problems: ConfigProblem[] = [];
  const fail = (message: string, line?: number, key?: string): void => {
    const place = {
      ...(line === undefined ? {} : { line }),
      ...(key === undefined ? {} : { key }),
    };
    problems.push({ file, severity: "error", message, ...place });
  };
  let data: unknown;
  try {
    data = Bun.YAML.parse(text) ?? {};
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
    return { output: {}, problems };
  }
  const given: Record<string, unknown> = { ...(data as object) };
  for (;;) {
    const parsed = safeParse(schema, given);
    if (parsed.success) return { output: parsed.output as InferOutput<S>, problems };
    for (const issue of parsed.issues) {
      const path = (issue.path ?? []).map((item) => String(item.key));
      fail(issue.message, await lineOf(text, path), path.join("."));
      if (path[0] === undefined) return { output: {}, problems };
      delete given[path[0]];
    }
  }
}
