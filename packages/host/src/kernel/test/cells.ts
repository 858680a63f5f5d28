// Real kernels for tests: cells run, and what they showed is put together as a reader sees it.

import { testWith } from "@tau/testkit/require-program";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { tmpdir } from "node:os";
import { cellsSourceCommand, createJavaScriptKernel } from "../javascript-kernel.ts";
import type { CellOptions, CellResult, Kernel } from "../kernel.ts";
import { createPythonKernel, type PythonKernelOptions } from "../python-kernel.ts";

export const CELL_ENV = { PATH: process.env.PATH, HOME: tmpdir(), LC_ALL: "C.UTF-8" };

const NEED = { program: ["python3", "python"], proves: "cells in Python" };
const TEST_LIMIT_MS = 60_000;

export function testPython(name: string, body: () => Promise<void>): void {
  testWith(NEED, name, body, TEST_LIMIT_MS);
}

/** A slow machine may need it; a cell that should be stopped earlier names its own. */
const PATIENCE_MS = 25_000;
/** Enough to tell by; the rest is counted. */
const KEPT_CHARACTERS = 200_000;

export interface Shown extends CellResult {
  /** Printed text, with displays as `‹text›` or `‹MIME type›` where they stand. */
  text: string;
  printedBytes: number;
  statuses: unknown[];
}

export type RunCell = (code: string, options?: Partial<CellOptions>) => Promise<Shown>;

export interface Cells extends AsyncDisposable {
  kernel: Kernel;
  root: string;
  path(...parts: string[]): string;
  write(name: string, text: string): Promise<string>;
  run: RunCell;
}

export async function pythonCells(options: Partial<PythonKernelOptions> = {}): Promise<Cells> {
  return opened((root) => createPythonKernel({ cwd: root, env: CELL_ENV, ...options }));
}

export async function javaScriptCells(): Promise<Cells> {
  return opened((cwd) =>
    createJavaScriptKernel({ cwd, command: cellsSourceCommand(), env: CELL_ENV }),
  );
}

async function opened(create: (root: string) => Kernel): Promise<Cells> {
  const scratch = await createScratchDirectory();
  const kernel = create(scratch.root);
  return {
    kernel,
    root: scratch.root,
    path: (...parts) => scratch.path(...parts),
    write: (name, text) => scratch.write(name, text),
    run: (code, more) => runCell(kernel, code, more),
    async [Symbol.asyncDispose]() {
      await kernel[Symbol.asyncDispose]();
      await scratch[Symbol.asyncDispose]();
    },
  };
}

async function runCell(
  kernel: Kernel,
  code: string,
  options: Partial<CellOptions> = {},
): Promise<Shown> {
  let text = "";
  let printedBytes = 0;
  const statuses: unknown[] = [];
  const result = await kernel.run(code, {
    timeoutMs: PATIENCE_MS,
    onOutput: (bytes) => {
      printedBytes += bytes.length;
      if (text.length < KEPT_CHARACTERS) text += bytes.toString("utf8");
    },
    onDisplay: (bundle) => {
      const image = Object.keys(bundle).find((mime) => mime.startsWith("image/"));
      text += `‹${image ?? String(bundle["text/markdown"] ?? bundle["text/plain"])}›`;
    },
    onStatus: (event) => void statuses.push(event),
    ...options,
  });
  return { ...result, text, printedBytes, statuses };
}
