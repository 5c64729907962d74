/** An agent stops over its conflicts, and git says how it ended them. */
import { describe, expect, test } from 'vitest';
import type { AgentState } from '../../agent-state.ts';
import { beingRebased, BUSY, CONFLICT, READY, resolving } from '../../testing/story.ts';
import type { Story } from '../../testing/story.ts';

const PERMISSION: AgentState = {
  kind: 'permission',
  tool: 'Bash',
  command: 'git add a',
  dialog: { kind: 'permission', title: 'May I?', body: '', options: [{ label: 'Yes', highlighted: true }] },
};

const DRAFT: AgentState = {
  kind: 'ready',
  after: 'completed',
  composer: { kind: 'text', text: 'words', whole: true, pasted: false },
};

/** Ends the turn over the conflicts, so that git is asked. */
function stopped(story: Story): Story {
  return story.see(READY).pass('settle').checked(READY, { head: 'eeee', ahead: 1 });
}

test('given an agent that stops over its conflicts, when its turn is over, then git is asked how it ended them', () => {
  const story = stopped(resolving());

  expect(story.last).toEqual({ kind: 'resolution', onto: 'dddd', orig: 'bbbb' });
  expect(story.worker.lifecycle.status).toBe('rebasing');
});

test.each(['resolved', 'contained'] as const)(
  'given conflicts, when git says "%s", then the work is checked and waits for review',
  (verdict) => {
    const story = resolving().judged(verdict);

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
  test(`given conflicts, when git says "${verdict}" twice, then the agent is told once what is wrong, and then a person is asked`, () => {
    const story = resolving().judged(verdict);
    expect(story.last).toMatchObject({ kind: 'deliver', text: `mend ${verdict}` });
    expect(story.worker).toMatchObject({ lifecycle: { status: 'rebasing' }, incident: { open: { code } } });

    story.delivered().see(BUSY).judged(verdict);

    expect(story.worker.lifecycle.status).toBe('error');
    expect(story.records).toContainEqual(expect.objectContaining({ kind: 'escalated', code }));
  });

  test(`given an agent that was told "${verdict}", when git says that it has resolved them, then the incident is over`, () => {
    const story = resolving().judged(verdict).delivered().see(BUSY).judged('resolved');

    story.candidate({ base: 'dddd' }).valid();

    expect(story.worker).toMatchObject({ lifecycle: { status: 'needs_review' }, incident: { open: null } });
  });
});

test.each(['lost-own', 'undone-others'] as const)(
  'given conflicts, when git says "%s" again after the agent was told, then that is kept, and the reviewer is told',
  (verdict) => {
    const story = resolving().judged(verdict);
    expect(story.last).toMatchObject({ kind: 'deliver', text: `mend ${verdict}` });

    story.delivered().see(BUSY).judged(verdict);
    expect(story.records).toContainEqual(expect.objectContaining({ kind: 'error', code: 'REBASE_LOST_WORK' }));
    story.candidate({ base: 'dddd' }).valid();

    expect(story.worker).toMatchObject({ lifecycle: { status: 'needs_review' }, merge: { notes: ['look'] } });
  },
);

test('given a person who took over, when git says that something is wrong, then no text goes to the agent', () => {
  const story = stopped(resolving()).change({ lifecycle: { takenOver: true } });
  const given = story.commands.length;

  story.answer({ kind: 'judged', verdict: 'markers', head: 'eeee', why: 'was markers', prompt: 'mend', notes: [] });

  expect(story.worker).toMatchObject({
    lifecycle: { status: 'rebasing', note: 'was markers' },
    mailbox: { current: null },
  });
  expect(story.commands).toHaveLength(given);
});

/** Lets the agent give up the rebase of its work onto `dddd`. */
function givenUp(): Story {
  return resolving().judged('aborted').clash('dddd');
}

describe('a rebase that was given up', () => {
  test('given it, when git says so, then the work waits for review, and the agent is not asked for the same again', () => {
    const story = givenUp();

    expect(story.worker).toMatchObject({
      lifecycle: { status: 'needs_review', note: expect.stringContaining('its agent was aborted') },
      merge: { gaveUp: { head: 'bbbb', base: 'dddd' } },
    });
    story.hear({ kind: 'default-branch-moved' }).clash('dddd');
    expect(story.last).toMatchObject({ kind: 'candidate' });
    expect(story.worker.lifecycle.status).toBe('needs_review');
  });

  test('given it, when the default branch moves, then the agent is asked again', () => {
    expect(givenUp().hear({ kind: 'default-branch-moved' }).clash('ffff').last).toMatchObject({ kind: 'rebase' });
  });

  test('given it, when a person asks, then the agent is asked again', () => {
    expect(givenUp().hear({ kind: 'rebase-requested' }).last).toMatchObject({ kind: 'rebase' });
  });
});

describe('what the agent does meanwhile', () => {
  test('given an agent that asks for permission amid its conflicts, when it goes on and commits, then git is asked all the same', () => {
    const story = resolving().see(PERMISSION);
    expect(story.worker.lifecycle.status).toBe('needs_input');
    story.see(BUSY);
    expect(story.worker.lifecycle.status).toBe('working');

    story.judged('markers');

    expect(story.commands.at(-2)).toMatchObject({ kind: 'resolution' });
    expect(story.worker.lifecycle.status).toBe('rebasing');
  });

  test('given git asked, when a person sends words meanwhile, then the answer counts for nothing, and git is asked after them', () => {
    const story = stopped(resolving()).hear({ kind: 'message-requested', id: 'm', text: 'both sides, please' });

    story.answer({ kind: 'judged', verdict: 'markers', head: 'eeee', why: 'was markers', prompt: 'mend', notes: [] });

    expect(story.rules).toContain('not-merging:judged');
    expect(story.last).toMatchObject({ kind: 'deliver', text: 'both sides, please' });
    expect(stopped(story.delivered().see(BUSY)).last).toMatchObject({ kind: 'resolution' });
  });

  test('given git asked in vain, when the pause is over, then it is asked again', () => {
    const story = stopped(resolving());
    story.answer({ kind: 'failed', code: 'disk-full', message: 'no space left', retry: true });

    story.pass('hold');

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

  test.each([
    ['is at something', BUSY],
    ['has words of a person in its box', DRAFT],
  ])('R3: given an agent that %s, when conflicts come, then it is not ended for a fresh context', (_what, state) => {
    const story = beingRebased().see(state);

    story.answer(CONFLICT);

    expect(story.commands.filter(({ kind }) => kind === 'respawn')).toEqual([]);
  });
});
