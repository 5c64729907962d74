/** Links that answer a question: opening a link never acts, and an answer counts once, for one person, one asking and one day. */
import type { Actor } from '@drover/api';
import type { PersonRow } from '@drover/store';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Waiters } from '../../src/context/waiters.ts';
import { actionRoutes } from '../../src/http/actions/routes.ts';
import { linkOf, tokenOf } from '../../src/facts/escalations/link.ts';
import { channelWork } from '../../src/use-cases/channels/work.ts';
import { createEscalationFleet } from '../../src/use-cases/escalations/fleet.ts';
import { createPeopleFleet } from '../../src/use-cases/people/people.ts';
import { person } from '../support/actors.ts';
import { called } from '../support/calls.ts';
import { ANN } from '../support/questions.ts';
import { inMemory } from '../support/scene.ts';

const DAY = 86_400_000;
const ELSEWHERE = '01900000-0000-7000-9000-00000000aaaa';

test('X3: given a link, when it is opened any number of times, then nothing changes; its form answers once, and a repetition gets the same page', async () => {
  await using scene = await linked();
  const { token, open, form, state } = scene;
  const before = await state();

  const pages = [await open(token), await open(token, 'HEAD'), await open(token)];
  const untouched = await state();
  const answers = [await form({ token, option: 'retry' }), await form({ token, option: 'retry' })];
  const other = await form({ token, option: 'skip' });
  const afterwards = await open(token);

  expect(pages.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(pages[0]?.text).toContain('<button>Try again</button>');
  expect(untouched).toEqual(before);
  expect(
    answers.map(({ status, text }) => [status, text.includes('Your answer counts: &quot;Try again&quot;.')]),
  ).toEqual([
    [200, true],
    [200, true],
  ]);
  expect(other).toMatchObject({ status: 422, text: expect.stringContaining('already used for &quot;retry&quot;') });
  expect(afterwards).toMatchObject({ status: 409, text: expect.stringContaining('ben already answered') });
  expect(await state()).toMatchObject({
    row: { status: 'resolved', resolution: { option: 'retry', by: 'ben', actor: { via: 'link', name: 'ben' } } },
    said: [{ option: 'retry' }],
  });
});

test('X2, X3: given two links for one asking, when both are used at once, then one request answers, and the page says no other outcome', async () => {
  await using scene = await linked();
  const { ctx, claim, nature, json, state } = scene;
  const first = tokenOf(ctx, claim);
  nature.now += 5_000;
  const second = tokenOf(ctx, claim);

  const outcomes = await Promise.all([
    json({ token: first, option: 'retry' }),
    json({ token: second, option: 'skip' }),
    json({ token: second, option: 'retry' }),
  ]);

  expect(first).not.toBe(second);
  const { row, said } = await state();
  expect(said).toHaveLength(1);
  const won = outcomes.filter(({ status }) => status === 200).map(({ body }) => body['option']);
  expect(new Set(won)).toEqual(new Set([row?.resolution?.option]));
});

const REFUSED = {
  'is a day old': async ({ nature }) => void (nature.now += DAY + 1_000),
  'is of a person who was removed': ({ ctx, ben }) => ctx.store.transaction((tx) => tx.deletePerson(ben.id)),
  'is of a viewer': (scene) => scene.become({ role: 'viewer' }),
  'is of a person of another project': (scene) => scene.become({ projectId: ELSEWHERE }),
  'is for an earlier asking': ({ ctx, id }) => change(ctx, id, { asked: 2, title: 'May it run rm?' }),
  'is for a question that is over': ({ ctx, id }) => change(ctx, id, { status: 'expired' }),
} satisfies Readonly<Record<string, (scene: Awaited<ReturnType<typeof linked>>) => Promise<unknown>>>;

const STATUSES = [410, 404, 403, 404, 409, 410];

test.each(Object.entries(REFUSED).map(([what, change], at) => [what, change, STATUSES[at]] as const))(
  'X10: given a link that %s, when it is opened and used, then both are refused in words and nothing is answered',
  async (_what, change, status) => {
    await using scene = await linked();
    const { token, open, json, form, state } = scene;
    await change(scene);

    const [shown, sent, told] = [
      await open(token),
      await form({ token, option: 'retry' }),
      await json({ token, option: 'retry' }),
    ];

    expect([shown.status, sent.status, told.status]).toEqual([status, status, status]);
    expect((await state()).row?.resolution).toBeNull();
    expect(told.body).toMatchObject({ status, detail: expect.stringMatching(/\w/u) });
  },
);

test('X4: given a question that was asked again, when a program uses its old link, then it is told what is asked now; after an answer, who won', async () => {
  await using scene = await linked();
  const { ctx, id, token, json, claim } = scene;
  await change(ctx, id, { asked: 2, title: 'May it run rm?' });

  const early = await json({ token, option: 'retry' });
  await createEscalationFleet(ctx).resolveEscalation({ requestId: ELSEWHERE, id, option: 'skip', asked: 2 }, ANN);
  const late = await json({ token: tokenOf(ctx, { ...claim, asked: 2 }), option: 'retry' });

  expect(early.body).toMatchObject({ code: 'changed', present: { asked: 2, title: 'May it run rm?' } });
  expect(late.body).toMatchObject({ code: 'already-resolved', winner: { option: 'skip', by: 'ann' } });
});

test('given an option that wants words, when a browser sends none, then it is asked for them and the link stays good; its line ends are plain', async () => {
  await using scene = await linked();
  const { token, form, state } = scene;

  const without = await form({ token, option: 'retry-with-changes', text: '' });
  const withWords = await form({ token, option: 'retry-with-changes', text: 'first\r\nsecond' });

  expect([without.status, withWords.status]).toEqual([422, 200]);
  expect((await state()).row?.resolution?.text).toBe('first\nsecond');
});

test.each([
  ['no JSON', { type: 'application/json', body: '{' }, 400, 'not-json'],
  ['another type', { type: 'text/plain', body: 'x' }, 415, 'wrong-type'],
  ['no option', { type: 'application/json', body: '{"token":"x"}' }, 422, 'invalid'],
  ['half a character', { type: 'application/json', body: '{"token":"x","option":"\\ud800"}' }, 422, 'invalid'],
  ['too much', { type: 'application/json', body: `"${'a'.repeat(70_000)}"` }, 413, 'too-large'],
])('given %s, when it is sent instead of an answer, then a problem says so', async (_what, sent, status, code) => {
  await using scene = await linked();

  const answer = await scene.post(sent);

  expect(answer).toMatchObject({ status, body: { code } });
});

test('X10: given a link with any bit turned, cut or added to, when it is used, then it is no link', async () => {
  await using scene = await linked();
  const { token, json, state } = scene;
  const bytes = Buffer.from(token, 'base64url');
  const turned = fc.nat(bytes.length * 8 - 1).map((bit) => {
    const other = Buffer.from(bytes);
    other.writeUInt8(other.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    return other.toString('base64url');
  });
  const cut = fc.nat(token.length - 1).map((length) => token.slice(0, length));
  const foreign = fc.oneof(
    turned,
    cut,
    fc.string({ maxLength: 200 }).map((more) => `${token}${more}x`.slice(0, 200)),
  );

  await fc.assert(
    fc.asyncProperty(foreign, async (other) => {
      const { status } = await json({ token: other, option: 'retry' });
      expect([404, 422]).toContain(status);
    }),
    { numRuns: 200 },
  );
  expect((await state()).said).toEqual([]);
});

test('X14: given a question with markup, control sequences and a secret, when its link is opened, then the page has them as text, marked and taken out', async () => {
  await using scene = await linked();
  const { ctx, id, token, open } = scene;
  const key = `sk-ant-api03-${'a1B2'.repeat(20)}`;
  await change(ctx, id, { title: `<script>alert(1)</script> \u001b[2J "x" ${key}` });

  const { text, headers } = await open(token);

  expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt; ⟨U+001B⟩[2J &quot;x&quot;');
  for (const hostile of ['<script', '\u001b', 'sk-ant']) expect(text).not.toContain(hostile);
  expect(headers.get('content-security-policy')).toMatch(
    /default-src 'none'.*form-action 'self'; frame-ancestors 'none'/u,
  );
  expect(headers.get('referrer-policy')).toBe('same-origin');
});

test('given an address of mail, when it is set, moved, taken by somebody else and removed, then each person has at most one', async () => {
  await using scene = await linked();
  const { ctx } = scene;
  const people = createPeopleFleet(ctx);
  const admin = person('root', { role: 'admin' });
  await people.addPerson({ name: 'cleo', role: 'responder' }, admin);
  const set = (name: string, address: string | null) => people.mailPerson({ name, address }, admin);

  const outcomes = [
    await set('ben', 'ben@exmaple.com'),
    await set('ben', 'ben@example.com'),
    await set('cleo', 'ben@example.com'),
    await set('dora', 'dora@example.com'),
    await set('cleo', null),
  ];

  expect(outcomes.map((one) => (one.kind === 'ok' ? one.value.places : one.code))).toEqual([
    ['email:ben@exmaple.com'],
    ['email:ben@example.com'],
    'taken',
    'not-found',
    [],
  ]);
});

test('given a coordinator that does not know its address, or a reader that Drover does not know, when a link is wanted, then there is none', async () => {
  await using scene = await linked();
  const { ctx, claim } = scene;
  const { person: _person, ...asking } = claim;
  const publicUrl = 'https://drover.example.com/';

  expect(linkOf(ctx, claim)).toBeUndefined();
  expect(linkOf({ ...ctx, publicUrl }, { ...asking, person: null })).toBeUndefined();
  expect(linkOf({ ...ctx, publicUrl }, claim)).toMatch(
    /^https:\/\/drover\.example\.com\/v1\/actions\?token=[\w-]{96}$/u,
  );
});

test('given an ntfy topic that is a person’s, when a bot gets its card, then the link with the id of an option answers as that person', async () => {
  await using scene = await linked();
  const { ben, id, json, nature, state } = scene;
  const ctx = { ...scene.ctx, publicUrl: 'https://drover.example.com' };
  const place = { channel: 'ntfy', address: 'bens-topic' };
  await ctx.store.transaction(async (tx) => {
    await tx.savePlace({ ...place, personId: ben.id, projectId: null, createdAt: 1 });
    await tx.wantDelivery(id, place, { now: nature.now });
  });
  const by: Actor = { ...person('bot'), kind: 'bot', role: 'responder', channels: ['ntfy'] };
  const asked = { holder: 'process-1', waitMs: 0, events: new Waiters(), signal: undefined };

  const work = await channelWork(ctx, { channel: 'ntfy', by }, asked);

  const [given] = work.kind === 'work' ? work.deliveries : [];
  expect(given?.optionIds).toHaveLength(given?.card.options.length ?? -1);
  const token = new URL(given?.link ?? '').searchParams.get('token') ?? '';
  const option = given?.optionIds?.[0] ?? '';
  expect(await json({ token, option })).toMatchObject({ status: 200, body: { option } });
  expect(await state()).toMatchObject({ row: { resolution: { option, by: 'ben' } } });
});

/** Builds a question, ben who may answer it, and his link. */
async function linked() {
  const scene = await called(inMemory, {});
  const { ctx, id } = scene;
  const ben: PersonRow = {
    id: '01900000-0000-7000-9000-00000000bbbb',
    name: 'ben',
    role: 'operator',
    projectId: null,
    createdAt: 1,
  };
  await ctx.store.transaction((tx) => tx.insertPerson(ben));
  const claim = { escalation: id, asked: 1, person: ben.id };
  const app = actionRoutes({ ctx, fleet: createEscalationFleet(ctx) });
  const post = async ({ type, body }: { readonly type: string; readonly body: string }) => {
    const headers = { 'content-type': type, 'content-length': String(Buffer.byteLength(body)) };
    const { status, text } = await read(await app.request('/', { method: 'POST', headers, body }));
    return { status, text, body: type === 'application/json' || text.startsWith('{') ? parsed(text) : {} };
  };
  return {
    ...scene,
    ben,
    claim,
    token: tokenOf(ctx, claim),
    post,
    open: async (token: string, method = 'GET') => read(await app.request(`/?token=${token}`, { method })),
    form: (fields: Readonly<Record<string, string>>) =>
      post({ type: 'application/x-www-form-urlencoded', body: new URLSearchParams(fields).toString() }),
    json: (fields: Readonly<Record<string, string>>) =>
      post({ type: 'application/json', body: JSON.stringify(fields) }),
    become: (patch: Partial<PersonRow>) =>
      ctx.store.transaction(async (tx) => {
        await tx.deletePerson(ben.id);
        await tx.insertPerson({ ...ben, ...patch });
      }),
    state: async () => ({ row: await ctx.store.readEscalation(id), said: await ctx.store.listResponses(id) }),
  };
}

async function read(response: Response) {
  return { status: response.status, headers: response.headers, text: await response.text() };
}

function parsed(text: string): Record<string, unknown> {
  return JSON.parse(text) as Record<string, unknown>;
}

async function change(ctx: Awaited<ReturnType<typeof called>>['ctx'], id: string, patch: object): Promise<void> {
  await ctx.store.transaction(async (tx) => {
    const row = await tx.lockEscalation(id);
    if (row !== null) await tx.saveEscalation({ ...row, ...patch });
  });
}
