// A request to the agent service in plain JSON: what is asked, before it becomes messages and blobs
// of one conversation. The prompt's messages have the form in which the service keeps them.

import type { JsonSchema } from "../../request.ts";

export const RUN_PATH = "/agent.v1.AgentService/Run";
export const MODELS_PATH = "/agent.v1.AgentService/GetUsableModels";

/** Our tools stand there as those of a tool server with this name. */
export const TOOL_SERVER_ID = "tau";

export interface AgentModel {
  id: string;
  name: string;
  maxMode: boolean;
  parameters: { id: string; value: string }[];
}

export interface PromptText {
  type: "text";
  text: string;
}

export type PromptPart =
  | PromptText
  /** `image` is a data URL. */
  | { type: "image"; image: string; mediaType: string };

export interface PromptCall {
  type: "tool-call";
  toolCallId: string;
  toolName: string;
  args: Record<string, unknown>;
}

export interface PromptResult {
  type: "tool-result";
  toolCallId: string;
  toolName: string;
  result: string;
  isError?: true;
}

export type PromptMessage =
  | { role: "user"; content: PromptPart[] }
  | { role: "assistant"; content: (PromptText | PromptCall)[] }
  | { role: "tool"; id: string; content: [PromptResult] };

export interface AgentTool {
  name: string;
  description: string;
  parameters: JsonSchema;
}

export interface AgentBody {
  model: AgentModel;
  /** Constant per session, if there is one. */
  conversationId?: string;
  system: string[];
  tools: AgentTool[];
  messages: PromptMessage[];
}
