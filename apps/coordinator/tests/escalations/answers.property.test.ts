/**
 * Answers in any order, repeated, late and for askings that are over: X2, X3 and X4 hold after each, and the question is open
 * exactly while its worker waits with it (R1).
 */
import type { Outcome, EscalationView } from '@drover/api';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { resolveEscalation } from '../../src/loop/escalations/answer.ts';
import { showEscalation } from '../../src/use-cases/escalations/escalations.ts';
import { ANN, asked, open4 } from '../support/questions.ts';
import { asks, decided, inMemory, QUESTION } from '../support/scene.ts';

const RUNS = 300;

type Step =
  /** A person answers the present asking, or one that is some askings old. */
  | { readonly kind: 'answer'; readonly old: number }
  /** A channel delivers an earlier answer once more. */
  | { readonly kind: 'repeat'; readonly which: number }
  /** The machine could not give the last answer: its worker waits as before. */
  | { readonly kind: 'came-to-nothing'; readonly application: 'rejected_stale' | 'failed' }
  /** The same question again, or another one, while the worker waits. */
  | { readonly kind: 'ask'; readonly body: string };

const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('answer'), old: fc.constantFrom(0, 0, 0, 1, -1) } as const),
    fc.record({ kind: fc.constant('repeat'), which: fc.nat(9) } as const),
    fc.record({
      kind: fc.constant('came-to-nothing'),
      application: fc.constantFrom('rejected_stale', 'failed'),
    } as const),
    fc.record({ kind: fc.constant('ask'), body: fc.constantFrom('one', 'two') } as const),
  ) as fc.Arbitrary<Step>,
  { minLength: 6, maxLength: 16 },
);

test('X2, X3, X4: given any history of answers, when each is given, then it acts once, for its asking alone, and is told the same each time', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      await using scene = await asked(inMemory);
      const play = player(scene);
      for (const step of history) await play(step);
    }),
    { numRuns: RUNS },
  );
});

interface Given {
  readonly answer: Parameters<typeof resolveEscalation>[1];
  readonly reply: Outcome<EscalationView>;
}

function player({ ctx, id, first, incident, nature }: Awaited<ReturnType<typeof asked>>) {
  const given: Given[] = [];
  const present = async (): Promise<EscalationView> => {
    const shown = await showEscalation(ctx, id, ANN);
    if (shown.kind === 'refused') throw new Error(shown.message);
    return shown.value;
  };
  const waits = async (): Promise<boolean> => {
    const worker = await ctx.store.readWorker(first.id);
    return worker?.state.incident.open?.escalated === true;
  };
  const answer = async (old: number): Promise<void> => {
    const before = await present();
    const named = Math.max(1, before.asked - old);
    const it = { id, option: 'retry', asked: named, requestId: nature.uuid() };
    const reply = await resolveEscalation(ctx, it, ANN);
    given.push({ answer: it, reply });
    const counts = before.status === 'open' && named === before.asked;
    expect(reply.kind).toBe(counts ? 'ok' : 'refused');
    if (!counts) expect(await present()).toEqual({ ...before, responses: expect.anything() });
  };
  const repeat = async (which: number): Promise<void> => {
    const known = given[which % given.length];
    if (known === undefined) return;
    const before = await present();
    expect(await resolveEscalation(ctx, known.answer, ANN)).toEqual(known.reply);
    expect(await present()).toEqual(before);
  };
  const record = async (step: Exclude<Step, { kind: 'answer' | 'repeat' }>): Promise<void> => {
    const { asked: before } = await present();
    const isWaiting = await waits();
    if (step.kind === 'ask') {
      if (!isWaiting) return;
      const question = { ...QUESTION, body: step.body };
      await decided(ctx, first.id, { records: [{ ...asks(incident), question }], patch: open4(incident) });
      return;
    }
    if (isWaiting) return;
    const records = [{ kind: 'answer-applied', incident, application: step.application }] as const;
    await decided(ctx, first.id, { records, patch: open4(incident) });
    expect((await present()).asked).toBe(before + 1);
  };
  return async (step: Step): Promise<void> => {
    nature.now += 1_000;
    if (step.kind === 'answer') await answer(step.old);
    else if (step.kind === 'repeat') await repeat(step.which);
    else await record(step);
    expect((await present()).status).toBe((await waits()) ? 'open' : 'resolved');
  };
}
