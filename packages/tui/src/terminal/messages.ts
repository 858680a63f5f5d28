// What is said to the terminal beside the screen: its title and a notification.

import { oneLine } from "../width.ts";

const MAX_TITLE_UNITS = 200;
const MAX_NOTIFICATION_UNITS = 500;

export function titleBytes(title: string): string {
  return `\x1b]0;${plain(title, MAX_TITLE_UNITS)}\x07`;
}

export type NotificationStyle = "osc9" | "osc99" | "bell";

/** `osc99` is Kitty's, `osc9` what most others know; the bell is for the rest. */
export function notificationBytes(text: string, style: NotificationStyle): string {
  const body = plain(text, MAX_NOTIFICATION_UNITS);
  if (style === "bell") return "\x07";
  return style === "osc9" ? `\x1b]9;${body}\x1b\\` : `\x1b]99;i=tau:d=1;${body}\x1b\\`;
}

function plain(text: string, units: number): string {
  return oneLine(text).slice(0, units).toWellFormed();
}
