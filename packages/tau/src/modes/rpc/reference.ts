// The commands of RPC mode as Markdown, from the same rows that check them.

import { describeSchema, isNode } from "@tau/agent/json-schema-node";
import { BUILT_IN } from "../../features/built-in.ts";
import type { CommandRow } from "./command-row.ts";
import { allRpcCommands, COMMAND_ALIASES, loadProtocols, UNSUPPORTED } from "./command-table.ts";
import { ERROR_CODES } from "./protocol.ts";

export async function rpcReference(): Promise<string> {
  const rows = allRpcCommands(await loadProtocols(BUILT_IN));
  const aliases = Object.entries(COMMAND_ALIASES).map(
    ([alias, name]) => `\`${alias}\` is an alias of \`${name}\`.`,
  );
  return [
    "# Commands of RPC mode",
    "",
    "<!-- Generated from packages/tau/src/modes/rpc/command-table.ts by `npm run docs`. -->",
    "",
    "[RPC mode](rpc.md) describes the protocol. Every command is an object with a `type`, an optional `id`",
    "that is repeated in the response, and the fields below; `?` marks optional fields. Unknown fields are",
    "rejected.",
    "",
    ...table(
      ["Command", "Fields", "What it does", "`data` of the response"],
      rows.map((row) => [`\`${row.name}\``, fieldsOf(row), row.summary, row.answers ?? "none"]),
    ),
    "",
    ...aliases,
    "",
    "## Unsupported commands",
    "",
    "Related programs support these commands. Tau responds with `unsupported` and says what to do instead.",
    "",
    ...table(
      ["Command", "Instead"],
      Object.entries(UNSUPPORTED).map(([name, instead]) => [`\`${name}\``, instead]),
    ),
    "",
    "## Error codes",
    "",
    ...table(
      ["Code", "Meaning"],
      Object.entries(ERROR_CODES).map(([code, meaning]) => [`\`${code}\``, meaning]),
    ),
    "",
  ].join("\n");
}

function fieldsOf({ schema }: CommandRow): string {
  const { properties, required } = schema.jsonSchema;
  const needed = new Set(Array.isArray(required) ? required : []);
  const fields = Object.entries(isNode(properties) ? properties : {}).flatMap(([name, node]) => {
    if (name === "id" || name === "type" || !isNode(node)) return [];
    const words = describeSchema(node).replaceAll('"', "");
    return [`\`${name}${needed.has(name) ? "" : "?"}\`: ${words}`];
  });
  return fields.join("<br>");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)];
}
