/** Draws flows of every shape for property tests. */
import fc from 'fast-check';
import type { Budget, Flow, Stage } from '../flow.ts';

const budget: fc.Arbitrary<Budget> = fc.record({
  timeMs: fc.constantFrom(null, null, 20 * 60_000, 90 * 60_000),
  tokens: fc.constantFrom(null, null, 5_000, 50_000),
  money: fc.constantFrom(null, null, null, 5),
});

const work = fc.record({
  profile: fc.constantFrom(null, null, 'claude'),
  tries: fc.integer({ min: 1, max: 3 }),
  budget,
  check: fc.constantFrom(null, [], ['npm test']),
});

/** Draws a flow that could have been written in a file. */
export const flows: fc.Arbitrary<Flow> = fc
  .record({
    shape: fc.constantFrom('change' as const, 'split' as const, 'study' as const, 'twice' as const),
    hasGate: fc.boolean(),
    hasCheck: fc.boolean(),
    rounds: fc.integer({ min: 1, max: 3 }),
    times: fc.integer({ min: 1, max: 5 }),
    workers: fc.integer({ min: 1, max: 4 }),
    budget,
    plan: work,
    build: work,
    review: work,
  })
  .map((drawn) => ({
    name: drawn.shape,
    inputs: { goal: 'text' as const },
    budget: { ...drawn.budget, workers: drawn.workers },
    stages: stagesOf(drawn),
  }));

interface Drawn {
  readonly shape: 'change' | 'split' | 'study' | 'twice';
  readonly hasGate: boolean;
  readonly hasCheck: boolean;
  readonly rounds: number;
  readonly times: number;
  readonly plan: WorkDrawn;
  readonly build: WorkDrawn;
  readonly review: WorkDrawn;
}

interface WorkDrawn {
  readonly profile: string | null;
  readonly tries: number;
  readonly budget: Budget;
  readonly check: readonly string[] | null;
}

const NONE: Budget = { timeMs: null, tokens: null, money: null };

function stagesOf(drawn: Drawn): readonly Stage[] {
  const { plan, build, review, rounds, times } = drawn;
  const dev = { role: 'developer', ask: '{{goal}}' };
  const task = (name: string, ask = '{{goal}}'): Stage => ({
    kind: 'task',
    name,
    ...build,
    ...dev,
    ask,
    returns: 'commit',
  });
  const reviewed = (of: string, name = 'review'): Stage => ({
    kind: 'review',
    name,
    of,
    tries: review.tries,
    budget: review.budget,
    profile: 'other',
    role: 'reviewer',
    ask: 'Review',
    rounds,
  });
  const checked = (of: string): readonly Stage[] =>
    drawn.hasCheck ? [{ kind: 'check', name: 'check', of, check: [], budget: NONE }] : [];
  const gated = (of: string): readonly Stage[] =>
    drawn.hasGate ? [{ kind: 'gate', name: 'go', of, who: 'operator', budget: NONE }] : [];
  switch (drawn.shape) {
    case 'change':
      return [task('build'), ...checked('build'), ...gated('build'), reviewed('build'), merged('build')];
    case 'twice':
      return [
        task('build'),
        task('docs', 'Docs for {{build.commit}}'),
        reviewed('docs'),
        reviewed('docs', 'second'),
        merged('docs'),
      ];
    case 'study':
      return [
        {
          kind: 'each',
          name: 'read',
          ...plan,
          ...dev,
          role: 'researcher',
          over: { kind: 'times', times },
          returns: 'report',
          check: null,
        },
        {
          kind: 'task',
          name: 'report',
          ...plan,
          ...dev,
          role: 'researcher',
          ask: '{{read.report}}',
          returns: 'report',
          check: null,
        },
      ];
    case 'split':
      return [
        { kind: 'task', name: 'plan', ...plan, ...dev, returns: 'parts', check: null },
        ...gated('plan'),
        {
          kind: 'each',
          name: 'build',
          ...build,
          ...dev,
          ask: '{{part.prompt}}',
          over: { kind: 'parts', stage: 'plan' },
          returns: 'commit',
        },
        { kind: 'join', name: 'whole', of: 'build', ...build, role: 'developer', ask: '' },
        reviewed('whole'),
        merged('whole'),
      ];
  }
}

function merged(of: string): Stage {
  return { kind: 'accept', name: 'merge', of, budget: NONE };
}
