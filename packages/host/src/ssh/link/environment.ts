/** What do programs of a machine inherit? What a person who logs in has: agents and git look for their programs and keys there. */
import { quote } from '../shell/quote.ts';
import type { ShellPool } from '../shell/shell-pool.ts';

/** Milliseconds for the startup files of an interactive shell. */
const ENVIRONMENT_MS = 10_000;
/** Bytes of all variables. */
const BYTES_MAX = 1024 * 1024;

/** Where programs are on many machines, also when the startup files do not say so. */
const USUAL = [
  '.local/bin',
  'bin',
  '.nix-profile/bin',
  '/usr/local/bin',
  '/opt/homebrew/bin',
  '/opt/local/bin',
  '/usr/pkg/bin',
  '/run/current-system/sw/bin',
  '/snap/bin',
  '/usr/bin',
  '/bin',
  '/usr/sbin',
  '/sbin',
];

/** Variables that belong to one shell or one connection. */
const OWN = /^(?:SSH_.*|SHLVL|PWD|OLDPWD|_|TERM|COLUMNS|LINES|TMUX|TMUX_PANE|BASH_FUNC_.*|PS1)$/u;

/** What programs get, and whether a login shell told it. */
export interface LoginEnvironment {
  readonly variables: Readonly<Record<string, string>>;
  readonly isFromLogin: boolean;
}

/**
 * The variables of a shell that a person gets, or those of any shell where that one does not tell in time.
 *
 * @param given Wins over what the machine says.
 * @param mark A word that no startup file prints.
 */
export async function readEnvironment(
  pool: ShellPool,
  { given, mark, home }: { given: Readonly<Record<string, string>>; mark: string; home: string },
): Promise<LoginEnvironment> {
  // All login shells read this alike; csh takes `-l` only alone.
  const print = `exec /bin/sh -c 'printf ${mark}; env -0 2>/dev/null || env; printf ${mark}'`;
  const shell = '"${SHELL:-/bin/sh}"';
  const asked = `case \${SHELL##*/} in csh|tcsh) ${shell} -ic ${quote(print).toString()};; *) ${shell} -lic ${quote(print).toString()};; esac`;
  const fromLogin = variables(await ask(pool, asked), mark);
  const found = fromLogin ?? variables(await ask(pool, print), mark) ?? {};
  const kept = Object.entries(found).filter(([name]) => !OWN.test(name));
  const merged = { ...Object.fromEntries(kept), ...given };
  const locales = isUtf8(merged) ? '' : await ask(pool, 'locale -a');
  const whole = { ...merged, ...utf8(merged, locales), PATH: withUsual(merged['PATH'] ?? '', home) };
  return { variables: whole, isFromLogin: fromLogin !== undefined };
}

/** @returns what was printed until it ended or time was over. */
async function ask(pool: ShellPool, body: string): Promise<string> {
  const limits = { timeoutMs: ENVIRONMENT_MS, outputBytesMax: BYTES_MAX, excess: 'drop' } as const;
  const end = await pool.run(Buffer.from(body), limits);
  return end.kind === 'lost' ? '' : end.stdout.toString();
}

function variables(text: string, mark: string): Record<string, string> | undefined {
  const [, between, behind] = text.split(mark);
  if (between === undefined || behind === undefined) return undefined;
  const entries = between.split(between.includes('\0') ? '\0' : '\n').flatMap((entry): [string, string][] => {
    const at = entry.indexOf('=');
    return at > 0 ? [[entry.slice(0, at), entry.slice(at + 1)]] : [];
  });
  return Object.fromEntries(entries);
}

function isUtf8(env: Readonly<Record<string, string>>): boolean {
  const chosen = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find((value) => value !== undefined && value !== '');
  return /utf-?8/iu.test(chosen ?? '');
}

/** tmux and agents draw lines and umlauts as marks without one. */
function utf8(env: Readonly<Record<string, string>>, locales: string): Record<string, string> {
  if (isUtf8(env)) return {};
  const names = locales.split('\n').filter((name) => /utf-?8$/iu.test(name));
  const name =
    names.find((known) => /^C\./iu.test(known)) ??
    names.find((known) => known.startsWith('en_US')) ??
    names[0] ??
    'C.UTF-8';
  return env['LC_ALL'] === undefined ? { LC_CTYPE: name } : { LC_ALL: name };
}

function withUsual(path: string, home: string): string {
  const usual = USUAL.map((place) => (place.startsWith('/') ? place : `${home}/${place}`));
  return [...new Set([...path.split(':').filter((place) => place !== ''), ...usual])].join(':');
}
