/** Composes the lines that a waiting shell gets, here and nowhere else. */
import { line, quote, quoteFormat } from './quote.ts';

/** Notes of the shell instead of running a command. */
export const NOTES = ['fenced', 'cwd-missing', 'program-missing', 'not-executable', 'go'] as const;
export type Note = (typeof NOTES)[number];

/** File that names the gateway that a machine obeys: it holds the highest epoch of all that came. */
export interface Fence {
  readonly file: string;
  readonly epoch: number;
}

/** Setup that all commands of a machine have in common. */
export interface ShellSetup {
  /** Variables that programs inherit beside what the shell got. */
  readonly environment: Readonly<Record<string, string>>;
  readonly fence: Fence | undefined;
}

/**
 * The first line: functions of all that come after. `_dB` begins a command, `_dE STATUS` ends it, `_dN NOTE` says a word, `_dQ NOTE`
 * does so and leaves, `_dF` is false for a gateway that another one has replaced, `_dP PROGRAM` says a word when it cannot be started.
 * None of them starts a process.
 *
 * @param mark A word that no command can know.
 */
export function firstLine(mark: string, setup: ShellSetup): Buffer {
  return line`_dm=${quote(mark)}; ${Buffer.from(FUNCTIONS)}
${setupLine(setup)}`;
}

/** A line that may come at any time between commands. */
export function setupLine({ environment, fence }: ShellSetup): Buffer {
  const words = Object.entries(environment)
    .filter(([name]) => isPlainName(name) && name !== 'LC_ALL')
    .map(([name, value]) => line` ${Buffer.from(`${name}=`)}${quote(value)}`);
  const exported =
    words.length === 0 ? Buffer.alloc(0) : Buffer.concat([Buffer.from('export'), ...words, Buffer.from('; ')]);
  const epoch = fence === undefined ? line`_dF() { :; }` : fenceOf(fence);
  return line`${exported}${epoch}
`;
}

function fenceOf({ file, epoch }: Fence): Buffer {
  return line`_dF() { _da=0; { IFS= read -r _da <${quote(file)}; } 2>/dev/null; [ "$_da" -le ${epoch} ] 2>/dev/null; }`;
}

const FUNCTIONS = [
  // Messages of the shell itself, such as of a child that was killed, are not the child's: they go nowhere.
  'exec 3>&2 2>/dev/null',
  '_dS() { printf "%s%s\\n" "$_dm" "$1"; printf "%s%s\\n" "$_dm" "$1" >&3; }',
  '_dB() { _dS "<"; }',
  '_dE() { _dS ">$1"; }',
  '_dN() { printf "%s!%s\\n" "$_dm" "$1"; }',
  '_dQ() { _dN "$1"; exit 0; }',
  // Looks for a program as `exec` does: the first in PATH that may be executed, else "not executable" if one was there.
  '_dT() { [ -f "$1" ] || return 1; [ -x "$1" ] && return 0; _db=not-executable; return 1; }',
  `_dP() { _db=program-missing; case $1 in */*) _dT "$1" && return 0;; *) IFS=:; set -f; for _dc in \${PATH-/usr/bin:/bin}; do _dT "\${_dc:-.}/$1" && return 0; done; _db=program-missing;; esac; _dN "$_db"; return 1; }`,
  // Prints the file that is started for a name.
  '_dW() { case $1 in */*) _dT "$1" && printf "%s" "$1";; *) IFS=:; set -f; for _dc in ${PATH-/usr/bin:/bin}; do _dT "${_dc:-.}/$1" && printf "%s" "${_dc:-.}/$1" && return 0; done; return 1;; esac; }',
  // A file is put over what is there and never into a directory; the last says so in the system's words.
  '_dD() { if [ -d "$1" ] && [ ! -L "$1" ]; then printf "%s: Is a directory\\n" "$1" >&2; return 1; fi; }',
  '_dV() { if [ -d "$2" ]; then mv -fT "$1" "$2"; else mv -f "$1" "$2"; fi; }',
].join('; ');

/** Source of a command's standard input: bytes in the line itself, or all that the shell's input holds from then on. */
export type LineInput = { readonly kind: 'bytes'; readonly bytes: string | Uint8Array } | { readonly kind: 'rest' };

/** Runs the commands of `body` apart from the shell and marks what they write. */
export function markedLine(body: Buffer, input?: LineInput): Buffer {
  const bytes = input?.kind === 'bytes' ? line`printf ${quoteFormat(input.bytes)} | ` : Buffer.alloc(0);
  const empty = Buffer.from(input === undefined ? ' </dev/null' : '');
  const last = Buffer.from(input?.kind === 'rest' ? '; exit' : '');
  return line`_dB; ${bytes}( ${body} )${empty} 2>&3 3>&-; _dE $?${last}
`;
}

/** Turns the shell into `body`, which gets the rest of the shell's input. */
export function lastLine(body: Buffer): Buffer {
  return line`_dB; exec 2>&3 3>&-; ${body}; exit
`;
}

/** Call of a program. */
export interface ProgramCall {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** The locale that the machine's programs have over all others, which the shell itself does not use. */
  readonly localeOverride?: string | undefined;
}

/** The commands that become a program. */
export function programBody(call: ProgramCall): Buffer {
  return line`_dF || _dQ fenced; ${surroundings(call)}${execution(call)}`;
}

/** The same, with word of it before it starts: what cannot be started says why, all else says `go`. */
export function streamBody(call: ProgramCall): Buffer {
  const { program } = call;
  return line`_dF || _dQ fenced; ${surroundings(call)}( _dP ${quote(program)} ) || exit 0; _dN go; _dN go >&2; ${execution(call)}`;
}

/** Asks why a program could not be started, in the same surroundings. */
export function whyNotBody(call: ProgramCall): Buffer {
  return line`${surroundings(call)}_dP ${quote(call.program)}`;
}

/** Commands of Drover's own, which a gateway of a lower epoch may not run either. */
export function fencedBody(body: Buffer): Buffer {
  return line`_dF || _dQ fenced; ${body}`;
}

function surroundings({ cwd, env = {} }: ProgramCall): Buffer {
  const parts: Buffer[] = [];
  if (cwd !== undefined) parts.push(line`cd ${quote(cwd)} || _dQ cwd-missing; `);
  for (const [name, value] of Object.entries(env)) {
    if (name === 'LC_ALL' || !isPlainName(name)) continue;
    parts.push(
      value === undefined ? Buffer.from(`unset ${name}; `) : line`export ${Buffer.from(name)}=${quote(value)}; `,
    );
  }
  return Buffer.concat(parts);
}

/** `LC_ALL` stands before `exec`: set earlier, it would change how the shell itself reads the arguments. */
function execution({ program, args, env = {}, localeOverride }: ProgramCall): Buffer {
  const locale = 'LC_ALL' in env ? env['LC_ALL'] : localeOverride;
  const words = [program, ...args].map((word) => line` ${quote(word)}`);
  const odd = Object.entries(env).filter(([name]) => name !== 'LC_ALL' && !isPlainName(name));
  const through = odd.map(([name, value]) =>
    value === undefined ? line` -u ${quote(name)}` : line` ${quote(`${name}=${value}`)}`,
  );
  return Buffer.concat([
    locale === undefined ? Buffer.alloc(0) : line`LC_ALL=${quote(locale)} `,
    Buffer.from('exec'),
    ...(odd.length === 0 ? [] : [Buffer.from(' env'), ...through]),
    ...words,
  ]);
}

/** Names that a shell assigns without a meaning of its own. */
function isPlainName(name: string): boolean {
  return /^[A-Za-z_]\w*$/u.test(name) && !SPECIAL.has(name);
}

/** Names that some shell keeps to itself, or uses while it reads a line. */
const SPECIAL = new Set(
  'BASHOPTS BASHPID BASH_VERSINFO EPOCHREALTIME EPOCHSECONDS EUID FUNCNAME GROUPS HISTCMD IFS LINENO OPTIND PPID RANDOM SECONDS SHELLOPTS SRANDOM UID _'.split(
    ' ',
  ),
);
