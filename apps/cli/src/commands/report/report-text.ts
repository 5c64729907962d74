/** Formats a summary of recovery and cost. */
import type { ReportView, SpentView } from '@drover/api';
import type { Page } from '../../program/answer.ts';
import { age, ago, many, paint, plain, table, times } from '../../terminal/style.ts';

/** The page of `drover report`. */
export function reportText(report: ReportView, { terminal }: Pick<Page, 'terminal'>): string {
  const { colours, columns } = terminal;
  const bold = (text: string): string => paint(text, 'bold', colours);
  const of = report.worker === null ? 'all workers' : report.worker;
  const part = (title: string, rows: readonly (readonly string[])[]): string[] =>
    rows.length === 0
      ? []
      : [
          '',
          bold(title),
          ...table(rows, columns - 2)
            .split('\n')
            .map((line) => `  ${line}`),
        ];
  return [
    `Recovery and cost of ${of}, in the last ${windowText(report.now - report.since)}`,
    ...part('Summary', summaryRows(report)),
    ...part('Cost', costRows(report)),
    ...part('Errors', errorRows(report)),
    ...part('Failed tools of agents', report.tools.map(toolRow)),
    ...part('Incidents', incidentRows(report)),
    ...part(
      'Recovery by',
      report.recoveries.map(({ how, attempts, helped }) => [how, many(attempts, 'attempt'), `helped ${times(helped)}`]),
    ),
    ...part('Escalations', escalationRows(report)),
    ...part(
      'What helps',
      report.suggestions.map((text) => [plain(text)]),
    ),
    ...part(
      'See also',
      report.references.map(({ what, command }) => [plain(what), command]),
    ),
    ...(report.errors.length + report.incidents.total === 0 ? ['', 'Nothing went wrong.'] : []),
  ].join('\n');
}

/** Sums up the errors, and how much of them is over: `3 of 4 over, 75 %`. */
function summaryRows({ inAll: { errors, over }, escalations }: ReportView): string[][] {
  if (errors === 0) return [];
  const share = `${Math.round((over / errors) * 100)} %`;
  return [[many(errors, 'error'), `${over} over (${share})`, many(escalations.total, 'escalation')]];
}

/** Tells of one class of failed tools what was done, and how it ended. */
function toolRow({ class: name, count, ...of }: ReportView['tools'][number]): string[] {
  const open = count - of.recovered - of.answered - of.calledOff;
  const ways = [
    [of.retried, 'told to try again'],
    [of.filed, 'filed as work'],
    [of.asked, 'asked about'],
    [of.logged, 'only logged'],
  ] as const;
  const ends = [
    [of.recovered, 'recovered'],
    [of.answered, 'answered by a person'],
    [of.calledOff, 'called off'],
    [open, 'open'],
  ] as const;
  return [name.replace('_', ' '), times(count), partsText(ways), partsText(ends)];
}

function partsText(parts: readonly (readonly [number, string])[]): string {
  return parts.flatMap(([count, words]) => (count === 0 ? [] : [`${count} ${words}`])).join(', ');
}

function errorRows({ errors, now }: ReportView): string[][] {
  return errors.map(({ code, category, count, recovered, lastAt, lastWorker, lastMessage }) => [
    code,
    category.replace('_ERROR', '').toLowerCase(),
    times(count),
    `${recovered} recovered`,
    `${ago(now - lastAt)}${lastWorker === null ? '' : ` (${lastWorker})`}`,
    plain(lastMessage),
  ]);
}

function incidentRows({ incidents, timeToDetectMs, timeToRecoverMs, retriesBeforeSuccess }: ReportView): string[][] {
  if (incidents.total === 0) return [];
  const { total, open, recovered, resolved, escalated, cancelled, recoveryRate } = incidents;
  const rate = recoveryRate === null ? [] : [['recovery rate', `${Math.round(recoveryRate * 100)} %`]];
  const tries = retriesBeforeSuccess.map(
    ({ attempts, incidents: count }) => `${count} after ${many(attempts, 'attempt')}`,
  );
  return [
    [
      'in all',
      `${total}: ${recovered} recovered, ${resolved} answered by a person, ${escalated} taken over, ${cancelled} called off, ${open} open`,
    ],
    ...rate,
    ...(tries.length === 0 ? [] : [['recovered', tries.join(', ')]]),
    ...spanRow('time to detect', timeToDetectMs),
    ...spanRow('time to recover', timeToRecoverMs),
  ];
}

function spanRow(name: string, spans: ReportView['timeToDetectMs']): string[][] {
  if (spans === null) return [];
  const { p50, p90, max } = spans;
  return [[name, `half within ${span(p50)}, 90 % within ${span(p90)}, at most ${span(max)}`]];
}

/** Formats a window, in hours up to two days. */
function windowText(ms: number): string {
  const hours = Math.round(ms / 3_600_000);
  return hours >= 1 && hours < 48 ? `${hours}h` : age(ms);
}

/** Formats a span, with milliseconds below two seconds. */
function span(ms: number): string {
  return ms < 2_000 ? `${Math.round(ms)} ms` : age(ms);
}

function escalationRows({ escalations }: ReportView): string[][] {
  const { total, open, resolved, expired, cancelled } = escalations;
  if (total === 0) return [];
  return [[`${total} in all`, `${open} open, ${resolved} answered, ${expired} expired, ${cancelled} called off`]];
}

/** Lists the cost of the period's days; several workers, projects and days also one by one. */
function costRows({ cost }: ReportView): string[][] {
  const { inAll, tasks, workers, projects, days, otherTasks } = cost;
  if (tasks.length === 0) return [];
  const several = <V extends SpentView>(rows: readonly V[], name: (row: V) => string): string[][] =>
    rows.length < 2 ? [] : rows.map((row) => [name(row), ...spentText(row)]);
  return [
    ['in all', ...spentText(inAll)],
    ...several(projects, ({ project }) => `project ${plain(project)}`),
    ...several(days, ({ date }) => `day of ${date}`),
    ...several(workers, ({ worker }) => `worker ${plain(worker)}`),
    ...tasks.map((row) => [`task of ${plain(row.worker)}`, ...spentText(row), plain(row.prompt ?? row.task)]),
    ...(otherTasks === 0 ? [] : [[`${many(otherTasks, 'other task')}`, 'of less cost']]),
  ];
}

/** Words for what was used; what no program told is said to be unknown. */
function spentText({ tokens, cachedTokens, dollars, moreTokens, moreDollars, workedMs }: SpentView): string[] {
  const cached = cachedTokens === null || cachedTokens === 0 ? '' : ` and ${cachedTokens} cached`;
  return [
    tokens === null ? 'tokens unknown' : `${atLeast(moreTokens)}${many(tokens, 'token')}${cached}`,
    dollars === null ? 'dollars unknown' : `${atLeast(moreDollars)}$${dollars.toFixed(2)}`,
    `${age(workedMs)} at work`,
  ];
}

function atLeast(more: boolean): string {
  return more ? 'at least ' : '';
}
