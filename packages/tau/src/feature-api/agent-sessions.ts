// What happens in the sessions of a conversation's agents, for a front-end that tells it on. The user's
// own session offers this part; its own events do not come this way.

import { partKey } from "../base/part.ts";
import type { SessionListener } from "../session/session-event.ts";

export interface AgentSessions {
  /** Told of everything, as it happens; the origin says whose it is. Returns the way to stop listening. */
  hear(listener: SessionListener): () => void;
  /** Stops what an agent does now; it can be spoken to afterwards. */
  abort(agent: string): Promise<void>;
}

/** From outside agents can be heard; what one does is not theirs to break off. */
export const AGENT_SESSIONS = partKey<AgentSessions>("agent sessions", {
  viewOf: ({ hear }) => ({ hear }),
});
