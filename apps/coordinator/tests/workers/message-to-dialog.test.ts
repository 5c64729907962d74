/** A message to a worker whose agent shows a dialog: an answer to the dialog, or refused with the options. */
import { DEFAULT_ONCALL } from '@drover/core';
import type { AgentState } from '@drover/core';
import { working } from '@drover/core/testing';
import { describe, expect, test } from 'vitest';
import { resolveEscalation } from '../../src/loop/escalations/answer.ts';
import { listEscalations } from '../../src/use-cases/escalations/escalations.ts';
import { sendMessage } from '../../src/use-cases/workers/message.ts';
import { person } from '../support/actors.ts';
import { OPEN, troubled, workerOf } from '../support/questions.ts';
import { inMemory, recorded } from '../support/scene.ts';

const ANN = person('ann', { role: 'operator' });

describe('a message to a dialog', () => {
  test('given an open dialog, when its option is sent by number, then the question is resolved with it, and a repeat gets the same reply', async () => {
    await using scene = await askedByDialog();
    const { ctx, nature } = scene;
    const message = { requestId: nature.uuid(), name: 'adam', text: '2' };

    const outcome = await sendMessage(ctx, message, ANN);
    const again = await sendMessage(ctx, message, ANN);

    expect(outcome).toMatchObject({ kind: 'ok', value: { note: 'Drover is answering its dialog with "No, stop"' } });
    expect(again).toMatchObject({ kind: 'ok', value: { worker: { name: 'adam' } } });
    expect(await listEscalations(ctx, { all: true, limit: 10 }, ANN)).toMatchObject([
      { status: 'resolved', application: 'pending', resolution: { option: 'No, stop', by: 'ann' } },
    ]);
    const { state } = await workerOf(ctx, 'adam');
    expect(state.dialog.inHand).toMatchObject({ label: 'No, stop', by: 'person' });
    expect(state.mailbox).toMatchObject({ waiting: [] });
  });

  test('given an open dialog, when other words are sent, then they are refused with the numbered options and the command, and the question stays open', async () => {
    await using scene = await askedByDialog();
    const { ctx, nature } = scene;

    const outcome = await sendMessage(ctx, { requestId: nature.uuid(), name: 'adam', text: 'use pnpm' }, ANN);

    expect(outcome).toEqual({
      kind: 'refused',
      code: 'dialog',
      message:
        'adam: The worker shows a dialog, "Which way?", and a message answers it only with the number or the label of an option: 1 "Yes", 2 "No, stop". Run "drover message adam NUMBER", or "drover attach adam"',
    });
    expect(await listEscalations(ctx, OPEN, ANN)).toHaveLength(1);
  });

  test('given a message and a resolve at once, when both name an option, then one counts, and the message that lost says so', async () => {
    await using scene = await askedByDialog();
    const { ctx, nature } = scene;
    const [escalation] = await listEscalations(ctx, OPEN, ANN);

    await resolveEscalation(ctx, { requestId: nature.uuid(), id: escalation?.id ?? '', option: 'Yes', asked: 1 }, ANN);
    const outcome = await sendMessage(ctx, { requestId: nature.uuid(), name: 'adam', text: '2' }, ANN);

    expect(outcome).toMatchObject({
      kind: 'refused',
      code: 'dialog',
      message: expect.stringContaining('Drover is already answering its dialog with "Yes"'),
    });
  });

  test('given a project whose questions admins answer, when an operator sends an option, then it is refused and says so', async () => {
    await using scene = await askedByDialog({ answerRole: 'admin' });
    const { ctx, nature } = scene;

    const outcome = await sendMessage(ctx, { requestId: nature.uuid(), name: 'adam', text: 'Yes' }, ANN);

    expect(outcome).toMatchObject({ kind: 'refused', message: expect.stringContaining('you need the role admin') });
    expect(await listEscalations(ctx, OPEN, ANN)).toHaveLength(1);
  });
});

/** Builds a worker whose agent shows a dialog, about which a person was asked. */
async function askedByDialog(
  { answerRole }: { readonly answerRole: 'responder' | 'admin' } = { answerRole: 'responder' },
) {
  const scene = await troubled(inMemory, ['adam']);
  const { ctx, first, nature } = scene;
  const [project] = await ctx.store.listProjects();
  if (project === undefined) throw new Error('there is no project');
  const escalation = { ...DEFAULT_ONCALL, answerRole };
  await ctx.store.upsertProject({ ...project, config: { ...project.config, escalation } }, 2);
  const options = ['Yes', 'No, stop'].map((label, index) => ({ label, highlighted: index === 0 }));
  const dialog = { kind: 'question', title: 'Which way?', body: '', options } as const;
  const shown: AgentState = { kind: 'question', form: 'multiple-choice', dialog };
  const story = working().see(shown);
  nature.now = story.now;
  await ctx.store.transaction(async (tx) => {
    const row = await tx.lockWorker(first.id);
    if (row === null) throw new Error('the worker is gone');
    await tx.saveWorker({ ...row, state: story.worker }, nature.now);
    const event = { kind: 'default-branch-moved' } as const;
    await recorded(ctx, tx, { row, after: story.worker, event, records: story.records, fresh: nature.uuid() });
  });
  return scene;
}
