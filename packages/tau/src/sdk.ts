// Tau for programs: everything an embedding program needs, from one place. What is exported
// here is kept compatible; everything else in the package may change.

export { createSession } from "./assembly/create-session.ts";
export type { CreatedSession, CreateSessionOptions } from "./assembly/create-session.ts";
export { ActiveSession, ChangeRefused } from "./assembly/active-session.ts";
export { Session, type PromptEnd, type PromptOptions } from "./session/session.ts";
export { SessionBusy } from "./session/session-busy.ts";
export type { QueuedMessage, SessionEvent } from "./session/session-event.ts";
export type { SessionLog } from "./session/session-log.ts";
export { SessionStore, type SessionWish } from "./session/session-store.ts";
export type { Spend } from "./session/spend.ts";
export type { AsideRequest, AskOptions, ModelCallRecord } from "./model/aside.ts";
export type { SessionSettings } from "./session/session-settings.ts";
export type { IsolatedSettings } from "./assembly/isolated-settings.ts";
export { FeatureClash, type NameKind } from "./features/name-owners.ts";
export { BUILT_IN } from "./features/built-in.ts";
export { BUILT_IN_TOOLS } from "./features/tool-names.ts";
export type { Feature, FeatureHost, FeatureParts, FeatureWishes } from "./feature-api/feature.ts";
export { AGENTS, type AgentMessages, type Agents } from "./feature-api/agents.ts";
export { AGENT_RUNNER, type AgentJob, type AgentRunner } from "./feature-api/agent-runner.ts";
export type { AgentEnd, AgentState, AgentView } from "./feature-api/agent-view.ts";
export { partKey, type PartKey } from "./base/part.ts";
export { offer } from "./session/session-host.ts";
export { toolFeature } from "./feature-api/tool-feature.ts";
export type { CommandLineFeature, ParsedArgs, Subcommand } from "./feature-api/subcommand.ts";
export type { LinePlace, OwnLine } from "./feature-api/own-line.ts";
export type { Panel, PanelPlace, TerminalFeature } from "./feature-api/terminal-feature.ts";
export type { CallLook, CallState, ToolView } from "./feature-api/tool-view.ts";
export { defineProtocolCommand, type FeatureProtocol } from "./feature-api/protocol.ts";
export { amount, flag, list, map, oneOf, text } from "./config/setting.ts";
export type { VariableRow, VariableRows } from "./config/environment-table.ts";
export { settingGroup } from "./config/setting-group.ts";
export { keeping } from "./session/event-row.ts";
export { note } from "./session/projection/block.ts";
export { WORKSPACE, type Workspace } from "./tools/workspace.ts";
export type { SessionCommand } from "./session/session-command.ts";
export type { Verdict } from "./modes/consent-answer.ts";
export { UsageError, usageLine, UserError } from "./user-error.ts";
export { APPROVAL } from "./features/approval/approval.ts";
export { TODO, type TodoList } from "./features/todo/todo-list.ts";
export type { TodoPhase, TodoTask } from "./features/todo/todo-phases.ts";
export {
  AVAILABLE,
  type AvailableInstruction,
  type AvailableInstructions,
} from "./context/available-instructions.ts";
export { PROJECT, type Project } from "./project/project.ts";
export type { PromptPart } from "./context/system-prompt.ts";
export { Budget } from "@tau/agent/budget";
export type { HookHandlers, HookOwner } from "@tau/agent/hooks";
export type { Approval, ApprovalQuestion, Asker } from "@tau/agent/judge-call";
export {
  defineJsonTool,
  defineTool,
  textOutput,
  ToolError,
  type CallPreview,
  type Tool,
  type ToolOutput,
} from "@tau/agent/tool";
export { RpcClient, RpcClosed, type RpcAnswer, type RpcClientOptions } from "./modes/rpc/client.ts";
export { RpcError, type AskEvent, type RpcEvent } from "./modes/rpc/protocol.ts";
export { textOf, userText, type Message } from "@tau/ai/message";
export type { Model } from "@tau/ai/model";
export { ReplyStream } from "@tau/ai/reply-stream";
