/** Tools that use a file of the project only if it is trusted: a person is asked before an agent starts, once for the project. */
import { describe, expect, test } from 'vitest';
import type { Supplies } from '../../../machine/supplies.ts';
import { READY, Story } from '../../../testing/story.ts';

const SUPPLIES: Supplies = {
  copied: { count: 0, bytes: 0 },
  unmatched: [],
  forbidden: [],
  untrusted: [{ kind: 'direnv', file: '.envrc' }],
  filters: [],
  refused: { count: 0, files: [] },
  pointers: null,
  submodules: { count: 0, lacking: [] },
};
const PREPARED = { kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null, supplies: SUPPLIES } as const;
const TRUSTED = { ...PREPARED, supplies: { ...SUPPLIES, untrusted: [] }, setUp: { key: 'direnv', fresh: true } };

/** Adds a worker whose new place has a file that direnv ignores. */
function added(): Story {
  return new Story().hear({ kind: 'up-requested' }).answer(PREPARED);
}

function kinds({ commands }: Story): readonly string[] {
  return commands.map(({ kind }) => kind);
}

describe('a file that a tool uses only if it is trusted', () => {
  test('given no decision, when a place is prepared, then a person is asked for the whole project, and no agent starts', () => {
    const story = added();

    expect(kinds(story)).toEqual(['prepare']);
    expect(story.records).toContainEqual(
      expect.objectContaining({
        kind: 'escalated',
        code: 'AGENT_BLOCKED',
        question: expect.objectContaining({ title: 'direnv ignores ".envrc" until it is trusted', trust: 'direnv' }),
      }),
    );
    expect(story.worker.lifecycle.status).toBe('error');
  });

  test.each([
    ['trust', true],
    ['refuse-trust', false],
  ])(
    'given the question, when a person answers "%s", then it is decided for the project, and the place is prepared by that',
    (option, isTrusted) => {
      const story = added();
      const incident = story.worker.incident.open?.id ?? '';

      story.hear({ kind: 'escalation-answered', incident, option, text: null, by: 'ann' });

      expect(story.records).toContainEqual({ kind: 'trust', about: 'direnv', isTrusted });
      story.trust = { direnv: isTrusted };
      expect(kinds(story)).toEqual(['prepare', 'prepare']);
      story.answer(isTrusted ? TRUSTED : { ...PREPARED, supplies: { ...SUPPLIES, untrusted: [] } });
      expect(story.last?.kind).toBe(isTrusted ? 'set-up' : 'open');
    },
  );

  test('given the question of two workers, when the decision of the other is heard, then this one goes on and its question is closed', () => {
    const story = added();
    story.trust = { direnv: true };

    story.hear({ kind: 'trust-decided' });

    expect(story.worker.incident.open?.escalated ?? false).toBe(false);
    expect(story.records).toContainEqual(expect.objectContaining({ kind: 'escalation-closed', how: 'resolved' }));
    expect(kinds(story)).toEqual(['prepare', 'prepare']);
  });

  test('given a decision on another kind, when it is heard, then the worker still waits', () => {
    const story = added();
    story.trust = { mcp: true };

    expect(kinds(story.hear({ kind: 'trust-decided' }))).toEqual(['prepare']);
    expect(story.worker.incident.open?.escalated).toBe(true);
  });

  test('given a decision, when a place is prepared, then nobody is asked', () => {
    const story = new Story();
    story.trust = { direnv: false };

    story.hear({ kind: 'up-requested' }).answer(PREPARED).opened().see(READY);

    expect(story.worker.lifecycle.status).toBe('idle');
  });
});
