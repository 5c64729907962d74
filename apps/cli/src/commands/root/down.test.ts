/** Tests the waits of "drover down" for sessions that close one after the other. */
import { expect, test } from 'vitest';
import type { Answer, Ask } from '../../client/http-adapter.ts';
import type { Surroundings } from '../../surroundings.ts';
import { closeSessions } from './down.ts';

const SECOND_MS = 1_000;

/** Makes an answer of the coordinator that holds these data. */
function answer(data: unknown): Answer {
  return { status: 200, ok: true, text: '', json: async () => ({ result: { data } }) };
}

/** Makes a coordinator with so many open sessions at a time; time passes only during waits. */
function makeFleet(openAt: (ms: number) => number): Surroundings {
  let now = 0;
  const http: Ask = async (url) => {
    if (url.endsWith('fleet.down')) return answer(null);
    const worker = { status: 'idle', note: 'its agent works', mayHaveSession: true, machineState: 'connected' };
    return answer(Array.from({ length: openAt(now) }, (_, at) => ({ ...worker, name: `w${at}` })));
  };
  return {
    environment: { url: 'https://drover.example.com', token: 'secret', insecure: false },
    paths: null,
    worker: null,
    http,
    now: () => now,
    sleep: async (ms: number) => void (now += ms),
    uuid: () => 'id',
  } as unknown as Surroundings;
}

test('given 19 sessions of which one closes every 20 s, when they are taken down, then all of them are waited for', async () => {
  await closeSessions(makeFleet((ms) => Math.max(0, 19 - Math.floor(ms / (20 * SECOND_MS)))));
});

test('given a session that never closes, when they are taken down, then it is named after a while', async () => {
  const when = closeSessions(makeFleet((ms) => (ms < SECOND_MS ? 2 : 1)));

  await expect(when).rejects.toThrow('Sessions are still open: w0 (its agent works)');
});
