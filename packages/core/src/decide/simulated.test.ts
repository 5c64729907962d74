/** Stories that the simulation found (docs/adr/0050-simulation.md). Each was a broken promise once. */
import { describe, expect, test } from 'vitest';
import { BUSY, GIT, idle, inReview, READY, RECEIPT, Story, working } from '../testing/story.ts';

describe('a text in the place of another', () => {
  test('given a text that is being typed, when a task takes its place, then its result says nothing of the task', () => {
    const story = idle();
    story.worker = { ...story.worker, outgoing: MESSAGE };
    story.see(READY);
    expect(story.last).toMatchObject({ kind: 'deliver', text: 'hello' });

    story.hear({ kind: 'start-ordered', taskId: 't', prompt: 'p', text: 'the task' }).delivered();

    expect(story.worker.outgoing).toMatchObject({ purpose: 'task', text: 'the task' });
    expect(story.worker).toMatchObject({ turnSince: null, respawnDue: true, conversation: null });
  });

  test('given a text of unknown fate, when a task takes its place, then the task is not looked for under its number', () => {
    const story = idle();
    story.worker = { ...story.worker, outgoing: MESSAGE };
    story.see(READY);

    story.hear({ kind: 'start-ordered', taskId: 't', prompt: 'p', text: 'the task' });
    story.answer({ kind: 'unknown', why: 'the agent died' });

    expect(story.worker.outgoing).toMatchObject({ text: 'the task', verify: null });
  });
});

describe('a message for a worker without a session', () => {
  test('given an idle worker, when its session is gone, then a message is refused as it is when the session is there', () => {
    const story = idle().hear({ kind: 'panes-listed', pane: null });
    expect(story.worker).toMatchObject({ status: 'offline', before: 'idle' });

    story.hear({ kind: 'message-ordered', id: 'm', text: 'hello' });

    expect(story.reply).toMatchObject({ kind: 'refused', code: 'not-working' });
  });

  test('given a worker in error, when its session is gone and a message comes, then it is taken up again and told', () => {
    const story = working().exit(101, null, ['panic: oh no']).hear({ kind: 'panes-listed', pane: null });
    expect(story.worker).toMatchObject({ status: 'offline', before: 'error' });

    story.hear({ kind: 'message-ordered', id: 'm', text: 'go on' }).opened().see(READY);

    expect(story.worker.status).toBe('working');
    expect(story.worker.backlog.concat(story.worker.outgoing ?? [])).toContainEqual(
      expect.objectContaining({ text: 'go on' }),
    );
  });
});

describe('a task that never reached its agent', () => {
  test('given an error before the task was taken, when a message takes it up again, then the task goes out before it', () => {
    const story = idle().hear({ kind: 'start-ordered', taskId: 't', prompt: 'p', text: 'the task' });
    story.answer({ kind: 'failed', code: 'read-only', message: 'read-only file system', retry: false });
    expect(story.worker.status).toBe('error');

    story.hear({ kind: 'message-ordered', id: 'm', text: 'it is writable now' });
    story.answer({ kind: 'prepared', base: 'a', head: 'a', saved: null }).delivered().see(BUSY);

    const texts = story.ops.flatMap((op) => (op.kind === 'deliver' ? [op.text] : []));
    expect(texts).toEqual(['the task', 'it is writable now']);
  });

  test('R5: given a task of which nobody can tell whether it was taken, when a message comes, then it is given with a note', () => {
    const story = idle().hear({ kind: 'start-ordered', taskId: 't', prompt: 'p', text: 'the task' });
    story.answer({ kind: 'prepared', base: 'a', head: 'a', saved: null }).answer({ kind: 'unknown', why: 'died' });
    while (story.worker.status !== 'error') {
      if (story.worker.inFlight === null) story.pass('hold');
      else story.looked(BUSY, {}, { kind: 'unclear', why: 'another text stands in the box' });
    }

    story.hear({ kind: 'message-ordered', id: 'm', text: 'go on' }).see(READY);

    const { text } = story.last as { text: string };
    expect(text).toContain('the session was cut off');
  });
});

describe('words in the queue of a busy program', () => {
  test.each([
    ['absent', 2],
    ['taken', 1],
  ] as const)(
    'given a queued message, when the program dies and the message is %s, then it is typed %i time(s) in all',
    (kind, times) => {
      const story = working().hear({ kind: 'message-ordered', id: 'm', text: 'and this' });
      story.answer({ kind: 'queued', at: story.now, receipt: RECEIPT }).exit(1);

      const delivery = kind === 'taken' ? ({ kind, by: 'transcript' } as const) : { kind };
      expect(story.last).toMatchObject({ kind: 'look' });
      story.answer({ kind: 'looked', incarnation: null, screen: null, git: null, delivery });
      story.pass('restart').opened().see(READY).delivered().see(READY);
      if (story.worker.inFlight?.op.kind === 'deliver') story.delivered();

      const typed = story.ops.filter((op) => op.kind === 'deliver' && op.text === 'and this');
      expect(typed).toHaveLength(times);
    },
  );

  test('given a queued message, when a person ends the program, then the notice says which words it may not have read', () => {
    const story = queued('and this');

    story.exit(0);

    expect(story.rules).toContain('words-dropped');
    expect(story.records).toContainEqual({ kind: 'notice', text: expect.stringContaining('"and this"') });
    expect(story.worker).toMatchObject({ outgoing: null, backlog: [], queued: [] });
  });

  test('given no words on their way, when a person ends the program, then no notice names any', () => {
    expect(working().exit(0).rules).not.toContain('words-dropped');
  });

  test('given a queued message, when its prompt stands for as long as a turn needs to show, then its turn is over', () => {
    const story = queued('and this').see(BUSY);
    const since = story.see(READY).now;

    story.pass('settle').looked(READY);

    expect(story.now - since).toBeGreaterThanOrEqual(story.policy.turnShowsMs);
    expect(story.worker).toMatchObject({ status: 'needs_input', queued: [] });
  });
});

describe('handed to a person', () => {
  test('given a turn that hangs, when it was handed over and goes on hanging, then the person is told once', () => {
    const story = handedOver();

    for (let minute = 0; minute < 5; minute += 1) {
      story.pass('check').answer({ ...LOOKED, incarnation: story.incarnation, screen: still(story) });
      expect(story.worker.status).toBe('needs_input');
      expect(story.records).toEqual([]);
    }
  });

  test('given a turn that was handed over, when it makes progress again, then it is at work', () => {
    const story = handedOver().see(BUSY);

    expect(story.worker.status).toBe('working');
  });
});

describe('a deadline that has passed', () => {
  test('given a restart that is due, when something else is in flight, then no deadline of the past is armed', () => {
    const story = working().exit(1).pass('restart');

    expect(story.worker.inFlight?.op.kind).toBe('respawn');
    expect(story.worker.deadlines.restart).toBeUndefined();
  });
});

describe('a merge that needs no agent', () => {
  test('given work that is being merged, when its agent shows no prompt for too long, then the merge goes on', () => {
    const story = inReview().exit(1).pass('restart').opened();
    story.accepted();
    const startUp = story.worker.deadlines['start-up'];

    for (let start = 0; start < 3; start += 1) {
      story.now = Math.max(story.now, startUp ?? 0);
      story.hear({ kind: 'deadline-expired', name: 'start-up' });
    }

    expect(story.worker).toMatchObject({ status: 'needs_review', accept: { step: 'rebase' } });
  });
});

describe('taken down while its work is merged', () => {
  test.each(['rebase', 'squash', 'fast-forward', 'close', 'recycle'])(
    'given a merge at step "%s", when the worker is ordered down, then the merge ends and then the worker is down',
    (at) => {
      const story = inReview().accepted();
      while (story.worker.accept?.step !== at) mergeOn(story);

      story.hear({ kind: 'down-ordered' });
      while (story.worker.accept !== null) mergeOn(story);

      expect(story.worker).toMatchObject({ status: 'offline', before: 'idle', task: null, pane: { kind: 'absent' } });
      expect(story.records).toContainEqual({ kind: 'lease', action: 'release' });
    },
  );
});

describe('ended by its user', () => {
  test('given a task that was not typed yet, when somebody ends the program, then the task goes out to the next one', () => {
    const story = idle().hear({ kind: 'start-ordered', taskId: 't', prompt: 'p', text: 'the task' });

    story.exit(0).answer({ kind: 'prepared', base: 'a', head: 'a', saved: null }).pass('restart').opened().see(READY);

    expect(story.last).toMatchObject({ kind: 'deliver', text: 'the task' });
  });
});

function mergeOn(story: Story): void {
  switch (story.worker.accept?.step) {
    case 'rebase':
      return void story.rebased({ base: 'b', head: 'c' });
    case 'validate':
      return void story.valid();
    case 'squash':
      return void story.squashed('d', 'b');
    case 'fast-forward':
      return void story.answer({ kind: 'merged', commit: 'd' });
    case 'close':
      return void story.answer({ kind: 'closed' });
    default:
      return void story.answer({ kind: 'recycled', base: 'd' });
  }
}

describe('a worker in error that is taken down and brought up again', () => {
  test('given its program, when somebody ends it before it came up, then the worker is in error again, and nobody is asked twice', () => {
    const story = broughtBackUp().opened().exit(0);

    expect(story.worker).toMatchObject({ status: 'error', pane: { kind: 'dead' }, incident: { escalated: true } });
    expect(story.records.map(({ kind }) => kind)).not.toContain('escalated');
  });

  test('given a session that cannot be opened, when that was said once, then it is not tried again by itself', () => {
    const story = broughtBackUp();
    const tried = story.ops.length;

    story.answer({ kind: 'failed', code: 'program-missing', message: 'it is not there', retry: false });

    expect(story.worker.status).toBe('error');
    expect(story.ops).toHaveLength(tried);
  });

  test('given that it stands in error again, when a person says to try again, then it goes on with its task', () => {
    const story = broughtBackUp().opened().exit(0);

    const incident = story.worker.incident?.id ?? '';
    story.hear({ kind: 'escalation-answered', incident, option: 'retry', text: null, by: 'ada' });

    expect(story.worker.status).toBe('working');
    expect(story.last).toMatchObject({ kind: 'respawn' });
  });
});

describe('a start that was too slow', () => {
  test('given a program that is about to be started again, when somebody ends it, then the seat does not stay empty', () => {
    const story = new Story().hear({ kind: 'up-ordered' });
    story.answer({ kind: 'prepared', base: 'a', head: 'a', saved: null }).opened().pass('start-up').exit(0);

    story.answer({ kind: 'unknown', why: 'the agent died' }).pass('restart');

    expect(story.worker.status).toBe('offline');
    expect(story.last).toMatchObject({ kind: 'respawn' });
  });
});

/** In error it was taken down; now its session is being opened again. */
function broughtBackUp(): Story {
  const story = working().exit(101, null, ['panic: simulated']).hear({ kind: 'down-ordered' });
  story.answer({ kind: 'closed' }).hear({ kind: 'up-ordered' });
  expect(story.worker).toMatchObject({ status: 'offline', before: 'error', incident: { escalated: true } });
  return story;
}

const MESSAGE = {
  id: 'm',
  purpose: 'message',
  text: 'hello',
  lost: 0,
  partial: 0,
  refused: 0,
  notBefore: 0,
  verify: null,
  next: 'type',
} as const;

const LOOKED = { kind: 'looked', git: GIT, delivery: null } as const;

/** A screen without progress: its mark is the one that was seen last. */
function still(story: Story): NonNullable<Story['worker']['seen']> {
  story.now += 10;
  return { at: story.now, state: BUSY, fingerprint: 'busy', progress: story.worker.progress.mark ?? '', rule: 'test' };
}

function handedOver(): Story {
  const story = working();
  for (let nudge = 0; nudge < 2; nudge += 1) {
    story.pass('nudge');
    if (story.last?.kind === 'deliver') story.delivered();
    story.now += story.policy.echoMs;
    story.hear({ kind: 'screen-seen', incarnation: story.incarnation, look: still(story) });
  }
  story.pass('nudge');
  expect(story.worker.status).toBe('needs_input');
  return story;
}

/** At work, with a person's words in the program's own queue. */
function queued(text: string): Story {
  const story = working().hear({ kind: 'message-ordered', id: 'm', text });
  return story.answer({ kind: 'queued', at: story.now, receipt: RECEIPT });
}
