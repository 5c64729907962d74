/** `drover machine trust`: confirms the key that a machine over SSH shows now. */
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { text } from '../../program/spec.ts';
import { plain } from '../../terminal/style.ts';
import { findMachine } from './by-name.ts';
import { MACHINE_NAME } from './change.ts';
import { confirmKey } from './confirm-key.ts';
import { machineText } from './text.ts';
import { fingerprintIn } from './typed.ts';

export const command = defineCommand({
  about: 'confirm the host key of a machine over SSH: Drover does not use it while its key is unknown',
  example: 'drover machine trust build-3\ndrover machine trust build-3 --host-key SHA256:…',
  more: 'First compare the fingerprint on the host itself: an impostor would get the work of your agents.',
  args: MACHINE_NAME,
  options: { hostKey: text('fingerprint', 'the fingerprint that you have compared; skips the question') },
  async run(surroundings, { args: { name }, options: { hostKey } }) {
    const machine = await findMachine(surroundings, name);
    const { ssh } = machine;
    if (ssh === null)
      throw new CommandError('refused', `"${plain(name)}" runs its own agent, not SSH: it has no host key to confirm`);
    if (hostKey !== undefined)
      await ask(surroundings, (client) => client.machines.trust.mutate({ name, fingerprint: fingerprintIn(hostKey) }));
    else if (ssh.fingerprint === null)
      throw new CommandError(
        'refused',
        `"${plain(name)}" shows no unconfirmed key now; confirmed: ${ssh.pinned.join(', ') || 'none'}`,
      );
    else await confirmKey(surroundings, machine, `drover machine trust ${plain(name)} --host-key ${ssh.fingerprint}`);
    answer(surroundings, await findMachine(surroundings, name), machineText);
  },
});
