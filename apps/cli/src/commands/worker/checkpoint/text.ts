/** Formats checkpoints, and the recovery from one. */
import type { CheckpointDetailView, CheckpointView, RecoveryPlanView } from '@drover/api';
import type { Page } from '../../../program/answer.ts';
import type { Terminal } from '../../../terminal/terminal.ts';
import type { Listing } from '../../../terminal/lists/listing.ts';
import { age, ago, paint, plain, table } from '../../../terminal/style.ts';

/** The list of `drover worker checkpoint`. */
export const CHECKPOINTS: Listing<CheckpointView> = {
  empty:
    'No checkpoints yet: Drover makes them while a worker is working, and "drover worker checkpoint create" makes one now.',
  nameOf: ({ shortId }) => shortId,
  columns: [
    { name: 'ID', of: ({ shortId }, { terminal }) => paint(shortId, 'cyan', terminal.colours) },
    { name: 'WORKER', of: ({ worker }) => worker },
    { name: 'AGE', of: ({ at }, { now }) => age(now - at) },
    { name: 'TYPE', of: ({ type }) => type },
    { name: 'FILES', of: ({ files }) => filesOf(files) },
    { name: 'REASON', of: ({ why }) => plain(why) },
  ],
};

/** Formats a checkpoint in one line. */
export function checkpointLine({ shortId, worker, files }: CheckpointView): string {
  return `Checkpoint ${shortId} of ${worker}: ${filesOf(files)}`;
}

function filesOf(files: number | null): string {
  if (files === null) return '';
  if (files === 0) return 'no uncommitted changes';
  return files === 1 ? '1 changed file' : `${files} changed files`;
}

/** The page of `drover worker checkpoint show`. */
export function checkpointText(one: CheckpointDetailView, { now, terminal }: Page): string {
  const facts = [
    ['worker', `${one.worker}, on machine ${plain(one.machine)}`],
    ['made', `${ago(now - one.at)}, ${one.type}${one.why === '' ? '' : `: ${plain(one.why)}`}`],
    ...(one.prompt === null ? [] : [['task', plain(one.prompt).slice(0, 100)]]),
    ['agent', one.conversation ? 'its conversation can be resumed' : 'it begins a new conversation'],
    ...(one.during === null ? [] : [['during', `${one.during}: the branch comes back as it was before that`]]),
    ...(one.head === '' ? [] : [['commit', one.head.slice(0, 10)]]),
  ];
  const whole = paint('complete: it can be restored', 'green', terminal.colours);
  const state = one.damage === null ? whole : paint(`damaged: ${plain(one.damage)}`, 'red', terminal.colours);
  return [
    `Checkpoint ${one.id}, ${state}`,
    table(
      facts.map(([name = '', value = '']) => [`  ${name}`, value]),
      terminal.columns,
    ),
    ...changeLines(one, terminal),
    ...nextLines(one),
  ].join('\n');
}

function changeLines({ changes: files, changeCount, skipped }: CheckpointDetailView, terminal: Terminal): string[] {
  const rows = files.map(({ path, added, deleted }) => [
    `  ${plain(path)}`,
    added === null || deleted === null ? 'binary' : `+${added} -${deleted}`,
  ]);
  const more = changeCount > files.length ? [`  and ${changeCount - files.length} more`] : [];
  const not = skipped.map(({ path, why }) => `  ${plain(path)} (${why === 'too-large' ? 'too large' : why})`);
  return [
    ...(rows.length === 0 ? ['No uncommitted changes.'] : ['Uncommitted changes:', table(rows, terminal.columns)]),
    ...more,
    ...(not.length === 0 ? [] : ['Changed, but not in the checkpoint:', ...not]),
  ];
}

function nextLines({ damage, shortId, worker }: CheckpointDetailView): string[] {
  return damage === null ? ['', `To restore it: drover worker recover ${worker} --checkpoint ${shortId}`] : [];
}

/** Formats the plan or the result of a recovery. */
export function planText(
  { worker, checkpoint, passedOver, steps, requested }: RecoveryPlanView,
  { now }: Pick<Page, 'now'>,
): string {
  const { shortId, at, type } = checkpoint;
  const whose = checkpoint.worker === worker ? '' : ` of ${checkpoint.worker}`;
  const damaged = passedOver.map((one) => `Checkpoint ${one.shortId} is damaged: ${plain(one.damage)}`);
  const verb = requested ? 'goes' : 'would go';
  return [
    ...damaged,
    `${worker} ${verb} back to checkpoint ${shortId}${whose} (${type}, ${ago(now - at)}), which is whole:`,
    ...steps.map((step, index) => `  ${index + 1}. ${plain(step)}`),
    ...(requested ? [] : ['This was a dry run: leave out --dry-run to do it.']),
  ].join('\n');
}
