/**
 * Checks that each prompt reaches its agent exactly once when the machine agent is killed, or its coordinator lost, at any moment of a
 * delivery. The simulated agents' own log is the judge.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { CommandResult } from '@drover/core';
import { sshdProgram, startSshd } from '@drover/host/testing';
import { describe, expect, test } from 'vitest';
import { expectKind, TestMachine, type Place } from './support/machine.ts';
import { deliverCommand } from './support/deliver-command.ts';

const SEED = 20_261_121;
const PANES = 10;
/** Times that the machine agent is killed: each in the midst of a delivery to every pane. */
const KILLS = 5;
/** Times that every connection breaks instead. */
const CUTS = 1;
/** Looks and commands after which a prompt's fate counts as unknown for good. */
const STEPS_MAX = 12;

interface Prompt extends Place {
  readonly text: string;
}

/** Fewer over SSH, which differs only in the connection to the panes. */
const SSH_PANES = 4;
const SSH_KILLS = 3;

interface Story {
  readonly panes: number;
  readonly kills: number;
  /** Starts an agent, or the next gateway. */
  readonly start: () => ChildProcess;
  /** Breaks connections in the midst of deliveries. */
  readonly cut: () => Promise<void> | void;
}

test(`given deliveries to ${PANES} panes, when the agent is killed at ${KILLS * PANES} random moments, then each prompt is taken once or honestly unknown`, async () => {
  await using machine = await TestMachine.start();

  const { wrong, fates } = await played(machine, {
    panes: PANES,
    kills: KILLS,
    start: () => machine.agentProcess(),
    cut: () => machine.coordinator.cut(),
  });

  expect(wrong).toEqual([]);
  expect(fates).toHaveLength(PANES * (KILLS + CUTS));
  // Some moments must have been in the midst of a delivery, or nothing was tried.
  expect(fates.filter((fate) => fate !== 'at once')).not.toEqual([]);
});

describe.skipIf(sshdProgram() === undefined)('over a real sshd, which needs openssh-server', () => {
  test(`given deliveries to ${SSH_PANES} panes over SSH, when the gateway is killed and another without its journal comes ${SSH_KILLS} times, and the link is cut, then each prompt is taken once`, async () => {
    await using sshd = await startSshd();
    await using machine = await TestMachine.start();
    let epoch = 0;

    const { wrong, fates } = await played(machine, {
      panes: SSH_PANES,
      kills: SSH_KILLS,
      start() {
        epoch += 1;
        const { directory, user, port, keyFile, hostKey } = sshd;
        return machine.agentProcess(undefined, { sshd: { directory, user, port, keyFile, hostKey }, epoch });
      },
      cut: () => sshd.killSessions(),
    });

    expect(wrong).toEqual([]);
    expect(fates).toHaveLength(SSH_PANES * (SSH_KILLS + CUTS));
    expect(fates.filter((fate) => fate !== 'at once')).not.toEqual([]);
  });
});

/** Plays all rounds. `wrong`: prompts that were taken twice, or lost without a word, with the reports about them. */
async function played(
  machine: TestMachine,
  { panes, kills, start, cut }: Story,
): Promise<{ readonly wrong: readonly (readonly [string, string])[]; readonly fates: readonly string[] }> {
  let agent = start();
  const workers = Array.from({ length: panes }, (_, n) => machine.worker(`pane-${n}`));
  const places: Place[] = [];
  for (const settings of workers) places.push({ settings, incarnation: await machine.ready(settings) });
  const random = mulberry32(SEED);
  const fates = new Map<string, string>();
  const roundMs = await undisturbed(machine, places);

  for (let round = 0; round < kills + CUTS; round += 1) {
    const prompts = places.map((place, n) => ({ ...place, text: `SAY round ${round} to pane ${n}` }));
    const requested = prompts.map((prompt) => ({ prompt, command: ask(machine, prompt) }));
    await moment(random() * roundMs);
    if (round >= kills) await cut();
    else {
      await killed(agent);
      agent = start();
    }
    const ends = requested.map(
      async ({ prompt, command }) => [prompt.text, await settled(machine, prompt, command)] as const,
    );
    for (const [text, fate] of await Promise.all(ends)) fates.set(text, fate);
    await Promise.all(places.map((place) => ready(machine, place)));
  }

  const taken = machine.taken();
  const wrong = [...fates].filter(([text, fate]) => {
    const times = taken.filter((prompt) => prompt === text).length;
    return times > 1 || (times === 0 && fate !== 'unknown');
  });
  return { wrong, fates: [...fates.values()] };
}

function ask(
  { coordinator }: TestMachine,
  { settings, incarnation, text }: Prompt,
  change = {},
): { id: string; seq: number } {
  return coordinator.command(settings, deliverCommand(incarnation, text, change));
}

/** Milliseconds of a round when nothing happens. */
async function undisturbed(machine: TestMachine, places: readonly Place[]): Promise<number> {
  const startedAt = performance.now();
  const commands = places.map((place, n) => ask(machine, { ...place, text: `SAY hello, pane ${n}` }));
  await Promise.all(commands.map(({ id }) => expectKind(machine.coordinator.result(id), 'delivered')));
  const roundMs = performance.now() - startedAt;
  await Promise.all(places.map((place) => ready(machine, place)));
  return roundMs;
}

async function killed(agent: ChildProcess): Promise<void> {
  const ended = once(agent, 'exit');
  agent.kill('SIGKILL');
  await ended;
}

/** Acts as the policy does until a delivery is certain: looks, and reacts to the result. */
async function settled(
  { coordinator }: TestMachine,
  prompt: Prompt,
  first: { id: string; seq: number },
): Promise<'at once' | 'after a look' | 'unknown'> {
  const { settings, incarnation, text } = prompt;
  let command = first;
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const result = await coordinator.result(command.id);
    if (result.kind === 'delivered' || result.kind === 'queued') return command === first ? 'at once' : 'after a look';
    if (result.kind !== 'unknown' && result.kind !== 'refused' && result.kind !== 'failed') {
      throw new Error(`"${text}" was ${result.kind}: ${JSON.stringify(result)}`);
    }
    const { delivery } = await observed(coordinator, settings, command.seq);
    if (delivery?.kind === 'taken') return 'after a look';
    if (delivery === null || delivery.kind === 'unclear') continue;
    command = coordinator.command(
      settings,
      deliverCommand(incarnation, text, {
        enterOnly: delivery.kind === 'in-box-whole',
        clearFirst: delivery.kind === 'in-box-part',
      }),
    );
  }
  return 'unknown';
}

/** Waits until the turn of a worker is over. */
async function ready({ coordinator }: TestMachine, { settings }: Place): Promise<void> {
  for (;;) {
    const { screen } = await observed(coordinator, settings, null);
    if (screen?.state.kind === 'ready') return;
  }
}

/** Polls until the machine is reachable. */
async function observed(
  coordinator: TestMachine['coordinator'],
  worker: Place['settings'],
  delivery: number | null,
): Promise<Extract<CommandResult, { kind: 'observed' }>> {
  for (;;) {
    const result = await coordinator.carriedOut(worker, { kind: 'observe', base: null, delivery });
    // The command was under way when the gateway was killed: the other gateway knows nothing of it.
    if (result.kind === 'unknown') continue;
    if (result.kind !== 'failed' || !result.retry) return expectKind(Promise.resolve(result), 'observed');
  }
}

/** Waits until a chosen moment: a moment of a delivery cannot be waited for. */
function moment(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Generates random numbers in [0, 1). Source: Tommy Ettinger's mulberry32, public domain. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
