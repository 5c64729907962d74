/** Checks that each lack of a machine is named, with what to do about it there. */
import { expect, test } from 'vitest';

import { type HostAnswers, type HostFinding, judgeHost, scopeFor } from './findings.ts';
import { installCommand } from './install.ts';
import { readTold } from './questions.ts';

const LEAST = { tmux: '3.2a', git: '2.34' };
const GOOD: HostAnswers = {
  startMs: 20,
  isFromLogin: true,
  system: 'Linux',
  user: 'berta',
  uid: 1000,
  hasSudo: true,
  manager: 'dnf',
  programs: { tmux: { kind: 'found', version: '3.4' }, git: { kind: 'found', version: '2.39.5' } },
  charmap: 'UTF-8',
  disk: { path: '/home/berta/.local/state/drover', refusal: undefined, freeBytes: 50 * 1024 ** 3 },
  sessions: 7,
  forwards: true,
  logout: { kills: false, lingers: false, hasScopes: false },
  clockOffsetMs: 0,
};

test('given a machine that has everything, when it is judged, then all is well and no command is told', () => {
  const findings = judgeHost(GOOD, LEAST);

  expect(findings.filter(({ level }) => level !== 'ok')).toEqual([]);
  expect(findings.map(({ command }) => command).filter((command) => command !== null)).toEqual([]);
});

test.each([
  ['apt-get', 1000, 'sudo apt-get install tmux'],
  ['dnf', 1000, 'sudo dnf install tmux'],
  ['apk', 0, 'apk add tmux'],
  ['pacman', 0, 'pacman -S tmux'],
  ['brew', 501, 'brew install tmux'],
  ['emerge', 0, 'emerge app-misc/tmux'],
] as const)('given %s and the user %d, when tmux is missing, then the command is "%s"', (manager, uid, command) => {
  const findings = judgeHost(
    { ...GOOD, manager, uid, programs: { ...GOOD.programs, tmux: { kind: 'missing' } } },
    LEAST,
  );

  expect(of('tmux', findings)).toMatchObject({ level: 'problem', command, help: `Install it: ${command}` });
});

test('given no sudo, or no package manager, when a program is missing, then the command is for that', () => {
  expect(installCommand('git', { manager: 'dnf', uid: 1000, hasSudo: false })).toBe('su -c "dnf install git"');
  expect(installCommand('git', { manager: undefined, uid: 1000, hasSudo: true })).toBeNull();
});

test.each([
  ['3.2', 'problem'],
  ['3.2a', 'ok'],
  ['2.9a', 'problem'],
  ['3.10', 'ok'],
  ['next-3.5', 'ok'],
  ['master', 'ok'],
])('given tmux %s, when 3.2a is needed, then it is a %s', (version, level) => {
  const programs = { ...GOOD.programs, tmux: { kind: 'found', version } } as const;

  expect(of('tmux', judgeHost({ ...GOOD, programs }, LEAST))).toMatchObject({ level });
});

test.each<[string, Partial<HostAnswers>, string, string, RegExp]>([
  ['a shell of 3 s', { startMs: 3_000 }, 'start', 'warning', /startup files/u],
  ['no variables of a login', { isFromLogin: false }, 'start', 'warning', /machines\.NAME/u],
  [
    'a tmux off PATH',
    { programs: { ...GOOD.programs, tmux: { kind: 'elsewhere', path: '/opt/t/bin/tmux' } } },
    'path',
    'problem',
    /PATH/u,
  ],
  ['no UTF-8', { charmap: 'ANSI_X3.4-1968' }, 'locale', 'warning', /en_US\.UTF-8/u],
  ['a full disk', { disk: { ...GOOD.disk, freeBytes: 1000 } }, 'disk', 'problem', /room/u],
  ...(
    [
      ['Permission denied', /right to write .* XDG_STATE_HOME/u],
      ['Read-only file system', /Mount/u],
      ['No space left on device', /room/u],
      ['Disk quota exceeded', /room/u],
      ['Not a directory', /Move away/u],
    ] as const
  ).map(([words, help]): [string, Partial<HostAnswers>, string, string, RegExp] => [
    `a directory with "${words}"`,
    { disk: { ...GOOD.disk, refusal: { at: '/home/berta/.local', words } } },
    'disk',
    'problem',
    help,
  ]),
  ['three channels', { sessions: 3 }, 'sessions', 'warning', /MaxSessions/u],
  ['one channel', { sessions: 1 }, 'sessions', 'problem', /MaxSessions/u],
  ['no forwarding', { forwards: false }, 'forwarding', 'warning', /AllowTcpForwarding/u],
  ['a clock one hour ahead', { clockOffsetMs: 3_600_000 }, 'clock', 'warning', /timedatectl/u],
  ['a clock one hour behind', { clockOffsetMs: -3_600_000 }, 'clock', 'warning', /timedatectl/u],
])('given %s, when the machine is judged, then it says so, with what to do', (_, change, check, level, help) => {
  const findings = judgeHost({ ...GOOD, ...change }, LEAST);

  expect(of(check, findings)).toMatchObject({ level, help: expect.stringMatching(help) });
});

test('given systemd that ends all at logout, when a machine is judged, then lingering is asked for, and tmux starts in a scope', () => {
  const killing = { kills: true, lingers: false, hasScopes: true };

  const before = of('logout', judgeHost({ ...GOOD, logout: killing }, LEAST));
  const after = of('logout', judgeHost({ ...GOOD, logout: { ...killing, lingers: true } }, LEAST));
  const without = of('logout', judgeHost({ ...GOOD, logout: { kills: true, lingers: true, hasScopes: false } }, LEAST));

  expect(before).toMatchObject({ level: 'problem', command: 'sudo loginctl enable-linger berta' });
  expect(after).toMatchObject({ level: 'ok' });
  expect(without).toMatchObject({ level: 'problem', help: expect.stringContaining('KillUserProcesses=no') });
  expect(scopeFor({ ...killing, lingers: true })).toContain('systemd-run');
  expect(scopeFor(GOOD.logout)).toEqual([]);
});

test.each([
  ['b true;as 1 "root";as 0;', true],
  ['b true;as 2 "root" "berta";as 0;', false],
  ['b true;as 0;as 1 "carl";', false],
  ['b true;as 0;as 1 "berta";', true],
  ['b false;as 1 "root";as 0;', false],
  ['', false],
])('given that systemd says %j of berta, when it is read, then a logout ends what runs: %s', (logout, kills) => {
  expect(readTold(`user=berta\nlogout=${logout}\n`, 0).logout.kills).toBe(kills);
});

test('given the program of macOS that only offers to install git, when it is asked, then git is missing', () => {
  const told = readTold('git=xcode-select: note: no developer tools were found\ntmux=tmux 3.5a\n', 0);

  expect(told.programs).toEqual({ tmux: { kind: 'found', version: '3.5a' }, git: { kind: 'missing' } });
});

function of(check: string, findings: readonly HostFinding[]): HostFinding | undefined {
  return findings.find((finding) => finding.check === check);
}
