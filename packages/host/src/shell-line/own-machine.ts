// Addresses in a command line: which machines it names, and whether that is only this one.

import type { Field } from "./field.ts";

const OWN =
  /^:\d*(?=\/|$)|^(?:\w+:\/\/)?(?:[^@/\s]*@)?(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?|0\.0\.0\.0|[\w-]+\.localhost|host\.docker\.internal)(?::\d*)?(?=[/?#]|$)/i;
const ADDRESS = /(?:^|[=@,\s"'])[a-z][\w+.-]*:\/\/(?:[^@/\s]*@)?(\[[^\]]*\]|[^/:?#\s]*)/i;
/** `git@host:path`, `user@host` */
const LOGIN = /^[\w.-]+@([\w-]+(?:\.[\w-]+)+)(?::|$)/;

export function isOwnMachine(address: string): boolean {
  return OWN.test(address);
}

/** The machine of an address with a scheme or a login; undefined if it is neither. */
export function hostOf({ text, prefix }: Field): string | undefined {
  const whole = text ?? prefix;
  return ADDRESS.exec(whole)?.[1] ?? LOGIN.exec(whole)?.[1];
}

/** They serve everybody the same, and what is asked of them nobody else gets to see. */
const PUBLIC =
  /(?:^|\.)(?:github\.com|githubusercontent\.com|gitlab\.com|bitbucket\.org|codeberg\.org|sr\.ht|npmjs\.org|npmjs\.com|yarnpkg\.com|pypi\.org|pythonhosted\.org|crates\.io|golang\.org|docker\.io|docker\.com|ghcr\.io|quay\.io|gcr\.io|pkg\.dev|k8s\.io|microsoft\.com|ecr\.aws|rubygems\.org|maven\.org|apache\.org|huggingface\.co|debian\.org|ubuntu\.com|alpinelinux\.org|gnu\.org|kernel\.org|jsr\.io|deno\.land|nuget\.org|packagist\.org|hex\.pm|conda\.io|anaconda\.org|nixos\.org)$/i;

export function isPublicHost(host: string): boolean {
  return PUBLIC.test(host);
}
