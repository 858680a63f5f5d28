// The ssh tool: one command on a host that the user has named, its output, its exit code.

import { defineTool, textOutput, ToolError, type Tool } from "@tau/agent/tool";
import { describeFacts, FactsCache } from "@tau/host/ssh/remote-facts";
import type { RemoteResult } from "@tau/host/ssh/run-remote";
import type { SshConnections } from "@tau/host/ssh/ssh-connections";
import { SshError } from "@tau/host/ssh/ssh-error";
import type { SshHost } from "@tau/host/ssh/ssh-host";
import { join } from "node:path";
import { description, nonEmpty, number, optional, pipe, strictObject, string } from "valibot";
import { suggest } from "../../base/suggest.ts";
import { temporaryDirectory } from "../../config/places.ts";
import {
  artifactNote,
  COLLECTED_LIMITS,
  OutputCollector,
  type CollectedOutput,
} from "../bash/collect-output.ts";
import type { Workspace } from "../workspace.ts";
import type { RemoteParams } from "./assess-remote.ts";
import type { LoadedHosts } from "./load-hosts.ts";
import prompt from "./prompt.md" with { type: "text" };

const NAME = "ssh";
const DEFAULT_TIMEOUT_S = 60;
const MIN_TIMEOUT_S = 1;
const MAX_TIMEOUT_S = 3600;
/** In the description, which every request pays for; others can be used all the same. */
const MAX_LISTED = 40;
const MAX_NAMED_IN_REFUSAL = 40;

const parameters = strictObject({
  host: pipe(string(), nonEmpty(), description("A host's name")),
  command: pipe(string(), nonEmpty(), description("The command line")),
  cwd: optional(pipe(string(), nonEmpty(), description("Directory there"))),
  timeout: optional(pipe(number(), description(`Seconds; ${DEFAULT_TIMEOUT_S}`))),
});

/** Closes its connections when it goes. */
export type SshTool = Tool & AsyncDisposable;

/** Undefined without a host: then there is nothing to tell the model. */
export function createSshTool(workspace: Workspace, loaded: LoadedHosts): SshTool | undefined {
  if (loaded.hosts.size === 0) return undefined;
  const cache = new FactsCache(join(workspace.agentDirectory, "remote-hosts"));
  let opening: Promise<SshConnections> | undefined;
  const tool = defineTool({
    name: NAME,
    description: `${prompt.trim()}\n\n${listing(loaded, cache)}`,
    parameters,
    tier: "exec",
    // One after the other, as written: the next often depends on what the last one changed there.
    concurrency: "exclusive",
    limits: COLLECTED_LIMITS,
    assess: async (params) => {
      const { assessRemote } = await import("./assess-remote.ts");
      return assessRemote(workspace, params as RemoteParams);
    },
    async execute({ host: name, command, cwd, timeout = DEFAULT_TIMEOUT_S }, { signal, update }) {
      const host = find(name, loaded);
      const seconds = Math.min(MAX_TIMEOUT_S, Math.max(MIN_TIMEOUT_S, timeout));
      const collector = new OutputCollector({ tool: NAME, artifacts: workspace.artifacts, update });
      opening ??= open(workspace, loaded, cache);
      const connection = (await opening).to(host);
      let result: RemoteResult;
      try {
        result = await connection.run(command, {
          signal,
          timeoutMs: seconds * 1000,
          onOutput: collector.push,
          cwd,
        });
      } catch (error) {
        if (!(error instanceof SshError)) throw error;
        throw failed(sentence(error.message), await collector.finish());
      }
      const output = await collector.finish();
      const failure = failureOf(result, seconds);
      if (failure !== undefined) throw failed(failure, output);
      const { artifactId, totalBytes } = output;
      const whole = artifactId === undefined ? {} : { artifactId };
      const details = { host: name, exitCode: result.exitCode, totalBytes, ...whole };
      return { ...textOutput(textFor(output) || "(no output)", details), ...whole };
    },
  });
  return {
    ...tool,
    async [Symbol.asyncDispose]() {
      await (await opening)?.[Symbol.asyncDispose]();
    },
  };
}

async function open(
  workspace: Workspace,
  { configFile }: LoadedHosts,
  cache: FactsCache,
): Promise<SshConnections> {
  const [{ SshConnections }, { childEnvironment }] = await Promise.all([
    import("@tau/host/ssh/ssh-connections"),
    import("../bash/child-environment.ts"),
  ]);
  return new SshConnections({
    env: childEnvironment(workspace.env),
    temporaryDirectory: temporaryDirectory(workspace.env),
    cache,
    configFile,
  });
}

/** What a host is comes from earlier sessions: it must not change within one. */
function listing({ hosts }: LoadedHosts, cache: FactsCache): string {
  const lines = [...hosts.values()].slice(0, MAX_LISTED).map(({ name, description: words }) => {
    const facts = cache.read(name);
    const system = facts ? ` (${describeFacts(facts)})` : "";
    return `- ${name}${system}${words ? `: ${words}` : ""}`;
  });
  const more = hosts.size - lines.length;
  return ["Hosts:", ...lines, ...(more > 0 ? [`- and ${more} more`] : [])].join("\n");
}

function find(name: string, { hosts, inert }: LoadedHosts): SshHost {
  const host = hosts.get(name);
  if (host) return host;
  const file = inert.get(name);
  if (file !== undefined) {
    throw new ToolError(
      `The host ${name} comes from ${file} of a project that the user has not trusted; ask them to add it to their own ssh.json.`,
    );
  }
  const names = [...hosts.keys()];
  const near = suggest(name, names);
  const shown = names.slice(0, MAX_NAMED_IN_REFUSAL).join(", ");
  const more = names.length > MAX_NAMED_IN_REFUSAL ? ", …" : "";
  const hint = near === undefined ? `there are ${shown}${more}` : `did you mean ${near}?`;
  throw new ToolError(`There is no SSH host named ${name}; ${hint}`);
}

function failureOf(result: RemoteResult, seconds: number): string | undefined {
  const { end, there, exitCode, signal } = result;
  const doubt = there === "ended" ? "" : "; it may still be running there";
  if (end === "aborted") return `aborted${doubt}`;
  if (end === "timeout") return `timed out after ${seconds} s${doubt}`;
  if (exitCode === 0) return undefined;
  return signal === null ? `exit code ${exitCode}` : `exit code ${exitCode} (${signal})`;
}

function failed(failure: string, output: CollectedOutput): ToolError {
  const text = [textFor(output), `[${failure}]`].filter(Boolean).join("\n");
  return new ToolError(failure, [{ type: "text", text }], output.artifactId);
}

function textFor(output: CollectedOutput): string {
  return [output.text.replace(/\n+$/, ""), artifactNote(output)].filter(Boolean).join("\n");
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
