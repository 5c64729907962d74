/** Tests places: each test is a card that a bot shows as any other, with a button that tries the way back. No worker waits for the card. */
import type { Card, PressOutcome, WorkAnswer } from '@drover/protocol';
import type { PlaceTest } from '@drover/store';
import { shortIdOf } from '../../facts/escalations/view.ts';

/** Builds the bot's delivery for a test. */
export function testDelivery(one: PlaceTest): Extract<WorkAnswer, { kind: 'work' }>['deliveries'][number] {
  return { address: one.address, ref: null, ping: true, pings: 1, card: testCard(one) };
}

/** Answers the press of the test's button. */
export function testPressed(one: PlaceTest, by: string): PressOutcome {
  const over = { version: 2, status: 'resolved', resolution: { by, label: 'I am looking' } } as const;
  return { kind: 'accepted', says: 'Your answer arrived: both directions work.', card: { ...testCard(one), ...over } };
}

function testCard({ id, by, createdAt }: PlaceTest): Card {
  return {
    escalation: id,
    shortId: shortIdOf(id),
    version: 1,
    asked: 1,
    status: 'open',
    severity: 'info',
    worker: 'a test',
    workers: 1,
    project: 'Drover',
    machine: 'the coordinator',
    title: `${by} tests whether Drover can reach you here`.slice(0, 400),
    body: 'No worker waits. Press the button to test whether your answers arrive.',
    pane: [],
    options: [],
    resolution: null,
    application: null,
    ackedBy: null,
    createdAt,
  };
}
