// The packages of the family, under every name that they have been published with.

import type { Shims } from "./install-shims.ts";

export const FAMILY_SHIMS: Shims = {};
