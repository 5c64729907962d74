/** Formats the trains of projects. */
import type { WorkerView } from '@drover/api';
import { ago, many, plain } from '../../terminal/style.ts';

/** Formats a paragraph for each project. `now` is epoch milliseconds. */
export function trainText(workers: readonly WorkerView[], now: number): string {
  const projects = [...new Set(workers.map(({ project }) => project))].toSorted();
  if (projects.length === 0) return 'No accepted work waits for its merge.';
  return projects
    .map((project) =>
      projectLines(
        project,
        workers.filter((worker) => worker.project === project),
        now,
      ).join('\n'),
    )
    .join('\n\n');
}

/** Tells whether the worker holds the merge lease of its project. */
function conducts({ accepting }: WorkerView): boolean {
  return accepting !== null && accepting !== 'waiting' && accepting !== 'aboard';
}

function projectLines(project: string, workers: readonly WorkerView[], now: number): readonly string[] {
  const accepted = workers.filter(({ accepting }) => accepting !== null);
  const conductor = accepted.find(conducts);
  const waiting = accepted.filter(({ accepting }) => accepting === 'waiting');
  const aboard = accepted.filter((one) => one !== conductor && !waiting.includes(one));
  return [
    `${project}: ${headline(conductor, accepted)}`,
    ...(conductor === undefined ? [] : [...placeLines(conductor), `${itemLine(conductor, 1, now)}${held(conductor)}`]),
    ...aboard
      .toSorted((one, other) => (one.train?.place ?? 0) - (other.train?.place ?? 0))
      .map((one) => itemLine(one, one.train?.place ?? 0, now)),
    ...waiting.map((one) => `  waits  ${one.name}: ${plain(one.note)} (${ago(now - one.since)})${held(one)}`),
    ...workers.flatMap((worker) => sentBackLines(worker, now)),
  ];
}

function held({ heldUp }: WorkerView): string {
  return heldUp === null ? '' : `; ${plain(heldUp)}`;
}

function headline(conductor: WorkerView | undefined, accepted: readonly WorkerView[]): string {
  if (conductor === undefined) {
    if (accepted.length === 0) return 'nothing is being merged';
    const isBroken = accepted.some(({ brokenBase }) => (brokenBase ?? null) !== null);
    return isBroken
      ? 'accepted work waits until the default branch passes the checks'
      : 'accepted work waits for its turn';
  }
  const { train, accepting, name } = conductor;
  if (train === null) return `"${name}" is being merged by itself (${accepting ?? ''})`;
  const runs = train.runs === 0 ? '' : `, ${many(train.runs, 'run')} of the checks so far`;
  return `a train of ${train.of}, ${doing(conductor)}${runs}`;
}

function placeLines({ checkedOn }: WorkerView): readonly string[] {
  return checkedOn === null ? [] : [`  checked on "${plain(checkedOn.machine)}": ${plain(checkedOn.why)}`];
}

function doing({ accepting, train }: WorkerView): string {
  const { names = [], at = null } = train ?? {};
  const first = names.slice(0, at ?? 0).join(', ');
  switch (accepting) {
    case 'checking':
      return at === 0 ? 'the checks run on the default branch alone' : `the checks run on ${first}`;
    case 'publishing':
      return `${first} is being published`;
    default:
      return accepting ?? 'being built';
  }
}

function itemLine({ name, accepting, since }: WorkerView, place: number, now: number): string {
  return `  ${String(place).padStart(5)}  ${name}: ${accepting ?? ''} (${ago(now - since)})`;
}

function sentBackLines({ name, sentBack }: WorkerView, now: number): readonly string[] {
  if (sentBack === null) return [];
  return [`  sent back ${ago(now - sentBack.at)}  ${name}: ${whySentBack(sentBack)}`];
}

/** Describes the reason why a train left without a piece of work. */
function whySentBack({ command, before }: NonNullable<WorkerView['sentBack']>): string {
  return `the check "${plain(command)}" fails with its work, and passes with that of ${before.join(', ')} before it`;
}
