/** Finds texts of people that no agent has read, and notifies people when no agent will read them. */
import { record, rule } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import { excerpt } from '../policy/texts.ts';
import { textsOfPeople, unsentTexts } from '../worker/mailbox.ts';
import type { Text } from '../worker/mailbox.ts';
import type { Worker } from '../worker/worker.ts';

/** Returns everything that the agent has not read: held back when a person was asked or a budget was spent, to be typed, or in its program's own queue. */
export function unreadTexts({ incident, mailbox, budget: { mark } }: Worker): readonly Text[] {
  const kept = mark.kind === 'handing-back' ? mark.kept : [];
  return [...(incident.open?.held ?? []), ...kept, ...unsentTexts(mailbox), ...mailbox.queued];
}

/** Tells people which of their texts among these may reach no agent any more. `why` begins the notice. */
export function tellUnread(step: Step, texts: readonly Text[], why: string): Step {
  const lost = textsOfPeople(texts).filter(({ isOfRun = false }) => !isOfRun);
  const words = lost.map(({ text }) => `"${excerpt(text)}"`);
  if (words.length === 0) return step;
  return record(rule(step, 'words-dropped'), { kind: 'notice', text: `${why}: ${words.join(', ')}` });
}
