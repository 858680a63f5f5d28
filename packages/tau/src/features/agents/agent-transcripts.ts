// What agents do, as blocks, while they do it. A reply is followed from its first letter on, whether
// anybody looks or not: who opens an agent's screen in the middle of one sees all of it.

import type { BlockChange } from "../../session/projection/block.ts";
import { LiveProjection } from "../../session/projection/live-projection.ts";
import type { Session } from "../../session/session.ts";
import type { AgentRegistry } from "./registry.ts";

type Follower = (change: BlockChange) => void;

interface Followed {
  projection: LiveProjection;
  followers: Set<Follower>;
}

export class AgentTranscripts implements Disposable {
  /** By session: it goes when an agent is parked, and what was seen of it is in the log by then. */
  readonly #followed = new WeakMap<Session, Followed>();
  readonly #unsubscribe: () => void;

  constructor(registry: Pick<AgentRegistry, "hear">) {
    this.#unsubscribe = registry.hear((event, { session }) => {
      if (session) this.#of(session).projection.handle(event);
    });
  }

  /** What is seen and not over, and from then on every change. Returns the way to stop. */
  follow(session: Session, follower: Follower): () => void {
    const { projection, followers } = this.#of(session);
    for (const block of projection.moving) follower({ type: "added", block });
    followers.add(follower);
    return () => followers.delete(follower);
  }

  [Symbol.dispose](): void {
    this.#unsubscribe();
  }

  #of(session: Session): Followed {
    const known = this.#followed.get(session);
    if (known) return known;
    const followers = new Set<Follower>();
    const projection = new LiveProjection((change) => {
      for (const follower of followers) follower(change);
    });
    session.onAppended(projection.appended);
    const followed = { projection, followers };
    this.#followed.set(session, followed);
    return followed;
  }
}
