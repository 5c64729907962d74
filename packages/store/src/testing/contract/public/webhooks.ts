// Tests what every store must keep of webhooks.
import { expect, test } from 'vitest';
import type { WebhookEndpoint } from '../../../port/public/webhooks.ts';
import type { OpenStore } from '../open-store.ts';
import { webhookDelivery, webhookEndpoint } from '../row-seeds.ts';
import { id } from '../seeds.ts';

/** Declares the tests; `open` gives each its own store. */
export function webhookContract(open: OpenStore): void {
  test('given a webhook, when it is saved and its name is taken again, then it is as it was saved, and the other one is not there', async () => {
    await using given = await open();
    const { store } = given;
    const first = webhookEndpoint({ name: 'pager' });
    const inserted = await store.transaction((tx) => tx.insertWebhookEndpoint(first));
    const taken = await store.transaction((tx) => tx.insertWebhookEndpoint(webhookEndpoint({ name: 'pager' })));
    const changed = {
      ...first,
      oldSecret: 'old',
      oldSecretUntil: 9,
      cursor: 7,
      failingSince: 5,
      disabledAt: 6,
      disabledWhy: 'x',
    };
    await store.transaction(async (tx) => {
      await tx.lockWebhookEndpoint(first.id);
      await tx.saveWebhookEndpoint(changed);
    });

    expect([inserted, taken]).toEqual(['inserted', 'name-taken']);
    expect(await store.listWebhookEndpoints()).toEqual([changed]);
    expect((await store.followAnnouncements(0, 100)).items.map(({ type }) => type)).toContain('delivery.failed');
  });

  test('given a webhook that one replica holds, when another wants it, then it gets it only when the lease is over', async () => {
    await using given = await open();
    const { store } = given;
    const { id: hook } = await added(store);
    const [one, other] = [id(), id()];

    const held = await store.leaseWebhookEndpoint(hook, { holder: one, now: 0, until: 10 });
    const refused = await store.leaseWebhookEndpoint(hook, { holder: other, now: 9, until: 20 });
    const renewed = await store.leaseWebhookEndpoint(hook, { holder: one, now: 9, until: 20 });
    const taken = await store.leaseWebhookEndpoint(hook, { holder: other, now: 20, until: 30 });
    const gone = await store.leaseWebhookEndpoint(id(), { holder: one, now: 0, until: 10 });

    expect([held, refused, renewed, taken, gone]).toEqual([true, false, true, true, false]);
  });

  test('given a webhook that wants to be left alone, when its holder gives it free for later, then nobody has it before, unless a person says so', async () => {
    await using given = await open();
    const { store } = given;
    const { id: hook } = await added(store);
    const [one, other] = [id(), id()];
    const asks = (holder: string, now: number) => store.leaseWebhookEndpoint(hook, { holder, now, until: now + 10 });

    const outcomes = [await asks(one, 0)];
    await store.freeWebhookEndpoint(hook, other, 1);
    outcomes.push(await asks(other, 2));
    await store.freeWebhookEndpoint(hook, one, 100);
    outcomes.push(await asks(one, 99), await asks(other, 99), await asks(other, 100));
    await store.freeWebhookEndpoint(hook, other, 200);
    outcomes.push(await asks(one, 110));
    await store.freeWebhookEndpoint(hook, null, 110);
    outcomes.push(await asks(one, 110));

    expect(outcomes).toEqual([true, false, false, false, true, false, true]);
  });

  test('given what a webhook is to be told, when it is noted twice, tried and read, then it is there once, with its attempts, until it is removed', async () => {
    await using given = await open();
    const { store } = given;
    const hook = await added(store);
    const first = webhookDelivery(hook, { announcementId: 1, nextAt: 5, createdAt: 1 });
    const again = webhookDelivery(hook, { announcementId: 1, nextAt: 1, createdAt: 2 });
    const second = webhookDelivery(hook, { announcementId: 2, nextAt: 3, createdAt: 3 });
    const later = webhookDelivery(hook, { announcementId: null, nextAt: 50, createdAt: 4 });
    await store.transaction(async (tx) => {
      await tx.insertWebhookDeliveries([first]);
      await tx.insertWebhookDeliveries([again, second, later]);
    });
    const due = await store.dueWebhookDeliveries(hook.id, 10, 5);
    const attempt = { deliveryId: first.id, at: 10, durationMs: 3, status: 500, error: null };
    await store.transaction(async (tx) => {
      await tx.insertWebhookAttempt(attempt);
      await tx.insertWebhookAttempt({ ...attempt, at: 11, status: null, error: 'cut' });
      await tx.saveWebhookDelivery({ ...first, state: 'dead', tries: 2, nextAt: null });
    });

    expect(due.map((row) => row.id)).toEqual([second.id, first.id]);
    expect((await store.listWebhookDeliveries({ endpointId: hook.id, limit: 5 })).map((row) => row.id)).toEqual([
      later.id,
      second.id,
      first.id,
    ]);
    expect(await store.transaction((tx) => tx.readWebhookDelivery(first.id))).toMatchObject({
      state: 'dead',
      tries: 2,
    });
    expect(await store.listWebhookAttempts([first.id])).toEqual([
      { ...attempt, number: 1 },
      { ...attempt, number: 2, at: 11, status: null, error: 'cut' },
    ]);
    await store.transaction((tx) => tx.prune(100, 100));
    expect(await store.listWebhookDeliveries({ endpointId: hook.id, limit: 5 })).toHaveLength(2);
    await store.transaction((tx) => tx.deleteWebhookEndpoint(hook.id));
    expect(await store.listWebhookDeliveries({ endpointId: hook.id, limit: 5 })).toEqual([]);
    expect(await store.listWebhookEndpoints()).toEqual([]);
  });
}

async function added(store: Awaited<ReturnType<OpenStore>>['store']): Promise<WebhookEndpoint> {
  const row = webhookEndpoint();
  await store.transaction((tx) => tx.insertWebhookEndpoint(row));
  return row;
}
