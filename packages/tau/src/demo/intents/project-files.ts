// The files that introduce a project, and how to run its tests: what to read in which,
// by name. Manifests are read line by line, since a long one may arrive cut.

import type { NumberedLine } from "../tool-text.ts";

export interface Manifest {
  name?: string;
  description?: string;
  /** Whether it names a script for the tests; only where that can be seen. */
  hasTests?: boolean;
}

interface ManifestKind {
  name?: RegExp;
  description?: RegExp;
  tests?: RegExp;
  testCommand: string;
}

const TOML: Omit<ManifestKind, "testCommand"> = {
  name: /^name\s*=\s*["']([^"']+)["']/,
  description: /^description\s*=\s*["']([^"']+)["']/,
};

/** In order of preference: the first that is listed is read. */
const MANIFESTS: Readonly<Record<string, ManifestKind>> = {
  "package.json": {
    name: /^\s*"name"\s*:\s*"([^"]+)"/,
    description: /^\s*"description"\s*:\s*"((?:[^"\\]|\\.)+)"/,
    tests: /^\s*"test"\s*:/,
    testCommand: "npm test",
  },
  "pyproject.toml": { ...TOML, testCommand: "python3 -m pytest" },
  "Cargo.toml": { ...TOML, testCommand: "cargo test" },
  "go.mod": { name: /^module\s+(\S+)/, testCommand: "go test ./..." },
};

const READMES: readonly RegExp[] = [
  /^readme\.md$/i,
  /^readme\.(?:markdown|rst|txt|adoc)$/i,
  /^readme$/i,
];

export function readmeIn(names: readonly string[]): string | undefined {
  for (const pattern of READMES) {
    const name = names.find((each) => pattern.test(each));
    if (name !== undefined) return name;
  }
  return undefined;
}

export function manifestIn(names: readonly string[]): string | undefined {
  return Object.keys(MANIFESTS).find((name) => names.includes(name));
}

export function readManifest(fileName: string, lines: readonly NumberedLine[]): Manifest {
  const kind = MANIFESTS[fileName];
  if (kind === undefined) return {};
  const first = (pattern: RegExp | undefined): string | undefined => {
    if (pattern === undefined) return undefined;
    for (const { text } of lines) {
      const found = pattern.exec(text);
      if (found !== null) return found[1] ?? found[0];
    }
    return undefined;
  };
  const manifest: Manifest = {};
  const name = first(kind.name);
  const description = first(kind.description);
  if (name !== undefined) manifest.name = name;
  if (description !== undefined) manifest.description = description;
  if (kind.tests !== undefined) manifest.hasTests = first(kind.tests) !== undefined;
  return manifest;
}

export function testCommandOf(fileName: string): string | undefined {
  return MANIFESTS[fileName]?.testCommand;
}
