// Sets features up, side by side. Those from outside get a host of their own and a limit; what was set
// up and cannot stay leaves again.

import { withinLimit } from "../base/within-limit.ts";
import type { Feature, FeatureHost, FeatureParts } from "../feature-api/feature.ts";
import { BUILT_IN } from "../features/built-in.ts";
import { AskedTimes } from "../extend/asked-time.ts";
import type { FeatureFailures } from "./feature-failures.ts";

/** Somebody waits for the first frame; whatever takes longer belongs into `host.background`. */
export const SETUP_LIMIT_MS = 10_000;

interface SettingUp {
  readonly failures: FeatureFailures;
  /** How long those from outside ask a person. */
  readonly asked?: AskedTimes;
  readonly limitMs?: number;
}

/** If a built-in one fails, the others leave again; one from outside that fails is left out. */
export async function setUpAll(
  features: readonly Feature[],
  host: FeatureHost,
  { failures, asked = new AskedTimes(), limitMs = SETUP_LIMIT_MS }: SettingUp,
): Promise<Map<Feature, FeatureParts>> {
  const settled = await Promise.allSettled(
    features.map(async (feature) =>
      BUILT_IN.includes(feature)
        ? setUp(feature, host)
        : setUpOutside(feature, host, { failures, asked, limitMs }),
    ),
  );
  const parts = new Map<Feature, FeatureParts>();
  for (const [at, one] of settled.entries()) {
    if (one.status === "fulfilled" && one.value) parts.set(features[at]!, one.value);
  }
  try {
    for (const [at, one] of settled.entries()) {
      if (one.status === "rejected") failures.note(features[at]!, "setup", one.reason);
    }
  } catch (error) {
    for (const [feature, brought] of parts) await letGo(feature, brought, failures);
    throw error;
  }
  return parts;
}

/** What does not join; whether it goes in peace is only told. */
export async function letGo(
  feature: Feature,
  { dispose }: FeatureParts,
  failures: FeatureFailures,
): Promise<void> {
  try {
    await withinLimit(dispose?.(), SETUP_LIMIT_MS);
  } catch (error) {
    failures.tell(feature, `failed at dispose: ${String(error)}`);
  }
}

/** Without a `setup` there is nothing to set up; its commands are there all the same. */
async function setUp(feature: Feature, host: FeatureHost): Promise<FeatureParts | undefined> {
  return feature.setup ? feature.setup(host) : {};
}

async function setUpOutside(
  feature: Feature,
  host: FeatureHost,
  { failures, asked, limitMs }: Required<SettingUp>,
): Promise<FeatureParts | undefined> {
  const { hostForOutside } = await import("./outside-host.ts");
  const outside = hostForOutside(host, feature.name, asked.of(feature.name));
  // First in, last out: it may show something until it has left.
  const owner = { kind: "extension", name: feature.name } as const;
  host.session.join({ owner, dispose: async () => outside.leave() });
  const work = setUp(feature, outside.host);
  let isLate = false;
  // What comes too late is not kept waiting for a session that goes on without it.
  const leaving = work.then((brought) =>
    isLate && brought ? letGo(feature, brought, failures) : undefined,
  );
  // Its failure is told where the work is awaited.
  leaving.catch(() => undefined);
  try {
    const brought = await withinLimit(work, limitMs);
    if (brought === undefined || typeof brought === "object") return brought;
    throw new TypeError("it gave something that is not an object");
  } catch (error) {
    isLate = true;
    outside.leave();
    throw error;
  }
}
