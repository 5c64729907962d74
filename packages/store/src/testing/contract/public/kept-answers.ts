// Tests what every store must keep of requests with a key.
import { expect, test } from 'vitest';
import { KEY_KEPT_MS } from '../../../port/public/kept-answers.ts';
import type { OpenStore } from '../open-store.ts';
import { id } from '../seeds.ts';

/** Declares the tests; `open` gives each its own store. */
export function keptAnswerContract(open: OpenStore): void {
  test('given a request with a key, when it is repeated before and after its answer, then it has one id and is told the first answer', async () => {
    await using given = await open();
    const { store } = given;
    const request = { caller: id(), key: 'k', id: id(), requestSha256: 'a', now: 1 };

    const first = await store.claimKey(request);
    const again = await store.claimKey({ ...request, id: id(), now: 2 });
    await store.keepAnswer(request, { status: 200, body: { is: 'first' } });
    await store.keepAnswer(request, { status: 409, body: null });
    const answered = await store.claimKey({ ...request, id: id(), now: 3 });
    const other = await store.claimKey({ ...request, requestSha256: 'b', now: 3 });
    const ofAnother = await store.claimKey({ ...request, caller: id(), now: 3 });

    expect([first, again]).toEqual([
      { kind: 'open', id: request.id },
      { kind: 'open', id: request.id },
    ]);
    expect(answered).toEqual({ kind: 'answered', status: 200, body: { is: 'first' } });
    expect(other).toEqual({ kind: 'other' });
    expect(ofAnother).toEqual({ kind: 'open', id: request.id });
  });

  test('given a key of more than a day ago, when it is used for another request, then it is a new one, and a late answer to the old one is not kept', async () => {
    await using given = await open();
    const { store } = given;
    const before = { caller: id(), key: 'k', id: id(), requestSha256: 'a', now: 1 };
    const after = { ...before, id: id(), requestSha256: 'b', now: 2 + KEY_KEPT_MS };
    await store.claimKey(before);

    const claimed = await store.claimKey(after);
    await store.keepAnswer(before, { status: 200, body: null });

    expect(claimed).toEqual({ kind: 'open', id: after.id });
    expect(await store.claimKey(after)).toEqual({ kind: 'open', id: after.id });
  });
}
