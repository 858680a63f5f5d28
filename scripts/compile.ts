// Compiles Tau into one executable: for dist/tau, and for the checkout, which starts from the same
// thing. Splitting keeps what a command does not use out of its start; bytecode skips parsing.

import { relative, resolve } from "node:path";

/** How much more reluctantly than usual code is compiled at run time while Tau starts. */
const START_JIT_POLICY = 10;

export interface Compiled {
  /** The files that went into it, from the root. */
  inputs: string[];
}

/** `entry` and `root` are absolute; `engines` is a folder that packEngines() filled, if any are to be inside. */
export async function compile(options: {
  root: string;
  entry: string;
  engines?: string;
  outfile: string;
}): Promise<Compiled> {
  const { root, entry, engines, outfile } = options;
  const result = await Bun.build({
    entrypoints: [entry],
    root,
    target: "bun",
    format: "esm",
    splitting: true,
    bytecode: true,
    minify: true,
    sourcemap: "none",
    metafile: true,
    tsconfig: `${root}/tsconfig.json`,
    compile: {
      outfile,
      assets: engines === undefined ? [] : [engines],
      // A fifth off the way to the first request; main.ts takes it back.
      jitPolicy: START_JIT_POLICY,
      // The directory Tau works in must not shape Tau: see ./tau.
      autoloadDotenv: false,
      autoloadBunfig: false,
      autoloadTsconfig: false,
      // Code cells import packages of the project they work in.
      autoloadPackageJson: true,
    },
  });
  // They are told from the directory that Bun was started in.
  const told = Object.keys(result.metafile?.inputs ?? {});
  return { inputs: told.map((path) => relative(root, resolve(path))) };
}
