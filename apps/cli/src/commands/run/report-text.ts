/** Formats the report of a run: what it did, what failed, what is lost, and what to do. */
import type { RunMessageView, RunView } from '@drover/api';
import type { Page } from '../../program/answer.ts';
import { ago, plain } from '../../terminal/style.ts';
import { runText } from './text.ts';

export interface RunReport {
  readonly run: RunView;
  readonly messages: readonly RunMessageView[];
}

export function runReportText({ run, messages }: RunReport, page: Page): string {
  const { createdAt, endedAt, by, degradation, retryOf } = run;
  const ended = endedAt === null ? 'it goes on' : `ended ${ago(page.now - endedAt)}`;
  const failures = run.stages.flatMap(({ items }) =>
    items.flatMap(({ name, failures: all }) => all.map(({ code, problem }) => `  ${name}: ${code}: ${plain(problem)}`)),
  );
  return [
    runText(run, page),
    '',
    `Began ${ago(page.now - createdAt)}${by === null ? '' : ` by ${plain(by)}`}; ${ended}.`,
    ...(retryOf === null ? [] : [`It tries run ${retryOf.slice(-8)} again.`]),
    spentLine(run),
    ...(failures.length === 0 ? ['No attempt failed.'] : ['Failed attempts:', ...failures]),
    `It is ${degradation.level}; it can still: ${degradation.capabilities.join(', ') || 'nothing'}.`,
    messagesLine(messages),
    ...nextLines(run),
  ].join('\n');
}

function minutes(ms: number): string {
  return `${Math.round(ms / 60_000)} min`;
}

function spentLine({ budget: { limit, spent } }: RunView): string {
  const time = `${minutes(spent.timeMs ?? 0)}${limit.timeMs === null ? '' : ` of ${minutes(limit.timeMs)}`}`;
  const tokens = spent.tokens === null ? 'tokens not told' : `${spent.tokens} tokens`;
  return `Spent: ${time}, ${tokens}.`;
}

function messagesLine(messages: readonly RunMessageView[]): string {
  const lost = messages.filter(({ state }) => state === 'expired' || state === 'refused').length;
  return `Messages of its agents: ${messages.length}${lost === 0 ? '' : `, of which ${lost} did not arrive`}.`;
}

function nextLines({ shortId, status, questions }: RunView): readonly string[] {
  if (questions.length > 0) return [`Next: answer its question above.`];
  if (status === 'finished' || status === 'running') return [];
  return [`Next: drover run retry ${shortId} --dry-run`, 'All errors with their remedies: drover report errors'];
}
