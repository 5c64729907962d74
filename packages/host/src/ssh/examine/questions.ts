/** Asks a machine questions before it serves. Leaves nothing on the machine. */
import type { LocalClock } from '@drover/base';
import { offsetOf } from '../machine/clock-offset.ts';
import { line, quote } from '../shell/quote.ts';
import type { ShellPool } from '../shell/shell-pool.ts';
import type { HostAnswers, LogoutAnswer, ProgramAnswer } from './findings.ts';
import { PACKAGE_MANAGERS } from './install.ts';

/** Milliseconds for all questions together. */
const ASK_MS = 20_000;
const OUTPUT_BYTES_MAX = 64 * 1024;
/** Directories of programs that PATH may not lead to. */
const ELSEWHERE = '/usr/local/bin /opt/*/bin /opt/bin /usr/pkg/bin "$HOME"/*/bin "$HOME"/.*/bin /snap/bin';
const LOGIN = 'org.freedesktop.login1 /org/freedesktop/login1 org.freedesktop.login1.Manager';

/** Answers come as lines `NAME=VALUE`. `_dW` prints the file of a program, and wants a subshell. */
const QUESTIONS = [
  't() { printf "%s=%s\\n" "$1" "$2"; }',
  'w() { ( _dW "$1" ); }',
  't system "$(uname -s)"; u=$(id -un); t user "$u"; t uid "$(id -u)"; t sudo "$(w sudo)"',
  `for m in ${PACKAGE_MANAGERS.join(' ')}; do [ -z "$(w "$m")" ] || { t manager "$m"; break; }; done`,
  'v() { p=$(w "$1"); [ -z "$p" ] || t "$1" "$("$p" "$2" 2>&1 </dev/null | head -n 1)"; }',
  'v tmux -V; v git --version',
  `e() { [ -n "$(w "$1")" ] || for f in ${ELSEWHERE}; do [ ! -x "$f/$1" ] || { t "$1-at" "$f/$1"; break; }; done; }`,
  'e tmux; e git',
  '[ -z "$(w locale)" ] || t charmap "$([ -z "$l" ] || export LC_ALL="$l"; locale charmap 2>/dev/null)"',
  't disk "$d"; p=$d; while [ ! -e "$p" ] && [ ! -L "$p" ] && [ "$p" != / ]; do p=${p%/*}; p=${p:-/}; done',
  // Tries to write, since only that tells: rights say nothing of a disk that is read-only, full of files, or beyond a quota.
  'q=$p/.drover-tries.$$; r() { LC_ALL=C mkdir "$q" && echo 1 >"$q/one"; }',
  'a=$(r 2>&1 || echo ": it cannot be written"); { rm -f "$q/one"; rmdir "$q"; } 2>/dev/null',
  '[ -z "$a" ] || { t refused "$p"; t why "$(echo "$a" | head -n 1)"; }',
  // Files in it that another user has made, such as an administrator.
  'for f in "$d"/*; do [ ! -e "$f" ] || [ -w "$f" ] || { t refused "$f"; t why ": Permission denied"; break; }; done',
  't free "$(df -Pk "$p" 2>/dev/null | tail -n 1)"',
  // A machine without systemd has no answer here, and no logout ends anything.
  `t logout "$(busctl get-property ${LOGIN} KillUserProcesses KillExcludeUsers KillOnlyUsers 2>/dev/null | tr "\\n" ";")"`,
  't lingers "$(loginctl show-user "$u" -p Linger 2>/dev/null)"',
  '! systemd-run --user --scope --quiet --collect -- true </dev/null >/dev/null 2>&1 || t scopes yes',
].join('; ');

/** Answers of one asking; the rest of {@link HostAnswers} is measured. */
export type Told = Omit<HostAnswers, 'startMs' | 'isFromLogin' | 'sessions' | 'forwards'>;

/** @param stateDirectory Where Drover's directory will be. @param localeOverride The `LC_ALL` that programs get. */
export async function askHost(
  pool: ShellPool,
  {
    clock,
    stateDirectory,
    localeOverride = '',
  }: { readonly clock: LocalClock; readonly stateDirectory: string; readonly localeOverride?: string | undefined },
): Promise<Told> {
  const limits = { timeoutMs: ASK_MS, outputBytesMax: OUTPUT_BYTES_MAX, excess: 'drop' } as const;
  const before = clock.now();
  const time = await pool.run(Buffer.from('date +%s.%N'), limits);
  const after = clock.now();
  const end = await pool.run(
    line`l=${quote(localeOverride)}; d=${quote(stateDirectory)}; ${Buffer.from(QUESTIONS)}`,
    limits,
  );
  if (time.kind !== 'ended' || end.kind === 'lost') throw new Error('the machine did not answer the questions');
  const offset = offsetOf(time.stdout.toString().trim(), { before, after });
  return readTold(end.stdout.toString(), offset);
}

/** @param text What the questions printed; what is missing was not told. */
export function readTold(text: string, clockOffsetMs: number): Told {
  const told = new Map(
    text.split('\n').flatMap((entry): [string, string][] => {
      const at = entry.indexOf('=');
      return at < 0 ? [] : [[entry.slice(0, at), entry.slice(at + 1)]];
    }),
  );
  const word = (name: string): string => told.get(name) ?? '';
  const kilobytes = /\s(\d+)\s+\d+%\s/u.exec(`${word('free')} `)?.[1];
  return {
    system: word('system') || 'an unknown system',
    user: word('user'),
    uid: Number(word('uid')),
    hasSudo: word('sudo') !== '',
    manager: PACKAGE_MANAGERS.find((name) => name === told.get('manager')),
    programs: {
      tmux: programAnswer(/^tmux (\S+)/u.exec(word('tmux'))?.[1], told.get('tmux-at')),
      // macOS has a program that only offers to install git.
      git: programAnswer(/^git version (\S+)/u.exec(word('git'))?.[1], told.get('git-at')),
    },
    charmap: told.get('charmap'),
    disk: {
      path: word('disk'),
      refusal: told.has('refused') ? { at: word('refused'), words: lastWords(word('why')) } : undefined,
      freeBytes: kilobytes === undefined ? undefined : Number(kilobytes) * 1024,
    },
    logout: logoutAnswer(word('logout'), {
      user: word('user'),
      lingers: word('lingers').endsWith('=yes'),
      hasScopes: told.has('scopes'),
    }),
    clockOffsetMs,
  };
}

/** Returns the reason of an error: the last words of `mkdir: cannot create directory '…': Permission denied`. */
function lastWords(words: string): string {
  return words.split(': ').at(-1)?.trim() ?? '';
}

function programAnswer(version: string | undefined, elsewhere: string | undefined): ProgramAnswer {
  if (version !== undefined) return { kind: 'found', version };
  return elsewhere === undefined ? { kind: 'missing' } : { kind: 'elsewhere', path: elsewhere };
}

/** @param properties In the words of `busctl`: `b true;as 1 "root";as 0;`. */
function logoutAnswer(
  properties: string,
  { user, ...rest }: Pick<LogoutAnswer, 'lingers' | 'hasScopes'> & { readonly user: string },
): LogoutAnswer {
  const [kills = '', excluded = '', only = ''] = properties.split(';');
  const isNamed = (list: string): boolean => list.split(' ').includes(`"${user}"`);
  const isOnlyForOthers = /^as [1-9]/u.test(only) && !isNamed(only);
  return { ...rest, kills: kills === 'b true' && !isNamed(excluded) && !isOnlyForOthers };
}
