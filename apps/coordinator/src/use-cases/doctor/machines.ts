/** Checks the reports of machines for anything that hinders work, or distorts its times. */
import type { Policy } from '@drover/core';
import type { Machine, MachineCondition } from '@drover/store';
import { tellUnproven, unprovenOn } from '../../facts/machines/canary.ts';
import { clockOff, lacksProgram, presentCondition, shortOfMemory } from '../../facts/machines/condition.ts';
import { paymentOf } from '../../facts/machines/payment.ts';
import type { DoctorFacts, Finding } from './facts.ts';
import { orFine, problem, warning } from './finding.ts';

/** Builds one line of each check for each machine that reported within minutes. */
export function examineMachines(
  facts: Pick<DoctorFacts, 'machines' | 'workers' | 'projects' | 'now'>,
  policy: Policy,
): Finding[] {
  return facts.machines.flatMap((machine) => {
    const condition = presentCondition(machine, facts.now);
    if (condition === null) return [];
    const memory = shortOfMemory(condition, policy);
    return [
      ...clock(machine, condition, policy),
      ...(memory === null
        ? []
        : [
            warning('memory', machine.name, { says: `${memory}: Drover puts no worker there`, help: 'drover machine' }),
          ]),
      ...payments(facts, machine),
      ...unprovenOn(machine, facts.machines, policy).map((one) =>
        warning('canary', machine.name, {
          says: tellUnproven(one, policy),
          help: `drover profile try ${one.profile} --yes   (on that machine)`,
        }),
      ),
      ...usedProfiles(facts, machine).flatMap((profile) => {
        const lacks = lacksProgram(condition, profile);
        if (lacks === null) return [];
        const says = `${lacks.why}, but has workers that use it: Drover cannot restart their agents`;
        return [problem('program', machine.name, { says, help: `drover machine show ${machine.name}` })];
      }),
    ];
  });
}

function clock({ name }: Machine, condition: MachineCondition, policy: Policy): readonly Finding[] {
  const off = clockOff(condition, policy);
  const found = off === null ? [] : [warning('clock', name, { says: off, help: 'timedatectl   (on that machine)' })];
  return orFine('clock', name, { says: `its clock is within ${policy.placement.clockOffsetMs / 1_000} s`, found });
}

/** Builds a line for each profile whose workers on this machine pay, project by project. */
function payments(
  { workers, projects }: Pick<DoctorFacts, 'workers' | 'projects'>,
  machine: Machine,
): readonly Finding[] {
  return projects.flatMap((project) => {
    const own = workers.filter(({ projectId }) => projectId === project.id);
    return usedProfiles({ workers: own }, machine).flatMap((profile) => {
      const payment = paymentOf(machine, { profile, project });
      if (payment === null) return [];
      const says = `each worker of ${project.name} with the profile ${profile} pays ${payment.by}${payment.remedy}`;
      const help = payment.isRefused ? `drover project trust ${project.name} api-key` : null;
      return [
        { check: 'payment', about: machine.name, level: payment.isRefused ? 'warning' : 'ok', says, help } as const,
      ];
    });
  });
}

function usedProfiles({ workers }: Pick<DoctorFacts, 'workers'>, { id }: Machine): readonly string[] {
  return [...new Set(workers.filter(({ machineId }) => machineId === id).map(({ options }) => options.profile))];
}
