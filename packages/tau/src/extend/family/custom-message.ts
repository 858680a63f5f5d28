// A message of an extension's own: the model reads it like words of the user, the log keeps what it is.

import type { SaidMessage } from "@tau/agent/mail";
import type { CustomForm } from "../../session/custom-forms.ts";
import type { Session } from "../../session/session.ts";
import { toContent } from "./family-messages.ts";

export function customFormOf(given: unknown, extension: string): CustomForm {
  const { customType, content, display, details, attribution } = (given ?? {}) as Record<
    string,
    unknown
  >;
  return {
    customType: typeof customType === "string" && customType !== "" ? customType : extension,
    display: display !== false,
    attribution: attribution === "agent" ? "agent" : "user",
    details,
    isText: typeof content === "string" ? true : undefined,
  };
}

export function sayCustom(session: Session, given: unknown, extension: string): SaidMessage {
  const { content } = (given ?? {}) as Record<string, unknown>;
  const { typed, hide } = session;
  return typed.custom.say(hide(customFormOf(given, extension)), hide(toContent(content)));
}
