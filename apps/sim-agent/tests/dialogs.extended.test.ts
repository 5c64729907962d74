// Checks that the program asks as the real one does: dialogs of the start, permissions, questions, limits.

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Terminal, jsonLines, waitFor, type Pane } from './harness.ts';

const terminal = new Terminal();
afterAll(() => terminal[Symbol.asyncDispose]());

const answers = (pane: Pane): string[] =>
  pane.log().flatMap((event) => (event.event === 'dialog-answered' ? [event.answer] : []));

test('given a permission dialog, when it opens, then its option rows are the captured ones and the status says who waits for what', async () => {
  const pane = await terminal.open({ args: ['PERMISSION Bash git commit --allow-empty -m x'] });

  await pane.until('the dialog', (screen) => screen.includes('Esc to cancel'));

  const rows = (await pane.colours()).join('\n');
  expect(rows).toContain(' ␛[38;5;153m❯␛[39m ␛[38;5;246m1. ␛[38;5;153mYes');
  expect(rows).toContain('   ␛[38;5;246m2. ␛[39mYes, and don’t ask again for: git commit *');
  expect(rows).toContain(
    '   ␛[38;5;246m3. ␛[39mYes, and switch to auto mode␛[38;5;246m · auto mode handles these prompts for you',
  );
  expect(rows).toContain('   ␛[38;5;246m4. ␛[39mNo');
  expect(rows).toContain(' ␛[1m␛[38;5;153mBash command');
  expect(rows).not.toContain('❯\u00A0');
  expect(await pane.fact('#{cursor_x},#{cursor_y}')).toBe('1,18');
  expect(pane.status()).toMatchObject({ status: 'waiting', waitingFor: 'permission prompt' });
});

test.each([
  ['Enter', ['Enter'], true],
  ['the digit of "No"', ['3'], false],
  ['two arrows down and Enter', ['Down', 'Down', 'Enter'], false],
  ['Escape', ['Escape'], false],
])('given a permission dialog, when it is answered by %s, then the command has run or not', async (_, keys, ran) => {
  const pane = await terminal.open({ args: ['PERMISSION Bash touch made; SAY after'] });
  await pane.until('the dialog', (screen) => screen.includes('Do you want to proceed?'));

  await pane.keys(...keys);
  const [ended] = await pane.logged('turn-ended');

  expect(existsSync(join(pane.repo, 'made'))).toBe(ran);
  expect(ended?.outcome).toBe(ran ? 'ended' : 'rejected');
  await pane.until('the outcome', (screen) =>
    screen.includes(ran ? '● after' : 'Interrupted · What should Claude do instead?'),
  );
});

test('given a prompt pasted into a permission dialog, when Enter follows, then it answers the dialog: the trap is the real one', async () => {
  const pane = await terminal.open({ args: ['PERMISSION Bash touch made'] });
  await pane.until('the dialog', (screen) => screen.includes('Do you want to proceed?'));

  await pane.paste('SAY this was meant as a prompt', 'Enter');
  await pane.logged('turn-ended');

  expect(answers(pane)).toEqual(['Yes']);
  expect(pane.log().filter((event) => event.event === 'taken')).toHaveLength(1);
});

test('given the bypass dialog, when only Enter is pressed, then the program leaves; when the second option is chosen, it starts', async () => {
  const refused = await terminal.open({ args: ['--dangerously-skip-permissions'] });
  const accepted = await terminal.open({ args: ['--dangerously-skip-permissions', 'PERMISSION Bash touch made'] });
  await refused.until('the dialog', (screen) => screen.includes('❯ No, exit'));
  await accepted.until('the dialog', (screen) => screen.includes('❯ No, exit'));
  const facts = await accepted.fact('#{alternate_on} #{cursor_x},#{cursor_y}');

  await refused.keys('Enter');
  await accepted.keys('Down', 'Enter');
  await accepted.logged('turn-ended');

  expect(await refused.dead()).toMatchObject({ status: '1' });
  expect(facts).toBe('0 2,14');
  expect(existsSync(join(accepted.repo, 'made'))).toBe(true);
  await accepted.until('the mode', (screen) =>
    /bypass permissions on \(shift\+tab to cycle\)/.test(screen.split('\n')[23] ?? ''),
  );
});

test('given all dialogs of the start, when each is accepted, then they come one after the other and the box follows', async () => {
  const settings = JSON.stringify({ hooks: { FutureEvent: [] } });
  const pane = await terminal.open({ args: ['--trust-dialog', '--api-key-dialog', '--settings', settings] });

  await pane.until('trust', (screen) => screen.includes('Accessing workspace:'));
  await pane.keys('Down', 'Enter');
  await pane.until('the key', (screen) => screen.includes('❯ No (recommended)'));
  await pane.keys('Up', 'Enter');
  await pane.until('the warning', (screen) => screen.includes('Unknown hook event "FutureEvent"'));
  await pane.keys('Enter');
  await pane.ready();

  expect(answers(pane)).toEqual(['Yes, I trust this folder', 'Yes', 'Continue']);
});

test('given a question, when an answer is chosen by its digit, then the conversation says so', async () => {
  const pane = await terminal.open({ args: ['ASK Which database? | PostgreSQL | SQLite; SAY thanks'] });
  await pane.until(
    'the question',
    (screen) => screen.includes('5. Chat about this') || screen.includes('4. Chat about this'),
  );

  await pane.keys('2');
  const screen = await pane.until('the end', (text) => text.includes('● thanks'));

  expect(screen).toContain('· Which database? → SQLite');
});

test('given a usage limit, when it is reached, then a dialog offers to wait and the turn has failed', async () => {
  const pane = await terminal.open({ args: ['RATE 3am (Europe/Berlin)'] });
  const screen = await pane.until('the dialog', (text) => text.includes('❯ 1. Stop and wait for limit to reset'));

  await pane.keys('Enter');
  const [ended] = await pane.logged('turn-ended');

  expect(screen).toContain("You've hit your session limit · resets 3am (Europe/Berlin)");
  expect(ended?.outcome).toBe('failed');
});

test('given a hook that allows, when a permission is asked, then the command runs without a key', async () => {
  const answer = '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}';
  const settings = { hooks: { PermissionRequest: [{ hooks: [{ type: 'command', command: `echo '${answer}'` }] }] } };
  const pane = await terminal.open({ args: ['--settings', JSON.stringify(settings), 'PERMISSION Bash touch made'] });

  await pane.logged('turn-ended');

  expect(existsSync(join(pane.repo, 'made'))).toBe(true);
});

test('given hooks for everything, when a turn asks, uses tools and ends, then they fire in order with the recorded shape', async () => {
  const pane = await terminal.open({ args: ['WAITFILE never'] });
  const file = join(pane.directory, 'hooks');
  const names = [
    'SessionStart',
    'UserPromptSubmit',
    'PreToolUse',
    'PermissionRequest',
    'PostToolUse',
    'PostToolUseFailure',
    'Stop',
    'StopFailure',
    'SessionEnd',
  ];
  const hooks = Object.fromEntries(
    names.map((name) => [name, [{ hooks: [{ type: 'command', command: `cat >> ${file}` }] }]]),
  );
  writeFileSync(join(pane.directory, 'settings'), JSON.stringify({ hooks }));
  const hooked = await terminal.open({
    directory: pane.directory,
    args: ['--settings', join(pane.directory, 'settings'), 'PERMISSION Bash echo hi; FAILTOOL broken; SAY done'],
  });
  await waitFor(() => expect(jsonLines(file).at(-1)).toMatchObject({ hook_event_name: 'PermissionRequest' }));

  await hooked.keys('1');
  await hooked.logged('turn-ended');
  await hooked.paste('APIERROR Credit balance too low · Add funds', 'Enter');
  await hooked.logged('turn-ended', 2);
  await hooked.paste('/exit', 'Enter');
  await hooked.dead();

  const fired = await waitFor(() => jsonLines(file));
  expect(fired.map((event) => event['hook_event_name'])).toEqual([
    'SessionStart',
    'UserPromptSubmit',
    'PreToolUse',
    'PermissionRequest',
    'PostToolUse',
    'PreToolUse',
    'PostToolUseFailure',
    'Stop',
    'UserPromptSubmit',
    'StopFailure',
    'SessionEnd',
  ]);
  expect(fired[0]).toMatchObject({ source: 'startup', cwd: hooked.repo });
  expect(fired[2]).toMatchObject({
    permission_mode: 'default',
    effort: { level: 'medium' },
    tool_name: 'Bash',
    tool_input: { command: 'echo hi' },
  });
  expect(fired[4]).toMatchObject({ tool_response: { stdout: 'hi', interrupted: false } });
  expect(fired[7]).toMatchObject({ stop_hook_active: false, last_assistant_message: 'done' });
  expect(fired[9]).toMatchObject({ error: 'billing_error' });
  expect(fired[10]).toMatchObject({ reason: 'prompt_input_exit' });
});
