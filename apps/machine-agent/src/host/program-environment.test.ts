import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type EnvironmentSources, makeProgramEnvironment, withoutWithheld } from './program-environment.ts';

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'login-')));
});
afterEach(() => rmSync(home, { recursive: true }));

/** Case 25 of tools that were started inside another one, with variables of a desktop and a person. */
const STARTER = {
  PATH: '/starter/bin:/usr/bin',
  CLAUDECODE: '1',
  CLAUDE_CODE_CHILD_SESSION: '1',
  CLAUDE_CODE_OAUTH_TOKEN: 'of-the-starter',
  GIT_INDEX_FILE: '/tmp/i',
  GIT_AUTHOR_NAME: 'Wrong',
  VIRTUAL_ENV: '/x',
  TMUX: '/tmp/tmux-0/default,1,0',
  ANTHROPIC_API_KEY: 'of-the-starter',
  WINDOWID: '7',
  DROVER_TOKEN: 't',
  DATABASE_URL: 'postgres://u:p@h/d',
  LANG: 'C.UTF-8',
  LC_TIME: 'C',
  TZ: 'Asia/Tokyo',
  XDG_RUNTIME_DIR: '/run/user/7',
  SSH_AUTH_SOCK: '/run/agent',
  https_proxy: 'http://proxy:3128',
};

function made(more: Partial<EnvironmentSources> = {}) {
  const sources = { starter: STARTER, shell: '/bin/sh', home, inherit: [], mark: 'mark-7f3a', ...more };
  return makeProgramEnvironment(sources);
}

test('given a starter inside of another tool, when the environment is made, then programs get who and where the person is and nothing else, and what was left out is named', async () => {
  const { variables, dropped, silent } = await made();

  expect(silent).toBeNull();
  const { PATH, ...others } = variables;
  expect(PATH?.split(':')).toEqual(expect.arrayContaining(['/usr/bin', '/bin']));
  expect(PATH?.split(':').at(-1)).toBe('/starter/bin');
  expect(others).toEqual({
    HOME: home,
    LANG: 'C.UTF-8',
    LC_TIME: 'C',
    TZ: 'Asia/Tokyo',
    XDG_RUNTIME_DIR: '/run/user/7',
    SSH_AUTH_SOCK: '/run/agent',
    https_proxy: 'http://proxy:3128',
  });
  expect(dropped).toEqual([
    'ANTHROPIC_API_KEY',
    'CLAUDECODE',
    'CLAUDE_CODE_CHILD_SESSION',
    'CLAUDE_CODE_OAUTH_TOKEN',
    'GIT_AUTHOR_NAME',
    'GIT_INDEX_FILE',
    'TMUX',
    'VIRTUAL_ENV',
  ]);
});

test.each([
  ['bash', '.bashrc', 'export EDITOR_OF_MINE=vi PATH="$HOME/tools:$PATH" CLAUDE_CODE_OAUTH_TOKEN=mine CLAUDECODE=1'],
  [
    'bash',
    '.bash_profile',
    'export EDITOR_OF_MINE=vi PATH="$HOME/tools:$PATH" CLAUDE_CODE_OAUTH_TOKEN=mine CLAUDECODE=1',
  ],
  ['zsh', '.zshrc', 'export EDITOR_OF_MINE=vi PATH="$HOME/tools:$PATH" CLAUDE_CODE_OAUTH_TOKEN=mine CLAUDECODE=1'],
  [
    'fish',
    '.config/fish/config.fish',
    'set -gx EDITOR_OF_MINE vi\nset -gx PATH $HOME/tools $PATH\nset -gx CLAUDE_CODE_OAUTH_TOKEN mine\nset -gx CLAUDECODE 1',
  ],
  [
    'tcsh',
    '.tcshrc',
    'setenv EDITOR_OF_MINE vi\nsetenv PATH $HOME/tools:$PATH\nsetenv CLAUDE_CODE_OAUTH_TOKEN mine\nsetenv CLAUDECODE 1',
  ],
  [
    'tcsh',
    '.login',
    'setenv EDITOR_OF_MINE vi\nsetenv PATH $HOME/tools:$PATH\nsetenv CLAUDE_CODE_OAUTH_TOKEN mine\nsetenv CLAUDECODE 1',
  ],
])(
  'given %s whose %s sets variables, when it is asked, then these stay, but for those of another session',
  async (name, file, text) => {
    const shell = `/usr/bin/${name}`;
    if (!existsSync(shell)) return;
    execFileSync('mkdir', ['-p', join(home, file, '..')]);
    // An interactive bash that is a login shell reads .bashrc only where its profile says so.
    if (file === '.bashrc') writeFileSync(join(home, '.bash_profile'), '. ~/.bashrc\n');
    writeFileSync(join(home, file), `echo welcome\n${text}\necho bye\n`);

    const { variables, dropped, silent } = await made({ shell });

    expect(silent).toBeNull();
    expect(variables).toMatchObject({ EDITOR_OF_MINE: 'vi', CLAUDE_CODE_OAUTH_TOKEN: 'mine', HOME: home });
    expect(variables['PATH']?.split(':')[0]).toBe(join(home, 'tools'));
    expect(variables).not.toHaveProperty('CLAUDECODE');
    expect(variables).not.toHaveProperty('PWD');
    expect(dropped).toContain('CLAUDECODE');
  },
);

test.each([
  ['hangs', 'sleep 1000', /did not answer within 0\.5 s/u],
  ['becomes another program', 'exec cat /etc/hostname', /ended before it printed its environment/u],
  ['prints without end', 'exec yes', /did not answer within 0\.5 s/u],
  ['kills itself', 'kill -9 $$', /SIGKILL/u],
])(
  'given a login shell that %s, when it is asked, then programs get the few of the starter and its PATH, and it is told',
  async (_, text, why) => {
    writeFileSync(join(home, '.profile'), `${text}\n`);

    const { variables, silent } = await made({ timeoutMs: 500 });

    expect(silent).toMatch(why);
    expect(variables).toMatchObject({ PATH: '/starter/bin:/usr/bin', LANG: 'C.UTF-8', HOME: home });
    expect(variables).not.toHaveProperty('CLAUDECODE');
  },
);

test('given a shell that is not there and one of a service, when they are asked, then the first is told and /bin/sh answers for the second', async () => {
  expect((await made({ shell: '/nowhere/zsh' })).silent).toMatch(/"\/nowhere\/zsh" could not be started/u);
  expect((await made({ shell: '/usr/sbin/nologin' })).silent).toBeNull();
});

test('given a value with line ends and rubbish that looks like variables, when the shell is asked, then only the environment counts', async () => {
  writeFileSync(join(home, '.profile'), 'echo RUBBISH=1; printf "A=B\\0C=D\\n"; export TEXT="one\nTWO=2"\n');

  const { variables } = await made();

  expect(variables['TEXT']).toBe('one\nTWO=2');
  for (const name of ['RUBBISH', 'A', 'C', 'TWO']) expect(variables).not.toHaveProperty(name);
});

test('given names to inherit, when the environment is made, then they come as the starter has them, but never those of another session', async () => {
  writeFileSync(join(home, '.profile'), 'export ANTHROPIC_API_KEY=of-the-shell\n');

  const { variables, dropped } = await made({ inherit: ['ANTHROPIC_*', 'PATH', 'CLAUDE_CODE_*'] });

  expect(variables).toMatchObject({
    ANTHROPIC_API_KEY: 'of-the-starter',
    PATH: '/starter/bin:/usr/bin',
    CLAUDE_CODE_OAUTH_TOKEN: 'of-the-starter',
  });
  expect(variables).not.toHaveProperty('CLAUDE_CODE_CHILD_SESSION');
  expect(dropped).not.toContain('ANTHROPIC_API_KEY');
});

test('given a virtual environment of the terminal, when the environment is made, then its directory is not in PATH', async () => {
  const { variables } = await made({ starter: { PATH: '/x/bin:/y/bin:node_modules/.bin', VIRTUAL_ENV: '/x' } });

  expect(variables['PATH']).toMatch(/:\/y\/bin$/u);
  expect(variables['PATH']).not.toMatch(/\/x\/bin|node_modules/u);
});

test('given each variable that git names as one of a repository, when programs inherit, then they get none from the starter and none from the shell', async () => {
  const names = execFileSync('git', ['rev-parse', '--local-env-vars'], { encoding: 'utf8' }).trim().split('\n');
  const all = Object.fromEntries(names.map((name) => [name, 'x']));
  writeFileSync(join(home, '.profile'), names.map((name) => `export ${name}=x\n`).join(''));

  const { variables } = await made({ starter: all, inherit: ['*'] });

  expect(names.length).toBeGreaterThan(10);
  expect(Object.keys(variables).filter((name) => names.includes(name))).toEqual([]);
  expect(withoutWithheld(all)).toEqual({});
});
