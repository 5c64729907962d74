/** Checks the doctor's findings about agent programs and their logins. Real small programs in a home of their own. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { BUILT_IN_PROFILES } from '@drover/screen';
import { keysOf } from './host/logins.ts';
import { examineAgent, examineHelpers } from './local-agents.ts';

const { platform } = process;
const onMac = platform === 'darwin';

function home(...programs: readonly string[]) {
  const directory = mkdtempSync(path.join(tmpdir(), 'drover-home-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const bin = path.join(directory, 'bin');
  mkdirSync(bin);
  for (const name of programs) {
    writeFileSync(path.join(bin, name), '#!/bin/sh\necho 1.2.3\n');
    chmodSync(path.join(bin, name), 0o755);
  }
  return { directory, env: { HOME: directory, PATH: `${bin}:/usr/bin:/bin` } };
}

test('given a machine without the agent program, when it is examined, then that is told, and nothing of its login', async () => {
  const { env } = home();

  const found = await examineAgent(env, { profile: 'claude', program: ['no-such-claude'] });

  expect(found).toMatchObject([
    { what: 'agent claude', ok: false, says: expect.stringContaining('"no-such-claude" is missing') },
  ]);
});

test.skipIf(onMac)(
  'given a program that nobody logged in to, when it is examined, then how to log in is told; a file or a variable is a login',
  async () => {
    const { env, directory } = home('codex');
    const login = async (variables: Readonly<Record<string, string>> = {}): Promise<unknown> =>
      (await examineAgent({ ...env, ...variables }, { profile: 'codex' })).at(1);

    expect(await login()).toMatchObject({ ok: false, says: expect.stringContaining('run "codex login"') });
    expect(await login({ OPENAI_API_KEY: 'k' })).toEqual({
      what: 'login of codex',
      ok: true,
      says: 'by the variable OPENAI_API_KEY',
    });
    mkdirSync(path.join(directory, '.codex'));
    writeFileSync(path.join(directory, '.codex/auth.json'), '{}');
    expect(await login()).toMatchObject({ ok: true, says: 'in ~/.codex/auth.json' });
  },
);

test('given the simulated agent, or a profile of a person, when it is examined, then nothing is told', async () => {
  expect(await examineAgent(home().env, { profile: 'sim' })).toEqual([]);
  expect(await examineAgent(home().env, { profile: 'aider' })).toEqual([]);
});

test('given a machine with and without difft, when helpers are examined, then it says what it is for', async () => {
  const without = await examineHelpers(home().env);
  const withIt = await examineHelpers(home('difft').env);

  expect(without).toMatchObject([
    { what: 'difftastic', ok: false, says: expect.stringContaining('drover review --interface difftastic') },
  ]);
  expect(withIt).toMatchObject([{ what: 'difftastic', ok: true }]);
});

test('given a profile with a key and a variable that it takes away, when its keys are listed, then names stand there, and no value', () => {
  const claude = BUILT_IN_PROFILES.get('claude');
  if (claude === undefined) throw new Error('There is no profile "claude"');
  const profile = { ...claude, launch: { ...claude.launch, env: { set: {}, unset: ['ANTHROPIC_AUTH_TOKEN'] } } };
  const env = {
    ANTHROPIC_API_KEY: 'sk-1',
    ANTHROPIC_AUTH_TOKEN: 't',
    CLAUDE_CODE_OAUTH_TOKEN: '',
    OPENAI_API_KEY: 'k',
  };

  expect(keysOf({ profile, env: {} }, env)).toEqual(['ANTHROPIC_API_KEY']);
  expect(keysOf({ profile, env: { ANTHROPIC_API_KEY: '' } }, env)).toEqual([]);
  expect(keysOf({ profile: { ...profile, id: 'aider' }, env: {} }, env)).toBeUndefined();
});
