// `compat` of a provider or a model: words that nobody understands are told with what was meant, and
// left out. What stands beside them holds.

import { COMPAT_KEYS, IMAGE_LIMIT_KEYS, whyNot, type CompatKind } from "@tau/ai/wires/compat-keys";
import { suggest } from "../base/suggest.ts";
import type { ProviderConfig } from "./models-yml-schema.ts";

type Path = readonly (string | number)[];
type Compat = Record<string, unknown>;

export async function checkCompat(
  provider: ProviderConfig,
  path: Path,
  report: (path: Path, message: string) => Promise<void>,
): Promise<void> {
  const owners: [{ compat?: Compat }, Path][] = [
    [provider, path],
    ...(provider.models ?? []).map((model, at): [{ compat?: Compat }, Path] => [
      model,
      [...path, "models", at],
    ]),
    ...Object.entries(provider.modelOverrides ?? {}).map(
      ([id, override]): [{ compat?: Compat }, Path] => [override, [...path, "modelOverrides", id]],
    ),
  ];
  for (const [owner, at] of owners) {
    if (owner.compat) await checkKeys(owner.compat, COMPAT_KEYS, [...at, "compat"], report);
  }
}

async function checkKeys(
  compat: Compat,
  keys: ReadonlyMap<string, CompatKind>,
  path: Path,
  report: (path: Path, message: string) => Promise<void>,
): Promise<void> {
  for (const [key, value] of Object.entries(compat)) {
    const kind = keys.get(key);
    const near = kind === undefined ? suggest(key, [...keys.keys()]) : undefined;
    const message =
      kind === undefined
        ? `unknown key${near ? `; did you mean "${near}"?` : ""}`
        : whyNot(kind, value);
    if (message !== undefined) {
      delete compat[key];
      await report([...path, key], message);
    } else if (key === "whenThinking") {
      await checkKeys(value as Compat, COMPAT_KEYS, [...path, key], report);
    } else if (key === "imageLimits") {
      const limits = new Map(Object.entries(IMAGE_LIMIT_KEYS));
      await checkKeys(value as Compat, limits, [...path, key], report);
    }
  }
}
