// Which rights Landlock grants where. It knows only grants, each for a directory and all below it; so
// what is to stay hidden is left out by granting everything beside it, name by name. Where nothing is
// hidden below a directory, one grant does.

import { lstatSync } from "node:fs";
import { join } from "node:path";
import { DEVICES, SHARED_MEMORY } from "../hidden-places.ts";
import { entriesOf } from "../existing-places.ts";
import { isWithin, type Mount } from "../mount-plan.ts";

export type Grant = "list" | "read" | "write" | "device";

export interface LandlockRule {
  path: string;
  grant: Grant;
}

type View = "none" | "read" | "write";

/** `base`: what holds for everything that no place names. */
export function landlockRules(places: readonly Mount[], base: "read" | "none"): LandlockRule[] {
  const byPath = new Map(places.map((place) => [place.path, place] as const));
  const rules: LandlockRule[] = [];
  const grantBelow = (path: string, inherited: View): void => {
    const view = viewOf(byPath.get(path), inherited);
    const inside = places.filter((place) => place.path !== path && isWithin(place.path, path));
    if (view === "none") {
      for (const place of outermost(inside.filter(isShown))) grantBelow(place.path, view);
      return;
    }
    if (!inside.some(isHidden)) {
      rules.push({ path, grant: view });
      if (view === "read") {
        for (const place of outermost(inside.filter(isWritable))) grantBelow(place.path, view);
      }
      return;
    }
    for (const entry of entriesOf(path)) {
      // What a link leads to is granted or not as itself.
      if (!entry.isSymbolicLink()) grantBelow(join(path, entry.name), view);
    }
  };
  grantBelow("/", base);
  // What every process reads of itself and its machine; of others only what anybody is shown.
  const machine = base === "read" ? [] : ["/proc", "/sys/devices/system/cpu", "/sys/fs/cgroup"];
  return [
    ...machine.filter(isThere).map((path) => ({ path, grant: "read" }) as const),
    // Of a directory with something hidden in it the names are seen: rights hold for all below.
    ...(base === "read" ? [{ path: "/", grant: "list" } as const] : []),
    ...rules,
    ...DEVICES.filter(isThere).map((path) => ({ path, grant: "device" }) as const),
    ...(base === "read" && isThere(SHARED_MEMORY)
      ? [{ path: SHARED_MEMORY, grant: "write" } as const]
      : []),
  ];
}

function viewOf(place: Mount | undefined, inherited: View): View {
  switch (place?.kind) {
    case "writable":
      return "write";
    case "readable":
      // Only where its surroundings are granted name by name: below a grant to write, rights add up.
      return "read";
    case "hidden_directory":
    case "hidden_file":
      return "none";
    case "hidden_socket":
    case undefined:
      // A socket is not opened; no process in here can make one that calls it.
      return inherited;
  }
}

const isHidden = ({ kind }: Mount): boolean =>
  kind === "hidden_directory" || kind === "hidden_file";
const isWritable = ({ kind }: Mount): boolean => kind === "writable";
const isShown = ({ kind }: Mount): boolean => kind === "writable" || kind === "readable";

function outermost(places: readonly Mount[]): Mount[] {
  return places.filter(
    ({ path }) => !places.some((other) => other.path !== path && isWithin(path, other.path)),
  );
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
