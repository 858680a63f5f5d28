// Addresses with credentials in them (https://user:password@host), as they may be shown.

/** A name alone is a token on the web, and just a name for ssh (ssh://git@host). */
const WITH_CREDENTIALS =
  /\b((?:[a-z0-9]+\+)?(?:https?:\/\/)(?=[^/\s]*@)|(?:[a-z0-9]+\+)?[a-z][a-z0-9.-]*:\/\/(?=[^/\s:@]*:[^/\s]*@))[^/\s]*@/gi;

export function hidePasswords(text: string): string {
  return text.replace(WITH_CREDENTIALS, "$1***@");
}

/** As they may be stored: a name for ssh stays, everything else would be a secret. */
export function withoutPasswords(text: string): string {
  return text.replace(WITH_CREDENTIALS, (whole: string, scheme: string) => {
    const name = /:\/\/([^:@/]+):/.exec(whole)?.[1];
    return /ssh:\/\/$/i.test(scheme) && name !== undefined ? `${scheme}${name}@` : scheme;
  });
}

export function hasPassword(address: string): boolean {
  return hidePasswords(address) !== address;
}
