// Answers to requests with a key.
import { sql } from 'kysely';
import { KEY_KEPT_MS } from '../../port/public/kept-answers.ts';
import type { KeyedRequest, KeyUse } from '../../port/public/kept-answers.ts';
import { send } from '../../connection/pipeline.ts';
import { instant } from '../../connection/values.ts';
import type { Db } from '../db.ts';
import { change } from '../steps/rows.ts';

/** Keeps the key, if it is new or older than `KEY_KEPT_MS`. Two that come at once with one key both carry out the request with one id. */
export async function claimKey(db: Db, request: KeyedRequest): Promise<KeyUse> {
  const { caller, key, id, requestSha256, now } = request;
  await send(
    db,
    sql`insert into kept_answers (caller, key, id, request_sha256, at)
    values (${caller}, ${key}, ${id}, ${requestSha256}, ${instant(now)})
    on conflict (caller, key) do update set id = excluded.id, request_sha256 = excluded.request_sha256,
      status = null, body = null, at = excluded.at
    where kept_answers.at < ${instant(now - KEY_KEPT_MS)}`,
  );
  const kept = db.selectFrom('keptAnswers').selectAll().where('caller', '=', caller).where('key', '=', key);
  const row = await kept.executeTakeFirstOrThrow();
  if (row.requestSha256 !== requestSha256) return { kind: 'other' };
  return row.status === null ? { kind: 'open', id: row.id } : { kind: 'answered', status: row.status, body: row.body };
}

/** Keeps the answer of the request with this id. The first answer stays. */
export async function keepAnswer(
  db: Db,
  { caller, key, id }: Pick<KeyedRequest, 'caller' | 'key' | 'id'>,
  answer: { readonly status: number; readonly body: unknown },
): Promise<void> {
  await send(db, change('keptAnswers', { caller, key, id, status: null }, answer));
}
