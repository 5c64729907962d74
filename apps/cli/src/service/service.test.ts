/** Tests that systemd and launchd parse Drover's service files, also with odd names. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { launchdService } from './launchd.ts';
import type { ServiceParts } from './service.ts';
import { systemdService } from './systemd.ts';

const ODD = '/home/b&b/100% "odd" $HOME\\dir';
const PARTS: ServiceParts = {
  program: ['/opt/drover/bin/drover'],
  searchPath: `/usr/bin:${ODD}`,
  variables: { DROVER_DATA_DIR: ODD },
  home: '/home/bert',
  configHome: '/home/bert/.config',
  user: 'bert',
  uid: 1000,
  version: '0.1.0',
};

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

test('given a machine with systemd, when the unit is written, then panes outlive it, the user lingers, and odd names are words of their own', () => {
  const { file, text, install, uninstall } = systemdService(PARTS);

  expect(file).toBe('/home/bert/.config/systemd/user/drover-agent.service');
  expect(text).toContain('ExecStart="/opt/drover/bin/drover" "server" "agent" "--tmux-scope"\n');
  expect(text).toContain('KillMode=process\n');
  expect(text).toContain(String.raw`Environment="DROVER_DATA_DIR=/home/b&b/100%% \"odd\" $HOME\\dir"`);
  expect(install.map(({ words }) => words.join(' '))).toEqual([
    'loginctl enable-linger bert',
    'systemctl --user daemon-reload',
    'systemctl --user enable drover-agent.service',
    'systemctl --user restart drover-agent.service',
  ]);
  expect(uninstall[0]?.words.join(' ')).toBe('systemctl --user disable --now drover-agent.service');
});

const mark = hasSystemd ? '' : 'NOT RUN, systemd-analyze is missing ("apt-get install systemd"): ';

test.runIf(hasSystemd)(`${mark}given the unit, when systemd looks at it, then it finds nothing wrong`, () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'unit-'));
  try {
    const file = path.join(directory, 'drover-agent.service');
    const { text } = systemdService({ ...PARTS, program: [process.execPath], home: directory });
    writeFileSync(file, text);
    const env = { ...process.env, XDG_RUNTIME_DIR: directory };
    const found = spawnSync('systemd-analyze', ['--user', '--man=no', '--generators=no', 'verify', file], { env });

    expect(String(found.stderr)).not.toContain('drover-agent.service:');
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test('given what systemctl says, when it is read, then a unit that failed is none that runs', () => {
  const { read } = systemdService(PARTS);

  expect(read('ActiveState=active\nSubState=running\nMainPID=42\n')).toEqual({ state: 'running', pid: 42 });
  expect(read('ActiveState=activating\nSubState=auto-restart\nMainPID=0\n')).toBeNull();
  expect(read('')).toBeNull();
});

test('given a Mac, when the property list is written, then its group is left alone at its end, and odd names are escaped', () => {
  const { file, text, install, read } = launchdService({ ...PARTS, home: '/Users/bert' });

  expect(file).toBe('/Users/bert/Library/LaunchAgents/dev.drover.agent.plist');
  expect(text).toContain('<key>AbandonProcessGroup</key>\n  <true/>');
  expect(text).toContain('<string>/home/b&amp;b/100% "odd" $HOME\\dir</string>');
  expect(text.match(/<dict>/gu)).toHaveLength(2);
  expect(install.map(({ words }) => words.join(' '))).toEqual([
    'launchctl bootout gui/1000/dev.drover.agent',
    `launchctl bootstrap gui/1000 ${file}`,
  ]);
  expect(read('gui/1000/dev.drover.agent = {\n\tstate = running\n\tpid = 77\n}')).toEqual({
    state: 'running',
    pid: 77,
  });
  expect(read('Could not find service')).toBeNull();
});
