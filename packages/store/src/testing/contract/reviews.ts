// Tests what every store must keep of reviews.
import { expect, test } from 'vitest';
import type { ReviewRow } from '../../port/reviews.ts';
import type { OpenStore } from './open-store.ts';
import { id, seeded } from './seeds.ts';

/** Declares the tests; `open` gives each its own store. */
export function reviewsContract(open: OpenStore): void {
  test('given reviews of two people, when each is asked for theirs, then the newest comes first and replaces the one before it', async () => {
    await using given = await open();
    const { store } = given;
    const { id: workerId, ...row } = await seeded(store);
    const other = id();
    await store.transaction((tx) => tx.insertWorker({ ...row, id: other, name: 'bert' }));

    await store.saveReview(review(workerId, 'ada', { reviewedAt: 1 }));
    await store.saveReview(review(other, 'ada', { reviewedAt: 2 }));
    await store.saveReview(review(workerId, 'bob', { head: 'b2', reviewedAt: 3 }));
    await store.saveReview(review(workerId, 'ada', { head: 'a2', reviewedAt: 4 }));

    expect(await store.listReviews('ada')).toEqual([
      review(workerId, 'ada', { head: 'a2', reviewedAt: 4 }),
      review(other, 'ada', { reviewedAt: 2 }),
    ]);
    expect(await store.transaction((tx) => tx.findReview(workerId, 'bob'))).toMatchObject({ head: 'b2' });
    expect(await store.transaction((tx) => tx.findReview(other, 'bob'))).toBeNull();
  });

  test('given a review, when its worker begins another task or goes, then it is gone, and none can be added for a worker that is not there', async () => {
    await using given = await open();
    const { store } = given;
    const { id: workerId } = await seeded(store);
    await store.saveReview(review(workerId, 'ada', {}));

    await store.transaction((tx) => tx.dropReviews(workerId));
    const dropped = await store.listReviews('ada');
    await store.saveReview(review(workerId, 'ada', {}));
    await store.transaction((tx) => tx.deleteWorker(workerId));
    await store.saveReview(review(workerId, 'ada', {}));

    expect(dropped).toEqual([]);
    expect(await store.listReviews('ada')).toEqual([]);
  });
}

function review(workerId: string, reviewer: string, change: Partial<ReviewRow>): ReviewRow {
  return {
    workerId,
    reviewer,
    base: 'base',
    head: 'a1',
    tree: 'tree',
    reviewedAt: 1,
    ...change,
  };
}
