// Settings and packages, as the family's code asks for them. Those are Tau's, and Tau's user's to change:
// what is asked is answered with nothing, and what is changed stays as it was.

interface Answering {
  [name: string]: unknown;
}

/** Answers every question that begins with `get` or `is`, and takes no orders. */
function answering(extra: Answering = {}): Answering {
  return new Proxy(extra, {
    get(target, name) {
      if (typeof name !== "string" || name in target) return Reflect.get(target, name);
      if (name === "then") return undefined;
      if (/^(?:get|is|has|list|load|check|resolve)/.test(name)) return () => undefined;
      return () => {
        throw new Error(`${name} would change settings, which are changed with tau config`);
      };
    },
  });
}

const makeSettings = (): unknown =>
  answering({
    getGlobalSettings: () => ({}),
    getProjectSettings: () => ({}),
    getPackages: () => [],
    getExtensionPaths: () => [],
    getEnabledModels: () => undefined,
    reload: async () => {},
    flush: async () => {},
  });

export const SettingsManager = { create: makeSettings, inMemory: makeSettings };

/** Called with `new`: what it gives back takes the new object's place. */
export const DefaultPackageManager = function (): unknown {
  return answering({
    listConfiguredPackages: () => [],
    resolve: async () => ({ extensions: [], skills: [], prompts: [], themes: [] }),
    checkForAvailableUpdates: async () => [],
    getInstalledPath: () => undefined,
  });
};

/** Sessions are opened by Tau: one that an extension opens for itself would have no guard. */
export const SessionManager = {
  open(): never {
    throw new Error("an extension cannot open a session file; use ctx.sessionManager");
  },
  list: async (): Promise<unknown[]> => [],
  listAll: async (): Promise<unknown[]> => [],
};

/** Named by extensions that change the family's own program from the inside. There is nothing to change here. */
export const AgentSession = function (): void {};
export const ModelSelectorComponent = function (): void {};

export interface SkillLike {
  name: string;
  description: string;
  filePath: string;
}

export function formatSkillsForPrompt(skills: readonly SkillLike[]): string {
  return skills
    .map(({ name, description, filePath }) => `- ${name}: ${description} (${filePath})`)
    .join("\n");
}

/** Tau finds skills itself, and tells the model of them. */
export function loadSkills(): { skills: SkillLike[]; diagnostics: unknown[] } {
  return { skills: [], diagnostics: [] };
}

export const loadSkillsFromDir = loadSkills;
