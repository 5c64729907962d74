/** Tests the page of `drover status`, from the coordinator's answers about workers and machines. */
import { expect, test } from 'vitest';
import type { Surroundings } from '../../surroundings.ts';
import { workerSeen } from '@drover/api/testing';
import { command } from './status.ts';

const NOW = 40 * 60_000;

/** Runs `drover status` of a person; the coordinator answers each query with these, and all others with nothing. */
async function statusOf(answers: Readonly<Record<string, readonly unknown[]>>): Promise<string> {
  const said: string[] = [];
  const surroundings = {
    environment: { url: 'https://localhost:1', token: 't' },
    paths: null,
    worker: null,
    terminal: { out: (line: string) => said.push(line), err: () => {}, json: false, colours: false, columns: 200 },
    now: () => NOW,
    sleep: async () => {},
    http: async (url: string) => {
      const data = answers[new URL(url).pathname.split('/').at(-1) ?? ''] ?? [];
      return { status: 200, ok: true, json: async () => ({ result: { data } }) };
    },
  } as unknown as Surroundings;
  await command.start(surroundings, { args: [], options: { watch: false } });
  return said.join('\n');
}

test('given work that has waited for half an hour, when it was saved a moment ago, then its age is half an hour', async () => {
  const worker = workerSeen({ status: 'needs_review', since: NOW - 31 * 60_000 });

  expect(await statusOf({ 'workers.list': [worker] })).toMatch(/needs_review +31m\b/u);
});

test('given a machine without room, when the page is asked for, then it says so', async () => {
  const warnings = ['is short: 0.1 GiB of disk are free'];

  expect(await statusOf({ 'machines.list': [{ name: 'box', warnings }] })).toContain('machine box is short');
});
