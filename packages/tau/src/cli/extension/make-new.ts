// `tau extension new`: a working extension with a test, to begin from.

import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { VERSION } from "../../brand.ts";
import { EXIT } from "../../exit-code.ts";
import { UserError } from "../../user-error.ts";
import TEST from "./template/index-test.txt" with { type: "text" };
import SOURCE from "./template/index.txt" with { type: "text" };
import README from "./template/readme.txt" with { type: "text" };
import TESTING_TYPES from "./template/testing-types.txt" with { type: "text" };
import TYPES from "./template/types.txt" with { type: "text" };

const NAME = /^[a-z][a-z0-9-]*$/;
/** Where the extension's name stands in the templates. */
const PLACEHOLDER = /\bNAME\b/g;

/** Returns the directory that it has made. */
export async function makeExtension(name: string, cwd: string): Promise<string> {
  if (!NAME.test(name)) {
    const message = `"${name}" cannot be the name of an extension; use lower-case letters, digits and "-"`;
    throw new UserError(message, EXIT.usage);
  }
  const directory = resolve(cwd, name);
  if (existsSync(directory)) {
    throw new UserError(`${directory} already exists; choose another name`, EXIT.usage);
  }
  await mkdir(directory, { recursive: true });
  for (const [path, text] of Object.entries(filesOf(name))) {
    await Bun.write(join(directory, path), text);
  }
  return directory;
}

function filesOf(name: string): Record<string, string> {
  const named = (template: string): string => template.replace(PLACEHOLDER, name);
  const manifest = {
    name,
    version: "0.1.0",
    private: true,
    type: "module",
    tau: { extensions: ["./index.ts"] },
  };
  // Tau itself answers the import; these are for editors.
  const types = {
    name: "@tau/extension",
    version: VERSION,
    types: "./index.d.ts",
    exports: { ".": { types: "./index.d.ts" }, "./testing": { types: "./testing.d.ts" } },
  };
  return {
    "package.json": json(manifest),
    "index.ts": named(SOURCE),
    "index.test.ts": named(TEST),
    "README.md": named(README),
    "node_modules/@tau/extension/package.json": json(types),
    "node_modules/@tau/extension/index.d.ts": TYPES,
    "node_modules/@tau/extension/testing.d.ts": TESTING_TYPES,
  };
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
