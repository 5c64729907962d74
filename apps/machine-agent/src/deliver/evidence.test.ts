/** Checks that a gateway finds out the fate of a text that the previous gateway was typing. */
import type { Reading } from '@drover/core';
import { expect, test } from 'vitest';
import type { DeliveryContext } from '../execute/tools.ts';
import { jumpingClock } from '../testing/jumping-clock.ts';
import { evidenceOf } from './evidence.ts';
import type { KeptDelivery } from './notes/kept.ts';

const INCARNATION = '1.2.%3.4';
const TEXT = 'SAY hello';

function kept(change: Partial<KeptDelivery>): KeptDelivery {
  const mark = { path: '/t.jsonl', offset: 10 };
  const notes = {
    incarnation: INCARNATION,
    text: TEXT,
    step: 'typing',
    transcript: mark,
    hooks: null,
    wasBusy: false,
    progress: '1',
  } as const;
  return { seq: 5, textId: 'text', notes, ...change };
}

interface Machine {
  /** Delivery kept by the previous gateway; undefined: the agent is on the machine itself. */
  readonly kept?: KeptDelivery | 'damaged' | null;
  readonly inBox?: string;
  readonly transcript?: string;
}

/** Asks for the evidence of delivery 5, with a journal that begins at the asking command. */
async function found({ kept: last, inBox, transcript = '' }: Machine): Promise<string> {
  const asked: string[] = [];
  const context = {
    journal: { bySeq: () => undefined, oldestSeq: () => 6 },
    settings: { workerId: 'w' },
    profiles: { of: () => ({ profile: {} }) },
    files: {
      kept: last === undefined ? null : { last: () => Promise.resolve(asked.push('kept')).then(() => last) },
      records: {
        sizeOf: () => Promise.resolve(10 + transcript.length),
        keepsTranscripts: () => Promise.resolve(true),
        transcriptHolds: (_path: string, _offset: number, words: string) => Promise.resolve(transcript === words),
      },
    },
    clock: jumpingClock(),
    signal: new AbortController().signal,
  };
  const composer = inBox === undefined ? { kind: 'empty' } : { kind: 'text', text: inBox, whole: true };
  const reading = {
    at: 0,
    state: { kind: 'ready', composer, after: null },
    fingerprint: 'f',
    progress: '1',
    rule: 'r',
  };
  const see = (): Promise<{ incarnation: string; reading: Reading }> => {
    asked.push('panes');
    return Promise.resolve({ incarnation: INCARNATION, reading: reading as unknown as Reading });
  };
  const evidence = await evidenceOf(context as unknown as DeliveryContext, { seq: 5, textId: 'text' }, see);
  // The previous gateway types nothing any more after a look at the panes, and not before.
  if (last !== undefined) expect(asked.slice(0, 2)).toEqual(['panes', 'kept']);
  return evidence.kind;
}

test.each<[string, Machine, string]>([
  ['nothing was typed ever', { kept: null }, 'absent'],
  ['the text stands in the box', { kept: kept({}), inBox: TEXT }, 'in-box-whole'],
  ['a part of it stands there', { kept: kept({}), inBox: 'SAY' }, 'in-box-part'],
  ['the transcript holds it', { kept: kept({}), transcript: TEXT }, 'taken'],
  ['it is nowhere', { kept: kept({}) }, 'absent'],
  ['an earlier attempt with it was taken late', { kept: kept({ seq: 3 }), transcript: TEXT }, 'taken'],
  ['another text was typed last', { kept: kept({ seq: 3, textId: 'other' }), transcript: TEXT }, 'absent'],
  ['what it kept is damaged', { kept: 'damaged' }, 'unclear'],
  ['the agent is on the machine, and its journal was lost', {}, 'unclear'],
])(
  'given a gateway without the journal of the one before, when %s, then that is found',
  async (_what, machine, kind) => {
    expect(await found(machine)).toBe(kind);
  },
);
