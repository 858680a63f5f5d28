// What a module of the family has registered, in its own words. Nothing of it is known to a session yet.

/** Whatever a handler is told and answers is checked where it is called. */
export type FamilyHandler = (event: Record<string, unknown>, context: unknown) => unknown;

export interface FamilyTool {
  readonly name: string;
  readonly label?: string;
  readonly description?: string;
  readonly parameters?: unknown;
  readonly promptSnippet?: string;
  readonly promptGuidelines?: readonly string[];
  readonly executionMode?: "sequential" | "parallel";
  readonly hidden?: boolean;
  readonly defaultInactive?: boolean;
  readonly prepareArguments?: (args: unknown) => unknown;
  readonly execute: (...args: unknown[]) => unknown;
  readonly onSession?: (event: unknown, context: unknown) => unknown;
  readonly renderCall?: (...args: unknown[]) => unknown;
  readonly renderResult?: (...args: unknown[]) => unknown;
}

export interface FamilyCommand {
  readonly description?: string;
  readonly getArgumentCompletions?: (prefix: string) => unknown;
  readonly handler: (args: string, context: unknown) => unknown;
}

export interface FamilyFlag {
  readonly description?: string;
  readonly type?: "boolean" | "string";
  readonly default?: boolean | string;
}

export interface FamilyShortcut {
  readonly description?: string;
  readonly handler: (context: unknown) => unknown;
}

export type FamilyRenderer = (subject: unknown, options: unknown, theme: unknown) => unknown;

export class Registrations {
  /** In the order in which they came; a handler may be there twice. */
  readonly handlers = new Map<string, FamilyHandler[]>();
  readonly tools = new Map<string, FamilyTool>();
  readonly commands = new Map<string, FamilyCommand>();
  readonly flags = new Map<string, FamilyFlag>();
  readonly shortcuts = new Map<string, FamilyShortcut>();
  readonly messageRenderers = new Map<string, FamilyRenderer>();
  readonly entryRenderers = new Map<string, FamilyRenderer>();
  readonly providers = new Map<string, unknown>();
  label: string | undefined;

  /** Returns the way to stop listening. */
  on(event: string, handler: FamilyHandler): () => void {
    const list = this.handlers.get(event) ?? [];
    this.handlers.set(event, [...list, handler]);
    return () => {
      const left = (this.handlers.get(event) ?? []).filter((one) => one !== handler);
      if (left.length > 0) this.handlers.set(event, left);
      else this.handlers.delete(event);
    };
  }

  of(event: string): readonly FamilyHandler[] {
    return this.handlers.get(event) ?? [];
  }
}
