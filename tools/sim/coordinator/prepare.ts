// What is there before a schedule begins.
import { PATROL_KEY, sha256 } from '@drover/coordinator/testing';
import type { SimMachine } from '../machine/sim-machine.ts';
import { chatPolicyOf, linkChat } from '../people/chat.ts';
import type { World } from './world.ts';

/** Virtual time for which a machine may still join. */
const JOIN_WITHIN_MS = 60 * 60_000;

/** Main is on one of the machines, or where all of them reach it. */
const SOURCES = ['/source', 'https://git.example/demo.git'] as const;

/** What a schedule begins with. */
export interface Begun {
  readonly machines: readonly SimMachine[];
  readonly uuid: () => string;
  readonly now: number;
  readonly seed: number;
  /** Whether people are asked in a chat. */
  readonly hasChat: boolean;
}

/** A project, the machines that may join, and in some schedules a chat. */
export async function prepare({ open }: World, { machines, uuid, now, seed, hasChat }: Begun): Promise<void> {
  const store = open({ sleep: () => Promise.resolve(), random: () => 0 });
  const source = SOURCES[Math.floor(seed / 3) % SOURCES.length] ?? '';
  const config = {
    copyFiles: [],
    validate: [['npm', 'test']],
    validateTimeoutMs: 1_000,
    runHooks: false,
    preamble: '',
    ...(hasChat && { escalation: chatPolicyOf(seed) }),
  };
  await store.upsertProject(
    { id: uuid(), name: 'demo', source, root: '/srv/demo', defaultBranch: 'main', config },
    now,
  );
  await store.transaction((tx) => tx.schedule([{ kind: 'patrol', key: PATROL_KEY, dueAt: now + 60_000, payload: {} }]));
  if (hasChat) await linkChat(store, { uuid, now, seed });
  for (const { parts } of machines)
    await store.createJoinToken({ sha256: sha256(parts.name), expiresAt: now + JOIN_WITHIN_MS, now });
}
