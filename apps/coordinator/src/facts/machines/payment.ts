/** Tells which account pays for a worker's agent, as far as its machine and the project's trust say so. */
import { trusts } from '@drover/core';
import type { Machine, Project } from '@drover/store';

/** The variable whose key Claude Code asks about before it pays with it. */
const ASKED = 'ANTHROPIC_API_KEY';

/** Payment of an agent. `by`: words that follow "pays". `isRefused`: a key is there that the project does not let it use. */
export interface Payment {
  readonly by: string;
  readonly isRefused: boolean;
}

/** Returns the payment of a profile's agents on a machine; null: the machine does not tell. */
export function paymentOf(
  { condition }: Pick<Machine, 'condition'>,
  { profile, project }: { readonly profile: string; readonly project: Pick<Project, 'name' | 'trust'> },
): Payment | null {
  const keys = condition?.programs.find(({ of, name }) => of === 'profile' && name === profile)?.keys;
  if (keys === undefined) return null;
  const [taken] = keys.filter((name) => name !== ASKED);
  if (taken !== undefined) return { by: `by ${taken} of its environment`, isRefused: false };
  if (!keys.includes(ASKED)) return { by: 'by the login of its program', isRefused: false };
  const remedy = `"drover project trust ${project.name} api-key`;
  return trusts(project.trust, 'api-key') === true
    ? { by: `by the key ${ASKED} of its environment; ${remedy} --no" refuses it`, isRefused: false }
    : {
        by: `by the login of its program: the key ${ASKED} of its environment is refused; ${remedy}" accepts it`,
        isRefused: true,
      };
}
