// An agent's transcript for its screen: the same blocks, drawn as in the conversation.

import type { AgentBook } from "../../feature-api/agent-book.ts";
import type { BlockPlace } from "./blocks/make-block.ts";
import type { OpenedTranscript } from "./screens/agent-pane.ts";
import { FollowedTranscript } from "./transcript-source.ts";

export async function openAgentTranscript(
  book: Pick<AgentBook, "openTranscript">,
  id: string,
  place: BlockPlace & { onChange(): void },
): Promise<OpenedTranscript> {
  const transcript = await book.openTranscript(id);
  const { source, unfollow } = await FollowedTranscript.open(
    transcript.log,
    (follower) => transcript.follow(follower),
    place,
  );
  source.onChange = place.onChange;
  return {
    source,
    close: async () => {
      unfollow();
      await transcript[Symbol.asyncDispose]();
    },
  };
}
