/** An agent stops over its conflicts, and git says how it ended them. */
import { describe, expect, test } from 'vitest';
import type { AgentState } from '../../agent-state.ts';
import type { CommandResult, Verdict } from '../../machine/commands.ts';
import { ASKED, beingRebased, BUSY, CONFLICT, READY } from '../../testing/story.ts';
import type { Story } from '../../testing/story.ts';

const PERMISSION: AgentState = {
  kind: 'permission',
  tool: 'Bash',
  command: 'git add a',
  dialog: { kind: 'permission', title: 'May I?', body: '', options: [{ label: 'Yes', highlighted: true }] },
};

/** An agent that was given conflicts, in a fresh context, and is at work on them. */
function resolving(): Story {
  return beingRebased().answer(CONFLICT).opened().see(READY).delivered().see(BUSY);
}

/** Its turn ends, and git is asked. */
function stopped(story: Story): Story {
  return story.see(READY).pass('settle').checked(READY, { head: 'eeee', ahead: 1 });
}

function judged(verdict: Verdict): CommandResult {
  const prompt = ['resolved', 'aborted', 'contained'].includes(verdict) ? '' : `mend ${verdict}`;
  return {
    kind: 'judged',
    verdict,
    head: verdict === 'aborted' ? 'bbbb' : 'eeee',
    why: `was ${verdict}`,
    prompt,
    notes: ['look'],
  };
}

test('given an agent that stops over its conflicts, when it is asked how it ended them, then it is git that is asked', () => {
  const story = stopped(resolving());

  expect(story.last).toEqual({ kind: 'resolution', onto: 'dddd', orig: 'bbbb' });
  expect(story.worker.lifecycle.status).toBe('rebasing');
});

test.each(['resolved', 'contained'] as const)(
  'given conflicts, when git says "%s", then the work is checked and waits for review',
  (verdict) => {
    const story = stopped(resolving()).answer(judged(verdict));

    expect(story.last).toMatchObject({ kind: 'candidate', at: { head: 'eeee' } });
    story.candidate({ base: 'dddd' }).valid();
    expect(story.worker).toMatchObject({
      lifecycle: { status: 'needs_review', note: `its agent was ${verdict}` },
      merge: { notes: ['look'], conflicts: { open: false } },
      incident: { open: null },
    });
  },
);

describe.each([
  ['in-progress', 'REBASE_STUCK'],
  ['elsewhere', 'REBASE_UNRESOLVED'],
  ['emptied', 'REBASE_UNRESOLVED'],
  ['markers', 'REBASE_UNRESOLVED'],
] as const)('%s', (verdict, code) => {
  test(`given conflicts, when git says "${verdict}", then the agent is told once what is wrong, and then a person is asked`, () => {
    const story = stopped(resolving()).answer(judged(verdict));
    expect(story.last).toMatchObject({ kind: 'deliver', text: `mend ${verdict}` });
    expect(story.worker).toMatchObject({ lifecycle: { status: 'rebasing' }, incident: { open: { code } } });
    stopped(story.delivered().see(BUSY));

    story.answer(judged(verdict));

    expect(story.worker.lifecycle.status).toBe('error');
    expect(story.records).toContainEqual(expect.objectContaining({ kind: 'escalated', code }));
  });

  test(`given an agent that was told "${verdict}", when git says that it resolved them then, then the incident is over`, () => {
    const story = stopped(resolving()).answer(judged(verdict));
    stopped(story.delivered().see(BUSY)).answer(judged('resolved')).candidate({ base: 'dddd' }).valid();

    expect(story.worker).toMatchObject({ lifecycle: { status: 'needs_review' }, incident: { open: null } });
  });
});

describe.each(['lost-own', 'undone-others'] as const)('%s', (verdict) => {
  test(`given conflicts, when git says "${verdict}" again after the agent was told, then it is kept, and the reviewer is told`, () => {
    const story = stopped(resolving()).answer(judged(verdict));
    expect(story.last).toMatchObject({ kind: 'deliver', text: `mend ${verdict}` });
    stopped(story.delivered().see(BUSY));

    story.answer(judged(verdict));
    expect(story.records).toContainEqual(expect.objectContaining({ kind: 'error', code: 'REBASE_LOST_WORK' }));
    story.candidate({ base: 'dddd' }).valid();

    expect(story.worker).toMatchObject({ lifecycle: { status: 'needs_review' }, merge: { notes: ['look'] } });
  });
});

describe('a rebase that was given up', () => {
  function givenUp(): Story {
    return stopped(resolving()).answer(judged('aborted')).clash('dddd');
  }

  test('given it, when git says so, then the work waits for review as it was, and the agent is not asked for the same again', () => {
    const story = givenUp();

    expect(story.worker).toMatchObject({
      lifecycle: { status: 'needs_review', note: expect.stringContaining('its agent was aborted') },
      merge: { gaveUp: { head: 'bbbb', base: 'dddd' } },
      command: { inFlight: null },
    });
    story.hear({ kind: 'default-branch-moved' }).clash('dddd');
    expect(story.worker).toMatchObject({ lifecycle: { status: 'needs_review' }, command: { inFlight: null } });
  });

  test('given it, when the default branch moves, then the agent is asked again', () => {
    const story = givenUp();
    story.hear({ kind: 'default-branch-moved' }).clash('ffff');

    expect(story.last).toMatchObject({ kind: 'rebase' });
  });

  test('given it, when a person asks, then the agent is asked again', () => {
    const story = givenUp();
    story.hear({ kind: 'rebase-ordered' });

    expect(story.last).toMatchObject({ kind: 'rebase' });
  });
});

describe('what the agent does meanwhile', () => {
  test('given an agent that asks for permission amid its conflicts, when it goes on and commits, then git is asked all the same', () => {
    const story = resolving().see(PERMISSION);
    expect(story.worker.lifecycle.status).toBe('needs_input');
    story.see(BUSY);
    expect(story.worker.lifecycle.status).toBe('working');

    stopped(story);

    expect(story.last).toMatchObject({ kind: 'resolution' });
    story.answer(judged('markers'));
    expect(story.worker.lifecycle.status).toBe('rebasing');
  });

  test('given git asked, when a person sends words meanwhile, then the answer counts for nothing, and git is asked after them', () => {
    const story = stopped(resolving()).hear({ kind: 'message-ordered', id: 'm', text: 'both sides, please' });

    story.answer(judged('markers'));

    expect(story.rules).toContain('not-merging:judged');
    expect(story.last).toMatchObject({ kind: 'deliver', text: 'both sides, please' });
    stopped(story.delivered().see(BUSY));
    expect(story.last).toMatchObject({ kind: 'resolution' });
  });

  test('given git asked in vain, when the pause is over, then it is asked again', () => {
    const story = stopped(resolving());
    story.answer({ kind: 'failed', code: 'disk-full', message: 'no space left', retry: true });

    story.pass('hold');

    expect(story.last).toMatchObject({ kind: 'resolution' });
    expect(story.commands.filter(({ kind }) => kind === 'resolution')).toHaveLength(2);
  });
});

describe('a fresh context', () => {
  test('given an agent at rest, when conflicts come, then its program is started afresh and reads them with an excerpt of the task', () => {
    const story = beingRebased().answer(CONFLICT);

    expect(story.last).toMatchObject({ kind: 'respawn', force: true, launch: { kind: 'fresh' } });
    story.opened().see(READY);
    expect(story.last).toMatchObject({ kind: 'deliver', text: expect.stringMatching(/^resolve\n\n.*"make it so"$/su) });
  });

  test.each([BUSY, ASKED] as const)(
    'R3: given an agent that shows %j when they come, when it is not at rest, then it is not ended for it',
    (state) => {
      const story = beingRebased();
      story.see({
        ...state,
        composer: state.kind === 'ready' ? { kind: 'draft', text: 'words' } : { kind: 'empty' },
      } as AgentState);

      story.answer(CONFLICT);

      expect(story.commands.filter(({ kind }) => kind === 'respawn')).toEqual([]);
    },
  );
});
