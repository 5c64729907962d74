/** Turns the answers of a machine into findings before it serves, each with what to do about a lack. */

import { helpForDirectory } from '../link/state-directory.ts';
import { asAdministrator, installCommand, type NeededProgram, type PackageManager } from './install.ts';

/** Checks of a machine. */
export type HostCheck =
  /** Commands run at all. */
  | 'shell'
  /** Time that the startup files of the login shell take. */
  | 'start'
  | 'tmux'
  | 'git'
  | 'path'
  | 'locale'
  | 'disk'
  /** Channels that the server opens on one connection. */
  | 'sessions'
  | 'forwarding'
  /** Fate of running programs after a logout. */
  | 'logout'
  | 'clock';

/** Finding of one check. */
export interface HostFinding {
  readonly check: HostCheck;
  /** `problem`: the machine cannot serve; `warning`: it serves, with less than it could. */
  readonly level: 'ok' | 'warning' | 'problem';
  readonly says: string;
  /** Help against it; null where nothing has to be done. */
  readonly help: string | null;
  /** Command for the help, to be run on the machine; null if no command does it. */
  readonly command: string | null;
}

/** Answers of a machine. */
export interface HostAnswers {
  /** Milliseconds that a new shell took beside the way there and back. */
  readonly startMs: number;
  /** Tells whether the login shell reported its environment in time. */
  readonly isFromLogin: boolean;
  /** Output of `uname -s`, such as `Linux`. */
  readonly system: string;
  readonly user: string;
  readonly uid: number;
  readonly hasSudo: boolean;
  /** The first of the known package managers that is there. */
  readonly manager: PackageManager | undefined;
  readonly programs: Readonly<Record<NeededProgram, ProgramAnswer>>;
  /** Output of `locale charmap` in the locale that programs get; undefined where the system has no such program. */
  readonly charmap: string | undefined;
  readonly disk: {
    /** Drover's directory, whether or not it is there. */
    readonly path: string;
    /** Path in it, or of the directories above, that cannot be written, and the system's words for that. */
    readonly refusal: { readonly at: string; readonly words: string } | undefined;
    readonly freeBytes: number | undefined;
  };
  /** Channels that were open at once, up to {@link SESSIONS_WANTED}. */
  readonly sessions: number;
  readonly forwards: boolean;
  readonly logout: LogoutAnswer;
  readonly clockOffsetMs: number;
}

/** `elsewhere`: it is there, but programs would not find it. */
export type ProgramAnswer =
  | { readonly kind: 'found'; readonly version: string }
  | { readonly kind: 'elsewhere'; readonly path: string }
  | { readonly kind: 'missing' };

/** Treatment of a user's processes when the last connection ends. */
export interface LogoutAnswer {
  /** Tells whether systemd ends them (`KillUserProcesses`), unless they are in a scope of the user's own. */
  readonly kills: boolean;
  /** Tells whether the user's own part of systemd stays after the last logout (`Linger`). */
  readonly lingers: boolean;
  /** Tells whether `systemd-run --user --scope` works. */
  readonly hasScopes: boolean;
}

/** Channels that Drover uses on one connection at most. */
export const SESSIONS_WANTED = 7;
/** A control connection to tmux, and a shell for commands. */
const SESSIONS_LEAST = 2;
const GIB = 1024 ** 3;
const FREE_BYTES_LEAST = GIB;
/** Milliseconds for startup files; each new shell waits for them. */
const START_SLOW_MS = 2_000;
/** Milliseconds that a clock may be off before certificates and times of commits suffer. */
const CLOCK_OFF_MS = 60_000;

/** Everything that was looked at, in the order of {@link HostCheck}. @param least The oldest version of each program that serves. */
export function judgeHost(
  answers: HostAnswers,
  least: Readonly<Record<NeededProgram, string>>,
): readonly HostFinding[] {
  return [
    ok('shell', `commands run as ${answers.user} on ${answers.system}`),
    judgeStart(answers),
    judgeProgram('tmux', answers, least.tmux),
    judgeProgram('git', answers, least.git),
    judgePath(answers),
    judgeLocale(answers),
    judgeDisk(answers),
    judgeSessions(answers),
    judgeForwarding(answers),
    judgeLogout(answers),
    judgeClock(answers),
  ];
}

/** Words before tmux where it starts a server that a logout would end; none where nothing ends it. */
export function scopeFor({ kills, hasScopes }: LogoutAnswer): readonly string[] {
  return kills && hasScopes ? SCOPE : [];
}

const SCOPE = ['systemd-run', '--user', '--scope', '--quiet', '--collect', '--description=Panes of Drover', '--'];

function judgeStart({ startMs, isFromLogin }: HostAnswers): HostFinding {
  const says = `a new shell takes ${seconds(startMs)}`;
  if (!isFromLogin) {
    return warning('start', {
      says: `${says}, and the login shell did not tell its variables within 10 s`,
      help: 'Programs get the plain variables of the server. Look at the startup files of the login shell for what waits or asks, or set variables under [machines.NAME] env',
    });
  }
  if (startMs <= START_SLOW_MS) return ok('start', says);
  const help =
    'Make the startup files of the login shell faster, or let them do less where no person is at the terminal';
  return warning('start', { says, help });
}

function judgeProgram(program: NeededProgram, answers: HostAnswers, least: string): HostFinding {
  const answer = answers.programs[program];
  const command = installCommand(program, answers);
  const install = command === null ? `Install ${program} ${least} or newer` : `Install it: ${command}`;
  switch (answer.kind) {
    case 'missing':
      return problem(program, { says: `${program} is missing`, help: install, command });
    case 'elsewhere':
      return problem(program, {
        says: `${program} is at "${answer.path}", where programs do not find it`,
        help: `Add its directory to PATH in the startup files of the login shell, or set PATH under [machines.NAME] env`,
      });
    case 'found':
      break;
    default:
      return answer satisfies never;
  }
  if (!isOlder(answer.version, least)) return ok(program, `${program} ${answer.version}`);
  return problem(program, {
    says: `${program} ${answer.version} is too old: ${least} or newer is needed`,
    help: `Install a newer ${program}`,
    command,
  });
}

function judgePath({ programs }: HostAnswers): HostFinding {
  const lost = Object.values(programs).flatMap((answer) => (answer.kind === 'elsewhere' ? [answer.path] : []));
  if (lost.length === 0) return ok('path', 'programs are found by PATH');
  return problem('path', {
    says: `PATH does not lead to ${lost.join(' and ')}`,
    help: 'Add the directory to PATH in the startup files of the login shell, or set PATH under [machines.NAME] env',
  });
}

function judgeLocale({ charmap, system, manager, uid, hasSudo }: HostAnswers): HostFinding {
  if (charmap === undefined) return ok('locale', 'the system has one set of characters');
  if (/utf-?8/iu.test(charmap)) return ok('locale', 'programs write UTF-8');
  const commands: Partial<Record<PackageManager, string>> = {
    'apt-get': 'apt-get install locales-all',
    dnf: 'dnf install glibc-langpack-en',
    yum: 'yum install glibc-langpack-en',
  };
  const command = manager === undefined ? undefined : commands[manager];
  return warning('locale', {
    says: `no locale of ${system} has UTF-8 (programs get ${charmap}): lines and letters beyond ASCII are drawn wrong`,
    help: 'Install a locale with UTF-8, such as en_US.UTF-8',
    command: command === undefined ? null : asAdministrator(command, { uid, hasSudo }),
  });
}

function judgeDisk({ disk: { path, refusal, freeBytes } }: HostAnswers): HostFinding {
  if (refusal !== undefined) {
    const { at, words } = refusal;
    const says = `Drover's directory "${path}" cannot be used: "${at}": ${words}`;
    return problem('disk', { says, help: helpForDirectory(words) });
  }
  if (freeBytes === undefined) return ok('disk', `"${path}" can be written`);
  const says = `${(freeBytes / GIB).toFixed(1)} GiB are free for "${path}"`;
  if (freeBytes >= FREE_BYTES_LEAST) return ok('disk', says);
  return problem('disk', { says, help: 'Make room: worktrees and their builds lie there' });
}

function judgeSessions({ sessions }: HostAnswers): HostFinding {
  if (sessions >= SESSIONS_WANTED) return ok('sessions', `the server opens ${sessions} channels on a connection`);
  const help = 'Set MaxSessions to 10 in sshd_config, then reload sshd';
  const says = `the server opens ${sessions} channels on a connection, of ${SESSIONS_WANTED} that Drover uses`;
  if (sessions < SESSIONS_LEAST) return problem('sessions', { says, help });
  return warning('sessions', { says: `${says}: commands wait for each other`, help });
}

function judgeForwarding({ forwards }: HostAnswers): HostFinding {
  if (forwards) return ok('forwarding', 'ports of the machine can be reached');
  return warning('forwarding', {
    says: 'the server forbids forwarding: agents with a channel are read and typed to by their screens alone',
    help: 'Set AllowTcpForwarding local in sshd_config, or permitopen="127.0.0.1:*" before the key in authorized_keys',
  });
}

function judgeLogout({ logout, user, uid, hasSudo }: HostAnswers): HostFinding {
  const { kills, lingers, hasScopes } = logout;
  if (!kills) return ok('logout', 'what runs outlives the connection');
  const command = asAdministrator(`loginctl enable-linger ${user}`, { uid, hasSudo });
  if (!lingers) {
    return problem('logout', {
      says: 'systemd ends all that the user runs when the connection ends (KillUserProcesses), and the user does not linger',
      help: 'Let the user linger, so that the panes outlive the connection',
      command,
    });
  }
  if (hasScopes) return ok('logout', 'tmux runs in a scope of its own, which outlives the connection');
  return problem('logout', {
    says: 'systemd ends all that the user runs when the connection ends (KillUserProcesses), and "systemd-run --user --scope" does not work here',
    help: 'Set KillUserProcesses=no in logind.conf, or add the user to KillExcludeUsers there',
  });
}

function judgeClock({ clockOffsetMs }: HostAnswers): HostFinding {
  const off = Math.abs(clockOffsetMs);
  if (off < CLOCK_OFF_MS) return ok('clock', off === 0 ? 'the clocks agree' : `the clock is ${seconds(off)} off`);
  const direction = clockOffsetMs > 0 ? 'ahead' : 'behind';
  return warning('clock', {
    says: `the clock is ${seconds(off)} ${direction}: Drover allows for it, but times of commits and certificates suffer`,
    help: 'Have the machine set its clock by the network (timedatectl set-ntp true)',
  });
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** Compares by the numbers and the letter behind them: 3.2 is older than 3.2a. A version without numbers counts as new. */
function isOlder(version: string, least: string): boolean {
  const [own, wanted] = [rankOf(version), rankOf(least)];
  if (own.length === 0) return false;
  for (let at = 0; at < wanted.length; at += 1) {
    const difference = (own[at] ?? 0) - (wanted[at] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

function rankOf(version: string): readonly number[] {
  const [, major, minor, letter = ''] = /(?<!\d)(\d+)\.(\d+)([a-z]?)/u.exec(version) ?? [];
  if (major === undefined) return [];
  return [Number(major), Number(minor), letter === '' ? 0 : letter.charCodeAt(0) - 96];
}

/** Lack of a machine, and the help against it. */
interface Lack {
  readonly says: string;
  readonly help: string;
  readonly command?: string | null;
}

function ok(check: HostCheck, says: string): HostFinding {
  return { check, level: 'ok', says, help: null, command: null };
}

function warning(check: HostCheck, { says, help, command = null }: Lack): HostFinding {
  return { check, level: 'warning', says, help, command };
}

function problem(check: HostCheck, { says, help, command = null }: Lack): HostFinding {
  return { check, level: 'problem', says, help, command };
}
