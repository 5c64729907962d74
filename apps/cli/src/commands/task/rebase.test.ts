/** Tests `drover rebase --all`: all waiting work, each piece by its unique name. */
import type { WorkerView } from '@drover/api';
import { expect, test } from 'vitest';
import type { Surroundings } from '../../surroundings.ts';
import { command } from './rebase.ts';

interface Scene {
  readonly rebased: readonly string[];
  readonly printed: readonly string[];
  rebase(words: readonly string[], options?: Readonly<Record<string, unknown>>): Promise<void>;
}

/** Makes a coordinator with these workers, which refuses to rebase those that `refuses` names. */
function scene(workers: readonly Partial<WorkerView>[], refuses = ''): Scene {
  const rebased: string[] = [];
  const printed: string[] = [];
  const surroundings = {
    environment: { url: 'https://localhost:1', token: 't' },
    paths: null,
    worker: null,
    terminal: { out: (line: string) => printed.push(line), err: () => {}, colours: false, json: false, columns: 80 },
    now: () => 0,
    uuid: () => 'id',
    http: async (url: string, { body }: { body?: string } = {}) => {
      const input = body === undefined ? {} : (JSON.parse(body) as { name?: string });
      if (url.endsWith('workers.list')) return reply({ result: { data: workers } });
      rebased.push(input.name ?? 'reviewed last');
      if (input.name === refuses)
        return reply({ error: { message: `${refuses}: it is being merged`, data: { reason: 'accepting' } } });
      const [name = '', project] = (input.name ?? '').split('/').toReversed();
      return reply({ result: { data: { worker: { name, project, status: 'needs_review', note: 'rebased' } } } });
    },
  } as unknown as Surroundings;
  return {
    rebased,
    printed,
    rebase: (words, options = {}) => command.start(surroundings, { args: words, options }),
  };
}

function reply(body: unknown): { status: number; ok: boolean; json: () => Promise<unknown> } {
  return { status: 200, ok: true, json: async () => body };
}

function worker(project: string, name: string, status: WorkerView['status'] = 'needs_review'): Partial<WorkerView> {
  return { project, name, status };
}

test('given work of several workers, two of one name, when all is rebased, then each that waits for review is, and no other', async () => {
  const given = scene([
    worker('shop', 'adam'),
    worker('shop', 'eva'),
    worker('tools', 'eva'),
    worker('shop', 'bea', 'working'),
  ]);

  await given.rebase([], { all: true });

  expect(given.rebased).toEqual(['adam', 'shop/eva', 'tools/eva']);
  expect(given.printed.join('\n').split('\n')).toHaveLength(3);
});

test('given one that is refused, when all is rebased, then the others are, and the refusal is said', async () => {
  const given = scene([worker('shop', 'adam'), worker('shop', 'bea'), worker('shop', 'cal')], 'bea');

  const ended = given.rebase([], { all: true });

  await expect(ended).rejects.toMatchObject({ code: 'refused', message: 'bea: it is being merged' });
  expect(given.rebased).toEqual(['adam', 'bea', 'cal']);
  expect(given.printed.join('\n')).toMatch(/adam.*\ncal/u);
});

test('given no work that waits, or a name beside --all, when all is rebased, then that is said and nothing is asked', async () => {
  const given = scene([worker('shop', 'bea', 'working')]);

  await given.rebase([], { all: true });
  const both = given.rebase(['bea'], { all: true });

  await expect(both).rejects.toMatchObject({ code: 'usage', message: 'Name a worker or give --all, not both' });
  expect(given.printed).toEqual(['No work waits for review.']);
  expect(given.rebased).toEqual([]);
});
