/** `drover project trust`: decides for all workers of a project what its files may do. */
import type { ProjectPageView } from '@drover/api';
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { flag, required, rest } from '../../program/spec.ts';
import { trustText } from './text.ts';

type TrustKind = ProjectPageView['trust'][number]['kind'];

const KINDS: Readonly<Record<TrustKind, true>> = {
  direnv: true,
  mise: true,
  folder: true,
  imports: true,
  mcp: true,
  hooks: true,
  'api-key': true,
};

const NAMES = Object.keys(KINDS).join(', ');

export const command = defineCommand({
  about: 'decide for all workers of a project which of its files and keys agents may use',
  example:
    'drover project trust shop\ndrover project trust shop mise mcp\ndrover project trust shop imports --no\ndrover project trust shop imports --forget',
  args: {
    name: required('its name, as "drover project" shows it'),
    kinds: rest(`${NAMES}; none: show the decisions`),
  },
  options: {
    no: flag('refuse it: agents continue without it, and Drover asks nobody'),
    forget: flag('revoke the decision: Drover asks again when an agent needs it'),
  },
  async run(surroundings, { args: { name, kinds }, options: { no, forget } }) {
    const strange = kinds.find((kind) => !isKind(kind));
    if (strange !== undefined)
      throw new CommandError('usage', `"${strange}" is not a kind of trust: choose from ${NAMES}`);
    if (no && forget)
      throw new CommandError('usage', 'Give either --no or --forget: --no refuses, --forget asks again');
    if ((no || forget) && kinds.length === 0) throw new CommandError('usage', `The kind of trust is missing: ${NAMES}`);
    const isTrusted = forget ? null : !no;
    const project =
      kinds.length === 0
        ? await ask(surroundings, (client) => client.projects.show.query({ name }))
        : await ask(surroundings, (client) =>
            client.projects.trust.mutate({ name, kinds: kinds.filter(isKind), isTrusted }),
          );
    answer(surroundings, project, trustText);
  },
});

function isKind(word: string): word is TrustKind {
  return Object.hasOwn(KINDS, word);
}
