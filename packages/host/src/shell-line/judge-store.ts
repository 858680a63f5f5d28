// Where packages come from. The public stores, their mirrors and this machine are what everybody uses;
// another address gives whatever code it likes.

import type { CommandCall } from "./command-call.ts";

const USUAL_STORE =
  /^(?:.*\.)?(?:pypi\.org|pythonhosted\.org|pytorch\.org|npmjs\.(?:org|com)|yarnpkg\.com|npm\.pkg\.github\.com|pkg\.github\.com|jsr\.io|golang\.org|goproxy\.(?:io|cn)|crates\.io|rust-lang\.org|rubygems\.org|packagist\.org|maven\.org|maven\.apache\.org|gradle\.org|sonatype\.org|google\.com|googleapis\.com|jitpack\.io|clojars\.org|nuget\.org|anaconda\.(?:com|org)|conda-forge\.org|prefix\.dev|hex\.pm|pub\.dev|npmmirror\.com|tsinghua\.edu\.cn|ustc\.edu\.cn|aliyun\.com|rsproxy\.cn|nvidia\.com|pkg\.dev|pkgs\.dev\.azure\.com|pkgs\.visualstudio\.com|jfrog\.io|codeartifact\.[\w-]+\.amazonaws\.com|cloudsmith\.io|gitlab\.com|github\.com|githubusercontent\.com|bitbucket\.org|codeberg\.org|huggingface\.co|nodejs\.org|nixos\.org|cachix\.org|data\.pyg\.org|astral\.sh|openjdk\.org|kotlinlang\.org|spring\.io|jetbrains\.com|localhost|local|internal|test|\[::1\]|127\.0\.0\.1|0\.0\.0\.0)$/i;
const ADDRESS =
  /(?:[a-z]+\+)?(?:https?|ssh|git|ftp|sparse):(?:https?:)?\/\/(?:[^@/\s]*@)?([^/:\s,|?#]+)/gi;

/** Whether every address in it is one that everybody uses. */
export function isUsualStore(value: string): boolean {
  return [...value.matchAll(ADDRESS)].every(([, host]) => USUAL_STORE.test(host!));
}

export function judgeStore({ effects }: CommandCall, value: string): void {
  if (!isUsualStore(value)) effects.downloadsAndExecutes = true;
}
