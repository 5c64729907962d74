/** Checks that a text goes by the program's channel with its screen as a witness, and that its fate is found after a crash. */
import type { AgentState, Command } from '@drover/core';
import { expect, onTestFinished, test } from 'vitest';
import type { Channel } from './channel.ts';
import type { DeliveryContext } from '../execute/tools.ts';
import { fastClock, TIMES } from '../testing/channels/fast-clock.ts';
import type { ScriptedPeer } from '../testing/channels/peer.ts';
import { ScriptedCodex } from '../testing/channels/scripted-codex.ts';
import { ScriptedOpenCode } from '../testing/channels/scripted-opencode.ts';
import { deliverByChannel } from './by-channel.ts';
import { evidenceOf } from '../deliver/evidence.ts';

const INCARNATION = '1.1.%1.1';
const EMPTY = { kind: 'empty' } as const;
const READY: AgentState = { kind: 'ready', after: 'completed', composer: EMPTY };
const BUSY: AgentState = { kind: 'processing', queued: false, composer: EMPTY };
const DRAFT: AgentState = {
  ...READY,
  composer: { kind: 'text', text: "a person's words", whole: true, pasted: false },
};
const CONTRADICTION: AgentState = { kind: 'unknown', why: 'contradiction' };
const DIALOG: AgentState = {
  kind: 'dialog',
  dialog: { kind: 'other', title: 'Update?', body: '', options: [], fingerprint: '' } as never,
};

type Deliver = Extract<Command, { kind: 'deliver' }>;

const COMMAND: Deliver = {
  kind: 'deliver',
  incarnation: INCARNATION,
  text: 'the text',
  method: 'paste',
  settleMs: 0,
  mayQueue: false,
  clearFirst: false,
  enterOnly: false,
  textId: 'id',
} as never;

class Died extends Error {}

interface Playing {
  readonly dies?: 'noted' | 'entered';
  /** True if its screen never shows the turn. */
  readonly isStill?: boolean;
}

/** Program with a channel, whose screen shows `state` until a text is taken. */
async function programShowing(state: AgentState, playing: Playing = {}) {
  return programOf(await ScriptedCodex.start(TIMES), state, playing);
}

async function programOf<P extends ScriptedPeer>(peer: P, state: AgentState, { dies, isStill = false }: Playing) {
  onTestFinished(() => peer[Symbol.asyncDispose]());
  const noted: string[] = [];
  const programIds = new Map<string, string>();
  const channels = new Set<Channel>();
  onTestFinished(() => channels.forEach((channel) => channel[Symbol.dispose]()));
  let entry: { notes: string | null; command: unknown } | undefined;
  const context = {
    channels: {
      of: async () => {
        const channel = peer.channel();
        channels.add(channel);
        return channel;
      },
    },
    panes: {
      at: async () => ({
        seeWhole: async () => ({
          facts: { dead: false },
          reading: { state: peer.taken().includes('the text') && !isStill ? BUSY : state, progress: '1' },
        }),
        withHands: (work: () => Promise<unknown>) => work(),
      }),
    },
    profiles: { of: () => ({ profile: {} }) },
    knownWorkers: { incarnationOf: () => ({ workerId: 'w', conversation: 'ours', openedAt: 0 }) },
    conversationNames: {
      name: async (_worker: string, wanted: string, actual: string) => void programIds.set(wanted, actual),
    },
    journal: {
      deliveryBefore: () => undefined,
      bySeq: () => entry,
      note: (_id: string, notes: object) => {
        noted.push(JSON.stringify(notes));
        entry = { notes: JSON.stringify(notes), command: {} };
      },
    },
    files: { kept: null, records: {} },
    settings: { workerId: 'w', name: 'alba' },
    commandId: 'c',
    seq: 1,
    clock: fastClock(TIMES),
    signal: new AbortController().signal,
    crashPoint: (point: string) => {
      if (point === dies) throw new Died();
    },
    log: () => {},
  } as unknown as DeliveryContext;
  return { peer, context, noted, programIds };
}

test("given a person's draft in the box, when a text is delivered, then by the channel, and the box is left alone", async () => {
  const { peer, context, noted } = await programShowing(DRAFT);

  const result = await deliverByChannel(context, COMMAND);

  expect(result).toMatchObject({ kind: 'delivered', receipt: { method: 'codex app-server', enters: 0, bytes: 8 } });
  expect(peer.taken()).toEqual(['the text']);
  expect(noted).toHaveLength(1);
});

test('given a conversation that another program began in the same worktree, when a text is delivered, then the conversation that has it is kept for the next start', async () => {
  const { peer, context, programIds } = await programShowing(READY);

  await deliverByChannel(context, COMMAND);
  peer.next();
  peer.ownThread({ isTold: true });

  expect([...programIds]).toEqual([['program:ours', 'thread-1']]);
});

test.each([
  ['a dialog', DIALOG, { kind: 'refused', why: 'dialog' }],
  ['work', BUSY, { kind: 'refused', why: 'busy' }],
  ['what its program denies', CONTRADICTION, null],
] as const)(
  'given a screen that shows %s, when a text is to be delivered, then nothing is sent',
  async (_, state, result) => {
    const { peer, context } = await programShowing(state);

    const when = await deliverByChannel(context, COMMAND);

    if (result === null) expect(when).toBeNull();
    else expect(when).toMatchObject(result);
    expect(peer.taken()).toEqual([]);
  },
);

test("given Drover's own text in the box, when it is to be finished, then by the keyboard", async () => {
  const { peer, context } = await programShowing(READY);

  expect(await deliverByChannel(context, { ...COMMAND, clearFirst: true })).toBeNull();
  expect(await deliverByChannel(context, { ...COMMAND, enterOnly: true })).toBeNull();
  expect(peer.taken()).toEqual([]);
});

test('given a channel that dies before the text was read, when it is delivered, then the keyboard takes over', async () => {
  const { peer, context } = await programShowing(READY);
  peer.type('before');
  peer.fates('die-before');

  expect(await deliverByChannel(context, COMMAND)).toBeNull();
  expect(peer.taken()).toEqual(['before']);
});

test('given an OpenCode that keeps a text and begins no turn, when the text is delivered, then Drover asks for the turn, and the text stands there once', async () => {
  const { peer, context } = await programOf(await ScriptedOpenCode.start(TIMES), READY, { isStill: true });
  peer.type('before');
  peer.sleep();

  const result = await deliverByChannel(context, COMMAND);

  expect(result).toMatchObject({
    kind: 'delivered',
    receipt: { evidence: [expect.stringContaining('no turn began')] },
  });
  expect(peer.taken()).toEqual(['before', 'the text', expect.stringContaining('message above')]);
});

test.each(['answer', 'die-after'] as const)(
  'given a turn too short for the screen, and a text of the fate "%s", when it is delivered, then nothing else is sent',
  async (fate) => {
    const { peer, context } = await programOf(await ScriptedOpenCode.start(TIMES), READY, { isStill: true });
    peer.fates(fate);

    expect(await deliverByChannel(context, COMMAND)).toMatchObject({ kind: 'delivered' });
    expect(peer.taken()).toEqual(['the text']);
  },
);

test.each([
  ['noted', 'whose server lives', 'unclear'],
  ['noted', 'whose server was started again', 'absent'],
  ['entered', 'whose server lives', 'taken'],
  ['entered', 'whose server was started again', 'taken'],
] as const)(
  'given a Drover that dies with the text %s, and a program %s, when its fate is looked for, then it is %s',
  async (dies, server, fate) => {
    const { peer, context } = await programShowing(READY, { dies });
    peer.type('before');

    await expect(deliverByChannel(context, COMMAND)).rejects.toThrow(Died);
    for (const isAway of server === 'whose server lives' ? [] : [true, false]) await peer.away(isAway);
    const evidence = await evidenceOf(context, { seq: 1, textId: 'id' }, async () => null);

    expect(evidence.kind).toBe(fate);
  },
);

test('given a busy program that the text was sent to, when Drover dies and the conversation lacks the text, then its fate stays unclear', async () => {
  const { peer, context } = await programShowing(BUSY, { dies: 'noted' });
  peer.type('before');
  peer.begin();

  await expect(deliverByChannel(context, { ...COMMAND, mayQueue: true })).rejects.toThrow(Died);

  expect((await evidenceOf(context, { seq: 1, textId: 'id' }, async () => null)).kind).toBe('unclear');
});
