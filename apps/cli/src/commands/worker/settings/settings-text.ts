/** Formats the settings of a worker. */
import type { WorkerSettingsView } from '@drover/api';
import { plain, table } from '../../../terminal/style.ts';
import type { Page } from '../../../program/answer.ts';

type Setting = WorkerSettingsView['settings'][number];

const AGENTS = {
  running: 'its agent runs with these settings, except where noted',
  unknown: 'its agent runs; its settings at the start are not known',
  down: 'its agent is not running',
} as const;

/** The page of `drover worker show`. */
export function settingsText(
  { worker, profile, labels, agent, index, env, pays, hears, setUp, settings }: WorkerSettingsView,
  { terminal }: Page,
): string {
  const rows = settings.map((setting) => [
    setting.name,
    told(setting.value),
    setting.from === 'worker' ? 'set for this worker' : 'from drover.toml',
    differs(setting),
  ]);
  const head = `${worker.name} is a worker of the profile ${plain(profile)}; ${AGENTS[agent]}`;
  const needs = labels.length === 0 ? [] : [`It goes only to machines with the labels ${labels.map(plain).join(', ')}`];
  const variables = Object.entries(env)
    .map(([name, value]) => `${name}=${plain(value)}`)
    .toSorted();
  const own = [
    `Its index is ${index}`,
    ...(variables.length === 0 ? [] : [`Its variables (repo.worker.env): ${variables.join(', ')}`]),
    ...(pays === null ? [] : [`It pays ${plain(pays)}`]),
    ...(hears === null ? [] : [`Drover hears by ${plain(hears)}`]),
    ...(setUp === null ? [] : [setUp.replace(/\.$/u, '')]),
  ];
  return [head, ...needs, ...own, '', table(rows, terminal.columns)].join('\n');
}

/** Describes the value that the running agent has until its next start, if that differs. */
function differs({ value, runs, reaches }: Setting): string {
  if (runs === null || told(runs.value) === told(value)) return '';
  return `from its ${reaches}; until then ${told(runs.value)}`;
}

function told(value: Setting['value']): string {
  if (value === null) return 'as the profile says';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(plain).join(', ');
  return value === '' ? 'none' : plain(String(value));
}
