/** Formats runs. */
import type { RunEventView, RunLine, RunMessageView, RunPlanView, RunRetryPlanView, RunView } from '@drover/api';
import type { Page } from '../../program/answer.ts';
import { age, ago, paint, plain, table } from '../../terminal/style.ts';
import type { Style } from '../../terminal/style.ts';
import { NEEDED_TEXT } from './needed-text.ts';

const STYLES: Readonly<Record<string, Style>> = {
  finished: 'green',
  passed: 'green',
  waiting: 'yellow',
  paused: 'yellow',
  partial: 'yellow',
  failed: 'red',
  stopped: 'dim',
};

function painted(status: string, { terminal }: Page): string {
  return paint(status, STYLES[status] ?? 'bold', terminal.colours);
}

/** The page of `drover run`. */
export function runsText(runs: readonly RunLine[], page: Page): string {
  if (runs.length === 0) return 'No run is open: start one with drover run change "what to do".';
  const rows = runs.map((run) => [
    run.shortId,
    painted(run.status, page),
    run.flow,
    run.stage ?? '-',
    ago(page.now - run.createdAt),
    plain(run.goal),
  ]);
  return table([['RUN', 'STATUS', 'FLOW', 'STAGE', 'AGE', 'GOAL'], ...rows], page.terminal.columns);
}

/** The page of one run. */
export function runText(run: RunView, page: Page): string {
  const head = `run ${run.shortId}  ${painted(run.status, page)}  ${run.flow}: ${plain(run.goal)}`;
  const rows = run.stages.flatMap((stage) => stageRows(stage, page));
  const merged = run.merged === null ? [] : ['', `Merged as ${run.merged.slice(0, 12)}.`];
  const { level, summary } = run.degradation;
  const lost = level === 'full' ? [] : ['', ...summary.split('\n').map((line) => `  ${plain(line)}`)];
  const shown = [head, plain(run.why), '', table(rows, page.terminal.columns), '', usedLine(run), ...merged, ...lost];
  return [...shown, ...questionLines(run)].join('\n');
}

function usedLine({ budget: { limit, spent } }: RunView): string {
  const used = [
    ofLimit(spent.timeMs ?? 0, limit.timeMs, age),
    spent.tokens === null ? 'tokens not told' : `${ofLimit(spent.tokens, limit.tokens, String)} tokens`,
    ...(spent.money === null ? [] : [ofLimit(spent.money, limit.money, dollars)]),
  ];
  return `Used: ${used.join(', ')}.`;
}

function ofLimit(used: number, limit: number | null, text: (amount: number) => string): string {
  return limit === null ? text(used) : `${text(used)} of ${text(limit)}`;
}

function dollars(amount: number): string {
  return `$${amount.toFixed(2)}`;
}

type StageView = RunView['stages'][number];

function stageRows(stage: StageView, page: Page): readonly (readonly string[])[] {
  const row = [stage.name, painted(stage.status, page), wordsOf(stage)];
  const isOne = stage.items.length < 2;
  return [
    row,
    ...(isOne ? [] : stage.items.map((item) => [`  ${item.name}`, painted(item.status, page), itemWords(item)])),
  ];
}

function wordsOf(stage: StageView): string {
  const [item, ...others] = stage.items;
  return item === undefined || others.length > 0 ? plain(stage.why) : itemWords(item);
}

function itemWords({ why, worker, commit, summary, attempt, failures, tokens }: StageView['items'][number]): string {
  const words = [
    plain(why).replace(/\.$/u, ''),
    ...(worker === null ? [] : [`by ${worker}`]),
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
    ...(commit === null ? [] : [commit.slice(0, 12)]),
    ...(why.includes(summary) ? [] : [plain(summary)]),
    ...(tokens === null ? [] : [`${tokens} tokens`]),
    ...failures.slice(-1).map(({ code, problem }) => `${code}: ${plain(problem)}`),
  ];
  return words.filter((word) => word !== '').join(', ');
}

function questionLines({ shortId, questions }: RunView): readonly string[] {
  return questions.flatMap(({ id, item, text, options, parts, commit, report }) => [
    '',
    `It asks about ${item}: ${plain(text)}`,
    ...(commit === null ? [] : [`  commit ${commit.slice(0, 12)}`]),
    ...(parts ?? []).map(({ title, paths }, at) => `  ${at + 1}. ${plain(title)} (${paths.map(plain).join(', ')})`),
    ...(report === '' ? [] : report.split('\n').map((line) => `  ${plain(line)}`)),
    ...options.map(({ option, text: label }) => {
      const words = NEEDED_TEXT[option];
      const which = questions.length > 1 ? ` --question ${id}` : '';
      return `  drover answer ${shortId} ${option}${words === undefined ? '' : ` "${words}"`}${which}   ${plain(label)}`;
    }),
  ]);
}

/** The page of `drover run why`. */
export function runEventsText(events: readonly RunEventView[], { now }: Page): string {
  if (events.length === 0) return 'Nothing has happened to it yet.';
  // Reports of usage and budgets repeat: `drover run show` has the sum.
  return events
    .filter(({ kind, lines }) => (kind !== 'usage' && kind !== 'budget-told') || lines.length > 0)
    .flatMap(({ seq, at, kind, by, lines }) => [
      `${String(seq).padStart(4)}  ${ago(now - at)}  ${kind}${by === null || by === 'policy' ? '' : ` by ${plain(by)}`}`,
      ...lines.map((line) => `        ${plain(line)}`),
    ])
    .join('\n');
}

/** The page of `drover run messages`. */
export function runMessagesText(messages: readonly RunMessageView[], { now }: Page): string {
  if (messages.length === 0) return 'Its agents have sent no messages.';
  return messages
    .map(({ at, from, to, text, state, why }) => {
      const end = why === null ? state : `${state}: ${plain(why)}`;
      return `${ago(now - at)}  ${plain(from)} → ${plain(to)} (${end}): ${plain(text)}`;
    })
    .join('\n');
}

/** The page of `--dry-run`. */
export function runPlanText(
  { flow, stages, budget, workers, free, problems }: RunPlanView,
  { terminal }: Page,
): string {
  const rows = stages.map(({ name, kind, words }) => [name, kind, plain(words)]);
  return [
    `${flow}: ${budget}, ${workers} workers at a time`,
    '',
    table(rows, terminal.columns),
    '',
    ...(free.length === 0 ? [] : ['Workers:', ...free.map((line) => `  ${plain(line)}`)]),
    ...problems.map((problem) => `Problem: ${plain(problem)}`),
    'Nothing was started.',
  ].join('\n');
}

/** The page of `drover run retry --dry-run`. */
export function runRetryPlanText({ of, adopted, skipped, from, begins, messages }: RunRetryPlanView): string {
  return [
    `Another try of run ${of} would`,
    adopted.length === 0 ? '  take over nothing' : `  take over ${adopted.join(', ')}`,
    ...(skipped.length === 0 ? [] : [`  leave out ${skipped.join(', ')}`]),
    from === null
      ? '  have nothing left to do'
      : `  go on with ${from}${begins.length === 0 ? '' : `, at once: ${begins.join(', ')}`}`,
    ...(messages === 0 ? [] : [`  tell its agents ${messages} messages of the former ones`]),
    'Nothing was started.',
  ].join('\n');
}
