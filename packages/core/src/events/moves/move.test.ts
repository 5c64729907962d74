/** Moves a worker to another machine, and brings it back on failure. */
import { describe, expect, test } from 'vitest';
import type { Command, CommandResult } from '../../machine/commands.ts';
import { ROUTE } from '../../testing/laden.ts';
import { BUSY, idle, inReview, READY, resolving, Story, working } from '../../testing/story.ts';

const FROZEN: CommandResult = { kind: 'frozen', commit: 'saved' };
const RESTORED: CommandResult = { kind: 'restored', head: 'aaaa', saved: null };
const LET_IN: CommandResult = { kind: 'let-in' };
const FULL: CommandResult = { kind: 'failed', code: 'disk-full', message: 'no space left', retry: true };
const CARRIED = { kind: 'move-carried', move: ROUTE.id, fresh: null } as const;

function leaving(story = working()): Story {
  return story.hear({ kind: 'move-requested', route: ROUTE });
}

function carrying(story?: Story): Story {
  return leaving(story).answer({ kind: 'closed' }).answer(FROZEN);
}

function arriving(story?: Story): Story {
  return carrying(story).hear(CARRIED);
}

/** Starts the agent on the other machine; its screen shows nothing yet. */
function started(story?: Story): Story {
  return arriving(story).answer(RESTORED).answer(LET_IN).opened();
}

function since(story: Story, from: number): readonly Command['kind'][] {
  return story.commands.slice(from).map(({ kind }) => kind);
}

describe('to the other machine', () => {
  test('given a worker at its task, when it moves, then it is closed, saved, carried, restored and started there with its conversation', () => {
    const given = working();
    const before = given.commands.length;
    const talk = given.worker.session.conversation?.id;

    const when = started(given).see(READY);

    expect(since(when, before)).toEqual(['close', 'freeze', 'restore', 'let-in', 'open', 'deliver']);
    expect(when.commands.find(({ kind }) => kind === 'restore')).toMatchObject({ id: ROUTE.id, commit: 'saved' });
    expect(when.commands.at(-2)).toMatchObject({ launch: { kind: 'resume', conversation: talk } });
    expect(when.worker.move).toEqual({ kind: 'none' });
    expect(when.records).toContainEqual({ kind: 'place-left', machine: 'm1', move: ROUTE.id });
    expect(when.worker.lifecycle.status).toBe('working');
  });

  test('given its work is on its way, when time passes and checks are due, then no machine is told anything', () => {
    const given = carrying();
    const before = given.commands.length;

    given.pass('check').see(READY);

    expect(since(given, before)).toEqual([]);
    expect(given.worker.deadlines.move).toBeDefined();
  });

  test('given it is carried, when the other machine has it, then its row is of that machine in the same decision', () => {
    const when = arriving();

    expect(when.records).toContainEqual({ kind: 'machine-changed', from: 'm1', to: 'm2', checkpoint: ROUTE.id });
    expect(when.last).toMatchObject({ kind: 'restore' });
  });

  test('given it is carried twice, and news of a former move, when they are heard, then only the first counts', () => {
    const given = arriving();

    const when = given.hear(CARRIED).hear({ ...CARRIED, move: 'another' });

    expect(when.rules).toEqual(['move:stale']);
    expect(when.records).toEqual([]);
  });

  test('given its work is on its way, when an agent is found in the place that it left, then it stays with that agent', () => {
    const when = carrying().hear({ kind: 'panes-listed', pane: { incarnation: 'found', dead: false } });

    expect(when.worker.move).toMatchObject({ kind: 'returning', step: 'let-in' });
    expect(when.worker.session.pane).toMatchObject({ incarnation: 'found' });
    expect(when.last).toMatchObject({ kind: 'let-in' });
    when.hear(CARRIED);
    expect(when.records).toEqual([]);
  });

  test('given its work is on its way, when a pane is found whose program has ended, then it goes on', () => {
    const when = carrying().hear({ kind: 'panes-listed', pane: { incarnation: 'found', dead: true } });

    expect(when.worker.move.kind).toBe('carrying');
    expect(when.worker.session.pane.kind).toBe('absent');
  });

  test('given an agent is found in the new place before its files are there, when they are to be made, then it is ended first', () => {
    const given = arriving().answer(FULL);
    const before = given.commands.length;

    const when = given.hear({ kind: 'panes-listed', pane: { incarnation: 'found', dead: false } }).pass('hold');
    when.answer({ kind: 'closed' });

    expect(since(when, before)).toEqual(['close', 'restore']);
  });

  test('given a program that takes no conversation along, when it arrives, then it begins a new one and hears its task again', () => {
    const why = 'Codex keeps none that Drover can take along';
    const when = carrying().hear({ ...CARRIED, fresh: why });
    const told = when.records;
    when.answer(RESTORED).answer(LET_IN).opened().see(READY);

    expect(told).toContainEqual({ kind: 'notice', text: `its agent begins a new conversation: ${why}` });
    expect(when.commands.at(-2)).toMatchObject({ kind: 'open', launch: { kind: 'fresh' } });
    expect(when.last).toMatchObject({ kind: 'deliver', text: expect.stringContaining('make it so') });
  });

  test('given an idle worker, when it moves, then it is idle there and is told nothing', () => {
    const when = started(idle()).see(READY);

    expect(when.worker.lifecycle.status).toBe('idle');
    expect(when.last?.kind).toBe('open');
    expect(when.worker.move.kind).toBe('none');
  });

  test('given work that waits for review, when it moves, then it waits for review there', () => {
    const given = inReview();
    const { git } = given.worker.worktree;
    const when = started(given).see(READY);

    expect(when.worker.lifecycle.status).toBe('needs_review');
    expect(when.worker.worktree.git).toEqual(git);
    expect(when.worker.move.kind).toBe('none');
  });

  test.each([
    ['is idle', idle()],
    ['is at its task', working()],
    ['waits for review', inReview()],
  ])(
    'given a worker that %s, when it is moved, then its note says why it is in that state, on the way and there',
    (_what, given) => {
      const { note } = given.worker.lifecycle;

      const onTheWay = started(given).worker.lifecycle.note;
      given.see(READY);

      expect(given.worker.move.kind).toBe('none');
      expect([onTheWay, given.worker.lifecycle.note]).toEqual([note, note]);
    },
  );

  test('given a text whose fate is not known, when it moves, then that is found out where it was typed', () => {
    const given = working().see(READY).hear({ kind: 'message-requested', id: 'x', text: 'and this' });
    const before = given.commands.length;

    const when = leaving(given).answer({ kind: 'unknown', why: 'it died' });

    expect(since(when, before)).toEqual(['observe']);
  });

  test('given a message on the way, when its agent is there, then it hears it', () => {
    const given = carrying().hear({ kind: 'message-requested', id: 'x', text: 'and this' });

    const when = given.hear(CARRIED).answer(RESTORED).answer(LET_IN).opened().see(READY).delivered().see(BUSY);

    expect(when.worker.mailbox.waiting.length + (when.worker.mailbox.current === null ? 0 : 1)).toBe(1);
  });
});

describe('back', () => {
  test('given its work is on its way, when it cannot be carried, then it is let in again where it was and goes on', () => {
    const given = carrying();
    const before = given.commands.length;
    const when = given.hear({ kind: 'move-not-carried', move: ROUTE.id, why: 'the disk is full' });
    const turned = when.worker.move.kind;
    when.answer(LET_IN);
    const told = when.records;
    when.opened().see(READY);

    expect(turned).toBe('returning');
    expect(since(when, before)).toEqual(['let-in', 'open', 'deliver']);
    expect(told).toContainEqual({ kind: 'notice', text: 'did not move to "two": the disk is full' });
    expect(when.worker.move.kind).toBe('none');
  });

  test('given a move that is given up before its session was closed, when it is let in again, then its agent is not told its task again', () => {
    const given = leaving().hear({ kind: 'move-cancel-requested' });
    const before = given.commands.length;

    const when = given.answer({ kind: 'unknown', why: 'the agent died' }).answer(LET_IN).see(READY).see(BUSY);

    expect(since(when, before)).toEqual(['let-in']);
    expect(when.worker.mailbox.restoreDue).toBe(false);
    expect(when.worker.session.pane.kind).toBe('up');
  });

  test('given the restore fails there again and again, when the budget is spent, then it goes back without asking that machine', () => {
    const when = arriving();
    for (let tries = 0; when.worker.move.kind === 'arriving' && tries < 10; tries += 1) {
      when.answer(FULL);
      if (when.worker.deadlines.hold !== undefined) when.pass('hold');
    }

    expect(when.records).toContainEqual({ kind: 'machine-changed', from: 'm2', to: 'm1', checkpoint: ROUTE.id });
    expect(when.records).toContainEqual({ kind: 'place-left', machine: 'm2', move: ROUTE.id });
    expect(when.last).toEqual({ kind: 'let-in', move: ROUTE.id });
  });

  test('given its agent was started there, when the move is given up, then that machine must say first that no agent is there', () => {
    const given = started();
    const before = given.commands.length;
    const when = given.hear({ kind: 'move-cancel-requested' });
    const first = since(when, before);
    when.answer({ kind: 'closed' });
    const asked = when.records;
    when.answer({ kind: 'frozen', commit: null });

    expect(first).toEqual(['close']);
    expect(asked.some(({ kind }) => kind === 'machine-changed')).toBe(false);
    expect(when.records).toContainEqual({ kind: 'machine-changed', from: 'm2', to: 'm1', checkpoint: ROUTE.id });
    expect(since(when, before)).toEqual(['close', 'freeze', 'let-in']);
  });

  test('given an agent that is not seen there in time, when the deadline passes, then it comes back', () => {
    const when = started();
    while (when.worker.move.kind === 'arriving') when.pass('move');

    expect(when.worker.move).toMatchObject({ kind: 'returning', why: 'it took too long' });
  });

  test('given a program that is not installed there, when its session cannot be opened, then it comes back and no person has to answer', () => {
    const given = arriving().answer(RESTORED).answer(LET_IN);
    given.answer({ kind: 'failed', code: 'program-missing', message: 'no such program', retry: false });
    const turned = given.worker.move.kind;

    given.pass('hold').answer({ kind: 'frozen', commit: null }).answer(LET_IN).opened().see(READY);

    expect(turned).toBe('returning');
    expect(given.worker.lifecycle.status).toBe('working');
    expect(given.worker.incident.open?.escalated ?? false).toBe(false);
  });

  test('given files that a checkpoint cannot hold, when it is to leave, then it stays and goes on', () => {
    const given = leaving().answer({ kind: 'closed' });
    const why = 'Files that a checkpoint cannot hold would stay behind: movie.mp4';
    given.answer({ kind: 'failed', code: 'not-saved', message: why, retry: false });

    expect(given.worker.move.kind).toBe('none');
    expect(given.last?.kind).toBe('open');
    expect(given.worker.lifecycle.note).toContain(why);
  });

  test('given a worktree that is gone, when it is to leave, then it stays and its worktree is made again', () => {
    const given = leaving().answer({ kind: 'closed' });
    given.answer({ kind: 'failed', code: 'worktree-missing', message: 'no such directory', retry: true });

    expect(given.worker.move.kind).toBe('none');
    expect(given.last?.kind).toMatch(/prepare|restore/u);
  });
});

describe('refused', () => {
  test.each([
    ['resolving conflicts', resolving(), 'rebasing'],
    ['moving already', carrying(), 'moving'],
    ['taken down', idle().hear({ kind: 'down-requested' }), 'offline'],
    ['being merged', inReview().accepted(), 'accepting'],
    ['without a worktree', new Story().hear({ kind: 'up-requested' }), 'no-worktree'],
  ])('given a worker that is %s, when it is to move, then that is refused with a reason', (_what, given, code) => {
    const when = given.hear({ kind: 'move-requested', route: { ...ROUTE, id: 'again' } });

    expect(when.reply).toMatchObject({ kind: 'refused', code });
  });

  test('given a worker on its way, when it is to be removed, taken down, accepted or restored, then that waits', () => {
    const given = carrying();
    const replies = [
      given.hear({ kind: 'nuke-requested', force: true }).reply,
      given.hear({ kind: 'down-requested' }).reply,
      given.hear({ kind: 'accept-requested', pin: null }).reply,
    ];

    expect(replies).toEqual(replies.map(() => expect.objectContaining({ kind: 'refused', code: 'moving' })));
    expect(given.worker.move.kind).toBe('carrying');
  });

  test('given a worker that stays, when its move is given up, then there is none', () => {
    expect(idle().hear({ kind: 'move-cancel-requested' }).reply).toMatchObject({ code: 'not-moving' });
  });
});
