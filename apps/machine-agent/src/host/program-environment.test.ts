import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { droppedVariables, programEnvironment } from './program-environment.ts';

test('given secrets of Drover and of its database, when programs inherit, then they get none of them and all the rest', () => {
  const given = {
    DROVER_TOKEN: 't',
    DROVER_WORKER: 'outer',
    DATABASE_URL: 'postgres://u:p@h/d',
    PGPASSWORD: 'p',
    PGPASSFILE: '/f',
    PGSSLKEY: '/k',
    PATH: '/bin',
    ANTHROPIC_API_KEY: 'k',
    PGP_KEYSERVER: 'keys.example',
    MY_DATABASE_URL: 'postgres://app',
  };

  expect(programEnvironment(given)).toEqual({
    PATH: '/bin',
    ANTHROPIC_API_KEY: 'k',
    PGP_KEYSERVER: 'keys.example',
    MY_DATABASE_URL: 'postgres://app',
  });
});

test('given Drover that was started inside another agent, an editor or a git hook, when programs inherit, then they get nothing of these, and the log can name them', () => {
  const foreign = {
    CLAUDECODE: '1',
    CLAUDE_CODE_CHILD_SESSION: '1',
    CLAUDE_CODE_SSE_PORT: '12345',
    GIT_AUTHOR_NAME: 'Wrong',
    GIT_INDEX_FILE: '/tmp/i',
    TMUX: '/tmp/tmux-0/default,1,0',
    VIRTUAL_ENV: '/x',
    VSCODE_IPC_HOOK_CLI: '/run/s',
  };
  const kept = {
    PATH: '/bin',
    CLAUDE_CODE_OAUTH_TOKEN: 't',
    CLAUDE_CODE_USE_BEDROCK: '1',
    GIT_SSH_COMMAND: 'ssh -i k',
  };

  expect(programEnvironment({ ...foreign, ...kept })).toEqual(kept);
  expect(droppedVariables({ ...foreign, ...kept, DROVER_TOKEN: 't' })).toEqual(Object.keys(foreign));
});

test('given each variable that git names as one of a repository, when programs inherit, then they get none', () => {
  const names = execFileSync('git', ['rev-parse', '--local-env-vars'], { encoding: 'utf8' }).trim().split('\n');

  expect(names.length).toBeGreaterThan(10);
  expect(programEnvironment(Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual({});
});
