// Going through the models of the user's roles.

import { expect, test } from "bun:test";
import { Settings } from "../config/settings.ts";
import { nextRoleModel } from "./cycle-roles.ts";

const settings = (modelRoles: Record<string, string>): Settings =>
  new Settings([
    { name: "user", source: "x", values: new Map([["modelRoles", modelRoles]]), problems: [] },
  ]);

test("round and round in both directions; a name that begins like another is another", () => {
  const roles = settings({ default: "o/x", smol: "o/xy:high", slow: "o/z", plan: "o/x" });
  const at = (id: string) => ({ provider: "o", id });
  expect(nextRoleModel(roles, at("x"))).toBe("o/xy:high");
  expect(nextRoleModel(roles, at("xy"))).toBe("o/z");
  expect(nextRoleModel(roles, at("z"))).toBe("o/x");
  expect(nextRoleModel(roles, at("x"), "backward")).toBe("o/z");
  expect(nextRoleModel(roles, at("z"), "backward")).toBe("o/xy:high");
  expect(nextRoleModel(roles, at("none"))).toBe("o/x");
  expect(nextRoleModel(roles, at("none"), "backward")).toBe("o/z");
  expect(nextRoleModel(settings({ default: "o/x" }), at("x"))).toBeUndefined();
});
