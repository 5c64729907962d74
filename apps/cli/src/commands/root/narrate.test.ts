// Checks that a wait for events leaves nothing behind: "drover up" waits thousands of times a day.
import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import type { Answer } from '../../client/http-adapter.ts';
import type { Surroundings } from '../../surroundings.ts';
import { narrate } from './narrate.ts';

const WAITS = 20;

test('given an "up" that is asked to end after many waits for events, when it waits, then one listener at most is on its signal', async () => {
  const stop = new AbortController();
  const listeners: number[] = [];
  const printed: string[] = [];
  const surroundings = {
    worker: null,
    paths: null,
    environment: { url: 'https://fleet.example.com', token: 'a-token', insecure: false },
    terminal: { json: true, interactive: false, out: (line: string) => printed.push(line) },
    http: (): Promise<Answer> => {
      listeners.push(getEventListeners(stop.signal, 'abort').length);
      if (listeners.length === WAITS) stop.abort();
      return Promise.resolve(answered([{ id: listeners.length, type: 'worker.idle' }]));
    },
    sleep: () => Promise.resolve(),
  } as unknown as Surroundings;

  await narrate(surroundings, { calls: { bellOnReview: true, notices: false }, signal: stop.signal });

  expect(Math.max(...listeners)).toBe(1);
  // The first answer only says where to begin; the last comes after the end.
  expect(printed).toHaveLength(WAITS - 2);
});

function answered(data: unknown): Answer {
  const body = { result: { data } };
  return { status: 200, ok: true, text: JSON.stringify(body), json: () => Promise.resolve(body) };
}
