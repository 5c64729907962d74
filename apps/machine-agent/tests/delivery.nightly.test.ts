/** Checks that a text is delivered once and whole, whatever it holds and whatever stands in its way. */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectKind, TestMachine } from './support/machine.ts';
import { deliverCommand } from './support/deliver-command.ts';
import { until } from './support/until.ts';

/** Requested texts, and the different texts that the model must receive, if any. */
const TEXTS: readonly (readonly [string, string?])[] = [
  ['SAY short'],
  ['SAY two lines\nand the second'],
  ['SAY ünïcödé 漢字 🙂 “quotes” — and $HOME `x` "y" \\n'],
  ['SAY a trailing semicolon;'],
  ['SAY a trailing backslash\\', 'SAY a trailing backslash\\ '],
  ['!echo not a shell command', ' !echo not a shell command'],
  ['#not a memory', ' #not a memory'],
  ['@file is mentioned'],
  ['/tmp/x is a path and no command'],
  ['SAY line ends\r\nof another system\r\n', 'SAY line ends\nof another system'],
  [`SAY ${'many words '.repeat(120)}end`],
  [Array.from({ length: 30 }, (_, n) => `SAY line ${n} of a longer prompt`).join('\n')],
];

test('given texts of every kind, when they are delivered one after the other, then the model receives each once and whole', async () => {
  await using machine = await TestMachine.start();
  const place = await machine.openWorker();

  for (const [text] of TEXTS) {
    await machine.turn(place, text);
  }

  expect(machine.taken()).toEqual(TEXTS.map(([text, received]) => received ?? text));
});

test('given the same words twice, when both are delivered, then both are taken', async () => {
  await using machine = await TestMachine.start();
  const place = await machine.openWorker();

  for (let times = 0; times < 2; times += 1) {
    await machine.turn(place, 'go on');
  }

  expect(machine.taken()).toEqual(['go on', 'go on']);
});

test('given a program that swallows Enter, when a text is delivered, then Enter is pressed again until it is taken', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const place = await machine.openWorker();
  const { settings, incarnation } = place;
  await machine.turn(place, 'IGNOREENTER 3');

  const { receipt } = await expectKind(
    coordinator.carriedOut(settings, deliverCommand(incarnation, 'SAY at last')),
    'delivered',
  );

  expect(receipt.enters).toBe(4);
  expect(machine.taken()).toEqual(['IGNOREENTER 3', 'SAY at last']);
});

test('given an agent at work, when a text may not be queued it is refused, and when it may it is queued', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const { settings, incarnation } = await machine.openWorker();
  const release = join(machine.dir, 'go');
  await expectKind(coordinator.carriedOut(settings, deliverCommand(incarnation, `WAITFILE ${release}`)), 'delivered');

  const refused = await coordinator.carriedOut(settings, deliverCommand(incarnation, 'SAY now'));
  const queued = await coordinator.carriedOut(settings, deliverCommand(incarnation, 'SAY later', { mayQueue: true }));
  machine.touch(release);
  await until('the queued text', () => machine.taken().includes('SAY later'));

  expect(refused).toMatchObject({ kind: 'refused', why: 'busy' });
  expect(queued.kind).toBe('queued');
  expect(machine.taken()).toEqual([`WAITFILE ${release}`, 'SAY later']);
});

test('given a dialog, when a text is to be delivered, then nothing is typed into it', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const { settings, incarnation } = await machine.openWorker();
  const from = coordinator.stored.length;
  await expectKind(
    coordinator.carriedOut(settings, deliverCommand(incarnation, 'PERMISSION Bash rm -rf build')),
    'delivered',
  );
  const permission = await coordinator.screen('permission', from);

  const refused = await coordinator.carriedOut(settings, deliverCommand(incarnation, 'yes', { mayQueue: true }));
  const stale = {
    kind: 'answer',
    incarnation,
    fingerprint: 'another',
    choice: { kind: 'label', label: 'No' },
  } as const;
  const notAnswered = await coordinator.carriedOut(settings, stale);
  const { fingerprint } = permission.reading;
  const answered = await coordinator.carriedOut(settings, { ...stale, fingerprint });

  expect(refused).toMatchObject({ kind: 'refused', why: 'dialog' });
  expect(notAnswered.kind).toBe('stale');
  expect(answered).toEqual({ kind: 'answered', label: 'No' });
  expect(machine.witnessed().filter(({ event }) => event === 'dialog-answered')).toMatchObject([{ answer: 'No' }]);
});

test("given a person's draft in the box, when a text is to be delivered, then it waits and types once the box is free", async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const { settings, incarnation } = await machine.openWorker();
  machine.tmux('send-keys', '-t', 'drover-alba:', '-l', 'my own draft');
  await until('the draft', () => machine.tmux('capture-pane', '-p', '-t', 'drover-alba:').includes('my own draft'));

  const command = coordinator.command(settings, deliverCommand(incarnation, 'SAY after the draft'));
  await until('the command', () => coordinator.acked.has(command.id));
  machine.tmux('send-keys', '-t', 'drover-alba:', 'C-u');

  expect((await coordinator.result(command.id)).kind).toBe('delivered');
  expect(machine.taken()).toEqual(['SAY after the draft']);
});

test('given a draft that its person has left, when a text is delivered, then the draft is in the box again and was never submitted', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const { settings, incarnation } = await machine.openWorker();
  machine.tmux('send-keys', '-t', 'drover-alba:', '-l', 'my own draft,');
  machine.tmux('send-keys', '-t', 'drover-alba:', 'C-j');
  machine.tmux('send-keys', '-t', 'drover-alba:', '-l', 'of two lines');
  const screen = (): string => machine.tmux('capture-pane', '-p', '-t', 'drover-alba:');
  await until('the draft', () => screen().includes('of two lines'));

  const command = deliverCommand(incarnation, 'SAY past the draft');
  const { receipt } = await expectKind(coordinator.carriedOut(settings, command), 'delivered');

  expect(receipt.evidence).toContain("a person's draft of 26 characters was set aside");
  expect(receipt.evidence.at(-1)).toBe('Drover restored the draft');
  expect(screen()).toMatch(/my own draft,\s+of two lines/u);
  expect(machine.taken()).toEqual(['SAY past the draft']);
  expect(readdirSync(join(machine.dir, 'data', 'drafts', settings.workerId))).toEqual([]);
});

test("given a turn that a person stopped before its first word, when the next text is delivered, then the prompt that came back is cleared as Drover's own", async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const { settings, incarnation } = await machine.openWorker();
  const first = 'THINK 60000\nand think about it well';
  await expectKind(coordinator.carriedOut(settings, deliverCommand(incarnation, first)), 'delivered');
  const from = coordinator.stored.length;
  machine.tmux('send-keys', '-t', 'drover-alba:', 'Escape');
  await until('the turn to be stopped', () => machine.witnessed().find(({ event }) => event === 'interrupted'));
  await coordinator.screen('ready', from);

  const { receipt } = await expectKind(
    coordinator.carriedOut(settings, deliverCommand(incarnation, 'SAY instead')),
    'delivered',
  );

  expect(receipt.evidence).toContain('cleared our own text');
  expect(machine.taken()).toEqual([first, 'SAY instead']);
  expect(machine.tmux('capture-pane', '-p', '-t', 'drover-alba:')).not.toContain('❯\u00a0THINK');
});

test('given an agent that retries by itself, when a text may not be queued it is refused, and when it may it is queued', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const { settings, incarnation } = await machine.openWorker();
  const from = coordinator.stored.length;
  await expectKind(coordinator.carriedOut(settings, deliverCommand(incarnation, 'RETRY 500')), 'delivered');
  await coordinator.screen('error', from);

  const refused = await coordinator.carriedOut(settings, deliverCommand(incarnation, 'SAY now'));
  const queued = await coordinator.carriedOut(settings, deliverCommand(incarnation, 'SAY later', { mayQueue: true }));

  expect(refused).toMatchObject({ kind: 'refused', why: 'busy' });
  expect(queued.kind).toBe('queued');
  expect(machine.taken()).toEqual(['RETRY 500']);
});

test("given a part of Drover's own text in the box, when it is cleared first, then the whole text is taken once", async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const { settings, incarnation } = await machine.openWorker();
  const text = 'SAY the whole of this text';
  machine.tmux('send-keys', '-t', 'drover-alba:', '-l', text.slice(0, 10));
  await until('the part', () => machine.tmux('capture-pane', '-p', '-t', 'drover-alba:').includes('SAY the wh'));

  const delivered = await coordinator.carriedOut(settings, deliverCommand(incarnation, text, { clearFirst: true }));

  expect(delivered.kind).toBe('delivered');
  expect(machine.taken()).toEqual([text]);
});

test('given a prompt that ends its program at once, when it is delivered, then it counts as taken and the exit follows', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const { settings, incarnation } = await machine.openWorker();

  const delivered = await coordinator.carriedOut(
    settings,
    deliverCommand(incarnation, 'PANIC key sk-abcdefghijklmnopqrstuvwx'),
  );
  const { exit } = await until('the exit', () => coordinator.bodies('exit')[0]);
  const kinds = coordinator.stored.map(({ body }) => body.kind);

  expect(delivered.kind).toBe('delivered');
  expect(exit.status).toBe(1);
  expect(exit.lastLines.join('\n')).toContain('panic: key [redacted]');
  expect(kinds.lastIndexOf('exit')).toBeGreaterThan(kinds.lastIndexOf('result'));
});

test('given another life of the pane, when a text for the one before is requested, then it is refused', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const { settings, incarnation } = await machine.openWorker();
  const launch = { kind: 'fresh', conversation: randomUUID() } as const;
  const from = coordinator.stored.length;
  const respawn = { kind: 'respawn', incarnation, launch, force: true } as const;
  const present = await expectKind(coordinator.carriedOut(settings, respawn), 'opened');
  await machine.answered(settings, from);

  const refused = await coordinator.carriedOut(settings, deliverCommand(incarnation, 'SAY too late'));
  const again = await expectKind(coordinator.carriedOut(settings, respawn), 'opened');

  expect(refused).toMatchObject({ kind: 'refused', why: 'pane-gone' });
  expect(again.incarnation).toBe(present.incarnation);
  expect(coordinator.bodies('exit')).toEqual([]);
});

test('given texts that the program would run or alter, when they are requested, then a file holds each and the receipt says so', async () => {
  await using machine = await TestMachine.start();
  const place = await machine.openWorker();
  const texts = ['/clear', `SAY ${'many words '.repeat(1_200)}end`];

  for (const text of texts) {
    const delivered = await machine.turn(place, text);
    const taken = machine.taken().at(-1) ?? '';
    const path = /^Read the file (\S+) and do/u.exec(taken)?.[1] ?? '';

    expect(delivered.receipt.method).toContain(`file ${path} (`);
    expect(delivered.receipt.bytes).toBe(Buffer.byteLength(text));
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  }

  expect(machine.taken()).toHaveLength(2);
  expect(machine.git(machine.worktree(), 'status', '--porcelain')).toBe('');
});

test('given a text that was lost in another life of the pane, when it is requested again, then its evidence is looked for in the new one', async () => {
  await using machine = await TestMachine.start();
  const { coordinator } = machine;
  const place = await machine.openWorker();
  const { settings, incarnation } = place;
  await machine.turn(place, 'IGNOREENTER 99');
  await expectKind(coordinator.carriedOut(settings, deliverCommand(incarnation, 'SAY again')), 'lost');
  const launch = { kind: 'fresh', conversation: randomUUID() } as const;
  const from = coordinator.stored.length;
  const respawn = { kind: 'respawn', incarnation, launch, force: true } as const;
  const present = await expectKind(coordinator.carriedOut(settings, respawn), 'opened');
  await machine.answered(settings, from);

  const again = await expectKind(
    coordinator.carriedOut(settings, deliverCommand(present.incarnation, 'SAY again')),
    'delivered',
  );

  expect(again.receipt.evidence.join()).toContain('transcript');
  expect(machine.taken()).toEqual(['IGNOREENTER 99', 'SAY again']);
});
