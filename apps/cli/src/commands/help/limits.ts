/** `drover help limits`: prints how to limit what agents may do. */
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';

/** Limits on agents, and the place of each. */
const LIMITS = [
  {
    where: 'skip_permissions = false',
    does: 'in [defaults] of drover.toml: the agent asks before it uses a tool, and you answer',
  },
  {
    where: 'isolation = "bubblewrap"',
    does: 'in [profiles.NAME]: a cage on Linux, with its own files and programs, and no others',
  },
  { where: '[agent] of drover.toml', does: 'on each machine: the repositories, profiles and tools that it allows' },
  { where: 'drover project trust', does: 'which files and keys of a project its agents may use' },
] as const;

export const command = defineCommand({
  about: 'explain how to limit what agents may do: permissions, cage, trust',
  example: 'drover help limits\ndrover project trust shop',
  more: 'The options of drover.toml are in docs/configuration.md.',
  run(surroundings) {
    answer(surroundings, LIMITS, (limits) => limits.map(({ where, does }) => `${where}\n    ${does}`).join('\n'));
    return Promise.resolve();
  },
});
