/** A webhook about a question has its words. */
import { webhookEndpoint } from '@drover/store/testing';
import { expect, test } from 'vitest';
import { Sender } from '../../src/sending/sender.ts';
import { webhookLane } from '../../src/webhooks/lane.ts';
import type { WebhookParts } from '../../src/webhooks/lane.ts';
import { open4, troubled } from '../support/questions.ts';
import { asks, decided, inMemory } from '../support/scene.ts';

test('given a webhook, when a worker asks, then what it is told has the title of the question', async () => {
  await using scene = await troubled(inMemory, ['adam']);
  const { ctx, first, nature, incident } = scene;
  const told: string[] = [];
  const send: WebhookParts['send'] = ({ body }) => {
    told.push(body);
    return Promise.resolve({ kind: 'answered', status: 204, retryAfterMs: null });
  };
  await using loop = new Sender(ctx, webhookLane(ctx, { allowed: [], send }));
  await ctx.store.transaction((tx) => tx.insertWebhookEndpoint(webhookEndpoint({ id: nature.uuid(), types: [] })));

  await decided(ctx, first.id, { records: [asks(incident)], patch: open4(incident) });
  await loop.round();

  const about = told.filter((body) => body.includes('escalation.opened'));
  expect(about).toHaveLength(1);
  expect(JSON.parse(about[0] ?? '{}')).toMatchObject({ data: { question: { title: expect.stringMatching(/\S/u) } } });
});
