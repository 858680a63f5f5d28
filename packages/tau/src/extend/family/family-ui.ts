// `ctx.ui` of the family's code, on whatever front-end there is. What a front-end cannot do answers as
// the family's own headless mode does: nothing chosen, no consent, nothing shown.

import type { UserInterface } from "../../feature-api/user-interface.ts";
import { familyTheme } from "./family-theme.ts";

interface DialogOptions {
  readonly signal?: AbortSignal;
  readonly timeout?: number;
}

const TONES: ReadonlySet<unknown> = new Set(["info", "warning", "error"]);

/** `lacks`: it is called for what Tau does not have. */
export function makeFamilyUi(ui: UserInterface, lacks: (method: string) => void): object {
  // Where nothing is drawn, the family does nothing at these either; taking something away asks for nothing.
  const missed = (method: string, given: unknown): void => {
    if (ui.canDraw && given !== undefined && given !== null) lacks(`ctx.ui.${method}`);
  };
  const limits = ({ signal, timeout }: DialogOptions = {}) => ({ signal, timeoutMs: timeout });
  const statuses = new Map<string, string>();
  return {
    select: (title: string, options: readonly unknown[], how?: DialogOptions) =>
      ui.select(String(title), options.map(toChoice), limits(how)),
    confirm: (title: string, message: string, how?: DialogOptions) =>
      ui.confirm(String(title), String(message ?? ""), limits(how)),
    input: (title: string, placeholder?: string, how?: DialogOptions) =>
      ui.input(String(title), { placeholder, ...limits(how) }),
    editor: (title: string, prefill?: string, how?: DialogOptions) =>
      ui.editText(String(title), prefill ?? "", limits(how)),
    notify: (message: unknown, type?: unknown) =>
      ui.notify(String(message), TONES.has(type) ? (type as "info") : "info"),
    setStatus(key: string, text: unknown): void {
      if (text === undefined) statuses.delete(String(key));
      else statuses.set(String(key), String(text));
      ui.setStatus(String(key), statuses.get(String(key)));
    },
    setWidget(key: string, content: unknown, how?: { placement?: string }): void {
      const place = how?.placement === "belowEditor" ? "below" : "above";
      if (content === undefined || content === null) ui.setWidget(String(key), undefined, place);
      else if (Array.isArray(content)) ui.setWidget(String(key), content.map(String), place);
      else if (typeof content === "function") {
        const { widgetOf } =
          require("./family-components.ts") as typeof import("./family-components.ts");
        ui.setWidget(String(key), widgetOf(content as (...args: unknown[]) => unknown), place);
      }
    },
    /** Tau's own status line stays; this stands above it. */
    setFooter(factory: unknown): void {
      if (typeof factory !== "function") return ui.setWidget(FOOTER, undefined, "below");
      const { widgetOf } =
        require("./family-components.ts") as typeof import("./family-components.ts");
      const footer = widgetOf(factory as (...args: unknown[]) => unknown, footerData(statuses));
      ui.setWidget(FOOTER, footer, "below");
    },
    /** There it stands at the top of the screen; here the top of what stays is above the prompt. */
    setHeader(factory: unknown): void {
      if (typeof factory !== "function") return ui.setWidget(HEADER, undefined, "above");
      const { widgetOf } =
        require("./family-components.ts") as typeof import("./family-components.ts");
      ui.setWidget(HEADER, widgetOf(factory as (...args: unknown[]) => unknown), "above");
    },
    setTitle: (title: unknown) => ui.setTitle(String(title)),
    setWorkingMessage: (words?: unknown) =>
      ui.setWorking(words === undefined ? undefined : String(words)),
    setEditorText: (text: unknown) => ui.setDraft(String(text)),
    pasteToEditor: (text: unknown) => ui.setDraft(ui.draft + String(text)),
    getEditorText: () => ui.draft,
    async custom(factory: (...args: unknown[]) => unknown): Promise<unknown> {
      if (!ui.canDraw) return undefined;
      const { showFamilyScreen } = await import("./family-components.ts");
      return showFamilyScreen(ui, factory);
    },
    get theme() {
      return familyTheme(ui.theme);
    },
    getAllThemes: () => [],
    getTheme: () => undefined,
    setTheme: () => ({ success: false, error: "Tau's theme is changed with /theme" }),
    getToolsExpanded: () => false,
    // What the family itself does nothing with outside of its own terminal.
    setToolsExpanded: () => {},
    setWorkingVisible: () => {},
    setWorkingIndicator: () => {},
    setHiddenThinkingLabel: () => {},
    setEditorComponent: (component: unknown) => missed("setEditorComponent", component),
    getEditorComponent: () => undefined,
    addAutocompleteProvider: (provider: unknown) => missed("addAutocompleteProvider", provider),
    onTerminalInput(handler: unknown) {
      missed("onTerminalInput", handler);
      return () => {};
    },
  };
}

/** Keys that no extension of the family's writes itself. */
const FOOTER = "footer of its own";
const HEADER = "header of its own";

/** What a footer is told of the session, as far as it is the extension's business. */
function footerData(statuses: ReadonlyMap<string, string>): object {
  return {
    getGitBranch: () => null,
    getExtensionStatuses: () => statuses,
    getAvailableProviderCount: () => 1,
    onBranchChange: () => () => {},
  };
}

function toChoice(option: unknown): { value: string; label?: string; description?: string } {
  if (typeof option !== "object" || option === null) return { value: String(option) };
  const { value, label, description } = option as Record<string, unknown>;
  return {
    value: String(value ?? label),
    label: label === undefined ? undefined : String(label),
    description: description === undefined ? undefined : String(description),
  };
}
