/** Work that cannot be taken for a reason that words put right: its agent hears of it once, then a person does. */
import { describe, expect, test } from 'vitest';
import { ASKED, BUSY, committed, inReview, READY, working } from '../../testing/story.ts';
import type { Story } from '../../testing/story.ts';

const LOST = { path: 'frontend', commit: 'f'.repeat(40), address: null, found: 'nowhere', why: '' } as const;
const SILENT = {
  path: 'lib',
  commit: 'e'.repeat(40),
  address: 'https://host.example/lib',
  found: 'unknown',
  why: 'could not be asked (timed out)',
} as const;
const ASTRAY = { branch: 'feat/x', expected: 'drover/adam', holdsExpected: true } as const;

/** Lets the agent take its text and end its turn. */
function afterText(story: Story): Story {
  return story.delivered().see(BUSY).see(READY).pass('settle');
}

function question(story: Story): string | undefined {
  return story.records.find((record) => record.kind === 'escalated')?.why;
}

describe('a commit of another repository that nobody can fetch', () => {
  test('given the work names one, when its candidate is known, then its agent is told and no check runs', () => {
    const story = committed().candidate({ gitlinks: [LOST] });

    expect(story.last).toMatchObject({ kind: 'deliver', text: expect.stringContaining('"frontend" is a repository') });
    expect(story.last).toMatchObject({ text: expect.stringContaining('git rm --cached') });
    expect(story.worker.lifecycle.status).toBe('working');
    expect(question(story)).toBe(undefined);
  });

  test('given its agent was told and puts it right, when it has committed, then the work goes on to review', () => {
    const story = afterText(committed().candidate({ gitlinks: [LOST] }));

    story.checked(READY, { head: 'cccc', ahead: 2 }).candidate().valid();

    expect(story.worker.lifecycle.status).toBe('needs_review');
  });

  test.each([
    ['with another commit', 'cccc'],
    ['without a commit', 'bbbb'],
  ])('given its agent leaves it %s, then a person is asked with the path and the commit', (_, head) => {
    const story = afterText(committed().candidate({ gitlinks: [LOST] }));

    story.checked(READY, { head, ahead: 2 }).candidate({ gitlinks: [LOST] });

    expect(story.worker.lifecycle.status).toBe('needs_input');
    expect(question(story)).toMatch(/"frontend" names commit ffffffffffff/u);
  });

  test('given a person had its commit pushed meanwhile, when its agent stops again, then the same work goes on to review', () => {
    const story = afterText(committed().candidate({ gitlinks: [LOST] }));
    story.checked(READY, { head: 'bbbb', ahead: 1 }).candidate({ gitlinks: [LOST] });
    story.hear({ kind: 'message-requested', id: 'm1', text: 'it is pushed' });

    afterText(story).checked(READY, { head: 'bbbb', ahead: 1 }).candidate().valid();

    expect(story.worker.lifecycle.status).toBe('needs_review');
  });

  test('given an address that could not be asked, then its agent is not blamed, and no accept merges the work', () => {
    const story = committed()
      .candidate({ gitlinks: [SILENT] })
      .valid();
    expect(story.worker.lifecycle.status).toBe('needs_review');

    story.accepted().candidate({ gitlinks: [SILENT] });

    expect(story.worker).toMatchObject({ lifecycle: { status: 'needs_review' }, merge: { step: { kind: 'none' } } });
    expect(story.worker.lifecycle.note).toMatch(/^not merged: "lib" names commit eeeeeeeeeeee .*could not be asked/u);
  });

  test('given reviewed work, when the commit is gone by the accept, then nothing is merged and the words name it', () => {
    const story = inReview()
      .accepted()
      .candidate({ gitlinks: [LOST] });

    expect(story.worker.merge.step.kind).toBe('none');
    expect(story.worker.lifecycle.note).toMatch(/^not merged: "frontend" names commit ffffffffffff/u);
    expect(story.records).toContainEqual({ kind: 'lease', action: 'release' });
  });

  test('given many and odd names, then three are told, and none with a character that does not show', () => {
    const odd = { ...LOST, path: 'a\u202Eb\nc' };
    const story = committed().candidate({ gitlinks: [odd, LOST, LOST, LOST, LOST] });

    const { text } = story.last as { text: string };
    expect(text).toContain('The same holds for 2 more.');
    expect(text).not.toMatch(/\u202E|b\nc/u);
  });
});

describe('HEAD on another branch', () => {
  test('given its agent made a branch and committed there, when it stops, then it is told once how to bring that home', () => {
    const story = working().see(READY).pass('settle').checked(READY, { head: 'bbbb', ahead: 1, astray: ASTRAY });

    expect(story.last).toMatchObject({ kind: 'deliver', text: expect.stringContaining('git checkout -B drover/adam') });
    expect(story.worker.lifecycle.status).toBe('working');

    afterText(story).checked(READY, { head: 'bbbb', ahead: 1 }).candidate().valid();

    expect(story.worker.lifecycle.status).toBe('needs_review');
  });

  test('given both branches have commits and HEAD is detached, then the words keep both', () => {
    const astray = { ...ASTRAY, branch: null, holdsExpected: false };
    const story = working().see(READY).pass('settle').checked(READY, { head: 'bbbb', ahead: 1, astray });

    const { text } = story.last as { text: string };
    expect(text).toMatch(/HEAD is detached[^]*git checkout drover\/adam\n {2}git merge bbbb/u);
  });

  test('given it was told and stays there, then a person is asked and it is not told again', () => {
    const story = working().see(READY).pass('settle').checked(READY, { astray: ASTRAY });

    afterText(story).checked(READY, { astray: ASTRAY });

    expect(story.worker.lifecycle.status).toBe('needs_input');
    expect(question(story)).toBe('stopped without a new commit, on branch "feat/x" instead of "drover/adam"');
  });

  test('given it stops with a question there and no commit, then a person answers that', () => {
    const story = working().see(ASKED).pass('settle').checked(ASKED, { astray: ASTRAY });

    expect(question(story)).toBe('stopped with a question');
  });

  test('given a person took over, then nothing is typed', () => {
    const story = working().change({ lifecycle: { takenOver: true } });
    const before = story.commands.length;

    story.see(READY).pass('settle').checked(READY, { head: 'bbbb', ahead: 1, astray: ASTRAY });

    expect(story.commands.slice(before).map(({ kind }) => kind)).not.toContain('deliver');
  });
});

test('given files that are not committed where commits are to be signed, when its agent stops, then it is told once', () => {
  const story = working().see(READY).pass('settle').checked(READY, { dirty: 2, signs: true });

  expect(story.last).toMatchObject({ kind: 'deliver', text: expect.stringContaining('git commit --no-gpg-sign') });

  afterText(story).checked(READY, { dirty: 2, signs: true });

  expect(question(story)).toBe('stopped without a new commit');
});

test('given a second task, then its agent is told of it again', () => {
  const story = committed().candidate({ gitlinks: [LOST] });
  expect(story.worker.task).toMatchObject({ told: ['gitlinks'] });

  afterText(story).checked(READY, { head: 'cccc', ahead: 1 }).candidate().valid();
  story
    .accepted()
    .candidate()
    .valid()
    .published()
    .answer({ kind: 'closed' })
    .answer({ kind: 'recycled', base: 'cccc' });

  expect(story.worker.task).toEqual({ kind: 'none' });
});
