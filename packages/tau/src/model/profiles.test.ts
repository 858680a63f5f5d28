import { expect, test } from "bun:test";
import { loadCatalog } from "@tau/ai/catalog/catalog";
import { builtInProfiles } from "./profiles.ts";
import { splitLevel } from "./selector.ts";

test("every built-in profile names models that the catalog has, and needs their providers", async () => {
  const profiles = builtInProfiles();
  expect(new Set(profiles.map((profile) => profile.name)).size).toBe(profiles.length);
  for (const { name, roles, requiredProviders } of profiles) {
    for (const selector of Object.values(roles)) {
      const [provider = "", ...id] = splitLevel(selector).name.split("/");
      const known = (await loadCatalog(provider)).some((entry) => entry.id === id.join("/"));
      expect({ name, selector, known }).toEqual({ name, selector, known: true });
      expect(requiredProviders).toContain(provider);
    }
    expect(Object.keys(roles)).toContain("default");
  }
});
