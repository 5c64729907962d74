/** An accept merges the commit that its caller was shown, also when other people reviewed a newer one. */
import type { ObservationBody, CommandEnvelope } from '@drover/protocol';
import { expect, test } from 'vitest';
import { call, callAs, newId, obedient, until, untilNoted, WORK } from '../support/coordinator.ts';
import { commandsOf, inReview } from '../support/in-review.ts';

const LATER = { head: 'c'.repeat(40), tree: 'd'.repeat(40) };

test('given two workers that wait, when a viewer looks at one and an operator at the other, then the operator accepts the one they saw', async () => {
  await using given = await inReview('adam', 'bea');
  const { url, as } = given;
  const [vic, ann] = [await as('vic', 'viewer'), await as('ann', 'operator')];
  await callAs({ url, token: ann }, 'workers.review', { name: 'adam' });
  await callAs({ url, token: vic }, 'workers.review', { name: 'bea' });

  await callAs({ url, token: ann }, 'workers.accept', { requestId: newId() });

  expect(await until(url, 'adam', 'idle')).toBeDefined();
  expect(await until(url, 'bea', 'needs_review')).toBeDefined();
});

test('given a commit that was named, when it is not what was reviewed, then only a whole name of one is taken', async () => {
  await using given = await inReview('adam');
  const { url } = given;
  await call(url, 'workers.review', {});
  const accept = (head: string): Promise<unknown> =>
    call(url, 'workers.accept', { requestId: newId(), name: 'adam', head });

  await expect(accept('ccccccc')).rejects.toThrow('not-reviewed: adam: "ccccccc" is not the commit that you reviewed');
  await expect(accept('main')).rejects.toThrow('Expected the name of a commit');
  await expect(accept('b'.repeat(6))).rejects.toThrow('Expected the name of a commit');
  await accept('BBBBBBB');
  await until(url, 'adam', 'idle');

  expect(commandsOf(given, 'candidate').at(-1)).toMatchObject({ at: WORK });
});

test('given a commit that came after the review, when the work is accepted, then the machine refuses and another look is needed', async () => {
  await using given = await inReview('adam');
  const { url, machine } = given;
  const review = await call(url, 'workers.review', {});
  machine.script = movedOn;

  await call(url, 'workers.accept', { requestId: newId(), name: 'adam' });

  const waiting = await untilNoted(url, 'adam', { status: 'needs_review', note: /^not merged: 1 commit came after/u });
  expect(waiting.note).toContain('run "drover review adam" again');
  expect(review).toMatchObject(WORK);
});

/** Fakes a machine whose agent has committed once more. */
function movedOn(command: CommandEnvelope): readonly ObservationBody[] {
  const answers = obedient(command);
  if (command.body.kind !== 'command' || command.body.command.kind !== 'candidate') return answers;
  const why = '1 commit came after what was reviewed: ccccccc Sneak: run "drover review adam" again';
  return answers.map((body) =>
    body.kind === 'result' ? { ...body, result: { kind: 'changed', head: LATER.head, why } } : body,
  );
}
