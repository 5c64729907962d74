/** Adds up what agents used: by task, worker, project and day. */
import { sumTold, wallTimeAt } from '@drover/core';
import type { ReportView, SpentView } from '@drover/api';
import type { Project, TaskRow, UsageRow } from '@drover/store';
import { oncallPolicyOf } from '../../loop/escalations/oncall.ts';

type Cost = ReportView['cost'];

/** Tasks that are shown at most, the most expensive first. */
const TASKS_SHOWN = 10;
/** Characters of a prompt that name a task. */
const PROMPT_CHARS = 60;

interface Names {
  readonly projects: readonly Project[];
  readonly tasks: readonly Pick<TaskRow, 'id' | 'prompt'>[];
}

export function costOf(rows: readonly UsageRow[], { projects, tasks }: Names): Cost {
  const prompts = new Map(tasks.map(({ id, prompt }) => [id, prompt]));
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  const zones = new Map(projects.map((project) => [project.id, oncallPolicyOf(project).zone]));
  const by = <V extends object>(key: (row: UsageRow) => string, named: (row: UsageRow) => V): (V & SpentView)[] =>
    [...Map.groupBy(rows, key).values()]
      .flatMap((group) => (group[0] === undefined ? [] : [{ ...named(group[0]), ...spentBy(group) }]))
      .toSorted(mostFirst);
  const tasksOf = by(
    ({ taskId }) => taskId,
    ({ taskId, workerName }) => ({ task: taskId, worker: workerName, prompt: titleOf(prompts.get(taskId)) }),
  );
  return {
    inAll: spentBy(rows),
    tasks: tasksOf.slice(0, TASKS_SHOWN),
    workers: by(
      ({ workerName, projectId }) => `${projectId} ${workerName}`,
      ({ workerName }) => ({ worker: workerName }),
    ),
    projects: by(
      ({ projectId }) => projectId,
      ({ projectId }) => ({ project: names.get(projectId) ?? projectId }),
    ),
    otherTasks: Math.max(0, tasksOf.length - TASKS_SHOWN),
    days: by(
      ({ day }) => String(day),
      ({ day, projectId }) => ({ day, date: dateOf(day, zones.get(projectId) ?? 'UTC') }),
    ).toSorted((one, other) => other.day - one.day),
  };
}

function spentBy(rows: readonly UsageRow[]): SpentView {
  return {
    tokens: sumTold(rows.flatMap(({ input, output }) => [input, output])),
    cachedTokens: sumTold(rows.map(({ cached }) => cached)),
    dollars: sumTold(rows.map(({ money }) => money)),
    moreTokens: rows.some(({ input, output }) => input === null || output === null),
    moreDollars: rows.some(({ money }) => money === null),
    workedMs: rows.reduce((sum, { workedMs }) => sum + workedMs, 0),
  };
}

function dateOf(day: number, zone: string): string {
  const date = wallTimeAt(day, { name: zone });
  return [date.year, date.month, date.day].map((part) => String(part).padStart(2, '0')).join('-');
}

function mostFirst(one: SpentView, other: SpentView): number {
  return (
    (other.dollars ?? 0) - (one.dollars ?? 0) ||
    (other.tokens ?? 0) - (one.tokens ?? 0) ||
    other.workedMs - one.workedMs
  );
}

/** Names a task by the first line of its prompt; null: its row is gone. */
function titleOf(prompt: string | undefined): string | null {
  return prompt === undefined ? null : (prompt.trim().split('\n')[0] ?? '').slice(0, PROMPT_CHARS);
}
