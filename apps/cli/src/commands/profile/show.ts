/** `drover profile show`: prints a profile document that comes with Drover, as a start for one of your own. */
import { escapeHidden } from '@drover/core/hidden-characters';
import { CommandError } from '../../exit-codes.ts';
import { defineCommand } from '../../program/define.ts';
import { required } from '../../program/spec.ts';

/** Exits with `not-found` for any other name. */
export const command = defineCommand({
  about: 'print a built-in profile, as a template for your own',
  example: 'drover profile show claude > claude.json',
  args: { name: required('which profile') },
  async run({ terminal }, { args: { name } }) {
    const { BUILT_IN_DOCUMENTS } = await import('@drover/screen');
    const document = BUILT_IN_DOCUMENTS.find(({ id }) => id === name);
    const names = BUILT_IN_DOCUMENTS.map(({ id }) => id).join(', ');
    if (document === undefined)
      throw new CommandError('not-found', `There is no built-in profile "${name}"; there are: ${names}`);
    terminal.out(escapeHidden(JSON.stringify(document, null, 2)));
  },
});
