// Whether what a project brings along may run: asked once when it is opened for the first time or
// has changed, with exactly what would run in sight; and whenever the user wants to know.

import { agentDirectory, homeOf } from "../../config/places.ts";
import { disabledSourcesFrom } from "../../discovery/settings.ts";
import type { AppContext } from "./app-context.ts";

/** Undefined where there was nothing to ask, or nothing came of it. */
export async function askTrust(
  app: AppContext,
  why: "asked" | "opened",
): Promise<string | undefined> {
  const [{ discover }, { TRUST_KINDS }, { projectTrust, decideTrust }, { subjectEffects }] =
    await Promise.all([
      import("../../discovery/discover.ts"),
      import("../../trust/trust-subject.ts"),
      import("../../trust/project-trust.ts"),
      import("../../trust/subject-effects.ts"),
    ]);
  const { cwd, env, surface, active } = app;
  const place = { cwd, home: homeOf(env), agentDirectory: agentDirectory(env) };
  const disabledSources = disabledSourcesFrom(active.settings);
  const { items, places } = await discover({ ...place, kinds: TRUST_KINDS, disabledSources });
  const trusting = { root: places.root, agentDirectory: place.agentDirectory };
  const trust = await projectTrust(trusting, items);
  if (trust.subjects.length === 0) {
    return why === "asked" ? "Nothing here would run or redirect Tau." : undefined;
  }
  // Who has decided is not asked again, until what was decided about is another thing.
  if (why === "opened" && (trust.state === "trusted" || trust.isDenied)) return undefined;
  // What runs already is not interrupted by what holds from the next session on.
  if (why === "opened" && active.session.isBusy) {
    return "This project contains items that would run. They are held back; /trust shows them.";
  }
  const { openTrustQuestion } = await import("./screens/choice-screens.ts");
  const answer = await openTrustQuestion(surface, {
    trust,
    effects: (subject) => subjectEffects(subject, items, places),
    openedBy: why === "asked" ? "person" : "itself",
  });
  if (answer !== "allow" && answer !== "deny") return undefined;
  await decideTrust(trusting, answer, trust.subjects);
  if (answer === "deny") return "None of it will run, and you will not be asked again.";
  return "Allowed, exactly as it is now. It takes effect in the next session: /new starts one.";
}
