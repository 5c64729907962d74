/** Words of a webhook about a question. X14: no secret, no control sequence and no mention. */
import { newWorker } from '@drover/core';
import { escalation, webhookDelivery, webhookEndpoint, workerOptions } from '@drover/store/testing';
import { expect, test } from 'vitest';
import { questionOf } from '../use-cases/channels/card.ts';
import { webhookMessage } from './message.ts';

const OPTIONS = workerOptions({ profile: 'claude' });
const WORKER = { id: 'w', projectId: 'p', machineId: 'm', name: 'adam', options: OPTIONS, version: 1, createdAt: 0 };
const TOKEN = `ghp_${'a1B2'.repeat(9)}`;
const ROW = escalation(
  { ...WORKER, updatedAt: 0, state: newWorker() },
  {
    status: 'open',
    title: `May it push with ${TOKEN}?`,
    body: `\u001b[31mgit push\u001b[0m @channel <!here>\n${'long '.repeat(500)}`,
    question: { kind: 'choice', title: '', body: '', options: [{ id: 'yes', label: 'Yes, @all', needsText: false }] },
  },
);
const EVENT = {
  cursor: '7',
  type: 'escalation.opened',
  at: 1,
  actor: null,
  project: null,
  subject: { kind: 'escalation', id: ROW.id, worker: 'adam', status: 'open', asked: 1, severity: 'error' },
  version: 1,
} as const;

function said(format: 'standard' | 'text', isKnown = true): Record<string, unknown> {
  const endpoint = webhookEndpoint({ format });
  const delivery = webhookDelivery(endpoint, { body: EVENT });
  const question = isKnown ? questionOf({}, ROW) : null;
  return JSON.parse(webhookMessage(endpoint, delivery, { now: 1, question }).body) as Record<string, unknown>;
}

test('given an event about a question, when a webhook is told, then it has the words and the answers, as the event names them', () => {
  const { type, data } = said('standard');

  expect(type).toBe('escalation.opened');
  expect(data).toMatchObject({
    ...EVENT,
    question: { asked: ROW.asked, options: [{ id: 'yes', label: 'Yes, @all', needsText: false }] },
  });
  const { title, body } = (data as { readonly question: { readonly title: string; readonly body: string } }).question;
  expect(title).toContain('May it push with');
  expect(body).toContain('git push');
  expect(body.length).toBeLessThanOrEqual(1_000);
});

test('X14: given a question with a secret and a control sequence, when a webhook is told, then neither is in it', () => {
  for (const format of ['standard', 'text'] as const) {
    const text = JSON.stringify(said(format));
    expect(text).not.toContain(TOKEN);
    expect(text).not.toContain('\\u001b');
  }
});

test('given a chat hook, when a question is asked, then its line has the title and the answers and calls no one', () => {
  const { text } = said('text');

  expect(text).toMatch(
    /^Drover: escalation\.opened adam \(question \w+\), now open: May it push with .*\? \(Yes, all\)$/u,
  );
  expect(text).not.toMatch(/[@<>&\n]/u);
});

test('given a question that is gone, when a webhook is told of it, then it is told the event alone', () => {
  expect(said('standard', false)['data']).toEqual(EVENT);
  expect(said('text', false)['text']).toMatch(/now open$/u);
});
