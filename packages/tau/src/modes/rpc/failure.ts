// From whatever a command threw to what its response says: a code that programs act on, a sentence
// for people. What is no expected failure is a bug and is called one.

import { EXIT } from "../../exit-code.ts";
import { ChangeRefused } from "../../assembly/active-session.ts";
import { SessionBusy } from "../../session/session-busy.ts";
import { UserError } from "../../user-error.ts";
import { RpcError, type RpcErrorCode, type RpcFailure } from "./protocol.ts";

/** Expected failures of modules that are loaded only when they are needed, by their names. */
const BY_NAME: Readonly<Record<string, RpcErrorCode>> = {
  AbortError: "aborted",
  Unsupported: "unsupported",
  UnknownEntry: "not_found",
  UnknownAgent: "not_found",
  AgentGone: "refused",
  OperationRefused: "refused",
  SessionMovedOn: "refused",
  SessionExists: "refused",
  NotASession: "refused",
  SessionLocked: "busy",
  StorageError: "failed",
  SessionChanged: "failed",
  SessionRescued: "failed",
  EntryTooLarge: "invalid",
};

export function failureOf(error: unknown): RpcFailure {
  const { message, name } = error instanceof Error ? error : new Error(String(error));
  return { code: codeOf(error) ?? BY_NAME[name] ?? "internal", message };
}

function codeOf(error: unknown): RpcErrorCode | undefined {
  if (error instanceof RpcError) return error.code;
  if (error instanceof SessionBusy) return "busy";
  if (error instanceof ChangeRefused) return "refused";
  if (!(error instanceof UserError)) return undefined;
  return error.exitCode === EXIT.noCredentials ? "no_credentials" : "failed";
}
