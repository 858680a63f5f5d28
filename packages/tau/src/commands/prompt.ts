// tau prompt: what a model is told here before the user says anything, and what it costs.

import { ToolTable } from "@tau/agent/tool-table";
import type { ParsedArgs } from "../cli/command-table.ts";
import { writeOutput } from "../cli/output.ts";
import { gatherInstructions } from "../context/gather-instructions.ts";
import { promptParts } from "../context/system-prompt.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { textTokens } from "../session/context/message-tokens.ts";
import { createBuiltInTools } from "../tools/built-in.ts";
import { Workspace } from "../tools/workspace.ts";

export async function run({ flags }: ParsedArgs): Promise<ExitCode> {
  const cwd = process.cwd();
  const env = process.env;
  const found = await gatherInstructions({ cwd, env });
  const date = new Date().toISOString().slice(0, 10);
  const parts = promptParts({ cwd, platform: process.platform, date }, { found });
  await using workspace = new Workspace({ cwd, env });
  const tools = new ToolTable(createBuiltInTools(workspace)).specs().map((spec) => ({
    name: `tool ${spec.name}`,
    text: JSON.stringify(spec),
  }));
  const counted = [...parts, ...tools].map(({ name, text }) => ({
    name,
    tokens: textTokens(text),
    text,
  }));
  const total = counted.reduce((sum, { tokens }) => sum + tokens, 0);
  if (flags.json) {
    await writeOutput(`${JSON.stringify({ parts: counted, tokens: total }, null, 2)}\n`);
    return EXIT.done;
  }
  if (flags.tokens) {
    const rows = [...counted, { name: "together", tokens: total }];
    const lines = rows.map(({ name, tokens }) => `${String(tokens).padStart(7)}  ${name}`);
    await writeOutput(`${lines.join("\n")}\n`);
    return EXIT.done;
  }
  await writeOutput(`${parts.map(({ text }) => text).join("\n\n")}\n`);
  return EXIT.done;
}
