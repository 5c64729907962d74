/** Commands that are too large for one message together all reach their machine. */
import type { Command } from '@drover/core';
import { WORKER_SETTINGS } from '@drover/protocol/testing';
import { expect, test } from 'vitest';
import { takeCommands, takePoll } from '../../src/agent/sync.ts';
import { twoMachines } from '../support/two-machines.ts';

/** Bytes that a machine agent takes in one message. */
const MESSAGE_BYTES_MAX = 16 * 1_048_576;

test('given twenty commands with the largest prompts, when a machine takes them, then no answer is too large and all arrive', async () => {
  const { ctx, honest: machine, ann } = await twoMachines();
  await takeCommands(ctx, machine);
  const command: Command = {
    kind: 'deliver',
    incarnation: 'a life',
    text: 'x'.repeat(1_048_576),
    method: 'profile',
    settleMs: 0,
    mayQueue: false,
    clearFirst: false,
    enterOnly: false,
    textId: 'text',
  };
  const commands = Array.from({ length: 20 }, (_, index) => ({
    id: ctx.ids.uuid(),
    machineId: machine.id,
    workerId: ann.id,
    body: { kind: 'command' as const, seq: 100 + index, command },
    settings: WORKER_SETTINGS,
    timeoutMs: 1_000,
  }));
  await ctx.store.transaction((tx) => tx.insertCommands(commands, ctx.clock.now()));

  const arrived = new Set<string>();
  const sizes: number[] = [];
  while (sizes.length < commands.length && arrived.size < commands.length) {
    const commands = await takeCommands(ctx, machine);
    sizes.push(JSON.stringify(commands).length);
    const acks = commands.map(({ id }) => id);
    for (const id of acks) arrived.add(id);
    await takePoll(ctx, machine, { agentEpoch: machine.agentEpoch ?? '', profilesRevision: 0, acks, observations: [] });
  }

  expect(Math.max(...sizes)).toBeLessThan(MESSAGE_BYTES_MAX);
  expect(commands.every(({ id }) => arrived.has(id))).toBe(true);
});
