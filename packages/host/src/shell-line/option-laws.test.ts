// What the judge lets run unasked, run for real: words at random in the places of options, values,
// variables and wrappers. Nothing outside may be changed or deleted, nothing guarded may come to be.
// By default a few seconds' worth; `TAU_FUZZ_LINES=100000` for as many lines as that.

import { expect } from "bun:test";
import fc from "fast-check";
import { sandboxTest } from "../sandbox/test/sandbox-test.ts";
import { classifyShellLine, type LineJudgement } from "./classify-shell-line.ts";
import { JUDGED_CONTEXT } from "./fixtures/judged-context.ts";
import { optionLines } from "./test/arbitrary-lines.ts";
import { openOracle, type OutsideState } from "./test/namespace-oracle.ts";

/** As many as a run of all tests has time for. */
/** The same lines each time: a hole is found by whoever looks for one, not by whoever changes something else. */
const DEFAULT_SEED = 417_507;
const DEFAULT_LINES = 400;
/** Lines that one namespace runs. */
const BATCH = 250;
const MINUTES_MS = 60_000;
const TIMEOUT_MS = 240 * MINUTES_MS;

function isUnasked({ class: found }: LineJudgement): boolean {
  return found !== "guarded" && found !== "unknown";
}

/** What a line of its class must not have done. */
function harmOf(judgement: LineJudgement, before: OutsideState, after: OutsideState): string[] {
  const lost = [...before].filter((entry) => !after.has(entry));
  const made = [...after].filter((entry) => !before.has(entry));
  if (judgement.class !== "other") return [...lost, ...made];
  const guarded = made.filter((entry) => {
    const path = /(?:^[dlfps] \d+ |^[0-9a-f]{32}  )(\S+)/.exec(entry)?.[1];
    return path !== undefined && JUDGED_CONTEXT.guards!(`/${path}`) !== undefined;
  });
  return [...lost, ...guarded];
}

sandboxTest(
  "whatever runs unasked changes nothing outside",
  async () => {
    await using oracle = await openOracle();
    const wanted = Number(process.env.TAU_FUZZ_LINES ?? DEFAULT_LINES);
    const seed = Number(process.env.TAU_FUZZ_SEED ?? DEFAULT_SEED);
    let run = 0;
    for (let done = 0; done < wanted; done += BATCH * 4) {
      const numRuns = Math.min(BATCH * 4, wanted - done);
      const sample = fc.sample(optionLines, { numRuns, seed: seed + done });
      const judged = [...new Set(sample)]
        .map((line) => ({ line, judgement: classifyShellLine(line, JUDGED_CONTEXT) }))
        .filter(({ judgement }) => isUnasked(judgement));
      const { before, after } = await oracle.run(judged.map(({ line }) => line));
      const harmful = judged.flatMap(({ line, judgement }, index) => {
        const harm = harmOf(judgement, before, after[index]!);
        return harm.length > 0 ? [{ line, class: judgement.class, harm: harm.slice(0, 2) }] : [];
      });
      expect({ seed: seed + done, harmful }).toEqual({ seed: seed + done, harmful: [] });
      run += judged.length;
    }
    console.log(`${run} of ${wanted} lines ran unasked`);
    expect(run).toBeGreaterThan(wanted / 20);
  },
  TIMEOUT_MS,
);
