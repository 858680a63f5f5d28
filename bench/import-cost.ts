// What importing the packages costs a process, and that no wire is loaded by it.

import { join } from "node:path";
import { median } from "./measure.ts";
import type { Figure } from "./figure.ts";

const IMPORT_BAR_MS = 15;

export async function measureImports(root: string, rounds: number): Promise<Figure[]> {
  const script = `
    const before = performance.now();
    await import("@tau/ai/call");
    await import("@tau/ai/providers");
    console.log(performance.now() - before);
  `;
  const values: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const child = Bun.spawn([process.execPath, "-e", script], {
      cwd: join(root, "packages", "tau"),
      stdout: "pipe",
    });
    values.push(Number(await child.stdout.text()));
  }
  return [{ name: "import @tau/ai", value: median(values), unit: "ms", bar: IMPORT_BAR_MS }];
}
