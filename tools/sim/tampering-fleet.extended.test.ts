// Checks that the simulation sees a fleet that breaks its promises about places, projects, settings and gateways. Each is broken on purpose
// here.
import type { Command } from '@drover/core';
import type { MachineStarts } from '@drover/machine-agent/testing';
import type { Machine, SavedDecision, StoreTransaction } from '@drover/store';
import { changedMethods } from './changed-methods.ts';
import type { StoreClient } from '@drover/store/testing';
import { expect, test } from 'vitest';
import { runSchedule } from './schedule.ts';
import type { ScheduleOptions } from './schedule.ts';

/** Schedules in which each must be noticed, from the one in which it was when this was written. */
const SEEDS = 1_200;
const WITHIN_MS = 1_200_000;

type Tamper = Pick<ScheduleOptions, 'tamperStore' | 'tamperHands' | 'tamperStarts' | 'obeysAll'>;

test.each<[string, number, Tamper, RegExp]>([
  ['a coordinator that overlooks cordons', 1, machinesAre({ cordon: null }), /closed by somebody/],
  ['a coordinator that overlooks labels', 2, machinesAre({ labels: ['fast', 'gpu'] }), /which lacks/],
  ['a coordinator that overlooks how much room there is', 2, machinesAre({ capacity: null }), /of \d workers/],
  ['a machine with one clone for all projects', 1, { tamperHands: oneClone() }, /another project|never was|unseen/],
  ['a machine that starts agents with other settings', 1, { tamperHands: startsOther() }, /runs with .* is shown with/],
  ['a coordinator that starts agents with former settings', 1, commandsAre(startedBefore), /is started with/],
  ['a coordinator that checks with former commands', 1, commandsAre(checkedBefore), /is checked by/],
  ['hosts that obey every gateway', 328, { obeysAll: true }, /a gateway with the epoch \d+ acts/],
  ['a coordinator that forgets leases', 13, leasesAreFree(), /has its lease/],
  ['a coordinator that gives each gateway one epoch', 13, epochsStay(), /as by the gateway before/],
  ['machines that say with each list that they have started again', 1, { tamperStarts: saysAlways }, /is told as gone/],
  ['machines that note a restart and do not tell it', 1, { tamperStarts: notesAlone }, /and no list has told it/],
])(
  'given %s, when some schedules run, then a promise counts as broken',
  async (_what, first, tamper, expected) => {
    let violation: string | null = null;

    for (let seed = first; seed < first + SEEDS && violation === null; seed += 1)
      ({ violation } = await runSchedule(seed, { keepLines: false, ...tamper }));

    expect(violation).toMatch(expected);
  },
  WITHIN_MS,
);

function saysAlways(starts: MachineStarts): MachineStarts {
  return { ...starts, hasStartedAgain: () => Promise.resolve(true) };
}

function notesAlone(starts: MachineStarts): MachineStarts {
  return {
    ...starts,
    async hasStartedAgain() {
      await starts.hasStartedAgain();
      return false;
    },
  };
}

/** A store whose transactions, and reads of machines, are changed. */
function changed(
  tx: (tx: StoreTransaction) => Partial<StoreTransaction>,
  read: (machine: Machine) => Machine = (machine) => machine,
): Tamper {
  return {
    tamperStore: (store: StoreClient) => ({
      ...store,
      listMachines: async () => (await store.listMachines()).map(read),
      transaction: (work) =>
        store.transaction((inner) =>
          work(
            changedMethods(inner, {
              listMachines: async () => (await inner.listMachines()).map(read),
              readMachine: async (id) => {
                const machine = await inner.readMachine(id);
                return machine === null ? null : read(machine);
              },
              ...tx(inner),
            }),
          ),
        ),
    }),
  };
}

function machinesAre(change: Partial<Machine>): Tamper {
  return changed(
    () => ({}),
    (machine) => ({ ...machine, ...change }),
  );
}

function leasesAreFree(): Tamper {
  return changed(
    () => ({}),
    (machine) => ({
      ...machine,
      ssh: machine.ssh && { ...machine.ssh, gateway: machine.ssh.gateway && { ...machine.ssh.gateway, until: 0 } },
    }),
  );
}

function epochsStay(): Tamper {
  return changed((tx) => ({ saveSsh: (id, ssh) => tx.saveSsh(id, { ...ssh, epoch: Math.min(ssh.epoch, 1) }) }));
}

type Given = SavedDecision['commands'][number];

function commandsAre(change: (command: Given, of: Command) => Given): Tamper {
  return changed((tx) => ({
    saveDecisions: (decisions) =>
      tx.saveDecisions(
        decisions.map(({ commands, ...decision }) => ({
          ...decision,
          commands: commands.map((command) =>
            command.body.kind === 'command' ? change(command, command.body.command) : command,
          ),
        })),
      ),
  }));
}

function startedBefore(command: Given, { kind }: Command): Given {
  return kind === 'open' ? { ...command, settings: { ...command.settings, model: 'of before' } } : command;
}

function checkedBefore({ settings, ...command }: Given, { kind }: Command): Given {
  const validate = kind === 'validate' ? [['make', 'before']] : settings.project.validate;
  return { ...command, settings: { ...settings, project: { ...settings.project, validate } } };
}

function oneClone(): NonNullable<Tamper['tamperHands']> {
  return (hands, clones) => ({
    ...hands,
    carryOut: (running, command) => {
      const { settings } = running;
      const project = { ...settings.project, id: clones.firstId };
      return hands.carryOut({ ...running, settings: { ...settings, project } }, command);
    },
  });
}

function startsOther(): NonNullable<Tamper['tamperHands']> {
  return (hands) => ({
    ...hands,
    carryOut: (running, command) =>
      hands.carryOut({ ...running, settings: { ...running.settings, model: 'another' } }, command),
  });
}
