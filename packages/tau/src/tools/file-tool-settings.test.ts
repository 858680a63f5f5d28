import { expect, test } from "bun:test";
import { Settings } from "../config/settings.ts";
import { editModeFor } from "./file-tool-settings.ts";

const values = new Map<string, unknown>([
  ["edit.mode", "replace"],
  ["edit.modelModes", { gpt: "patch", "gpt-5": "apply_patch", odd: "telepathy" }],
]);
const settings = new Settings([{ name: "user", source: "x", values, problems: [] }]);

test.each([
  ["gpt-5-mini", undefined, "apply_patch"],
  ["gpt-4", undefined, "patch"],
  ["claude", undefined, "replace"],
  ["odd", undefined, "replace"],
  ["gpt-5", "hashline", "hashline"],
  ["gpt-5", "nonsense", "apply_patch"],
])("%s with %s edits in %s", (id, variable, mode) => {
  expect(editModeFor({ provider: "p", id }, settings, { variable, unset: "hashline" })).toBe(
    mode as never,
  );
});
