// A call to be asked about, for tests: with danger in it or without, with something to keep or not.

import type { ApprovalQuestion } from "@tau/agent/judge-call";

export interface SampleCall {
  danger: "none" | "guarded";
  rules: "some" | "none";
}

export function sampleQuestion({ danger, rules }: SampleCall): ApprovalQuestion {
  const command = "rm -rf ../precious";
  const call = { type: "toolCall" as const, id: "1", name: "bash", arguments: { command } };
  return {
    call,
    // The screen reads nothing of a call but its parameters.
    prepared: { call, params: call.arguments } as unknown as ApprovalQuestion["prepared"],
    reasons: [{ behaviour: "approval", reason: "it deletes ../precious" }],
    tier: "exec",
    subjects: [command],
    rules: rules === "some" ? ["allow bash(rm *)"] : [],
    scopes: rules === "some" ? ["session", "always", "everywhere"] : [],
    guard: danger === "guarded" ? "it deletes ../precious" : undefined,
  };
}
