/** Checks that work for a waiting person comes before work that Drover does by itself. */
import type { Command } from '@drover/core';
import type { CommandEnvelope, Query } from '@drover/protocol';
import { expect, onTestFinished, test } from 'vitest';
import { Executor } from './executor.ts';

const AT = { head: 'a'.repeat(40), tree: null };

/** Executor whose commands end when the test releases or cancels them. */
function executing() {
  const began: string[] = [];
  const ended: string[] = [];
  const ends: (() => void)[] = [];
  const carryOut = async ({ commandId, signal }: { commandId: string; signal: AbortSignal }) => {
    began.push(commandId);
    await new Promise<void>((resolve) => {
      ends.push(resolve);
      signal.addEventListener('abort', () => resolve());
      if (signal.aborted) resolve();
    });
    ended.push(`${commandId}${signal.aborted ? ' cancelled' : ''}`);
    return signal.aborted
      ? { kind: 'failed', code: 'cancelled', message: 'cancelled', retry: true }
      : { kind: 'published', commit: 'c' };
  };
  const executor = new Executor({
    journal: { start: () => {}, finish: () => {} },
    hands: { carryOut, answer: carryOut },
    panes: { hold: () => ({ release: () => {} }) },
    confine: (settings: unknown) => Promise.resolve(settings),
    clock: { now: () => 0, after: () => () => {} },
    log: () => {},
    crashPoint: () => {},
  } as unknown as ConstructorParameters<typeof Executor>[0]);
  onTestFinished(() => executor[Symbol.asyncDispose]());
  const submit = (worker: string, command: Command, asked?: true): void =>
    executor.submit({
      id: `${worker} ${command.kind}`,
      timeoutMs: 60_000,
      body: { kind: 'command', seq: 1, command, asked },
      settings: { workerId: worker, name: worker, project: { copyFiles: [] } },
    } as unknown as CommandEnvelope);
  const ask = (query: Query): void =>
    executor.submit({
      id: query.kind,
      timeoutMs: 60_000,
      body: { kind: 'query', query },
      settings: { workerId: 'm1', name: 'main', project: { copyFiles: [] } },
    } as unknown as CommandEnvelope);
  return { began, ended, submit, ask, endAll: () => ends.forEach((end) => end()) };
}

const CHECK = { kind: 'validate', at: AT } as const;
const MERGE = { kind: 'candidate', at: AT, began: null } as const;

test('given checks of other reviews in every place, when accepted work is to be merged, then it waits for none of them', async () => {
  const { began, submit } = executing();
  for (let index = 0; index < 12; index += 1) submit(`w${index}`, CHECK);
  await expect.poll(() => began).toHaveLength(6);

  submit('adam', MERGE, true);

  await expect.poll(() => began).toContain('adam candidate');
});

test.each([
  ['runs', 0],
  ['waits for a place', 6],
])(
  'given a check of a review that %s, when that work is accepted, then it ends and the merge begins',
  async (_, before) => {
    const { began, ended, submit } = executing();
    for (let index = 0; index < before; index += 1) submit(`w${index}`, CHECK);
    await expect.poll(() => began).toHaveLength(before);
    submit('adam', CHECK);
    if (before === 0) await expect.poll(() => began).toEqual(['adam validate']);

    submit('adam', MERGE, true);

    await expect.poll(() => began).toContain('adam candidate');
    expect(ended).toEqual(['adam validate cancelled']);
  },
);

test('given a check for accepted work, when its next command comes, then that check goes on', async () => {
  const { began, ended, submit, endAll } = executing();
  submit('adam', CHECK, true);
  await expect.poll(() => began).toEqual(['adam validate']);

  submit('adam', MERGE, true);
  endAll();

  await expect.poll(() => began).toContain('adam candidate');
  expect(ended).toEqual(['adam validate']);
});

test('given commits of a run that nobody awaits any more and that still come, when the run is let go, then that waits until they are there', async () => {
  const { began, ended, ask, endAll } = executing();
  ask({ kind: 'run-bring', run: 'r1', request: 'r1:1', machine: 'm2', commits: [AT.head] });
  await expect.poll(() => began).toEqual(['run-bring']);

  ask({ kind: 'run-forget', run: 'r1', request: 'r1:9' });
  ask({ kind: 'run-pin', run: 'r2', request: 'r2:1', commit: null, isCarried: false });
  await expect.poll(() => began).toEqual(['run-bring', 'run-pin']);
  endAll();

  await expect.poll(() => began).toEqual(['run-bring', 'run-pin', 'run-forget']);
  expect(ended).toContain('run-bring');
});
