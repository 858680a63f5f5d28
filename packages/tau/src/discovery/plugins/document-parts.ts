// What a plugin brings as entries of files: hooks in Claude Code's words, MCP servers, language servers. A
// manifest names the file, or has the entries in it; files come in two shapes, with the entries under a key
// or alone.

import type { PluginPart } from "./part-kinds.ts";
import { CLAUDE_MANIFEST, isRecord, jsonAt, type PluginManifest } from "./plugin-manifest.ts";
import { pathInside } from "./plugin-path.ts";

interface DocumentKind {
  kind: "hooks" | "mcp" | "lsp";
  /** In the manifest, and in a file that has other things too. */
  key: string;
  files: readonly string[];
  /** All of one name count: every plugin has hooks for the same events. */
  addsUp?: true;
}

const DOCUMENTS: readonly DocumentKind[] = [
  { kind: "hooks", key: "hooks", files: ["hooks/hooks.json"], addsUp: true },
  { kind: "mcp", key: "mcpServers", files: [".mcp.json", "mcp.json"] },
  { kind: "lsp", key: "lspServers", files: [".lsp.json", "lsp.json"] },
];

export async function serverParts(root: string, manifest: PluginManifest): Promise<PluginPart[]> {
  const parts: PluginPart[] = [];
  for (const { kind, key, files, addsUp } of DOCUMENTS) {
    const add = (path: string, members: string): void => {
      parts.push({ kind, name: "file", members, addsUp, patterns: [path], isNamespace: false });
    };
    const named = [manifest.claude?.[key]].flat();
    const paths = named.filter((one): one is string => typeof one === "string");
    const seen = new Set<string>();
    for (const file of [...files, ...paths]) {
      const { path, kind: found } = await pathInside(root, file, key);
      if (found !== "file" || seen.has(path)) continue;
      seen.add(path);
      const members = membersOf(await jsonAt(root, path), key);
      if (members !== undefined) add(path, members);
    }
    if (named.length === 1 && isRecord(named[0])) {
      const inner = membersOf(named[0], key);
      const members = inner === key ? `${key}.${key}` : key;
      add(CLAUDE_MANIFEST, members);
    }
  }
  return parts;
}

/** Under the key if it is there; otherwise the whole file is meant. */
function membersOf(data: Record<string, unknown> | undefined, key: string): string | undefined {
  if (!data) return undefined;
  if (isRecord(data[key])) return key;
  const isWhole = Object.values(data).some((one) => typeof one === "object" && one !== null);
  return isWhole ? "" : undefined;
}
