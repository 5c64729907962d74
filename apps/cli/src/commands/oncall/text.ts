/** Formats on-call steps. */
import type { OncallView, SilenceView, TriedView } from '@drover/api';
import type { Page } from '../../program/answer.ts';
import { age, many, paint, plain, table } from '../../terminal/style.ts';

/** The page of `drover oncall`. */
export function oncallText(projects: readonly OncallView[], page: Page): string {
  if (projects.length === 0)
    return 'There is no project yet: "drover project apply", "drover project add" or "drover up" makes one.';
  return projects.map((one) => projectText(one, page)).join('\n\n');
}

function projectText(one: OncallView, { now, terminal }: Page): string {
  const { quiet, quietUntil, timeout, steps, silences, places, problems } = one;
  const night =
    quiet === null
      ? 'none'
      : `${quiet.from} to ${quiet.to} (${one.zone}), on ${quiet.days.join(', ')}; still notified: ${quiet.through}`;
  const held = one.held === 0 ? '' : `, ${many(one.held, 'call')} held back`;
  return [
    paint(plain(one.project), 'bold', terminal.colours),
    `Waiting   ${many(one.waiting, 'question')}${held}`,
    ...(steps.length === 0 ? ['Steps     none: Drover notifies nobody'] : []),
    ...steps.map(({ afterMs, notify }) => `Step      after ${age(afterMs)}: ${notify.map(nameOf).join(', ')}`),
    `Repeat    ${one.repeat === 0 ? 'no' : many(one.repeat, 'more round')}`,
    `Quiet     ${night}${quietUntil === null ? '' : `; now, for ${age(quietUntil - now)}`}`,
    `Reminder  ${age(one.ackReminderMs)} after an acknowledgement`,
    `Default   ${timeout === null ? 'none: a question waits for a person' : `"${timeout.answer}" after ${age(timeout.afterMs)}`}`,
    `Answers   need the role ${one.answerRole} or higher`,
    ...places.map(({ place, person }) => `Place     ${plain(place)}${person === null ? '' : ` (${plain(person)})`}`),
    ...silences.map((silence) => `Silence   ${silenceLine(silence, now)}`),
    ...problems.map((problem) => paint(`Problem   ${plain(problem)}`, 'yellow', terminal.colours)),
  ].join('\n');
}

const TARGETS: Readonly<Record<string, string>> = {
  '*': 'every place',
  first: 'the first place',
  others: 'the other places',
};

function nameOf(target: string): string {
  return TARGETS[target] ?? plain(target);
}

function silenceLine(silence: SilenceView, now: number): string {
  return `${silence.shortId}: ${aboutOf(silence)}, for ${age(silence.until - now)}, by ${plain(silence.by)}: ${plain(silence.reason)}`;
}

function aboutOf({ project, worker, machine, code }: SilenceView): string {
  const named = { project, worker, machine, code };
  const parts = Object.entries(named).flatMap(([what, name]) => (name === null ? [] : [`${what} ${plain(name)}`]));
  return parts.join(', ') || 'everything';
}

/** The result of `drover oncall silence`. */
export function silenceText(silence: SilenceView, { now }: Page): string {
  return `Drover notifies nobody about ${aboutOf(silence)} for ${age(silence.until - now)}. Questions wait in "drover escalation". End the silence with: drover oncall unsilence ${silence.shortId}`;
}

/** The result of `drover oncall test`. */
export function triedText(places: readonly TriedView[], { isTriedHere }: { readonly isTriedHere: boolean }): string {
  const rows = places.map(({ place, outcome, message }) => [plain(place), outcome.replace('-', ' '), plain(message)]);
  const here = isTriedHere ? [] : ['The bell and the desktop need a terminal: run this command in one.'];
  return [
    ...(rows.length === 0 ? ['No step notifies anybody: "drover oncall" says why.'] : [table(rows, 200)]),
    ...here,
  ].join('\n');
}
