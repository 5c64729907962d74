// Prepares the parts of a schedule before it begins.
import { PATROL_KEY, sha256 } from '@drover/coordinator/testing';
import type { SimMachine } from '../machine/sim-machine.ts';
import { chatPolicyOf, linkChat } from '../people/chat.ts';
import type { Budgets } from '../faults/spending.ts';
import type { SimProject } from './projects.ts';
import type { World } from './world.ts';

/** Virtual time for which a machine may still join. */
const JOIN_WITHIN_MS = 60 * 60_000;

/** Parts that a schedule begins with. */
export interface Begun {
  readonly machines: readonly SimMachine[];
  readonly projects: readonly SimProject[];
  /** The names of the gateways that may join. */
  readonly gateways: readonly string[];
  readonly uuid: () => string;
  readonly now: number;
  readonly seed: number;
  /** Tells whether people are asked in a chat. */
  readonly hasChat: boolean;
  /** Null: agents spend nothing. */
  readonly budgets: Budgets | null;
}

/** Projects, the machines that may join, and in some schedules a chat. */
export async function prepare(
  { open }: World,
  { machines, projects, gateways, uuid, now, seed, hasChat, budgets }: Begun,
): Promise<void> {
  const store = open({ sleep: () => Promise.resolve(), random: () => 0 });
  const config = {
    copyFiles: [],
    validate: [['npm', 'test']],
    validateTimeoutMs: 1_000,
    runHooks: false,
    preamble: '',
    // Schedules may have their merges checked on one machine, if it is there.
    ...(seed % 4 === 2 && { validateOn: machines.map(({ parts }) => parts.name).toReversed() }),
    ...(budgets !== null && { budget: budgets }),
    ...(hasChat && { escalation: chatPolicyOf(seed) }),
  };
  for (const { id, name, source, home, isHomeNamed } of projects) {
    const named = home === null || !isHomeNamed ? {} : { home: machines[home]?.parts.name ?? null };
    await store.upsertProject(
      { id, name, source, root: null, defaultBranch: 'main', config: { ...config, ...named } },
      now,
    );
  }
  await store.transaction((tx) => tx.schedule([{ kind: 'patrol', key: PATROL_KEY, dueAt: now + 60_000, payload: {} }]));
  if (hasChat) await linkChat(store, { uuid, now, seed });
  for (const { parts } of machines)
    await store.createJoinToken({ sha256: sha256(parts.name), expiresAt: now + JOIN_WITHIN_MS, now });
  for (const name of gateways)
    await store.createJoinToken({ sha256: sha256(name), expiresAt: now + JOIN_WITHIN_MS, now, forGateway: true });
}
