/** The order in which the alternatives of level 2 are tried. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Alternative } from '../../worker/incident.ts';
import { alternativeKey, ALTERNATIVE_ORDER, nextAlternative } from './alternatives.ts';

function rank({ kind }: Alternative): number {
  return ALTERNATIVE_ORDER.indexOf(kind);
}

describe('alternatives', () => {
  const alternatives: readonly Alternative[] = [
    { kind: 'other-worker' },
    { kind: 'other-machine', to: { id: 'm2', name: 'two' } },
    { kind: 'other-profile', profile: 'codex' },
    { kind: 'other-profile', profile: 'gemini' },
    { kind: 'rollback', checkpoint: 'c1' },
    { kind: 'respawn-clean' },
    { kind: 'respawn-resumed', conversation: 's1' },
    { kind: 'fresh-context' },
  ];

  test('given all alternatives, when each fails in turn, then they come gentlest first and then there is none', () => {
    const tried: Alternative[] = [];
    for (const _ of alternatives) {
      const next = nextAlternative(tried, alternatives);
      if (next !== null) tried.push(next);
    }

    expect(nextAlternative(tried, alternatives)).toBeNull();
    expect(tried.map(alternativeKey)).toEqual([
      'fresh-context',
      'respawn-resumed',
      'respawn-clean',
      'rollback',
      'other-profile codex',
      'other-profile gemini',
      'other-machine m2',
      'other-worker',
    ]);
  });

  test('given any that were tried and any that apply, when one is chosen, then it applies, is new, and none gentler was left out', () => {
    const some = fc.subarray([...alternatives]);
    fc.assert(
      fc.property(some, some, (tried, available) => {
        const next = nextAlternative(tried, available);

        const open = available.filter((option) => !tried.includes(option));
        if (next === null) {
          expect(open).toEqual([]);
          return;
        }
        expect(open).toContain(next);
        expect(Math.min(...open.map(rank))).toBe(rank(next));
      }),
    );
  });
});
