// Checks that the simulation sees a fleet that breaks its promises about places, projects, settings and gateways. Each is broken on purpose
// here.
import type { Command } from '@drover/core';
import type { MachineStarts } from '@drover/machine-agent/testing';
import type { Machine, SavedDecision } from '@drover/store';
import type { ScheduleOptions } from './schedule.ts';
import { changed, expectNoticed } from './tampering.ts';

type Tamper = Partial<ScheduleOptions>;

expectNoticed('some schedules run', [
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
]);

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
