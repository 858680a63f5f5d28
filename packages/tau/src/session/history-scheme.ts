// `history://`: what was said in sessions of this project, so that earlier work can be looked up.
// The address alone lists them; with an id it is that conversation.

import { ToolError } from "@tau/agent/tool";
import type { SessionStore } from "./session-store.ts";
import { UserError } from "../user-error.ts";
import type { Scheme } from "../resources/schemes.ts";

/** Of the list; the rest is found by `tau sessions`. */
const MAX_LISTED = 50;

export function historyScheme(store: SessionStore): Scheme {
  return {
    name: "history",
    example: "history://",
    async open({ path: id }) {
      const shown = `history://${id}`;
      const text = id === "" ? await listing(store) : await transcript(store, id);
      return { type: "text", shown, text, notes: [] };
    },
  };
}

async function listing(store: SessionStore): Promise<string> {
  const { listSessions } = await import("./listing/list-sessions.ts");
  const sessions = await listSessions(store.places.directory);
  if (sessions.length === 0) return "(no sessions in this directory yet)";
  const rows = sessions.slice(0, MAX_LISTED).map(({ id, modifiedAt, name }) => {
    const when = new Date(modifiedAt).toISOString().slice(0, 16).replace("T", " ");
    return `history://${id}  ${when}  ${name}`;
  });
  const more = sessions.length - rows.length;
  return [...rows, ...(more > 0 ? [`… ${more} older ones`] : [])].join("\n");
}

async function transcript(store: SessionStore, id: string): Promise<string> {
  const [{ collectSession }, { exportMarkdown }] = await Promise.all([
    import("./export/exported-session.ts"),
    import("./export/export-markdown.ts"),
  ]);
  try {
    await using log = await store.openForReading(id);
    return exportMarkdown(await collectSession(log, undefined));
  } catch (error) {
    if (error instanceof UserError) throw new ToolError(error.message);
    throw error;
  }
}
