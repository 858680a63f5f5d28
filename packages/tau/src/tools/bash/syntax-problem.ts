// Whether bash itself can read a line that Tau cannot: if it cannot either, the model is told so, and
// nobody is asked about something that would never have run.

import type { Environment } from "@tau/ai/environment";
import { programOnPath } from "@tau/host/process/program-on-path";
import { ownedEnvironment } from "@tau/host/process/reaper";

const LOOK_MS = 2000;
/** What bash says of a line repeats the line. */
const MAX_SAID = 300;

/** Its own words; undefined if it can be read, or nobody knows. */
export async function syntaxProblem(
  command: string,
  env: Environment,
): Promise<string | undefined> {
  const bash = programOnPath("bash", env.PATH);
  if (bash === undefined) return undefined;
  const looking = Bun.spawn([bash, "--noprofile", "--norc", "-n"], {
    cwd: "/",
    env: ownedEnvironment({ PATH: env.PATH, LC_ALL: "C" }),
    stdin: Buffer.from(command),
    stdout: "ignore",
    stderr: "pipe",
    timeout: LOOK_MS,
  });
  const [words, exitCode] = await Promise.all([looking.stderr.text(), looking.exited]);
  if (exitCode === 0 || looking.signalCode !== null) return undefined;
  const said = words.replace(/^.*?: (?=line \d)/gm, "").trim();
  return `bash cannot read it (${said.slice(0, MAX_SAID)})`;
}
