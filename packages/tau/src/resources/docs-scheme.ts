// `tau://PAGE`: Tau's own documentation, as it belongs to this version, for a model that is asked
// how Tau works.

import { ToolError } from "@tau/agent/tool";
import { COMMAND } from "../brand.ts";
import { suggest } from "../base/suggest.ts";
import type { Scheme } from "./schemes.ts";

type Page = () => Promise<{ default: string }>;

/** Each is loaded when it is read. A test compares the list with the directory. */
export const PAGES: Readonly<Record<string, Page>> = {
  "adding-a-provider": () =>
    import("../../../../docs/adding-a-provider.md", { with: { type: "text" } }),
  approval: () => import("../../../../docs/approval.md", { with: { type: "text" } }),
  ask: () => import("../../../../docs/ask.md", { with: { type: "text" } }),
  benchmarks: () => import("../../../../docs/benchmarks.md", { with: { type: "text" } }),
  cells: () => import("../../../../docs/cells.md", { with: { type: "text" } }),
  checkpoint: () => import("../../../../docs/checkpoint.md", { with: { type: "text" } }),
  cli: () => import("../../../../docs/cli.md", { with: { type: "text" } }),
  demo: () => import("../../../../docs/demo.md", { with: { type: "text" } }),
  discovery: () => import("../../../../docs/discovery.md", { with: { type: "text" } }),
  "edit-language": () => import("../../../../docs/edit-language.md", { with: { type: "text" } }),
  editing: () => import("../../../../docs/editing.md", { with: { type: "text" } }),
  embedding: () => import("../../../../docs/embedding.md", { with: { type: "text" } }),
  environment: () => import("../../../../docs/environment.md", { with: { type: "text" } }),
  "extension-ui": () => import("../../../../docs/extension-ui.md", { with: { type: "text" } }),
  agents: () => import("../../../../docs/agents.md", { with: { type: "text" } }),
  extensions: () => import("../../../../docs/extensions.md", { with: { type: "text" } }),
  "family-extensions": () =>
    import("../../../../docs/family-extensions.md", { with: { type: "text" } }),
  finding: () => import("../../../../docs/finding.md", { with: { type: "text" } }),
  gallery: () => import("../../../../docs/gallery.md", { with: { type: "text" } }),
  goal: () => import("../../../../docs/goal.md", { with: { type: "text" } }),
  glossary: () => import("../../../../docs/glossary.md", { with: { type: "text" } }),
  hooks: () => import("../../../../docs/hooks.md", { with: { type: "text" } }),
  install: () => import("../../../../docs/install.md", { with: { type: "text" } }),
  keys: () => import("../../../../docs/keys.md", { with: { type: "text" } }),
  login: () => import("../../../../docs/login.md", { with: { type: "text" } }),
  models: () => import("../../../../docs/models.md", { with: { type: "text" } }),
  "plan-mode": () => import("../../../../docs/plan-mode.md", { with: { type: "text" } }),
  plugins: () => import("../../../../docs/plugins.md", { with: { type: "text" } }),
  prompt: () => import("../../../../docs/prompt.md", { with: { type: "text" } }),
  resources: () => import("../../../../docs/resources.md", { with: { type: "text" } }),
  rules: () => import("../../../../docs/rules.md", { with: { type: "text" } }),
  rpc: () => import("../../../../docs/rpc.md", { with: { type: "text" } }),
  isolation: () => import("../../../../docs/isolation.md", { with: { type: "text" } }),
  "rpc-commands": () => import("../../../../docs/rpc-commands.md", { with: { type: "text" } }),
  sandbox: () => import("../../../../docs/sandbox.md", { with: { type: "text" } }),
  screens: () => import("../../../../docs/screens.md", { with: { type: "text" } }),
  scripting: () => import("../../../../docs/scripting.md", { with: { type: "text" } }),
  secrets: () => import("../../../../docs/secrets.md", { with: { type: "text" } }),
  "session-format": () => import("../../../../docs/session-format.md", { with: { type: "text" } }),
  sessions: () => import("../../../../docs/sessions.md", { with: { type: "text" } }),
  settings: () => import("../../../../docs/settings.md", { with: { type: "text" } }),
  shell: () => import("../../../../docs/shell.md", { with: { type: "text" } }),
  ssh: () => import("../../../../docs/ssh.md", { with: { type: "text" } }),
  structural: () => import("../../../../docs/structural.md", { with: { type: "text" } }),
  terminal: () => import("../../../../docs/terminal.md", { with: { type: "text" } }),
  testing: () => import("../../../../docs/testing.md", { with: { type: "text" } }),
  themes: () => import("../../../../docs/themes.md", { with: { type: "text" } }),
  todo: () => import("../../../../docs/todo.md", { with: { type: "text" } }),
  trust: () => import("../../../../docs/trust.md", { with: { type: "text" } }),
};

export const docsScheme: Scheme = {
  name: COMMAND,
  example: `${COMMAND}://sessions`,
  async open({ path: name }) {
    const bare = name.replace(/\.md$/, "");
    const shown = `${COMMAND}://${bare}`;
    if (bare === "") {
      const text = Object.keys(PAGES)
        .map((page) => `${COMMAND}://${page}`)
        .join("\n");
      return { type: "text", shown, text, notes: [] };
    }
    const page = PAGES[bare];
    if (!page) {
      const near = suggest(bare, Object.keys(PAGES));
      const hint = near ? `Did you mean ${COMMAND}://${near}?` : `Read ${COMMAND}:// for the list.`;
      throw new ToolError(`There is no page ${shown}. ${hint}`);
    }
    return { type: "text", shown, text: (await page()).default, notes: [] };
  },
  list: async () => Object.keys(PAGES).map((page) => `${COMMAND}://${page}`),
};
