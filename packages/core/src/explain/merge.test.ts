/** Words of `drover why` about work on its way into the default branch. */
import { expect, test } from 'vitest';
import type { Accept, Doing } from '../merge/step.ts';
import { inReview } from '../testing/story.ts';
import type { Merge } from '../merge/state.ts';
import { aboutMerge } from './merge.ts';

const NOW = 1_000_000;
const PIN = { head: 'h', tree: null };
const ACCEPT: Accept = { pin: PIN, nothing: false, since: NOW, runs: [], red: null, maybe: null };
const BASE = 'a'.repeat(40);
const CANDIDATE = {
  kind: 'candidate',
  head: 'b'.repeat(40),
  headTree: 't',
  base: BASE,
  commit: 'c'.repeat(40),
  tree: 'tree',
  checks: 'make',
  notes: [],
} as const;
const CHECKS = { head: 'c', tree: 'tree', checks: 'make', at: NOW - 60_000, outcome: { kind: 'passed' } } as const;
const LINK = { worker: 'w', head: 'h', base: 'b', commit: 'c', tree: 't' };
const TRAIN = {
  conductor: { id: '1', name: 'adam' },
  members: [
    { id: '2', name: 'bea', pin: PIN, link: LINK },
    { id: '3', name: 'cal', pin: PIN, link: LINK },
  ],
};
const OWN = { base: BASE, commit: 'c', tree: 't', checks: 'make' };
const IN_TURN = { accept: ACCEPT, moved: 0, on: null, own: OWN, train: TRAIN, tip: PIN };
const MANY = ['1', '2', '3', '4', '5', '6', '7'];

test.each<[string, Partial<Merge>, readonly string[]]>([
  ['nothing is committed', {}, []],
  ['its candidate is looked for', reviewing({ kind: 'candidate' }), ['outside of its worktree']],
  ['its checks run', reviewing({ kind: 'checks', at: PIN }), ['exactly the files that would be merged']],
  ['it is rebased', reviewing({ kind: 'rebase' }), ['its agent resolves conflicts there']],
  [
    'it would be merged and has passed',
    { candidate: CANDIDATE, checks: CHECKS },
    [
      'Its commit bbbbbbbbbbbb would be merged onto the default branch at aaaaaaaaaaaa as cccccccccccc.',
      'The checks of the project passed 60 s ago on exactly this merge.',
    ],
  ],
  [
    'other files of it have failed',
    {
      candidate: { ...CANDIDATE, tree: 'other' },
      checks: { ...CHECKS, outcome: { kind: 'failed', command: 'make', output: '' } },
    },
    ['Its commit', 'The check "make" failed 60 s ago on an earlier version.'],
  ],
  ['there are no checks', { candidate: CANDIDATE, checks: { ...CHECKS, checks: '' } }, ['Its commit', 'has no checks']],
  [
    'it conflicts in many files',
    { candidate: { kind: 'clash', head: 'b', base: BASE, files: MANY } },
    ['in 1, 2, 3, 4, 5 and 2 more: "drover rebase adam" has its agent resolve the conflicts.'],
  ],
  [
    'all of it is there',
    { candidate: { kind: 'contained', head: 'b', base: BASE } },
    ['"drover accept adam --nothing"'],
  ],
  [
    'it is aboard a train',
    { step: { kind: 'aboard', accept: ACCEPT, conductor: { id: '1', name: 'zoe', place: 2, of: 3 } } },
    ['It is in the merge train of "zoe", in place 2 of 3.'],
  ],
  [
    'it conducts one that is built',
    { step: { kind: 'extending', ...IN_TURN } },
    ['It leads a merge train: adam, bea, cal, each on top of the one before, on aaaaaaaaaaaa.'],
  ],
  [
    'half of its train is checked',
    { step: { kind: 'checking', ...IN_TURN, prefix: 2 } },
    ['It leads a merge train', 'The checks run on adam, bea.'],
  ],
  [
    'the default branch is checked by itself',
    { step: { kind: 'checking', ...IN_TURN, prefix: 0 } },
    ['It leads a merge train', 'The checks run on the default branch alone.'],
  ],
  [
    'its agent resolves conflicts',
    {
      candidate: CANDIDATE,
      checks: CHECKS,
      conflicts: { key: 'a.txt', times: 1, orig: 'b', onto: BASE, open: true, told: [] },
    },
    ['Its agent is resolving its conflicts with the default branch at aaaaaaaaaaaa.'],
  ],
  [
    'the default branch is broken',
    { step: { kind: 'waiting', accept: { ...ACCEPT, red: BASE }, notBefore: null } },
    ['The default branch at aaaaaaaaaaaa fails the checks by itself: its merge waits until that branch moves.'],
  ],
  ['it goes by itself', { step: { kind: 'publishing', ...IN_TURN, train: null, prefix: 1, culprit: null } }, []],
  [
    'it was sent back',
    { sentBack: { command: 'make', before: ['zoe', 'yan'], at: NOW - 60_000 } },
    ['It was sent back 60 s ago: the check "make" fails with its work and passes with that of zoe, yan,'],
  ],
  ['there are notes', { notes: ['it removes a test'] }, ['About its work: it removes a test.']],
])('given work of which %s, when it is asked why, then that is said', (_what, change, expected) => {
  const merge = { ...inReview().worker.merge, candidate: null, checks: null, notes: [], ...change };

  const said = aboutMerge(merge, { name: 'adam', now: NOW });

  expect(said).toEqual(expected.map((part): unknown => expect.stringContaining(part)));
});

function reviewing(doing: Doing): Partial<Merge> {
  return { step: { kind: 'reviewing', head: 'h', again: 0, doing } };
}
