// Answers to requests with a key, in memory: the same as sql/public/kept-answers.ts.
import { KEY_KEPT_MS } from '../../../port/public/kept-answers.ts';
import type { KeyedRequest, KeyUse } from '../../../port/public/kept-answers.ts';
import type { MemoryDatabase } from '../engine/database.ts';

/** Keeps the key unless it is kept. */
export function claimKey(db: MemoryDatabase, request: KeyedRequest): KeyUse {
  const at = keyOf(request);
  db.keptAnswers.lock(at);
  const known = db.keptAnswers.get(at);
  if (known === undefined || known.now < request.now - KEY_KEPT_MS) {
    db.put(db.keptAnswers, at, { ...request, answer: null });
    return { kind: 'open', id: request.id };
  }
  if (known.requestSha256 !== request.requestSha256) return { kind: 'other' };
  return known.answer === null ? { kind: 'open', id: known.id } : { kind: 'answered', ...known.answer };
}

/** The first answer stays. */
export function keepAnswer(
  db: MemoryDatabase,
  which: Pick<KeyedRequest, 'caller' | 'key' | 'id'>,
  answer: { readonly status: number; readonly body: unknown },
): void {
  const known = db.keptAnswers.get(keyOf(which));
  if (known?.id === which.id && known.answer === null) db.put(db.keptAnswers, keyOf(which), { ...known, answer });
}

function keyOf({ caller, key }: Pick<KeyedRequest, 'caller' | 'key'>): string {
  return `${caller} ${key}`;
}
