// A user may let bash into plan mode (`plan.tools`): then only lines run that are judged to read. Lines that
// change something, and those of attackers, are put to it as calls of the real tool in a real session.

import { expect, test } from "bun:test";
import { ATTACKER_LINES, ATTACKER_UNASKED } from "@tau/host/shell-line/fixtures/attacker-lines";
import { CLASSIFIED_LINES } from "@tau/host/shell-line/fixtures/classified-lines";
import { FOREIGN_HOSTILE_LINES } from "@tau/host/shell-line/fixtures/foreign-hostile-lines";
import { HOSTILE_COMMANDS } from "@tau/host/shell-line/fixtures/hostile-commands";
import { HOSTILE_WRITTEN } from "@tau/host/shell-line/fixtures/hostile-written";
import { THIRD_ATTACKER_LINES } from "@tau/host/shell-line/fixtures/third-attacker-lines";
import type { Session } from "@tau/tau/sdk";
import { refuseChange } from "../packages/tau/src/features/plan-mode/read-only-tools.ts";
import { embed } from "./support/embedded.ts";

/** Of the long lists so many: all of them are judged in the tests of the judge itself. */
const MOST_OF_EACH = 300;

/** They read, unless a repository's configuration has git start something: here there is no repository. */
const GIT_READS = /^git (?:--no-pager )?(?:status|show)\b/;

const { "read-only": reading, ...others } = CLASSIFIED_LINES;
const CHANGING: readonly string[] = [
  ...Object.values(others)
    .flat()
    .filter((line) => !GIT_READS.test(line)),
  ...ATTACKER_UNASKED,
  ...spread(ATTACKER_LINES),
  ...spread(FOREIGN_HOSTILE_LINES.map(([line]) => line)),
  ...HOSTILE_COMMANDS,
  ...HOSTILE_WRITTEN,
  ...Object.values(THIRD_ATTACKER_LINES).flat(),
];

/** From everywhere in the list. */
function spread(lines: readonly string[]): readonly string[] {
  const every = Math.ceil(lines.length / MOST_OF_EACH);
  return lines.filter((_line, at) => at % every === 0);
}

async function letThrough(session: Session, lines: readonly string[]): Promise<string[]> {
  const bash = session.tools.get("bash")!;
  const passed: string[] = [];
  for (const command of lines) {
    if (!(await refuseChange(bash, { command }))) passed.push(command);
  }
  return passed;
}

test("nothing that changes something goes through, and what reads does", async () => {
  await using embedding = await embed(() => ({ text: "ok" }));
  await embedding.home.write(".tau/agent/config.yml", "plan: { tools: [bash] }\n");
  {
    await using session = await embedding.start({ planMode: true });
    const passed = await letThrough(session, reading);
    expect(passed.length).toBeGreaterThan(reading.length * 0.8);
  }
  await using session = await embedding.start({ planMode: true });
  expect(CHANGING.length).toBeGreaterThan(1500);
  expect(await letThrough(session, CHANGING)).toEqual([]);
}, 120_000);
