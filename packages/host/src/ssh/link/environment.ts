/**
 * Reads the environment that programs of a machine inherit: that of a person who logs in, since agents and git look for their programs and keys
 * there.
 */
import { isWithheld } from '@drover/core';
import {
  LOGIN_BYTES_MAX,
  LOGIN_MS,
  printEnvironment,
  printEnvironmentOfCsh,
  readPrinted,
} from '../../login/login-shell.ts';
import { quote } from '../shell/quote.ts';
import type { ShellPool } from '../shell/shell-pool.ts';

/** Directories of programs on many machines, also when the startup files do not name them. */
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

/** Variables that belong to one connection. */
const OF_CONNECTION = /^(?:SSH_.*|TERM)$/u;

/** Environment of programs, and whether a login shell reported it. */
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
  const print = printEnvironment(mark);
  const shell = '"${SHELL:-/bin/sh}"';
  const ofCsh = quote(printEnvironmentOfCsh(mark)).toString();
  const asked = `case \${SHELL##*/} in csh|tcsh) ${shell} -ic ${ofCsh};; *) ${shell} -lic ${quote(print).toString()};; esac`;
  const fromLogin = readPrinted(await ask(pool, asked), mark);
  const found = fromLogin ?? readPrinted(await ask(pool, print), mark) ?? {};
  const kept = Object.entries(found).filter(([name]) => !OF_CONNECTION.test(name) && !isWithheld(name));
  const merged = { ...Object.fromEntries(kept), ...given };
  const whole = {
    ...merged,
    ...utf8(merged, await ask(pool, 'locale -a')),
    PATH: withUsual(merged['PATH'] ?? '', home),
  };
  return { variables: whole, isFromLogin: fromLogin !== undefined };
}

/** @returns what was printed until it ended or time was over. */
async function ask(pool: ShellPool, body: string): Promise<string> {
  const limits = { timeoutMs: LOGIN_MS, outputBytesMax: LOGIN_BYTES_MAX, excess: 'drop' } as const;
  const end = await pool.run(Buffer.from(body), limits);
  return end.kind === 'lost' ? '' : end.stdout.toString();
}

/**
 * Chooses a locale with UTF-8, without which tmux and agents draw lines and umlauts as marks. A locale that the machine
 * lacks counts as none: fish sets `LC_CTYPE=en_US.UTF-8` wherever no locale is set.
 *
 * @param locales Output of `locale -a`; empty where the system has no such program.
 */
export function utf8(env: Readonly<Record<string, string>>, locales: string): Record<string, string> {
  const names = locales.split('\n').filter((name) => UTF8.test(name));
  const chosen =
    [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find((value) => value !== undefined && value !== '') ?? '';
  const isThere = names.length === 0 || names.some((name) => spelledAlike(name) === spelledAlike(chosen));
  if (UTF8.test(chosen) && isThere) return {};
  const name =
    names.find((known) => /^C\./iu.test(known)) ??
    names.find((known) => known.startsWith('en_US')) ??
    names[0] ??
    'C.UTF-8';
  return env['LC_ALL'] === undefined ? { LC_CTYPE: name } : { LC_ALL: name };
}

/** A locale with UTF-8; some have a modifier, such as `de_DE.UTF-8@euro`. */
const UTF8 = /\.utf-?8(?:@|$)/iu;

/** Spells a locale as `locale -a` does: `en_US.utf8` is the same as `en_US.UTF-8`. */
function spelledAlike(name: string): string {
  return name.toLowerCase().replace('utf-8', 'utf8');
}

function withUsual(path: string, home: string): string {
  const usual = USUAL.map((place) => (place.startsWith('/') ? place : `${home}/${place}`));
  return [...new Set([...path.split(':').filter((place) => place !== ''), ...usual])].join(':');
}
