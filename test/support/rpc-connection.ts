// A client of `tau --mode rpc` with a home of its own, against a scripted model: as an editor or a bot
// would be, and with everything it heard at hand.

import { mkdir } from "node:fs/promises";
import { textOf } from "@tau/ai/message";
import { RpcClient, RpcError, type RpcEvent } from "@tau/tau/sdk";
import { ModelServer, type Script } from "@tau/testkit/model-server";
import { isolatedHome, type IsolatedHome } from "@tau/testkit/scratch";
import { launcher } from "./run-tau.ts";

export interface Connection extends AsyncDisposable {
  home: IsolatedHome;
  server: ModelServer;
  client: RpcClient;
  cwd: string;
  /** Every event so far. */
  events: RpcEvent[];
  /** The first that fits, of those that came and those to come. */
  event(fits: (event: RpcEvent) => boolean): Promise<RpcEvent>;
  requests(): string[][];
}

interface ConnectOptions {
  env?: Readonly<Record<string, string>>;
  args?: readonly string[];
  settings?: string;
  program?: readonly string[];
  /** What is there before the start. */
  before?: (home: IsolatedHome) => Promise<unknown>;
}

export async function connect(script: Script, options: ConnectOptions = {}): Promise<Connection> {
  const { args = [], settings = "retry: { enabled: false }\n", program = [launcher] } = options;
  const home = await isolatedHome();
  const server = await ModelServer.start(script);
  const cwd = home.path("work");
  await mkdir(cwd, { recursive: true });
  await home.write("precious.txt", "mine\n");
  await home.write(".tau/agent/config.yml", settings);
  await options.before?.(home);
  const client = new RpcClient({
    command: [...program, "--mode", "rpc", "-m", "ollama/x", ...args],
    cwd,
    env: { ...home.env, OLLAMA_BASE_URL: server.baseUrl("openai-completions"), ...options.env },
    stderr: "pipe",
  });
  const events: RpcEvent[] = [];
  client.subscribe((event) => events.push(event));
  return {
    home,
    server,
    client,
    cwd,
    events,
    event: async (fits) => events.find(fits) ?? (await client.next(fits)),
    requests: () =>
      server.requests.map(({ decoded }) =>
        decoded.messages.map((message) => `${message.role}: ${textOf(message)}`),
      ),
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

export const ofType = (type: string) => (event: RpcEvent) => event.type === type;
/** Says a little, and then nothing more. */
export const SILENT = { text: "working on it", delivery: { silentAfterBytes: 400 } };
/** What is always asked about: it is outside of the working directory. */
export const remove = {
  toolCalls: [{ name: "bash", arguments: { command: "rm ../precious.txt" } }],
};

/** Of the `RpcError` that it fails with. */
export async function codeOf(failing: Promise<unknown>): Promise<string> {
  try {
    await failing;
    return "no failure";
  } catch (error) {
    return error instanceof RpcError ? error.code : String(error);
  }
}
