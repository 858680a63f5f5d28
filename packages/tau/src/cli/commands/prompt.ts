// tau prompt: what a model is told here before the user says anything, and what it costs. It is a
// session's own words, tools and all, as the first request would carry them.

import type { ParsedArgs } from "../../feature-api/subcommand.ts";
import { COMMAND } from "../../brand.ts";
import { writeError, writeOutput } from "../../base/output.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { createSession } from "../../assembly/create-session.ts";
import { textTokens } from "../../base/message-tokens.ts";

export async function run({ flags }: ParsedArgs): Promise<ExitCode> {
  const created = await createSession({
    session: { kind: "memory" },
    model: typeof flags.model === "string" ? flags.model : undefined,
  });
  await using session = created.session;
  for (const notice of created.notices) writeError(`${COMMAND}: ${notice}\n`);
  const { prompt } = created;
  const tools = session.tools.specs().map((spec) => ({
    name: `tool ${spec.name}`,
    text: JSON.stringify(spec),
  }));
  const counted = [...prompt, ...tools].map(({ name, text }) => ({
    name,
    tokens: textTokens(text),
    text,
  }));
  const total = counted.reduce((sum, { tokens }) => sum + tokens, 0);
  if (flags.json) {
    const model = `${session.model.provider}/${session.model.id}`;
    await writeOutput(`${JSON.stringify({ model, parts: counted, tokens: total }, null, 2)}\n`);
    return EXIT.done;
  }
  if (flags.tokens) {
    const rows = [...counted, { name: "together", tokens: total }];
    const lines = rows.map(({ name, tokens }) => `${String(tokens).padStart(7)}  ${name}`);
    await writeOutput(`${lines.join("\n")}\n`);
    return EXIT.done;
  }
  await writeOutput(`${prompt.map(({ text }) => text).join("\n\n")}\n`);
  return EXIT.done;
}
