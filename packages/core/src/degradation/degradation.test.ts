import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyDegradation, canContinue, judgeLoss, worse } from './degrade.ts';
import { availableCapabilities, degradationSummary } from './summary.ts';
import { type Degradation, type Loss, NOT_DEGRADED, type RunView, type StageView } from './types.ts';

const RUN: RunView = {
  stages: [
    { name: 'research', role: 'researcher', state: 'running' },
    { name: 'build', role: 'developer', state: 'pending' },
    { name: 'review', role: 'reviewer', state: 'pending' },
  ],
};

function failed(role: string, substitute: string | null = null): Loss {
  return { kind: 'role-failed', role, substitute };
}

function after(losses: readonly Loss[], run = RUN): Degradation {
  return losses.reduce((before, loss) => applyDegradation(run, { before, loss }), NOT_DEGRADED);
}

describe('a role that failed for good', () => {
  test('given a researcher still needed, when nobody can stand in, then its stages are skipped and the run goes on', () => {
    expect(judgeLoss(RUN, failed('researcher'))).toEqual({ kind: 'skip', stages: ['research'], unverified: false });
    expect(after([failed('researcher')])).toMatchObject({
      level: 'reduced',
      unavailableRoles: ['researcher'],
      skippedStages: ['research'],
      unverified: false,
    });
  });

  test('given a reviewer still needed, when nobody can stand in, then outputs are unverified and people are told', () => {
    const degradation = after([failed('reviewer')]);

    expect(degradation).toMatchObject({ level: 'reduced', unverified: true, skippedStages: ['review'] });
    expect(degradationSummary(degradation)).toContain('Outputs are not verified: read them before you use them.');
  });

  test('given a developer still needed, when nobody can stand in, then the run stops and keeps what has begun', () => {
    const degradation = after([failed('developer')]);

    expect(canContinue(RUN, failed('developer'))).toBe(false);
    expect(degradation).toMatchObject({ level: 'failed', partialOutputs: ['research'] });
    expect(availableCapabilities(RUN, degradation)).toEqual([]);
  });

  test('given a developer still needed, when another can stand in, then nothing is lost but people are told', () => {
    const degradation = after([failed('developer', 'worker "eve"')]);

    expect(degradation.level).toBe('full');
    expect(degradation.warnings).toEqual(['The developer failed permanently. worker "eve" replaces it.']);
  });

  test('given a role whose stages are all done, when it fails, then the run goes on whatever the rule says', () => {
    const run: RunView = {
      stages: [
        { name: 'build', role: 'developer', state: 'done' },
        { name: 'review', role: 'reviewer', state: 'running' },
      ],
    };

    expect(judgeLoss(run, failed('developer'))).toEqual({ kind: 'continue' });
  });

  test('given a role that no rule names, also one named like a property of objects, when it is needed, then the run stops', () => {
    for (const role of ['painter', 'constructor']) {
      const run: RunView = { stages: [{ name: 'paint', role, state: 'pending' }] };

      expect(judgeLoss(run, failed(role)).kind).toBe('abort');
    }
  });

  test('given researcher and reviewer lost, when one role is left, then the run is minimal', () => {
    const degradation = after([failed('researcher'), failed('reviewer')]);

    expect(degradation.level).toBe('minimal');
    expect(availableCapabilities(RUN, degradation)).toEqual(['developer']);
  });
});

describe('time and rounds', () => {
  test('given rounds used up, when a stage is judged, then its output counts as partial and the run goes on', () => {
    const degradation = after([{ kind: 'iterations-spent', stage: 'build' }]);

    expect(degradation).toMatchObject({ level: 'reduced', partialOutputs: ['build'] });
  });

  test('given a run out of time, when it is judged, then it stops and names what had begun as partial', () => {
    expect(after([{ kind: 'run-timed-out' }])).toMatchObject({ level: 'failed', partialOutputs: ['research'] });
  });
});

describe('whatever is lost', () => {
  const role = fc.constantFrom('developer', 'researcher', 'reviewer', 'painter');
  const stage: fc.Arbitrary<StageView> = fc.record({
    name: fc.constantFrom('a', 'b', 'c', 'd'),
    role,
    state: fc.constantFrom('done' as const, 'running' as const, 'pending' as const),
  });
  const run = fc.record({ stages: fc.array(stage, { minLength: 1, maxLength: 6 }) });
  const loss: fc.Arbitrary<Loss> = fc.oneof(
    fc.record({ kind: fc.constant('role-failed' as const), role, substitute: fc.constantFrom(null, 'eve') }),
    fc.record({ kind: fc.constant('iterations-spent' as const), stage: fc.constantFrom('a', 'b') }),
    fc.constant<Loss>({ kind: 'run-timed-out' }),
  );

  test('given any run and losses, when they are applied, then it never gets better, and the same loss twice counts once', () => {
    fc.assert(
      fc.property(run, fc.array(loss, { minLength: 1, maxLength: 8 }), (given, losses) => {
        let before = NOT_DEGRADED;
        for (const next of losses) {
          const now = applyDegradation(given, { before, loss: next });

          expect(worse(before.level, now.level)).toBe(now.level);
          expect(before.unavailableRoles.every((name) => now.unavailableRoles.includes(name))).toBe(true);
          expect(now.warnings.length).toBeGreaterThan(0);
          expect(applyDegradation(given, { before: now, loss: next })).toEqual(now);
          expect(now.level === 'failed').toBe(before.level === 'failed' || !canContinue(given, next));
          expect(degradationSummary(now)).not.toMatch(/undefined|\[object/);
          before = now;
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
