/** Words by which every login shell prints its environment, and what is read from its answer. */

/** Milliseconds for the startup files of an interactive shell. */
export const LOGIN_MS = 10_000;
/** Bytes of all variables, and of what startup files print. */
export const LOGIN_BYTES_MAX = 1024 * 1024;

/** Variables that belong to one shell, or that no program could read. */
const OF_ONE_SHELL = /^(?:SHLVL|PWD|OLDPWD|_|COLUMNS|LINES|PS1|.*[^A-Za-z0-9_].*)$/u;

/** Csh reads this file only where `-l` is its single argument. */
const CSH_LOGIN = 'test -r ~/.login && source ~/.login; ';

/**
 * A command that bash, zsh, fish, ksh, dash and csh read alike.
 *
 * @param mark A word of letters, digits and `-` that no startup file prints.
 */
export function printEnvironment(mark: string): string {
  return `exec /bin/sh -c 'printf ${mark}; env -0 2>/dev/null || env; printf ${mark}'`;
}

/** The same for csh and tcsh, behind `-ic`; the others take `-lic`. */
export function printEnvironmentOfCsh(mark: string): string {
  return CSH_LOGIN + printEnvironment(mark);
}

/** @returns the variables between the marks; `undefined` where a mark is missing: the shell ended or was ended before. */
export function readPrinted(text: string, mark: string): Readonly<Record<string, string>> | undefined {
  const [, between, behind] = text.split(mark);
  if (between === undefined || behind === undefined) return undefined;
  const entries = between.split(between.includes('\0') ? '\0' : '\n').flatMap((entry): [string, string][] => {
    const at = entry.indexOf('=');
    const name = entry.slice(0, Math.max(at, 0));
    return name === '' || OF_ONE_SHELL.test(name) ? [] : [[name, entry.slice(at + 1)]];
  });
  return Object.fromEntries(entries);
}
