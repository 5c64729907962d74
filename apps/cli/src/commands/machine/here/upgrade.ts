/** `drover machine upgrade`: installs another version on this machine, if its agent reaches the coordinator. */
import path from 'node:path';
import { answer } from '../../../program/answer.ts';
import { defineCommand } from '../../../program/define.ts';
import { required } from '../../../program/spec.ts';

export const command = defineCommand({
  about: 'install another version of Drover on this machine, and roll back if it fails',
  example: 'drover machine upgrade ./drover-0.2.0-linux-x64.tgz',
  more: `The service stops once it has ended what it does. The agent of the new version
must then reach the coordinator before it takes the place of the old one;
otherwise, and where its service does not run, the old version comes back. Panes
go on all the while. The user who types it must be the one who installed Drover
with npm.`,
  args: { file: required('the package, as "npm run build" makes it') },
  async run(surroundings, { args: { file } }) {
    const { createLocalHost } = await import('@drover/host');
    const { serviceOf } = await import('../../../compose/service.ts');
    const { isThere } = await import('../../../service/steps.ts');
    const { installedPackage, upgrade } = await import('../../../service/upgrade.ts');
    const { environment, terminal } = surroundings;
    const service = serviceOf(surroundings);
    const upgraded = await upgrade({
      host: createLocalHost({ env: environment.variables }),
      root: await installedPackage(process.argv[1]),
      file: path.resolve(surroundings.cwd, file),
      service: (await isThere(service.file)) ? service : null,
      warn: (text) => terminal.err(text),
    });
    answer(surroundings, upgraded, ({ from, to, isServed }) => {
      const next = isServed ? 'Its service runs.' : 'Start "drover server agent" again.';
      return `Upgraded Drover from ${from} to ${to}; its agent has reached the coordinator. ${next}`;
    });
  },
});
