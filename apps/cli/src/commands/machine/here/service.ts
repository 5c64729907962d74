/** `drover machine service`: lets the system keep the agent of this machine running. */
import { CommandError } from '../../../exit-codes.ts';
import { answer } from '../../../program/answer.ts';
import { defineCommand } from '../../../program/define.ts';
import { required } from '../../../program/spec.ts';

const ACTIONS = ['install', 'status', 'uninstall'] as const;

export const command = defineCommand({
  about: 'run the agent of this machine as a systemd or launchd service: install, status, uninstall',
  example: 'drover machine service install\ndrover machine service status\ndrover machine service uninstall',
  more: `"install" writes a unit of your own user and starts it; run it again after an
upgrade, or when your PATH changed. Panes outlive the service: it may be
restarted or taken away at any time.`,
  args: { action: required(ACTIONS.join(', ')) },
  async run(surroundings, { args: { action: typed } }) {
    const action = ACTIONS.find((one) => one === typed);
    if (action === undefined)
      throw new CommandError('usage', `"drover machine service ${typed}" is none of ${ACTIONS.join(', ')}`);
    const { actOnService } = await import('../../../compose/service.ts');
    const outcome = await actOnService(surroundings, action);
    answer(surroundings, outcome, ({ message }) => message);
    if (action === 'status' && outcome.running === null) process.exitCode = 1;
  },
});
