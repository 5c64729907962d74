/** Checks what counts as a disagreement between a screen and its program, and what is kept of it. */
import type { AgentState, Compared } from '@drover/core';
import { Redactor } from '@drover/protocol';
import { expect, test } from 'vitest';
import { Witness } from './witness.ts';

const BOX = { kind: 'empty' } as const;
const READY: AgentState = { kind: 'ready', after: 'completed', composer: BOX };
const WORKS: AgentState = { kind: 'processing', queued: false, composer: BOX };
const UNREAD: AgentState = { kind: 'unknown', why: 'contradiction' };
const SECRET = 'hunter2-canary/+x';
/** Screen of 80 columns that shows the secret whole, and again in two rows. */
const SCREEN = `a ${SECRET}\n${'x'.repeat(72)}${SECRET.slice(0, 8)}\n${SECRET.slice(8)}`;

/** A witness of `claude`, with all that it keeps. */
function witness({
  version = '9.9.9',
  facts = new Map<string, string>(),
}: { version?: string | null; facts?: Map<string, string> } = {}) {
  const files = new Map<string, string>();
  const own = new Witness({
    db: { maybeFact: (name) => facts.get(name), setFact: (name, value) => void facts.set(name, value) },
    files: {
      mkdir: () => Promise.resolve(),
      writeFile: (path, content) => Promise.resolve(void files.set(path, String(content))),
    },
    directory: '/d',
    redactor: new Redactor({ values: [SECRET] }),
    untried: () => version,
    log: () => {},
  });
  return {
    files,
    facts,
    see: (at: number, state: AgentState, rule = 'ready') => {
      const reading = { at, state, fingerprint: '', progress: '', rule: `claude/${rule}` };
      const facts = { currentCommand: 'claude', title: '', cursor: { x: 0, y: 3, visible: true }, width: 80 };
      own.see('i', { profile: 'claude', reading, capture: { facts, text: SCREEN, ansi: SCREEN } });
    },
    get counts(): Compared {
      return own.of({ profile: 'claude', version: '9.9.9' });
    },
  };
}

test('given turns that are read right, when they end, then each counts once, an interrupted one never, and a restart forgets none', () => {
  const given = witness();

  given.see(0, READY);
  given.see(1, WORKS);
  given.see(2, READY);
  given.see(3, READY);
  given.see(4, WORKS);
  given.see(5, { ...READY, after: 'interrupted' });
  given.see(6, WORKS);
  given.see(7, { ...READY, after: 'asked' });

  expect(given.counts).toEqual({ turns: 2, disagreements: 0 });
  expect(witness({ facts: given.facts }).counts).toEqual({ turns: 2, disagreements: 0 });
});

test('given a contradiction, when it passes at once, then nothing counts; when it stands, then it counts once, resets the turns, and its screen is kept without secrets', async () => {
  const given = witness();
  given.see(0, WORKS);
  given.see(1, READY);

  given.see(2, UNREAD, 'contradiction');
  given.see(3_000, READY);
  expect(given.counts).toEqual({ turns: 1, disagreements: 0 });
  for (const at of [4_000, 9_000, 20_000, 40_000]) given.see(at, UNREAD, 'contradiction');
  given.see(41_000, READY);

  expect(given.counts).toEqual({ turns: 0, disagreements: 1 });
  await expect.poll(() => [...given.files.keys()]).toEqual(['/d/claude-0.ansi', '/d/claude-0.json']);
  expect(given.files.get('/d/claude-0.ansi')).not.toContain('canary');
  expect(JSON.parse(given.files.get('/d/claude-0.json') ?? '')).toMatchObject({
    program: 'claude',
    version: '9.9.9',
    label: 'unknown',
  });
});

test('given many disagreements, when their screens are kept, then the newest twenty are', async () => {
  const given = witness();

  for (let n = 0; n < 50; n += 1) {
    given.see(n * 10_000, { kind: 'unknown', why: 'nothing-matched' }, 'nothing-matched');
    given.see(n * 10_000 + 6_000, READY);
  }

  expect(given.counts.disagreements).toBe(50);
  await expect.poll(() => given.files.size).toBe(40);
});

test('given a version that a trial has seen, when its screens contradict it, then nothing is counted or kept', () => {
  const given = witness({ version: null });

  given.see(0, UNREAD, 'contradiction');
  given.see(9_000, READY);

  expect([given.counts, given.files.size, given.facts.size]).toEqual([{ turns: 0, disagreements: 0 }, 0, 0]);
});
