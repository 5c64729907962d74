/** A card for a telephone leaves out repeated words and lines that a program drew. */
import { newWorker } from '@drover/core';
import { escalation, workerOptions } from '@drover/store/testing';
import { expect, test } from 'vitest';
import { BUNDLE } from '../../../tests/support/bundle.ts';
import { cardOf, withOthers } from './card.ts';

const OPTIONS = workerOptions({ profile: 'claude' });
const WORKER = { id: 'w', projectId: 'p', machineId: 'm', name: 'w', options: OPTIONS, version: 1, createdAt: 0 };
const RULE = '╌'.repeat(500);

test('given a dialog whose words the pane shows, when its card is made, then it has them once, without the lines that the program drew', () => {
  const body = `${RULE}\nls\n${RULE}\nDo you want to proceed?`;
  const pane = ['Bash command', 'ls', 'Do you want to proceed?', '❯ Yes'];

  expect(cardWith({ body, pane })).toMatchObject({ body: '', pane });
});

test('given words that the pane does not show, when its card is made, then it has them, without the lines that the program drew', () => {
  const card = cardWith({ body: `${RULE}\nIt was tried 3 times.\n--- not drawn ---`, pane: ['$ make'] });

  expect(card.body).toBe('It was tried 3 times.\n--- not drawn ---');
});

test('given a card that alarms for another one, when it names it, then it begins with that and counts right', () => {
  const card = cardWith({ body: '', pane: [] });

  expect(withOthers(card, [{ ...card, worker: 'bea', title: 'Go\non?' }]).body).toBe(
    `One more question waits here. It came without a notification:\n#${card.shortId} bea: Go on?`,
  );
});

test('given a question that is longer than a card, when its card is made, then the card says so, also when it alarms for others', () => {
  const [whole, long] = ['a'.repeat(1_000), 'a'.repeat(1_001)].map((body) => cardWith({ body, pane: [] }));
  if (whole === undefined || long === undefined) return expect.unreachable();

  expect([whole.isCut, long.isCut, long.body.length]).toEqual([undefined, true, 1_000]);
  expect([withOthers(long, [whole]).isCut, withOthers(whole, [long]).isCut]).toEqual([true, true]);
});

test('given an address of the coordinator, when a card is made, then it leads to its question while that is open, and says nothing of one without an address', () => {
  const row = escalation({ ...WORKER, updatedAt: 0, state: newWorker() }, { status: 'open', context: BUNDLE });
  const at = { publicUrl: 'https://drover.example/' };

  expect(cardOf(at, row).url).toBe(`https://drover.example/q/${cardOf(at, row).shortId}`);
  expect(cardOf(at, { ...row, status: 'expired' }).url).toBeUndefined();
  expect(cardOf({}, row).url).toBeUndefined();
});

function cardWith({ body, pane }: { readonly body: string; readonly pane: string[] }) {
  const row = escalation({ ...WORKER, updatedAt: 0, state: newWorker() }, { status: 'open' });
  return cardOf({}, { ...row, body, context: { ...BUNDLE, pane } });
}
