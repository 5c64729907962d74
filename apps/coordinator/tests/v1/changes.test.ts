/** PATCH changes only named fields, at once, with a row of the audit; a request that names nothing is refused. */
import { expect, test } from 'vitest';
import { fleetOfTwo } from '../support/fleet-of-two.ts';
import type { Scene } from '../support/fleet-of-two.ts';

const HOOK = '/v1/webhook-endpoints/hook';

test('given a silence, when its end or its reason changes, then the other stays, and a body that names nothing is refused', async () => {
  const scene = await fleetOfTwo();
  const begun = await asked(scene, 'POST /v1/silences', { machine: 'laptop', forMs: 600_000, reason: 'new disk' });
  const path = `PATCH /v1/silences/${String(begun.body['id'])}`;

  const named = await asked(scene, path, { reason: 'new disk, and memory' });
  const shorter = await asked(scene, path, { forMs: 60_000 });

  expect(named.body).toMatchObject({ until: begun.body['until'], reason: 'new disk, and memory' });
  expect(shorter.body).toMatchObject({ reason: 'new disk, and memory', machine: 'laptop' });
  expect(Number(shorter.body['until'])).toBeLessThan(Number(begun.body['until']));
  expect(await asked(scene, path, {})).toMatchObject({
    status: 422,
    body: { detail: expect.stringContaining('at least one field') },
  });
  expect(await actionsOf(scene)).toEqual(['silence-begun', 'silence-changed', 'silence-changed']);
});

test('given a person with a place, when their role and project change, then the place follows; a project that is not there changes nothing', async () => {
  const scene = await fleetOfTwo();
  const { store } = scene;
  const [ada] = await store.listPeople();
  const place = { channel: 'telegram', address: '7', personId: ada?.id ?? '', projectId: null, createdAt: 1 };
  await store.transaction((tx) => tx.savePlace(place));

  const changed = await asked(scene, 'PATCH /v1/people/ada', { role: 'responder', project: 'shop' });
  const none = await asked(scene, 'PATCH /v1/people/ada', { role: 'admin', project: 'nothing' });
  const all = await asked(scene, 'PATCH /v1/people/ada', { project: null });

  expect(changed.body).toMatchObject({ role: 'responder', project: 'shop', places: ['telegram:7'] });
  expect(none.status).toBe(404);
  expect(all.body).toMatchObject({ role: 'responder', project: null });
  expect((await store.listPlaces()).map(({ projectId }) => projectId)).toEqual([null]);
  expect(await actionsOf(scene)).toEqual(['person-changed', 'person-changed']);
});

test('given a token, when it gets an end, then it is good until then; the last of an admin without an end keeps none', async () => {
  const scene = await fleetOfTwo();

  const ended = await asked(scene, 'PATCH /v1/tokens/viewer', { expiresInMs: 60_000 });
  const own = await asked(scene, 'PATCH /v1/tokens/admin+fleet', { expiresInMs: 60_000 });
  const id = String(ended.body['id']);
  await scene.store.transaction((tx) => tx.setApiTokenEnd(id, 1));
  const over = await scene.send('/v1/me', { method: 'GET', caller: 'viewer' });
  const again = await asked(scene, 'PATCH /v1/tokens/viewer', { expiresInMs: null });

  expect(ended.body).toMatchObject({ name: 'viewer', expiresAt: expect.any(Number) });
  expect(own).toMatchObject({ status: 409, body: { code: 'last-admin' } });
  expect(over.status).toBe(401);
  expect(again.body).toMatchObject({ expiresAt: null });
  expect((await scene.send('/v1/me', { method: 'GET', caller: 'viewer' })).status).toBe(200);
});

test('given a webhook, when it is switched off and on, then it is told nothing in between, and its secret and its types stay', async () => {
  const scene = await fleetOfTwo();
  const endpoint = async () => (await scene.store.listWebhookEndpoints()).find(({ name }) => name === 'hook');
  const before = await endpoint();

  const off = await asked(scene, `PATCH ${HOOK}`, { enabled: false, types: ['task'] });
  const tried = await asked(scene, `POST ${HOOK}/test`, {});
  const hidden = await asked(scene, `PATCH ${HOOK}`, { url: 'http://example.com/' });
  const on = await asked(scene, `PATCH ${HOOK}`, { enabled: true });

  expect(off.body).toMatchObject({ state: 'disabled', types: ['task'], why: 'admin+fleet switched it off' });
  expect(tried).toMatchObject({ status: 409, body: { code: 'disabled' } });
  expect(hidden.status).toBe(422);
  expect(on.body).toMatchObject({ state: 'good', types: ['task'], url: before?.url });
  expect(await endpoint()).toMatchObject({ secret: before?.secret, disabledWhy: null });
  expect((await endpoint())?.cursor).toBe((await scene.store.followAnnouncements(null, 1)).settled);
});

async function asked(scene: Scene, route: string, body: object) {
  const [method = '', path = ''] = route.split(' ');
  const answer = await scene.send(path, { method, caller: 'admin+fleet', body });
  return { status: answer.status, body: (await answer.json()) as Readonly<Record<string, unknown>> };
}

/** Lists the actions, the oldest first. */
async function actionsOf({ store }: Scene): Promise<readonly string[]> {
  const rows = await store.listAudit({ limit: 100 });
  return rows.map(({ body }) => (JSON.parse(body) as { action: string }).action).toReversed();
}
