/** Addresses in a `.gitmodules`, and whether git may be sent there. An agent writes it: what git would run, or read as an option, is none. */
import { problemOfUrl } from '../project/remote.ts';

/** Longest address that is asked, in characters. */
const ADDRESS_CHARS_MAX = 2_000;

/** The surroundings of an address. */
export interface Naming {
  /** The address of the repository itself, to which others are relative; undefined where this machine does not know it. */
  readonly origin: string | undefined;
  /** Directories of Drover's own: what only they have is on its way to be removed. Without symbolic links. */
  readonly own: readonly string[];
}

/** An address that git may be sent to; a directory by its path. `refused` says in words why it is none, after "its address". */
export type Address =
  | { readonly kind: 'remote'; readonly url: string }
  | { readonly kind: 'directory'; readonly url: string; readonly path: string }
  | { readonly kind: 'unknown'; readonly why: string }
  | { readonly kind: 'refused'; readonly why: string };

/** Reads an address. Pure. */
export function readAddress(named: string, { origin }: Pick<Naming, 'origin'>): Address {
  if (/^\.{1,2}(?:\/|$)/u.test(named)) {
    if (origin === undefined)
      return { kind: 'unknown', why: 'is relative to a repository whose own address is not known on this machine' };
    const url = relativeTo(origin, named);
    return url === undefined ? refused('leads above the address of this repository') : readAbsolute(url, origin);
  }
  return readAbsolute(named, origin);
}

function readAbsolute(url: string, origin: string | undefined): Address {
  // oxlint-disable-next-line eslint/no-control-regex
  if (url.length > ADDRESS_CHARS_MAX || /[\u0000-\u001f\u007f]/u.test(url))
    return refused('is too long, or holds characters that do not show');
  const problem = problemOfUrl(url);
  if (problem !== undefined) return refused(problem);
  const path = url.startsWith('/') ? url : /^file:\/\/(\/.*)$/iu.exec(url)?.[1];
  if (path !== undefined) {
    if (origin !== undefined && !isLocal(origin))
      return refused('is a directory of this machine, which no other reaches');
    return { kind: 'directory', url, path };
  }
  // A host that begins with a dash would be an option of ssh, and git reads escapes before it looks.
  const isRemote = /^(?:https?|ssh|git):\/\/(?:[^/@%]*@)?[^-/@:%][^/@%]*\/./iu.test(url);
  const isShort = /^(?:[\w.+-]+@)?[a-z0-9][a-z0-9.-]*:(?!\/\/|:)[^-]/iu.test(url) && !url.startsWith('-');
  return isRemote || isShort ? { kind: 'remote', url } : refused('cannot be fetched by git from another machine');
}

function isLocal(origin: string): boolean {
  return origin.startsWith('/') || /^file:/iu.test(origin);
}

function refused(why: string): Address {
  return { kind: 'refused', why };
}

/** Removes the slashes at its end. */
function withoutSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}

/** Puts a relative address after that of its repository, as git does. Undefined: it leads out of it. */
function relativeTo(origin: string, named: string): string | undefined {
  let base = withoutSlashes(origin);
  let rest = withoutSlashes(named);
  let between = '/';
  for (;;) {
    const up = /^\.\.(?:\/+|$)/u.exec(rest);
    const here = /^\.(?:\/+|$)/u.exec(rest);
    if (up !== null) {
      const at = Math.max(base.lastIndexOf('/'), base.lastIndexOf(':'));
      if (at <= 0) return undefined;
      between = base.charAt(at);
      base = base.slice(0, at);
      rest = rest.slice(up[0].length);
    } else if (here === null) break;
    else rest = rest.slice(here[0].length);
  }
  return rest === '' ? base : `${base}${between}${rest}`;
}
