/** Asks a person to compare the key that a host shows. */
import type { MachineView } from '@drover/api';
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { plain } from '../../terminal/style.ts';
import type { Surroundings } from '../../surroundings.ts';

/** @param repeat The command that confirms the key without a question. @throws {CommandError} `refused`, and then nothing is trusted. */
export async function confirmKey(
  surroundings: Surroundings,
  { name, ssh }: MachineView,
  repeat: string,
): Promise<void> {
  const { terminal } = surroundings;
  const fingerprint = ssh?.fingerprint ?? '';
  const shown = `"${plain(name)}" ${plain(ssh?.why ?? '')}.`;
  const look = 'On the host, "ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub" or the file of that kind prints it.';
  if (!process.stdin.isTTY || terminal.json)
    throw new CommandError('refused', `${shown} ${look} If it is the key of the host: ${repeat}`);
  terminal.out(`${shown}\n${look}`);
  const typed = await terminal.question('Type "yes" if it is the same: ');
  if (typed.trim() !== 'yes') throw new CommandError('refused', 'Nothing was trusted');
  await ask(surroundings, (client) => client.machines.trust.mutate({ name, fingerprint }));
}
