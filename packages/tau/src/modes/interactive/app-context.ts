// What the parts of the interactive mode share: the session they are about, the surface they
// draw on, the prompt, and the few things that only the mode as a whole can do.

import type { Environment } from "@tau/ai/environment";
import type { ImageBlock } from "@tau/ai/message";
import type { CodeHighlighter } from "@tau/tui/markdown/code-highlighter";
import type { PromptEditor } from "@tau/tui/editor/prompt-editor";
import type { ActiveSession } from "../../assembly/active-session.ts";
import type { Spend } from "../../session/spend.ts";
import type { ActivityLine } from "./bottom/activity-line.ts";
import type { CancelStack } from "./cancel-stack.ts";
import type { ConversationView } from "./conversation-view.ts";
import type { ExtensionShortcuts } from "./extension-shortcuts.ts";
import type { Guide } from "./guide.ts";
import type { InteractionSettings } from "../../looks/interaction-settings.ts";
import type { Surface } from "./surface.ts";
import type { ThemeSource } from "./themes/theme-source.ts";
import type { EntryView } from "../../feature-api/terminal-feature.ts";
import type { ToolView } from "../../feature-api/tool-view.ts";

export interface AppContext {
  readonly cwd: string;
  readonly env: Environment;
  readonly surface: Surface;
  readonly editor: PromptEditor;
  readonly cancels: CancelStack;
  readonly activity: ActivityLine;
  readonly conversation: ConversationView;
  readonly isOpen: boolean;
  /** Throws before the session is open; what a person does waits for it. */
  readonly active: ActiveSession;
  readonly settings: InteractionSettings;
  readonly spend: Spend;
  readonly themes: ThemeSource;
  /** Keys of extensions. */
  readonly shortcuts: ExtensionShortcuts;
  viewOf(name: string): ToolView;
  entryViewOf(customType: string): EntryView | undefined;
  readonly highlighter: CodeHighlighter | undefined;
  /** As if the user had sent it. */
  submit(text: string): void;
  /** Stops what runs; what waited comes back into the prompt. */
  stop(): void;
  leave(): void;
  /** Somebody leads from step to step. */
  guide: Guide | undefined;
  showPicture(image: ImageBlock): void;
  /** Somebody may have changed files: what is shown of them is looked at again. */
  changedFiles(): void;
  /** The settings were changed: looks and keys follow. */
  reload(): Promise<void>;
}
