// A session as an embedding program has it: in this process, with a home of its own, against a
// scripted model.

import {
  createSession,
  type CreatedSession,
  type CreateSessionOptions,
  type Session,
} from "@tau/tau/sdk";
import { ModelServer, type Script } from "@tau/testkit/model-server";
import { isolatedHome, type IsolatedHome } from "@tau/testkit/scratch";

export interface Embedding extends AsyncDisposable {
  home: IsolatedHome;
  server: ModelServer;
  open(options?: CreateSessionOptions): Promise<CreatedSession>;
  /** The session alone; closed by whoever uses it. */
  start(options?: CreateSessionOptions): Promise<Session>;
  options(options?: CreateSessionOptions): CreateSessionOptions;
}

export async function embed(script: Script): Promise<Embedding> {
  const home = await isolatedHome();
  const server = await ModelServer.start(script);
  const options = (given: CreateSessionOptions = {}): CreateSessionOptions => ({
    cwd: home.root,
    env: { ...home.env, OLLAMA_BASE_URL: server.baseUrl("openai-completions") },
    model: "ollama/x",
    ...given,
  });
  return {
    home,
    server,
    options,
    open: (given) => createSession(options(given)),
    start: async (given) => (await createSession(options(given))).session,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

/** What a request's messages say, role by role. */
export function saidIn(server: ModelServer, at: number): string[] {
  return server.requests
    .at(at)!
    .decoded.messages.map(
      ({ role, content }) =>
        `${role}: ${content.map((block) => ("text" in block ? block.text : block.type)).join(" ")}`,
    );
}
