/** Finds problems of machines over SSH: unreached machines, and missing parts of each host, with the remedy. */
import type { Machine, SshMachine } from '@drover/store';
import { sshView } from '../../facts/machines/ssh.ts';
import type { DoctorFacts, Finding } from './facts.ts';
import { problem, warning } from './finding.ts';

/** Examines the machine, and the missing parts of its host. */
export function examineOverSsh(
  { name, ssh }: Machine & { readonly ssh: SshMachine },
  { now }: DoctorFacts,
): readonly Finding[] {
  const { state, why } = sshView(ssh, now);
  const lacks = ssh.findings.flatMap(({ level, says, help, command }): readonly Finding[] => {
    if (level === 'ok') return [];
    const advice = { says, help: command === null ? help : `${command}   (on that host)` };
    return [level === 'problem' ? problem('host', name, advice) : warning('host', name, advice)];
  });
  if (state === 'connected')
    return [{ check: 'machine', about: name, level: 'ok', says: 'connected over SSH', help: null }, ...lacks];
  // The missing parts explain everything.
  if (state === 'lacks' && lacks.length > 0) return lacks;
  return [problem('machine', name, { says: why ?? 'is being connected', help: helpFor(name, ssh, state) }), ...lacks];
}

function helpFor(name: string, { onlyGateway }: SshMachine, state: ReturnType<typeof sshView>['state']): string | null {
  switch (state) {
    case 'waiting':
      return onlyGateway === null
        ? 'drover server gateway   (or drover up)'
        : `drover server gateway   (where "${onlyGateway.name}" runs)`;
    case 'key-unknown':
    case 'key-changed':
      return `drover machine trust ${name}`;
    case 'lost':
      return `drover machine show ${name}   (Drover retries while its gateway runs)`;
    default:
      return null;
  }
}

/** Reports gateways that a person revoked. Machines that such a gateway alone may serve wait for a decision. */
export function revokedGateways({ gateways, machines }: DoctorFacts): readonly Finding[] {
  return gateways
    .filter(({ revokedAt }) => revokedAt !== null)
    .map(({ id, name }) => {
      const bound = machines.filter(({ ssh }) => ssh?.onlyGateway?.id === id).map((machine) => machine.name);
      if (bound.length === 0)
        return warning('gateway', name, { says: 'revoked', help: `drover gateway remove ${name}` });
      const says = `revoked, but only it may serve: ${bound.join(', ')}`;
      const help = `drover machine invite --gateway   (or: drover gateway remove ${name} --force)`;
      return problem('gateway', name, { says, help });
    });
}
