// Whether what a project would run may run. Nobody is trusted until the user says so, about exactly
// what was there then: in another directory, or once anything of it has changed, the answer has to be
// given again.

import { isInForce, type DiscoveredItem, type HeldBack } from "../discovery/item.ts";
import { withShadows } from "../discovery/precedence.ts";
import { canonicalPath } from "../base/same-directory.ts";
import { directoryIdentity, isSameDirectory } from "./directory-identity.ts";
import { FileHasher } from "./file-hash.ts";
import { readTrust, TrustFileDamaged, writeTrust, type TrustRecord } from "./trust-store.ts";
import { needsTrust, type TrustSubject } from "./trust-subject.ts";
import { trustSubjects } from "./trust-subjects.ts";
import type { VouchedFiles } from "./vouched-files.ts";

export interface TrustChange {
  id: string;
  how: "new" | "changed";
}

export interface ProjectTrust {
  state: "trusted" | "untrusted" | "changed";
  /** Without links. */
  root: string;
  /** Everything that the answer is about: exactly what would run. */
  subjects: TrustSubject[];
  /** What is not as it was agreed to; only where the state says so. */
  changes: TrustChange[];
  /** The files that it is about; absent unless the project is trusted. */
  vouched?: VouchedFiles;
  /** The user has said no: nobody need be asked. */
  isDenied: boolean;
  /** One sentence. */
  why: string;
  /** Why no answer could be read, if that is the reason; without a full stop. */
  damage?: string;
}

export interface TrustPlace {
  root: string;
  agentDirectory: string;
}

/** Where there is no answer about the project, and so nothing to compare with; no subjects either. */
export async function undecided(place: TrustPlace): Promise<ProjectTrust | undefined> {
  const root = canonicalPath(place.root);
  try {
    if ((await readTrust(place.agentDirectory))[root]) return undefined;
  } catch (error) {
    if (error instanceof TrustFileDamaged) return undefined;
    throw error;
  }
  return { state: "untrusted", root, subjects: [], changes: [], isDenied: false, why: UNDECIDED };
}

const UNDECIDED = "Nobody has decided about this project.";

export async function projectTrust(
  place: TrustPlace,
  items: readonly DiscoveredItem[],
): Promise<ProjectTrust> {
  const root = canonicalPath(place.root);
  const hasher = new FileHasher(root);
  const subjects = await trustSubjects(root, items, hasher);
  const answer = { root, subjects, changes: [], isDenied: false };
  const untrusted = (why: string): ProjectTrust => ({ ...answer, state: "untrusted", why });
  let record: TrustRecord | undefined;
  try {
    record = (await readTrust(place.agentDirectory))[root];
  } catch (error) {
    // Asking for a decision would only fail; working without the project's own parts does not.
    if (!(error instanceof TrustFileDamaged)) throw error;
    return { ...untrusted(`${error.message}.`), damage: error.message };
  }
  if (!record) return untrusted(UNDECIDED);
  if (!isSameDirectory(record.identity, await directoryIdentity(root))) {
    return untrusted(
      "This is not the directory that you decided about; another one is in its place.",
    );
  }
  if (record.decision === "deny") {
    return { ...untrusted("You have denied this project."), isDenied: true };
  }
  const doubtful = subjects.find(({ hash }) => hash === undefined);
  if (doubtful) return untrusted(`${doubtful.id}: ${doubtful.unvouchable}.`);
  const changes = subjects.flatMap(({ id, hash }): TrustChange[] => {
    const agreed = Object.hasOwn(record.items, id) ? record.items[id] : undefined;
    if (agreed === hash) return [];
    return [{ id, how: agreed === undefined ? "new" : "changed" }];
  });
  if (changes.length === 0) {
    const why = "You have allowed this project.";
    return { ...answer, state: "trusted", why, vouched: hasher.vouched() };
  }
  const why = "This project has changed since you allowed it.";
  return { ...answer, state: "changed", changes, why };
}

/**
 * Records an answer about what was shown: what changed meanwhile is not part of it. What was agreed to
 * in other directories of the project stays.
 */
export async function decideTrust(
  place: TrustPlace,
  decision: "allow" | "deny",
  subjects: readonly TrustSubject[],
): Promise<void> {
  const root = canonicalPath(place.root);
  const identity = await directoryIdentity(root);
  const shown = subjects.flatMap(({ id, hash }) => (hash === undefined ? [] : [[id, hash]]));
  await writeTrust(place.agentDirectory, root, (before) => {
    const goesOn =
      before?.decision === "allow" && isSameDirectory(before.identity, identity)
        ? before.items
        : {};
    const items = decision === "allow" ? { ...goesOn, ...Object.fromEntries(shown) } : {};
    return { decision, decidedAt: new Date().toISOString(), identity, items };
  });
}

/**
 * The items as they stand under an answer: what it does not allow is held back, and so puts nothing
 * else out of force. A repository must not silence the user's own hook by having one of that name.
 */
export function underTrust(
  items: readonly DiscoveredItem[],
  { state, subjects = [] }: StandingTrust,
): DiscoveredItem[] {
  if (state === "trusted") {
    const agreed = new Map(subjects.flatMap(({ item }) => (item ? [[keyOf(item), item]] : [])));
    const isAgreed = (item: DiscoveredItem): boolean => isSame(agreed.get(keyOf(item)), item);
    // Items and decision are looked up one after the other: an item of a moment between them is not agreed to.
    if (items.every((item) => !needsTrust(item) || isAgreed(item))) return [...items];
    const heldBack = HELD.changed;
    return withShadows(
      items.map((item) => (needsTrust(item) && !isAgreed(item) ? { ...item, heldBack } : item)),
    );
  }
  const heldBack = HELD[state];
  return withShadows(items.map((item) => (needsTrust(item) ? { ...item, heldBack } : item)));
}

/** What has to be known of an answer to apply it. */
export type StandingTrust = Pick<ProjectTrust, "state"> & Partial<Pick<ProjectTrust, "subjects">>;

/** How an answer turned out for some items: one of them may have changed since it was given. */
export function standingState(
  standing: readonly DiscoveredItem[],
  { state }: Pick<ProjectTrust, "state">,
): ProjectTrust["state"] {
  const isChanged = standing.some(({ heldBack }) => heldBack?.reason === "changed");
  return state === "trusted" && isChanged ? "changed" : state;
}

function keyOf({ kind, path, member }: DiscoveredItem): string {
  return JSON.stringify([kind, path, member?.path]);
}

function isSame(agreed: DiscoveredItem | undefined, item: DiscoveredItem): boolean {
  return (
    agreed !== undefined &&
    Bun.deepEquals(agreed.member?.value, item.member?.value) &&
    Bun.deepEquals(agreed.frontmatter, item.frontmatter)
  );
}

const HELD: Readonly<Record<"untrusted" | "changed", HeldBack>> = {
  untrusted: { reason: "untrusted", why: "the project is not trusted" },
  changed: { reason: "changed", why: "the project has changed since you allowed it" },
};

/** Those that take effect. */
export function inForce(items: readonly DiscoveredItem[], trust: StandingTrust): DiscoveredItem[] {
  return underTrust(items, trust).filter(isInForce);
}
