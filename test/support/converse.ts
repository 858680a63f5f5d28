// A conversation in a real terminal with a scripted model, ready for the first prompt.

import { ModelServer } from "@tau/testkit/model-server";
import type { ScriptedTurn } from "@tau/testkit/script";
import { isolatedHome, type IsolatedHome } from "@tau/testkit/scratch";
import { runInTerminal, type TerminalOptions } from "@tau/testkit/terminal";
import { launcher } from "./run-tau.ts";

type Script = ScriptedTurn[] | Parameters<typeof ModelServer.start>[0];

export async function converse(
  script: Script,
  options: Partial<TerminalOptions> & {
    config?: string;
    /** What is there before the start. */
    before?: (home: IsolatedHome) => Promise<unknown>;
    /** A directory of the home to work in; the home itself where left out. */
    inside?: string;
  } = {},
) {
  const stack = new AsyncDisposableStack();
  const home = stack.use(await isolatedHome());
  const { config, before, inside, env: more, ...rest } = options;
  const cwd = inside === undefined ? home.root : home.path(inside);
  if (config) await home.write(".tau/agent/config.yml", config);
  await before?.(home);
  const server = stack.use(await ModelServer.start(script));
  const env = {
    ...home.env,
    TAU_NO_TITLE: "1",
    OLLAMA_BASE_URL: server.baseUrl("openai-completions"),
    ...more,
  };
  const open = (...args: string[]) =>
    stack.use(runInTerminal([launcher, "-m", "ollama/x", ...args], { cwd, env, ...rest }));
  const terminal = open();
  await terminal.waitFor(/─\n›/);
  await terminal.waitFor("ollama/x");
  const say = (text: string): void => {
    terminal.send(text);
    terminal.press("enter");
  };
  /** Until nothing runs any more: some commands wait for that. */
  const idle = (): Promise<unknown> =>
    terminal.waitFor((seen) => !seen.text().includes("· Esc stops"));
  return {
    home,
    server,
    terminal,
    say,
    idle,
    env,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
