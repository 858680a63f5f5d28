// Why a connection failed, as a person wants to read it: the runtime's words without the advice
// that it gives to whoever wrote the call.

const ADVICE_TO_PROGRAMMERS =
  /\.\s*(For more information, pass `verbose: true`|Is the computer able).*$/s;

export function networkReason(error: unknown): string {
  const why = error instanceof Error ? error.message : String(error);
  return why.replace(ADVICE_TO_PROGRAMMERS, "");
}
