/** Work is checked before it waits for review, and again while it waits. */
import { describe, expect, test } from 'vitest';
import { BUSY, committed, CONFLICT, inReview, READY, treeOf, resolving } from '../../testing/story.ts';
import type { Story } from '../../testing/story.ts';

const MOVED = { kind: 'default-branch-moved' } as const;
const INVALID = { kind: 'invalid', command: 'make', output: 'no' } as const;
const CHANGED = { kind: 'changed', head: 'cccc', why: '1 commit came after it' } as const;
const GONE_ON = { head: 'cccc', ahead: 2, subject: 'more' } as const;

describe('before a person sees the work', () => {
  test('given a turn that ended with a commit, when its candidate passes the checks, then the work waits for review', () => {
    const story = committed();
    expect(story.worker.lifecycle).toMatchObject({
      status: 'working',
      note: 'committed "work"; Drover checks it before it waits for review',
    });
    expect(story.last).toEqual({ kind: 'candidate', at: { head: 'bbbb', tree: null }, began: 'aaaa' });
    story.candidate();
    expect(story.last).toEqual({
      kind: 'validate',
      at: { head: 'bbbb on aaaa', tree: treeOf('bbbb on aaaa') },
    });

    story.valid();

    expect(story.worker).toMatchObject({
      lifecycle: { status: 'needs_review', note: 'committed "work"' },
      merge: {
        step: { kind: 'none' },
        candidate: { kind: 'candidate', base: 'aaaa', commit: 'bbbb on aaaa' },
        checks: { at: story.now, outcome: { kind: 'passed' } },
      },
    });
    expect(story.records).toContainEqual({ kind: 'task', id: 't1', status: 'review' });
    expect(story.records).toContainEqual({ kind: 'notice', text: 'committed "work"' });
  });

  test('given a check that fails on the default branch on which the work was begun, then its words are kept for people and given to the agent', () => {
    const story = committed().candidate().answer(INVALID);

    expect(story.worker).toMatchObject({
      lifecycle: { status: 'working' },
      merge: { step: { kind: 'none' }, checks: { outcome: { kind: 'failed', command: 'make', output: 'no' } } },
      incident: { open: { code: 'VALIDATION_FAILED' } },
    });
    expect(story.last?.kind).toBe('deliver');
  });

  test.each(['check-program-missing', 'setup-failed', 'checks-unreadable'])(
    'given checks that cannot run (%s), then a person is asked at once, no attempt is counted, and "retry" checks the work again',
    (code) => {
      const story = committed().candidate();
      story.answer({ kind: 'failed', code, message: 'there is no program "make"', retry: false });

      expect(story.worker).toMatchObject({
        lifecycle: { status: 'error' },
        incident: { open: { code: 'VALIDATION_FAILED', escalated: true, attempts: 0 } },
      });
      const incident = story.worker.incident.open?.id ?? '';
      story.hear({ kind: 'escalation-answered', incident, option: 'retry', text: null, by: 'ada' });
      story.checked(READY, { head: 'bbbb', ahead: 1 });

      expect(story.worker.incident.open).toBeNull();
      expect(story.last?.kind).toBe('candidate');
    },
  );

  test('given checks that made way for those of accepted work, again and again, then they run again after a pause, and nobody has failed', () => {
    const story = committed().candidate();
    for (let times = 0; times < 10; times += 1) {
      expect(story.last?.kind).toBe('validate');
      story.answer({ kind: 'failed', code: 'made-way', message: 'accepted work is first', retry: true });
      expect(story.worker.command).toMatchObject({ inFlight: null, failures: 0 });
      story.pass('hold');
    }

    story.valid();

    expect(story.worker).toMatchObject({ lifecycle: { status: 'needs_review' }, incident: { open: null } });
  });

  test('given work that the default branch has already, then it waits for review and the person is told', () => {
    const story = committed().contained();

    expect(story.worker.lifecycle).toMatchObject({
      status: 'needs_review',
      note: 'committed "work"; the default branch already contains all of it: there is nothing to merge',
    });
  });

  test('given work that conflicts, then it is rebased in its worktree and its agent resolves that before anybody sees it', () => {
    const story = committed().clash('dddd');
    expect(story.last).toEqual({ kind: 'rebase', at: { head: 'bbbb', tree: null }, began: 'aaaa' });

    story.answer(CONFLICT).opened().see(READY);

    expect(story.worker.lifecycle.status).toBe('rebasing');
    expect(story.last).toMatchObject({ kind: 'deliver', text: expect.stringContaining('resolve') });
  });

  test('given an agent that gave up exactly these conflicts, when it stops there again, then it is not asked again', () => {
    const story = resolving().judged('aborted').clash(CONFLICT.onto);

    expect(story.rules).toContain('review:given-up');
    expect(story.worker.lifecycle.status).toBe('needs_review');
    expect(story.worker.lifecycle.note).toMatch(/conflicts with the default branch in 1 file/u);
    story.hear(MOVED).clash('eeee');
    expect(story.last?.kind).toBe('rebase');
  });

  test('given a message while the work is checked, then its agent gets it, and the end of that turn is judged', () => {
    const story = committed().hear({ kind: 'message-requested', id: 'm', text: 'and this' });
    story.candidate();
    expect(story.last).toMatchObject({ kind: 'deliver', text: 'and this' });

    story.delivered().see(BUSY).see(READY).pass('settle').checked(READY, { head: 'bbbb', ahead: 1, subject: 'work' });

    expect(story.last?.kind).toBe('candidate');
  });

  test('given an agent that goes on by itself, when its candidate is made, then the end of its turn is judged', () => {
    const story = committed().see(BUSY).candidate();
    expect(story.worker).toMatchObject({ lifecycle: { status: 'working' }, merge: { step: { kind: 'none' } } });

    story.see(READY).pass('settle').checked(READY, GONE_ON);

    expect(story.last).toMatchObject({ kind: 'candidate', at: { head: 'cccc' } });
  });

  test('given a session that is gone meanwhile, when the checks pass, then the work waits for review as soon as it is back', () => {
    const story = committed().hear({ kind: 'panes-listed', pane: null }).candidate().valid();

    expect(story.worker).toMatchObject({
      lifecycle: { status: 'offline', before: 'needs_review' },
      mailbox: { restoreDue: false },
    });
  });

  test('given requests of people meanwhile, then they hear that the work is being checked', () => {
    const requests = [
      { kind: 'accept-requested', pin: { head: 'bbbb', tree: null } },
      { kind: 'reject-requested', id: 'r', text: 'no' },
      { kind: 'rebase-requested' },
    ] as const;

    for (const request of requests)
      expect(committed().hear(request).reply).toMatchObject({
        code: 'not-in-review',
        message: expect.stringContaining('its work is being checked'),
      });
  });

  test('R2: given a machine that finds something else each time, when that has been so five times, then a person is asked', () => {
    const story = committed();

    for (let time = 0; time < 4; time += 1) {
      story.answer(CHANGED);
      expect(story.worker.deadlines.hold).toBeGreaterThan(story.now);
      story.pass('hold').checked(READY, { ...GONE_ON, head: `c${time}` });
    }
    story.answer(CHANGED);

    expect(story.worker.lifecycle.status).toBe('needs_input');
    expect(story.worker.lifecycle.note).toMatch(/Drover could not check its work/u);
  });
});

describe('while the work waits', () => {
  test('given a default branch that moved, when the files are others, then the checks run on them', () => {
    const story = inReview().hear(MOVED).candidate({ base: 'dddd' });
    expect(story.last).toMatchObject({ kind: 'validate', at: { head: 'bbbb on dddd' } });
    expect(story.worker.lifecycle.status).toBe('needs_review');

    story.valid();

    expect(story.worker).toMatchObject({
      lifecycle: { status: 'needs_review', note: 'committed "work"' },
      merge: { step: { kind: 'none' }, checks: { head: 'bbbb on dddd' } },
    });
  });

  test('given the same default branch, when it is looked at again, then the checks do not run again', () => {
    const story = inReview().hear(MOVED).candidate();

    expect(story.rules).toContain('review:checked-before');
    expect(story.worker.command.inFlight).toBeNull();
  });

  test('given a commit that came by hand, when the default branch moves, then that commit waits', () => {
    const story = inReview().hear(MOVED).answer(CHANGED);

    expect(story.pass('hold').last).toMatchObject({ kind: 'candidate', at: { head: 'cccc' } });
    story.candidate().valid();

    expect(story.worker).toMatchObject({ lifecycle: { status: 'needs_review' }, worktree: { git: { head: 'cccc' } } });
  });

  test('given an accept while the checks run, then the accept makes its own candidate, and has its own checks run', () => {
    const story = inReview().hear(MOVED).candidate({ base: 'dddd' }).accepted();

    expect(story.last?.kind).toBe('candidate');
    expect(story.candidate({ base: 'dddd' }).last?.kind).toBe('validate');
    expect(story.valid().last?.kind).toBe('publish');
  });
});

describe('a person asks for a rebase', () => {
  test('given work that waits, when it is put on the default branch, then its new commit is checked', () => {
    const story = inReview().hear({ kind: 'rebase-requested' });
    expect(story.last).toEqual({ kind: 'rebase', at: { head: 'bbbb', tree: null }, began: 'aaaa' });

    story.rebased({ base: 'dddd', head: 'cccc' });

    expect(story.last).toEqual({ kind: 'candidate', at: { head: 'cccc', tree: null }, began: 'dddd' });
    expect(story.worker.lifecycle.status).toBe('needs_review');
  });

  test('given work whose worktree is not clean, when that is found, then it waits as before with the reason', () => {
    const story = inReview().hear({ kind: 'rebase-requested' });

    story.answer({ kind: 'failed', code: 'worktree-dirty', message: 'changes are not committed', retry: false });

    expect(story.worker).toMatchObject({ lifecycle: { status: 'needs_review' }, merge: { rebaseDue: false } });
    expect(story.worker.lifecycle.note).toMatch(/changes are not committed/u);
  });

  test('given conflicts that its agent gave up, when a person asks, then it is asked again', () => {
    const story = resolving().judged('aborted').clash(CONFLICT.onto);

    story.hear({ kind: 'rebase-requested' });

    expect(story.last?.kind).toBe('rebase');
    expect(story.worker.merge.gaveUp).toBeNull();
  });
});

describe('work that is sent back', () => {
  const REJECTED = { kind: 'reject-requested', id: 'r', text: 'better' } as const;

  function behind(): Story {
    return inReview().hear(MOVED).candidate({ base: 'dddd' }).valid().hear(REJECTED);
  }

  test('given a default branch that has moved, then the work is put on it before its agent gets the feedback', () => {
    const story = behind();
    expect(story.last?.kind).toBe('rebase');

    story.rebased({ base: 'dddd', head: 'cccc' });

    expect(story.last).toMatchObject({ kind: 'deliver', text: 'better' });
  });

  test('given that, when the agent stops without a new commit, then the moved work is no new one', () => {
    const story = behind().rebased({ base: 'dddd', head: 'cccc' });

    story.delivered().see(BUSY).see(READY).pass('settle').checked(READY, { head: 'cccc', ahead: 1 });

    expect(story.worker.lifecycle.status).toBe('needs_input');
  });

  test('given a rebase that fails, then its agent gets the feedback all the same', () => {
    const story = behind().answer({ kind: 'failed', code: 'worktree-dirty', message: 'dirty', retry: false });

    expect(story.pass('hold').last).toMatchObject({ kind: 'deliver', text: 'better' });
  });

  test('given a worktree that is not clean, or stands on its base, then nothing is rebased', () => {
    const dirty = inReview().hear(MOVED).candidate({ base: 'dddd' }).valid();
    dirty.change({
      worktree: { git: { head: 'bbbb', ahead: 1, dirty: 1, subject: 'w', rebasing: false, unmerged: 0 } },
    });

    expect(dirty.hear(REJECTED).last?.kind).toBe('deliver');
    expect(inReview().hear(REJECTED).last?.kind).toBe('deliver');
  });
});
