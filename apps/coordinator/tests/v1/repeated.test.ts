/** X3: a request whose answer was lost with the coordinator is repeated with its key, and acts once all the same. */
import { expect, test } from 'vitest';
import { fleetOfTwo } from '../support/fleet-of-two.ts';

const HOOK = '/v1/webhook-endpoints/hook';

test.each([
  {
    what: 'a silence',
    path: '/v1/silences',
    caller: 'operator+fleet',
    body: { machine: 'laptop', forMs: 60_000, reason: 'new disk' },
    listed: '/v1/silences',
  },
  { what: 'a test of a webhook', path: `${HOOK}/test`, caller: 'admin+fleet', body: {}, listed: `${HOOK}/deliveries` },
] as const)(
  'X3: given $what that a coordinator began before it died, when it is asked for again and twice at once, then there is one, with one row of the audit',
  async ({ path, caller, body, listed }) => {
    const scene = await fleetOfTwo();
    const count = async (): Promise<number> => {
      const answer = await scene.send(listed, { method: 'GET', caller });
      return ((await answer.json()) as { items: unknown[] }).items.length;
    };
    const [before, audited] = [await count(), (await scene.store.listAudit({ limit: 100 })).length];
    // The answer is not kept: the coordinator died before that.
    Object.assign(scene.store, { keepAnswer: () => Promise.resolve() });
    const ask = (key: string) =>
      scene.send(path, { method: 'POST', caller, body, headers: { 'idempotency-key': key } });

    const first = await ask('k');
    const again = await Promise.all([ask('k'), ask('k')]);
    const once = await count();
    await ask('l');

    const { id } = (await first.json()) as { id: string };
    expect(first.status).toBe(200);
    expect(await Promise.all(again.map(async (one) => ((await one.json()) as { id: string }).id))).toEqual([id, id]);
    expect([once - before, (await count()) - before]).toEqual([1, 2]);
    expect((await scene.store.listAudit({ limit: 100 })).length - audited).toBe(2);
  },
);
