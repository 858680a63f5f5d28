// What a log says of plan mode: whoever cannot be understood is in it.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { decodeState, NOT_PLANNING } from "./plan-state.ts";

test("only an entry that says that it is off means off", () => {
  expect(decodeState(undefined)).toEqual(NOT_PLANNING);
  fc.assert(
    fc.property(fc.jsonValue(), (kept) => {
      const isOff = kept === null || (kept as { isOn?: unknown }).isOn === false;
      expect(decodeState(kept).isOn).toBe(!isOff);
    }),
  );
  expect(decodeState({ isOn: "false" }).isOn).toBe(true);
});
