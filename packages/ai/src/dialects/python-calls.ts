// Tool calls written as Python source, in all the shapes models give them: one statement
// a line or a list of calls, printed, assigned, with or without a module in front. Nothing
// is evaluated; a body that is anything but calls is refused as a whole.

import type { ToolSpec } from "../request.ts";
import { attempt, PythonReader } from "./python-literal.ts";

export interface PythonCall {
  name: string;
  arguments: Record<string, unknown>;
}

const NAME = /[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*/y;
const ASSIGNMENT = /[A-Za-z_]\w*\s*=(?!=)/y;
const KEYWORD = /([A-Za-z_]\w*)\s*=(?!=)/y;
const PRINT = /print\s*\(/y;

export function parsePythonCalls(
  body: string,
  tools: ReadonlyMap<string, ToolSpec>,
): PythonCall[] | undefined {
  return attempt(() => {
    const reader = new PythonReader(body);
    const calls: PythonCall[] = [];
    while (!reader.isAtEnd) {
      readStatement(reader, tools, calls);
      while (reader.accept(";"));
    }
    return calls;
  });
}

const CALLEE =
  /^[\s[(]*(?:\w+\s*=\s*)?[\s[(]*(?:print\s*\(\s*)?[\s[(]*(default_api\.)?([A-Za-z_][\w-]*)\s*\(/;

/** The tool that a body which is not well formed means to call, if it means any. */
export function guessCallee(
  body: string,
  tools: ReadonlyMap<string, ToolSpec>,
): string | undefined {
  const found = CALLEE.exec(body);
  const name = found?.[2];
  return name !== undefined && (found?.[1] !== undefined || tools.has(name)) ? name : undefined;
}

function readStatement(
  reader: PythonReader,
  tools: ReadonlyMap<string, ToolSpec>,
  calls: PythonCall[],
): void {
  reader.match(ASSIGNMENT);
  if (!tools.has("print") && reader.match(PRINT)) {
    readCalls(reader, tools, calls);
    reader.accept(",");
    reader.expect(")");
  } else readCalls(reader, tools, calls);
}

function readCalls(
  reader: PythonReader,
  tools: ReadonlyMap<string, ToolSpec>,
  calls: PythonCall[],
): void {
  if (!reader.accept("[")) {
    calls.push(readCall(reader, tools));
    return;
  }
  while (!reader.accept("]")) {
    calls.push(readCall(reader, tools));
    if (!reader.accept(",")) {
      reader.expect("]");
      return;
    }
  }
}

function readCall(reader: PythonReader, tools: ReadonlyMap<string, ToolSpec>): PythonCall {
  const path = reader.match(NAME)?.[0] ?? reader.fail();
  const name = tools.has(path) ? path : path.slice(path.lastIndexOf(".") + 1);
  const entries: [string, unknown][] = [];
  reader.expect("(");
  while (!reader.accept(")")) {
    if (reader.accept("**")) entries.push(...Object.entries(readObject(reader)));
    else {
      const keyword = reader.match(KEYWORD)?.[1];
      // Without a keyword the schema's order is the only order there is.
      const key = keyword ?? parameterNames(tools.get(name))[entries.length] ?? reader.fail();
      entries.push([key, reader.value()]);
    }
    if (!reader.accept(",")) {
      reader.expect(")");
      break;
    }
  }
  return { name, arguments: Object.fromEntries(entries) };
}

function readObject(reader: PythonReader): Record<string, unknown> {
  const value = reader.value();
  if (typeof value !== "object" || value === null || Array.isArray(value)) reader.fail();
  return value as Record<string, unknown>;
}

function parameterNames(tool: ToolSpec | undefined): string[] {
  const properties = tool?.parameters.properties;
  return typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
}
