/** Requests are kept in chains with their callers: written with the change, protected from changes, and each kind of damage is named. */
import { randomUUID } from 'node:crypto';
import { Client } from '@drover/store/testing';
import { expect, test } from 'vitest';
import { call, callAs, newId, scene, until } from '../support/coordinator.ts';
import type { Scene } from '../support/coordinator.ts';

interface Row {
  readonly chain: string;
  readonly seq: number;
  readonly actor: string;
  readonly action: string;
  readonly about: string;
  readonly hash: string;
}

interface Verdict {
  readonly rows: number;
  readonly wrong: { readonly chain: string; readonly seq: number; readonly how: string } | null;
  readonly heads: readonly { readonly chain: string; readonly seq: number; readonly hash: string }[];
}

const SECRET_WORDS = 'the launch code is 4711';

test('given requests of a person, when the audit is read, then it has each with its actor, and no word of a prompt', async () => {
  await using given = await busy();
  const { url } = given.coordinator;

  const rows = await whole(given);
  const mine = (await call(url, 'audit.list', { limit: 100, actor: 'ann' })) as readonly Row[];

  const told = rows.map(({ actor, action, about }) => `${actor.replace(/:.*$/u, '')}: ${action} ${about}`);
  expect(told).toContain('person test: up-requested worker adam');
  expect(told).toContain('person test: token-made token ann');
  expect(told).toContain('person ann: start-requested worker adam');
  expect(told).toContain('policy: commands worker adam');
  expect(told.some((line) => /^machine \S+: machine-joined/.test(line))).toBe(true);
  expect(mine.every(({ actor }) => actor === 'person ann')).toBe(true);
  expect(JSON.stringify(rows)).not.toContain('launch code');
});

test('given a viewer who tries what needs an operator again and again, when it is refused, then the audit says so once', async () => {
  await using given = await busy();
  const { url } = given.coordinator;
  const { secret } = (await call(url, 'tokens.create', { name: 'eve', role: 'viewer' })) as { secret: string };

  for (let attempt = 0; attempt < 20; attempt += 1)
    await expect(callAs({ url, token: secret }, 'fleet.stop', null)).rejects.toThrow('forbidden');

  await expect
    .poll(async () => (await call(url, 'audit.list', { limit: 100, actor: 'eve' })) as readonly Row[])
    .toMatchObject([{ action: 'refused', about: 'route fleet.stop' }]);
});

test('given the audit, when a statement changes, deletes or empties it, then the database refuses', async () => {
  await using given = await busy();

  await sql(given, async (client) => {
    for (const attempt of [
      `update audit set actor = 'person nobody'`,
      'delete from audit',
      'truncate audit',
      'delete from audit_heads',
      'truncate audit_heads',
      `update audit_heads set hash = ''`,
    ])
      await expect(client.query(attempt)).rejects.toThrow('only ever added to');
  });
  expect(await verify(given)).toMatchObject({ wrong: null });
});

const HERE = `chain like 'worker:%'`;
const DAMAGE: readonly (readonly [how: string, seq: number, damage: string])[] = [
  ['changed', 2, `update audit set body = replace(body, '"commands"', '"command"') where ${HERE} and seq = 2`],
  ['changed', 2, `update audit set actor = 'person nobody' where ${HERE} and seq = 2`],
  ['changed', 2, `update audit set at = at - interval '1 day' where ${HERE} and seq = 2`],
  ['removed', 2, `delete from audit where ${HERE} and seq = 2`],
  ['removed', 1, `delete from audit where ${HERE}`],
  [
    'reordered',
    2,
    `update audit set seq = seq + 1000000 where ${HERE} and seq in (2, 3);
     update audit set seq = case seq when 1000002 then 3 else 2 end where ${HERE} and seq > 1000000`,
  ],
  [
    'inserted',
    2,
    `update audit set seq = seq + 1000000 where ${HERE} and seq >= 2;
     update audit set seq = seq - 999999 where ${HERE} and seq > 1000000;
     insert into audit select chain, 2, at, actor, body, hash from audit where ${HERE} and seq = 1`,
  ],
];

test.each(DAMAGE)(
  'given a row that was %s (%d), when the audit is verified, then it is the first that is named',
  async (how, seq, damage) => {
    await using given = await busy();

    await damaged(given, damage);

    const verdict = await verify(given);
    expect(verdict.wrong).toMatchObject({ how, seq, chain: expect.stringMatching(/^worker:/) });
  },
);

test('given the last row, when it is removed with its head, then what was kept elsewhere tells', async () => {
  await using given = await busy();
  const { heads } = await verify(given);
  const last = heads.find(({ chain }) => chain.startsWith('worker:'));

  await damaged(
    given,
    `delete from audit where ${HERE} and seq >= ${last?.seq};
     update audit_heads h set (seq, hash) = (select seq, hash from audit a where a.chain = h.chain order by seq desc limit 1)
     where ${HERE}`,
  );

  expect(await verify(given)).toMatchObject({ wrong: null });
  expect(await verify(given, heads)).toMatchObject({ wrong: { how: 'removed' } });
});

async function busy(): Promise<Scene> {
  const given = await scene();
  const { url } = given.coordinator;
  await call(url, 'workers.add', { requestId: newId(), name: 'adam' });
  await until(url, 'adam', 'idle');
  const { secret } = (await call(url, 'tokens.create', { name: 'ann', role: 'operator' })) as { secret: string };
  await callAs({ url, token: secret }, 'workers.start', {
    requestId: randomUUID(),
    name: 'adam',
    prompt: SECRET_WORDS,
  });
  await until(url, 'adam', 'needs_review');
  return given;
}

/** Reads every row, verified: a late report of the machine may add a row between the two calls. */
async function whole(given: Scene): Promise<readonly Row[]> {
  let rows: readonly Row[] = [];
  await expect
    .poll(async () => {
      const { rows: verified, wrong } = await verify(given);
      rows = (await call(given.coordinator.url, 'audit.list', { limit: 100 })) as readonly Row[];
      return { verified, listed: rows.length, wrong };
    })
    .toSatisfy(({ verified, listed, wrong }) => verified === listed && wrong === null);
  return rows;
}

function verify({ coordinator }: Scene, kept: Verdict['heads'] = []): Promise<Verdict> {
  return call(coordinator.url, 'audit.verify', { kept }) as Promise<Verdict>;
}

/** Runs statements as the owner of the database can. */
function damaged(given: Scene, statements: string): Promise<void> {
  return sql(given, async (client) => {
    await client.query(`alter table audit disable trigger all; alter table audit_heads disable trigger all`);
    await client.query(statements);
  });
}

async function sql({ databaseUrl }: Scene, run: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await run(client);
  } finally {
    await client.end();
  }
}
