/** `drover oncall test`: tests whether people can be reached, before a question waits all night. */
import type { TriedView } from '@drover/api';
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { optional } from '../../program/spec.ts';
import { showNotice } from '../../terminal/notice.ts';
import type { Surroundings } from '../../surroundings.ts';
import { triedText } from './text.ts';

/** Exits with `problems` if a place failed. */
export const command = defineCommand({
  about:
    'test notifications: the bell and the desktop here, and each chat and mail address of a step, or only one of them',
  example: 'drover oncall test\ndrover oncall test telegram:7\ndrover oncall test desktop',
  args: {
    place: optional('bell, desktop, person:NAME, or a place as "drover oncall" shows it (default: all)'),
  },
  async run(surroundings, { args: { place } }) {
    const { terminal } = surroundings;
    const isHere = place === undefined || place === 'bell' || place === 'desktop';
    if (isHere && place !== undefined && !terminal.interactive)
      throw new CommandError('usage', `The ${place} needs a terminal: run "drover oncall test ${place}" in one`);
    const places =
      isHere && place !== undefined
        ? []
        : await ask(surroundings, (client) => client.oncall.test.mutate(place === undefined ? {} : { place }));
    const here = isHere && terminal.interactive ? await tryHere(place, surroundings) : [];
    const tried = [...places, ...here];
    answer(surroundings, tried, (all) => triedText(all, { isTriedHere: !isHere || terminal.interactive }));
    if (tried.some(({ outcome }) => outcome === 'failed')) process.exitCode = 1;
  },
});

/** Tests the terminal itself and prints its abilities: only the person knows whether they heard it. */
async function tryHere(
  place: string | undefined,
  { terminal, environment }: Surroundings,
): Promise<readonly TriedView[]> {
  const tried: TriedView[] = [];
  if (place !== 'desktop') {
    terminal.bell();
    tried.push({ place: 'bell', outcome: 'sent', message: 'it rang in this terminal' });
  }
  if (place === 'bell') return tried;
  const notice = { title: 'Drover: a test', text: 'Drover notifies you about questions like this.' };
  const shown = await showNotice(notice, environment);
  switch (shown.kind) {
    case 'shown':
      return [...tried, { place: 'desktop', outcome: 'sent', message: 'the desktop accepted the notification' }];
    case 'no-desktop':
      return [...tried, { place: 'desktop', outcome: 'not-tried', message: 'there is no desktop here' }];
    case 'failed':
      return [...tried, { place: 'desktop', outcome: 'failed', message: shown.message }];
    default:
      return shown satisfies never;
  }
}
