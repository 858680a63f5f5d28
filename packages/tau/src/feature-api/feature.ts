// What a feature is: everything that it brings, as one value in one folder. The session folds a list
// of them; a built-in feature and a user's extension have the same shape. What stands here directly is
// known before anything of the feature runs, and costs next to nothing to load; its code is loaded by
// `setup` and `terminal`.

import type { Tool } from "@tau/agent/tool";
import type { Environment } from "@tau/ai/environment";
import type { Redactor } from "../base/redactor.ts";
import type { VariableRows } from "../config/environment-table.ts";
import type { SettingGroup } from "../config/setting-group.ts";
import type { Settings } from "../config/settings.ts";
import type { CustomEntryKind } from "../session/kinds/custom-kinds.ts";
import type { ResourceKind } from "../resources/resource.ts";
import type { Scheme } from "../resources/schemes.ts";
import type { Project } from "../project/project.ts";
import type { EventRows } from "../session/event-table.ts";
import type { Session } from "../session/session.ts";
import type { SessionCommand } from "../session/session-command.ts";
import type { SessionHost, SessionMember } from "../session/session-host.ts";
import type { OwnLine } from "./own-line.ts";
import type { FeatureProtocol } from "./protocol.ts";
import type { SessionControl } from "./session-control.ts";
import type { Shortcut } from "./shortcut.ts";
import type { CommandLineFeature, FlagRow } from "./subcommand.ts";
import type { TerminalFeature } from "./terminal-feature.ts";
import type { UserInterface } from "./user-interface.ts";

export interface Feature {
  readonly name: string;
  /** The place of its handlers at every hook point that does not say another; lowest first. */
  readonly order?: number;
  readonly settings?: readonly SettingGroup[];
  /** Variables of the environment, by name: what each is, and the setting that it outweighs. */
  readonly variables?: VariableRows;
  /** The names of the tools that it may bring. If the session wants none of them, it is not set up. */
  readonly tools?: readonly string[];
  /** Of these, those that only a session has that names them: an agent's way to hand in its result. */
  readonly hiddenTools?: readonly string[];
  /** Whether the settings let the model have its tools; not asked if the session names its tools itself. */
  offersTools?(settings: Settings): boolean;
  /** One of its tools shows a change before it makes it; the session then has a way to settle it. */
  readonly previews?: boolean;
  /** It is set up all the same, even if the session wants none of its tools. */
  readonly worksWithoutTools?: boolean;
  /** How its own entries of the log (`custom`, `custom_message`) are described and shown. */
  readonly entries?: readonly CustomEntryKind[];
  /** What it tells whoever watches a session, by type; declared in `SessionEventMap`. */
  readonly events?: EventRows;
  /** Lines that begin with a slash, for every front-end; there if the feature has joined. */
  readonly commands?: readonly SessionCommand[];
  /** Lines that a person runs themselves, by how they begin. */
  readonly lines?: readonly OwnLine[];
  /** Flags of `tau` itself, without the dashes; `host.flag` has what was given. From outside only. */
  readonly flags?: readonly FlagRow[];
  /** Keys at the terminal that do something of its own. */
  readonly shortcuts?: readonly Shortcut[];
  /** Providers with their models, by id, as they would stand in models.yml; never one of Tau's own. */
  readonly providers?: Readonly<Record<string, unknown>>;
  /** What of `FeatureWishes` is its own. */
  readonly wishes?: readonly (keyof FeatureWishes)[];
  /** Asked before anything of it is loaded; it is if absent. */
  isOn?(place: FeaturePlace): boolean;
  /** Called once for each session; undefined if there is nothing for it to do there. */
  setup?(host: FeatureHost): FeatureParts | undefined | Promise<FeatureParts | undefined>;
  /** What hides secrets, also for those who have no session at hand. Asked only of built-in features. */
  redactor?(place: Pick<FeatureHost, "env" | "agentDirectory">): Promise<Redactor>;
  /** What it brings to programs that speak the protocol. */
  protocol?(): Promise<FeatureProtocol>;
  /** What it brings to the command line: loaded for help, completions, and a word that may be its own. */
  commandLine?(): Promise<CommandLineFeature>;
  /** What it brings to the terminal: loaded after the first frame, and only there. */
  terminal?(): Promise<TerminalFeature>;
}

/** What it brings to one session. */
export interface FeatureParts extends Omit<SessionMember, "owner"> {
  /** Tools that take the place of built-in ones of the same names; calls are judged as theirs are. */
  readonly replacements?: readonly Tool[];
  /** Addresses of its own that can be read, such as `notes://today`. */
  readonly schemes?: readonly Scheme[];
  /** Anything else that a path can lead to; asked before the built-in kinds. */
  readonly resourceKinds?: readonly ResourceKind[];
}

/** Where it would be set up. */
export interface FeaturePlace {
  readonly settings: Settings;
  readonly env: Environment;
  readonly wishes: FeatureWishes;
  /** The tools that the session has, by name. */
  readonly toolNames: readonly string[];
  /** One of them shows a change before it makes it. */
  readonly canPreview: boolean;
}

/**
 * What whoever opens a session may want beyond the settings: options of `createSession`. A feature adds
 * its own from its folder, by declaring this interface again for this module, and names it in `wishes`.
 */
export interface FeatureWishes {}

/** What a feature has to work with: the session, and what the sessions of a directory share. */
export interface FeatureHost extends SessionHost, FeaturePlace {
  /** The session that this one works for, if any. */
  readonly parent?: Session;
  readonly cwd: string;
  readonly project: Project;
  /** The session itself, for what a person could do in it: prompts, models, its title, its tree. */
  readonly session: Session;
  /** Undefined if no other session can take its place. */
  readonly control?: SessionControl;
  /** Where Tau keeps what must survive it. */
  readonly agentDirectory: string;
  /** Whoever sits there, if anybody does. */
  readonly ui: UserInterface;
  /** What the command line says: a value, true if the flag takes none, undefined if it was not given. */
  flag(name: string): string | true | undefined;
  /** A sentence for the user, when the session is opened: what was left out, repaired or chosen otherwise. */
  tell(notice: string): void;
}
