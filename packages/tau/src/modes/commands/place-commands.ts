// Commands that lead elsewhere: to another session, or to another place in this one.

import { kindOf } from "../../session/entry-kinds.ts";
import { UserError } from "../../user-error.ts";
import type { AppContext } from "../interactive/app-context.ts";
import type { Command } from "./command.ts";

export const PLACE_COMMANDS: readonly Command[] = [
  {
    name: "resume",
    aliases: ["sessions"],
    argument: "[ID]",
    help: "resume another session",
    run: async ({ active }, wanted) => {
      if (wanted === "") {
        throw new UserError("name a session: /resume ID (`tau sessions` lists them)");
      }
      await active.resume(wanted);
      return `Resumed ${active.session.state.title ?? active.session.id}.`;
    },
    screen: async (app, wanted) => {
      const path = wanted === "" ? await pickSession(app) : wanted;
      if (path !== undefined) await app.active.resume(path);
      return undefined;
    },
  },
  {
    name: "tree",
    help: "open the session tree, to go to another entry",
    screen: async (app) => {
      const choice = await pickEntry(app, "ask");
      if (!choice) return undefined;
      const { entryId, ...wishes } = choice;
      const { editor, active, cancels, activity, surface } = app;
      const controller = new AbortController();
      using _scope = cancels.push("stops the summary", () => controller.abort());
      if (wishes.summarise) activity.begin("Summarising the branch you leave");
      surface.requestRender();
      try {
        const moved = await active.session.navigate(entryId, {
          ...wishes,
          signal: controller.signal,
        });
        if (moved.editorText !== undefined) editor.setText(moved.editorText);
        return moved.isMoved ? undefined : "You are already there.";
      } catch (error) {
        if (controller.signal.aborted) return "Nothing was changed.";
        throw error;
      } finally {
        activity.end();
      }
    },
  },
  {
    name: "branch",
    help: "continue in a new session from an earlier message",
    screen: async (app) => {
      const choice = await pickEntry(app, "never");
      if (!choice) return undefined;
      const text = await app.active.branch(choice.entryId);
      if (text !== undefined) app.editor.setText(text);
      return undefined;
    },
  },
  {
    name: "label",
    argument: "[NAME]",
    help: "label the current entry, to find it in the tree",
    run: async ({ active: { session } }, name) => {
      const branch = await session.log.branch({ sinceCompaction: true });
      // What commands answered, and the like, stands after it and is not in the tree's first view.
      const current = branch.findLast((entry) => kindOf(entry).inTree === "shown");
      if (!current) throw new UserError("there is nothing to label yet");
      await session.label(current.id, name === "" ? undefined : name);
      return name === "" ? "Removed the label." : `Labelled "${name}".`;
    },
  },
];

async function pickSession({ surface, active }: AppContext): Promise<string | undefined> {
  const [{ openSessionPicker }, { sessionSource }] = await Promise.all([
    import("../interactive/screens/session-picker.ts"),
    import("../interactive/screens/session-source.ts"),
  ]);
  const { session, store } = active;
  const { path } = session.log;
  const current = { path, rename: (title: string) => session.rename(title) };
  const source = sessionSource({ store, current });
  const chosen = await openSessionPicker(surface, {
    ...source,
    currentPath: path,
  });
  return chosen?.path;
}

async function pickEntry({ surface, active }: AppContext, summaries: "ask" | "never") {
  const [{ openTreeNavigator }, { readSessionTree }] = await Promise.all([
    import("../interactive/screens/tree-navigator.ts"),
    import("../../session/operations/session-tree.ts"),
  ]);
  const { session } = active;
  const { log } = session;
  return openTreeNavigator(surface, {
    read: (options) => readSessionTree(log.entries(), { leafId: log.leafId, ...options }),
    label: (entryId, label) => session.label(entryId, label),
    summaries,
  });
}
