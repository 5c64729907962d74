// Checks that the program lives and dies as the real one does: exits, crashes, signals, interrupts, errors, resuming, committing.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { SIM_AGENT_ENTRY } from '../src/index.ts';
import { Terminal, waitFor } from './harness.ts';

const terminal = new Terminal();
afterAll(() => terminal[Symbol.asyncDispose]());

const SESSION = '11111111-2222-4333-8444-555555555555';

test.each([
  ['CRASH 7', { status: '7', signal: '' }],
  ['SIGNAL KILL', { status: '', signal: '9' }],
  ['SIGNAL SEGV', { status: '', signal: '11' }],
  ['SIGNAL TERM', { status: '143', signal: '' }],
  ['SIGNAL HUP', { status: '129', signal: '' }],
  ['PANIC no more disk', { status: '1', signal: '' }],
  ['EXIT', { status: '0', signal: '' }],
])('given the step "%s", when it is carried out, then tmux sees the death as it was', async (step, death) => {
  const pane = await terminal.open({ args: [step] });

  expect(await pane.dead()).toEqual(death);
});

test.each([
  ['/exit', async (pane: Awaited<ReturnType<Terminal['open']>>) => pane.paste('/exit', 'Enter')],
  ['Ctrl-C twice', async (pane) => pane.keys('C-c', 'C-c')],
  ['Ctrl-D twice', async (pane) => pane.keys('C-d', 'C-d')],
])(
  'given an idle program, when it is left by %s, then the status is 0 and the words to resume are printed',
  async (_, leave) => {
    const pane = await terminal.open({ args: ['--session-id', SESSION] });
    await pane.ready();

    await leave(pane);
    const death = await pane.dead();

    expect(death).toEqual({ status: '0', signal: '' });
    expect((await pane.rows()).join('\n')).toContain(`sim-agent --resume ${SESSION}`);
    expect(pane.status()).toEqual({});
  },
);

test('given a turn that crashes once, when the program is resumed and the prompt sent again, then the crash is not repeated and the work is committed', async () => {
  const prompt = 'EDIT a.txt one\nONCE: CRASH 3\nCOMMIT the work\nSAY all done';
  const first = await terminal.open({ args: ['--session-id', SESSION, prompt] });
  const death = await first.dead();

  const second = await terminal.open({ directory: first.directory, args: ['--resume', SESSION] });
  const screen = await second.until('the old conversation', (text) => text.includes('❯ EDIT a.txt one'));
  await second.ready();
  await second.paste(prompt, 'Enter');
  await second.logged('turn-ended');

  expect(death.status).toBe('3');
  expect(screen).toContain('COMMIT the work');
  expect(second.log().filter((event) => event.event === 'taken')).toHaveLength(2);
  expect(execFileSync('git', ['log', '--format=%s'], { cwd: second.repo, encoding: 'utf8' })).toBe('the work\nfirst\n');
  expect(execFileSync('git', ['show', 'HEAD:a.txt'], { cwd: second.repo, encoding: 'utf8' })).toBe('one\none\n');
});

test('given a conversation, when the program is continued, then the old words are there', async () => {
  const first = await terminal.open({ args: ['SAY remember me'] });
  await first.logged('turn-ended');
  await first.ready();
  await first.paste('/exit', 'Enter');
  await first.dead();

  const continued = await terminal.open({ directory: first.directory, args: ['--continue'] });

  await continued.until('the old answer', (screen) => screen.includes('● remember me'));
});

test.each([
  [['--resume', '99999999-2222-4333-8444-555555555555'], 'No conversation found with session ID: 99999999'],
  [['--session-id', SESSION], `Session ID ${SESSION} is already in use`],
  [['--session-id', 'x'], 'Invalid session ID'],
  [['--settings', '/nowhere'], 'Settings file cannot be read'],
  [[], 'needs a terminal'],
])(
  'given the arguments %j, when the program is started, then it says why it cannot and exits 1',
  async (args, message) => {
    const pane = await terminal.open({ args: ['--session-id', SESSION, 'SAY hello'] });
    await pane.logged('taken');

    const env = { ...process.env, SIM_AGENT_HOME: join(pane.directory, 'home') };
    const result = spawnSync(process.execPath, [SIM_AGENT_ENTRY, ...args], { cwd: pane.repo, env, encoding: 'utf8' });

    expect([result.status, result.stderr]).toEqual([1, expect.stringContaining(message)]);
  },
);

test('given a turn, when it ends, then the transcript has the recorded shape, each line under the one before', async () => {
  const pane = await terminal.open({
    args: ['--session-id', SESSION, 'SAY one; FAILTOOL broken; APIERROR API Error: 529 Overloaded'],
  });
  await pane.logged('turn-ended');

  const lines = pane.transcript().filter((line) => 'uuid' in line);

  expect(lines.map((line) => line['type'])).toEqual(['user', 'assistant', 'assistant', 'user', 'assistant']);
  expect(lines[0]).toMatchObject({
    parentUuid: null,
    sessionId: SESSION,
    gitBranch: 'main',
    version: '2.1.330',
    origin: { kind: 'human' },
  });
  expect(lines[1]).toMatchObject({
    message: { role: 'assistant', content: [{ type: 'text', text: 'one' }], stop_reason: 'end_turn' },
  });
  expect(lines[3]).toMatchObject({ message: { content: [{ type: 'tool_result', is_error: true }] } });
  expect(lines[4]).toMatchObject({ isApiErrorMessage: true, apiErrorStatus: 529 });
  for (const [index, line] of lines.entries())
    if (index > 0) expect(line['parentUuid']).toBe(lines[index - 1]?.['uuid']);
});

test('given a turn, when it runs and ends, then the status file says busy and then idle', async () => {
  const pane = await terminal.open({ args: ['WAITFILE go'] });
  await pane.logged('step');
  const busy = pane.status();

  writeFileSync(join(pane.repo, 'go'), '');
  await pane.logged('turn-ended');

  expect(busy).toMatchObject({ status: 'busy', cwd: pane.repo, kind: 'interactive', version: '2.1.330' });
  await waitFor(() => expect(pane.status()).toMatchObject({ status: 'idle', sessionId: busy['sessionId'] }));
});

test('given a turn that has said nothing, when Escape is pressed, then the prompt is back in the box and no hook fires', async () => {
  const pane = await terminal.open();
  const file = join(pane.directory, 'hooks');
  const hooks = Object.fromEntries(
    ['Stop', 'StopFailure'].map((name) => [name, [{ hooks: [{ type: 'command', command: `cat >> ${file}` }] }]]),
  );
  const hooked = await terminal.open({
    directory: pane.directory,
    args: ['--settings', JSON.stringify({ hooks }), 'SLOW 3600000'],
  });
  await hooked.logged('step');

  await hooked.keys('Escape');
  await hooked.until('the prompt in the box', (screen) => screen.includes('❯\u00A0SLOW 3600000'));
  await hooked.keys('C-u');
  await hooked.paste('SAY said; SLOW 3600000', 'Enter');
  await hooked.until('the answer', (screen) => screen.includes('● said'));
  await hooked.keys('Escape');
  await hooked.until('the interruption', (screen) => screen.includes('Interrupted · What should Claude do instead?'));

  expect(hooked.log().filter((event) => event.event === 'interrupted')).toMatchObject([
    { restored: true },
    { restored: false },
  ]);
  expect(existsSync(file)).toBe(false);
});

test('given a queued message, when Escape is pressed, then it is sent at once', async () => {
  const pane = await terminal.open({ args: ['SLOW 3600000'] });
  await pane.logged('step');
  await pane.paste('SAY at once', 'Enter');
  await pane.logged('queued');

  await pane.keys('Escape');

  await pane.until('the answer', (screen) => screen.includes('● at once'));
});

test('given a hanging turn, when Escape and Ctrl-C are pressed, then it goes on; its process can still be ended', async () => {
  const pane = await terminal.open({ args: ['HANG'] });
  await pane.logged('step');

  await pane.keys('Escape', 'C-c', 'C-c');
  await pane.paste('SAY never', 'Enter');
  await pane.logged('queued');
  process.kill(Number(await pane.fact('#{pane_pid}')), 'SIGTERM');

  expect(await pane.dead()).toEqual({ status: '143', signal: '' });
});

test('given a frozen turn, when text is pasted, then nothing on the screen changes', async () => {
  const pane = await terminal.open({ args: ['SAY last words; FREEZE'] });
  const before = await pane.until('the last frame', (screen) => screen.includes('● last words'));

  await pane.paste('SAY unseen', 'Enter');
  await pane.logged('queued');

  expect((await pane.rows()).join('\n')).toBe(before);
});

test('given an API error that is retried, when it recovers, then the turn goes on', async () => {
  const pane = await terminal.open({ args: ['--tick-ms', '60', 'RETRY 1; SAY recovered'] });

  await pane.until('the retry', (screen) => /✻ API error · retrying in \ds · attempt 1\/10/.test(screen));
  await pane.until('the recovery', (screen) => screen.includes('● recovered'));
});

test('given a prompt without keywords, when it is taken, then a file is named after it and committed', async () => {
  const pane = await terminal.open({ args: ['Please make the tests faster.'] });

  await pane.logged('turn-ended');

  const files = execFileSync('git', ['show', '--format=', '--name-only', 'HEAD'], { cwd: pane.repo, encoding: 'utf8' });
  expect(files).toMatch(/^notes\/[0-9a-f]{8}\.md\n$/);
});

test('given a control file, when a prompt is taken, then its steps replace the prompt’s own, once', async () => {
  const pane = await terminal.open();
  const control = join(pane.directory, 'control');
  writeFileSync(control, 'SAY from the file\n');
  const scripted = await terminal.open({
    directory: pane.directory,
    args: ['--control', control, 'SAY from the prompt'],
  });

  await scripted.until('the first answer', (screen) => screen.includes('● from the file'));
  await scripted.ready();
  await scripted.paste('SAY second', 'Enter');
  const screen = await scripted.until('the second answer', (text) => text.includes('● second'));

  expect(screen).not.toContain('● from the prompt');
});

test('given a clear, when it is done, then the session has a new id and the old words are gone', async () => {
  const pane = await terminal.open({ args: ['--session-id', SESSION, 'SAY forget me'] });
  await pane.until('the answer', (screen) => screen.includes('● forget me'));
  await pane.ready();

  await pane.paste('/clear', 'Enter');
  await pane.logged('cleared');
  await pane.until('an empty conversation', (screen) => !screen.includes('forget me'));

  expect(pane.status()['sessionId']).not.toBe(SESSION);
});

test('given a requested outage, when the next turn begins, then it fails with an API error, and the one after it does not', async () => {
  const pane = await terminal.open({ args: ['OUTAGE 1'] });
  await pane.logged('turn-ended');

  await pane.paste('SAY first', 'Enter');
  await pane.until('the error', (screen) => screen.includes('API Error: 500'));
  await pane.paste('SAY second', 'Enter');

  await pane.until('the answer', (screen) => screen.includes('● second'));
});

test('given a steady agent whose turn failed, when it is asked to go on, then it does what was left, and after that nothing', async () => {
  const pane = await terminal.open({ args: ['STEADY; SAY one; APIERROR; SAY two'] });
  await pane.until('the error', (screen) => screen.includes('API Error: 500'));

  await pane.paste('Please continue from where you left off.', 'Enter');
  const screen = await pane.until('the rest', (text) => text.includes('● two'));
  await pane.ready();
  await pane.paste('And now?', 'Enter');

  await pane.until('the answer', (text) => text.includes('● Nothing is left to do.'));
  expect(screen.split('● one')).toHaveLength(2);
});

test('given prompts that come to nothing, when one is taken, then the screen shows no turn, and the next one is carried out', async () => {
  const pane = await terminal.open({ args: ['SILENT 1'] });
  await pane.logged('turn-ended');

  await pane.paste('SAY first', 'Enter');
  await pane.logged('taken', 2);
  await pane.paste('SAY second', 'Enter');
  const screen = await pane.until('the answer', (text) => text.includes('● second'));

  expect(screen).not.toContain('first');
});

test('given a command that needs no permission, when it is run, then nobody is asked, and its failure shows', async () => {
  const pane = await terminal.open({ args: ['RUN echo done > made.txt; RUN ls no-such-file'] });

  const screen = await pane.until('the failure', (text) => text.includes('Error: ls'));

  expect(readFileSync(join(pane.repo, 'made.txt'), 'utf8')).toBe('done\n');
  expect(screen).not.toContain('Do you want to proceed?');
});
