/** Starts a shell that waits for lines on a machine whose user may have any login shell. */
import { LINE_FEED } from './quote.ts';

/** Word in the arguments of Drover's shells, by which they are found again. */
export const SHELL_MARK = 'drover-shell';

/**
 * Script of the shell, without `'`, `!` and a doubled `\\`: bash, zsh, fish, tcsh and BusyBox read it alike in single quotes. The script runs in
 * the C locale, because bash loses `\\001` in UTF-8, and does not hand that on. The shell greets with its process number and that of its group,
 * then runs one line after another, until its input ends.
 */
const LOOP = [
  'unset TMOUT CDPATH ENV BASH_ENV LC_ALL _dl _da _db _dc _dd _dg _dr',
  'LC_ALL=C',
  `${LINE_FEED}=$(printf "\\n_")`,
  `${LINE_FEED}=\${${LINE_FEED}%_}`,
  '{ read -r _da _db _dc _dd _dg _dr </proc/$$/stat; } 2>/dev/null || _dg=$(ps -o pgid= -p $$ 2>/dev/null)',
  'printf "\\n%s %s %s %s.\\n" "$0" "$1" "$$" "${_dg:-0}"',
  'while IFS= read -r _dl; do eval "$_dl"; done',
].join('; ');

/** Owner of a shell: letters, digits and `-`. */
export interface ShellOwner {
  /** Name of the machine, in the words of those who reach it: the same for each gateway of this machine. */
  readonly machine: string;
  /** Name of this connection: shells of the same machine with another life are left over. */
  readonly connection: string;
}

/** The command of a channel that becomes a waiting shell. */
export function bootstrap(owner: ShellOwner): string {
  return `exec /bin/sh -c '${LOOP}' ${SHELL_MARK} ${ownerWord(owner)}`;
}

/** The line with which a waiting shell that shares the group of others starts again as the first of its own. */
export function restartInGroup(owner: ShellOwner): string {
  return `exec setsid /bin/sh -c '${LOOP}' ${SHELL_MARK} ${ownerWord(owner)}`;
}

/** The word of an owner in the arguments of what belongs to it. */
export function ownerWord({ machine, connection }: ShellOwner): string {
  return `${machine}.${connection}`;
}

/** A shell that is ready. */
export interface Greeting {
  readonly pid: number;
  /** Tells whether killing the group of this process number kills all that the shell runs, and nothing else. */
  readonly leadsGroup: boolean;
  /** Bytes behind the greeting. */
  readonly rest: Buffer;
}

/** Numbers of the shell's process and of its group. */
const NUMBERS = /(\d+) +(\d+)\.\n/uy;

/** @returns undefined as long as the greeting has not come; before it there may be anything that startup files print. */
export function readGreeting(received: Buffer, owner: ShellOwner): Greeting | undefined {
  const text = received.toString('latin1');
  const word = `${SHELL_MARK} ${ownerWord(owner)} `;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    NUMBERS.lastIndex = at + word.length;
    const [, pid, group] = NUMBERS.exec(text) ?? [];
    if (pid !== undefined)
      return { pid: Number(pid), leadsGroup: pid === group, rest: received.subarray(NUMBERS.lastIndex) };
  }
  return undefined;
}
