/** Puts workers of tests into cages of real bubblewrap. */
import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLocalHost } from '@drover/host';
import { examineCage } from '../../src/cage/examine.ts';
import type { MachineAgentOptions } from '../../src/index.ts';
import type { Place, TestMachine } from './machine.ts';

const REPOSITORY = fileURLToPath(new URL('../../../..', import.meta.url));
const ability = await examineCage(createLocalHost({ env: process.env }));

/** Reason why this machine has no cages, as the end of a title; empty where it has. */
export const notRun = ability.kind === 'missing' ? ` (not run: ${ability.says})` : '';

/** Options of a machine agent whose workers are in cages. */
export function caged(machine: TestMachine): Partial<MachineAgentOptions> {
  const { profiles } = machine.plainOptions;
  writeFileSync(machine.witness, '', { flag: 'a' });
  const sim = { args: [], env: {}, ...profiles['sim'] };
  return {
    profiles: { sim: { ...sim, isolation: 'bubblewrap', isolation_writes: [machine.witness] } },
    programs: [REPOSITORY, dirname(process.execPath)],
    env: { ...machine.plainOptions.env, SSH_AUTH_SOCK: '/run/agent', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/bus' },
  };
}

/** Opens the first worker of a machine in a cage. */
export async function openInCage(machine: TestMachine): Promise<Place> {
  await machine.agent(caged(machine));
  const settings = machine.worker();
  return { settings, incarnation: await machine.ready(settings) };
}
