/** `drover project trust`: decides for all workers of a project which tools may run its files. */
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { flag, required, rest } from '../../program/spec.ts';
import { TRUST_KINDS, type TrustKind, trustText } from './text.ts';

export const command = defineCommand({
  about: 'let direnv and mise run the files of a project in the places of all its workers',
  example: 'drover project trust shop\ndrover project trust shop mise\ndrover project trust shop direnv --no',
  args: {
    name: required('its name, as "drover project" shows it'),
    kinds: rest(`${TRUST_KINDS.join(', ')}; none: show the decisions`),
  },
  options: { no: flag('leave it untrusted, without a notice') },
  async run(surroundings, { args: { name, kinds }, options: { no } }) {
    const strange = kinds.find((kind) => !isKind(kind));
    if (strange !== undefined)
      throw new CommandError('usage', `"${strange}" is no kind of trust: choose from ${TRUST_KINDS.join(', ')}`);
    if (no && kinds.length === 0) throw new CommandError('usage', `Say what is not trusted: ${TRUST_KINDS.join(', ')}`);
    const project =
      kinds.length === 0
        ? await ask(surroundings, (client) => client.projects.show.query({ name }))
        : await ask(surroundings, (client) =>
            client.projects.trust.mutate({ name, kinds: kinds.filter(isKind), isTrusted: !no }),
          );
    answer(surroundings, project, trustText);
  },
});

function isKind(word: string): word is TrustKind {
  return TRUST_KINDS.some((kind) => kind === word);
}
