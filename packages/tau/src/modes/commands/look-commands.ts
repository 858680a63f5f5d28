// Commands about Tau itself: what it shows, its settings and keys, whom it trusts.

import { join } from "node:path";
import { agentDirectory } from "../../config/places.ts";
import { userSettingsFile } from "../../config/open-settings.ts";
import { UserError } from "../../user-error.ts";
import type { AppContext } from "../interactive/app-context.ts";
import type { Command } from "./command.ts";

export const LOOK_COMMANDS: readonly Command[] = [
  {
    name: "transcript",
    help: "show the full transcript",
    when: "any",
    screen: async (app) => {
      const [{ FollowedTranscript }, { openTranscriptViewer }] = await Promise.all([
        import("../interactive/transcript-source.ts"),
        import("../interactive/screens/transcript-viewer.ts"),
      ]);
      const { session } = app.active;
      const { source, unfollow } = await FollowedTranscript.open(
        session.log,
        (follower) => app.conversation.follow(follower),
        app,
      );
      try {
        if (source.length === 0) return "The conversation is still empty.";
        source.onChange = app.surface.requestRender;
        const { title } = session.state;
        await openTranscriptViewer(app.surface, { source, title });
      } finally {
        unfollow();
      }
      return undefined;
    },
  },
  {
    name: "settings",
    aliases: ["config"],
    help: "show and change settings",
    when: "any",
    screen: async (app) => {
      const [{ openSettingsScreen }, { settingsSource }] = await Promise.all([
        import("../interactive/screens/settings-screen.ts"),
        import("../interactive/screens/settings-source.ts"),
      ]);
      const changed = await openSettingsScreen(app.surface, {
        ...(await settingsSource(app)),
        onPreview: (key, value) => previewSetting(app, key, value),
        onChange: () => void app.reload(),
      });
      await app.reload();
      if (changed.length === 0) return undefined;
      return `Changed: ${changed.join(", ")}. Settings of the session itself apply from the next session on.`;
    },
  },
  {
    name: "theme",
    argument: "[NAME]",
    help: "choose the theme",
    when: "any",
    complete: async ({ app }) => ((await app?.themes.list()) ?? []).map(({ name }) => name),
    screen: async (app, name) => {
      const { themes, env } = app;
      const chosen = name === "" ? await pickTheme(app) : name;
      if (chosen === undefined) return undefined;
      const problem = await themes.preview(chosen);
      if (problem !== undefined) throw new UserError(problem);
      const { writeSetting } = await import("../../config/write-setting.ts");
      await writeSetting(userSettingsFile(env), `theme.${themes.appearance}`, chosen);
      await app.reload();
      return `The theme for ${themes.appearance} backgrounds is now ${chosen}.`;
    },
  },
  {
    name: "hotkeys",
    aliases: ["keys"],
    help: "show all keyboard shortcuts",
    when: "any",
    screen: async ({ surface, env, shortcuts }) => {
      const { openHotkeysScreen } = await import("../interactive/screens/hotkeys-screen.ts");
      const remapFile = join(agentDirectory(env), "keybindings.json");
      await openHotkeysScreen(surface, { remapFile, extensions: shortcuts.rows });
      return undefined;
    },
  },
  {
    name: "trust",
    help: "show what this project would run; allow or deny it",
    screen: async (app) => {
      const { askTrust } = await import("../interactive/ask-trust.ts");
      return askTrust(app, "asked");
    },
  },
  {
    name: "tour",
    help: "take a guided tour, with the built-in demo model",
    screen: async (app) => {
      const { startTour } = await import("../interactive/tour.ts");
      startTour(app);
      return undefined;
    },
  },
];

/** Colours can be seen before they are chosen; nothing else shows. */
function previewSetting({ themes }: AppContext, key: string, value: unknown): void {
  if (!key.startsWith("theme.") || typeof value !== "string") return;
  if (key === `theme.${themes.appearance}`) void themes.preview(value);
}

async function pickTheme({ surface, themes }: AppContext): Promise<string | undefined> {
  const before = surface.theme.name;
  const items = (await themes.list()).map(({ name }) => ({ value: name, label: name }));
  const { askOneOf } = await import("../interactive/screens/ask-over.ts");
  const chosen = await askOneOf(surface, {
    title: "Theme",
    items,
    selected: Math.max(
      items.findIndex(({ value }) => value === before),
      0,
    ),
    onMove: (item) => {
      if (item) void themes.preview(item.value);
    },
  });
  if (chosen === undefined) await themes.restore();
  return chosen;
}
