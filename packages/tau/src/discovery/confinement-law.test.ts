// However a project is knotted together with links, nothing outside of it is read as its own.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { isBelow } from "../base/is-below.ts";
import { findIn } from "./test/find-in.ts";

const SECRET = "what nobody may see";

const place = fc.constantFrom(
  ".tau",
  ".tau/skills",
  ".tau/skills/a",
  ".tau/skills/a/SKILL.md",
  ".tau/skills/b/SKILL.md",
  ".tau/commands",
  ".tau/commands/c.md",
  ".tau/mcp.json",
  ".claude",
  ".claude/commands",
  ".claude/commands/d/e.md",
  ".claude/agents/f.md",
  ".clinerules",
  "AGENTS.md",
  "CLAUDE.md",
);
/** Where a link leads: out of the project, about in it, or nowhere. */
const target = fc.constantFrom(
  "/OUT",
  "/OUT/skills",
  "/OUT/skills/a/SKILL.md",
  "/OUT/mcp.json",
  "..",
  ".",
  "../..",
  "../.tau",
  "../.claude/commands",
  "AGENTS.md",
  "nowhere",
);
const step = fc.record({ place, target: fc.option(target, { nil: undefined }) });

test("no item of a project has its text from elsewhere", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      await using found = await findIn({});
      const page = `---\ndescription: ${SECRET}\n---\n${SECRET}\n`;
      for (const path of ["skills/a/SKILL.md", "commands/c.md", "agents/f.md", "AGENTS.md"]) {
        await found.scratch.write(`outside/${path}`, page);
      }
      const servers = `{"mcpServers":{"x":{"command":"${SECRET}"}}}`;
      await found.scratch.write("outside/mcp.json", servers);
      const outside = found.scratch.path("outside");
      for (const { place, target } of steps) {
        const path = `${found.project}/${place}`;
        try {
          await mkdir(dirname(path), { recursive: true });
          if (target === undefined) await writeFile(path, "---\ndescription: ours\n---\n");
          else await symlink(target.replace("/OUT", outside), path);
        } catch (error) {
          // Taken by an earlier step, or in a circle; what stands there stands there.
          expect((error as { code?: unknown }).code).toBeString();
        }
      }
      const { items, problems } = await found.find();
      const own = items.filter(({ level }) => level === "project");
      for (const { realPath, heldBack } of own) {
        if (realPath === undefined) expect(heldBack?.reason).toBe("outside");
        else expect(isBelow(realPath, found.project)).toBe(true);
      }
      // A step may have written through a link; what it wrote is not the secret.
      expect(JSON.stringify([own, problems])).not.toContain(SECRET);
    }),
    { numRuns: 60 },
  );
});
