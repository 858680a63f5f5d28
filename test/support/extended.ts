// The program with extensions in its user's directory, against a scripted model.

import { textOf } from "@tau/ai/message";
import { ModelServer, type Script } from "@tau/testkit/model-server";
import { isolatedHome, type IsolatedHome } from "@tau/testkit/scratch";
import { mkdir } from "node:fs/promises";
import { runTau, type RunResult } from "./run-tau.ts";

export interface Extended extends AsyncDisposable {
  home: IsolatedHome;
  server: ModelServer;
  cwd: string;
  run(...args: string[]): Promise<RunResult>;
  /** The same without a model: for commands. */
  command(...args: string[]): Promise<RunResult>;
  /** Of each request: the conversation, a line for each message. */
  requests(): string[][];
}

/** `extensions`: sources by file name. */
export async function extended(
  extensions: Readonly<Record<string, string>>,
  script: Script,
): Promise<Extended> {
  const home = await isolatedHome();
  const server = await ModelServer.start(script);
  for (const [name, source] of Object.entries(extensions)) {
    await home.write(`.tau/agent/extensions/${name}`, source);
  }
  await home.write(".tau/agent/config.yml", "retry: { enabled: false }\n");
  const cwd = home.path("work");
  await mkdir(cwd, { recursive: true });
  const env = { OLLAMA_BASE_URL: server.baseUrl("openai-completions") };
  return {
    home,
    server,
    cwd,
    command: (...args) => runTau(args, { cwd, home, env }),
    run: (...args) => runTau(["-m", "ollama/x", ...args], { cwd, home, env }),
    requests: () =>
      server.requests.map(({ decoded }) =>
        decoded.messages.map((message) => `${message.role}: ${textOf(message)}`),
      ),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}
