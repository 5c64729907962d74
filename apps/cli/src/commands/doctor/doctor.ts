/** `drover doctor`: finds problems here and in the fleet, and repairs some of them. Exits with 6 when a problem is left. */
import type { DiagnosisView } from '@drover/api';
import { ask } from '../../client/client.ts';
import type { Finding } from './here.ts';
import { confirm } from '../../terminal/confirm.ts';
import { readEndpoint } from '../../client/endpoint.ts';
import { CommandError } from '../../exit-codes.ts';
import { defineCommand } from '../../program/define.ts';
import { flag, text } from '../../program/spec.ts';
import type { Values } from '../../program/spec.ts';
import { findingText, isSick } from './text.ts';
import { clockTime, plain } from '../../terminal/style.ts';
import type { Surroundings } from '../../surroundings.ts';

const OPTIONS = {
  repair: flag('apply the safe repairs; each is shown first'),
  rebuild: flag('restore workers whose rows are lost, from their worktrees and sessions'),
  restore: text('date', 'with --repair: restore the newest backup of that date'),
  newDatabase: flag('with --repair: set a damaged database aside and start with an empty one'),
  removeDatabase: text(
    'name',
    'remove the database of a root that no longer exists, by the name that the doctor shows; its backups stay',
  ),
  dryRun: flag('show what would be done, without doing it'),
  yes: flag('do not ask'),
} as const;

type Choice = Values<typeof OPTIONS>;

/** A repair, as planned and as done. */
type Planned = { readonly key: string; readonly worker: string; readonly does: string };
type Cured = { readonly key: string; readonly done: boolean; readonly says: string };

const NOTHING: DiagnosisView = { findings: [], repairs: [], rebuilds: [] };

/** Exits with `problems` when some are left. */
export const command = defineCommand({
  about: 'find problems here and in the fleet, and repair what can be repaired safely',
  example:
    'drover doctor\ndrover doctor --repair --dry-run\ndrover doctor --repair\ndrover doctor --repair --restore 2026-11-22\ndrover doctor --rebuild\ndrover doctor --remove-database postgres-6P9rC5',
  options: OPTIONS,
  async run(surroundings, { options: choice }) {
    refuseContradiction(choice);
    if (choice.restore !== undefined) {
      const { restore } = await import('./restore.ts');
      await restore(surroundings, { ...choice, date: choice.restore });
      return;
    }
    if (choice.newDatabase) {
      const { beginAnew } = await import('./restore.ts');
      await beginAnew(surroundings, choice);
      return;
    }
    const { examineClusters, removeDatabase } = await import('./clusters.ts');
    if (choice.removeDatabase !== undefined) {
      await removeDatabase(surroundings, { ...choice, name: choice.removeDatabase });
      return;
    }
    const { terminal } = surroundings;
    const { examineHere } = await import('./here.ts');
    const here = await examineHere(surroundings);
    const clusters = await examineClusters(surroundings);
    const [about, fleet] = await diagnosed(surroundings);
    const findings = [...here, ...clusters, ...about, ...fleet.findings];
    const planned: readonly Planned[] = choice.rebuild ? fleet.rebuilds : choice.repair ? fleet.repairs : [];
    if (!terminal.json) {
      for (const finding of findings) terminal.out(findingText(finding, terminal));
      showPlan(surroundings, choice, fleet);
    }
    const cured = planned.length > 0 && !choice.dryRun ? await cure(surroundings, choice, planned) : [];
    const left =
      cured.length > 0
        ? [...(await examineHere(surroundings)), ...(await diagnosed(surroundings)).flatMap(findingsIn)]
        : findings;
    const sick = left.filter(isSick);
    if (terminal.json)
      terminal.out(
        JSON.stringify({
          ok: sick.length === 0,
          findings: left,
          repairs: fleet.repairs,
          rebuilds: fleet.rebuilds,
          done: cured,
        }),
      );
    if (sick.length > 0)
      throw new CommandError(
        'problems',
        `${sick.length} of ${left.length} checks found a problem${cured.length > 0 ? ' after the repairs' : ''}`,
      );
  },
});

function refuseContradiction({ repair, rebuild, restore, newDatabase, removeDatabase }: Choice): void {
  if (removeDatabase !== undefined && (repair || rebuild))
    throw new CommandError(
      'usage',
      '--remove-database cannot be combined: run --repair or --rebuild in another command',
    );
  if (newDatabase && (!repair || restore !== undefined))
    throw new CommandError(
      'usage',
      '--new-database starts without a backup: give --repair with it, and leave --restore out',
    );
  if (restore !== undefined && !repair) throw new CommandError('usage', '--restore is a repair: add --repair');
  if (repair && rebuild) throw new CommandError('usage', 'Give either --repair or --rebuild: run one after the other');
}

/** Returns the state of the coordinator, and its findings about the fleet. A coordinator that is not up is no problem. */
async function diagnosed(surroundings: Surroundings): Promise<readonly [readonly Finding[], DiagnosisView]> {
  const { line, findingsOf } = await import('./here.ts');
  const { paths, environment } = surroundings;
  if (environment.url === undefined && (paths === null || (await readEndpoint(paths.dataDir)) === null))
    return [
      [
        line('coordinator', 'coordinator', {
          says: 'not up; start it with "drover up" to check the workers too',
          help: null,
        }),
      ],
      NOTHING,
    ];
  let fleet = NOTHING;
  const about = await findingsOf('coordinator', async () => {
    const [info, diagnosis] = await ask(surroundings, (client) =>
      Promise.all([client.info.query(), client.doctor.diagnose.query()]),
    );
    fleet = diagnosis;
    return [
      line('coordinator', 'coordinator', {
        says: `up since ${clockTime(info.startedAt)}, version ${info.version}`,
        help: null,
      }),
    ];
  });
  return [about, fleet];
}

function findingsIn(part: readonly Finding[] | DiagnosisView): readonly Finding[] {
  return 'findings' in part ? part.findings : part;
}

function showPlan(
  { terminal }: Surroundings,
  { repair, rebuild, dryRun }: Choice,
  { repairs, rebuilds }: DiagnosisView,
): void {
  const would = dryRun || !(repair || rebuild) ? 'would' : 'will';
  const shown = [
    ...(rebuild ? [] : repairs.map(({ worker, does }) => `${worker} ${does}`)),
    ...(repair ? [] : rebuilds.map(({ worker, does }) => `${worker} ${does}`)),
  ];
  if (shown.length === 0) {
    if (repair || rebuild) terminal.out(`\nNothing to ${rebuild ? 'rebuild' : 'repair'}.`);
    return;
  }
  const how = rebuild
    ? '--rebuild'
    : repair
      ? '--repair'
      : repairs.length > 0
        ? '"drover doctor --repair"'
        : '"drover doctor --rebuild"';
  terminal.out(`\n${how} ${would} do this:`);
  for (const one of shown) terminal.out(`  ${plain(one)}`);
}

async function cure(
  surroundings: Surroundings,
  { rebuild, yes }: Choice,
  planned: readonly Planned[],
): Promise<readonly Cured[]> {
  const { terminal } = surroundings;
  if (rebuild) await confirm(`${planned.length} worker(s) will be restored; nothing is removed.`, { yes, terminal });
  const keys = planned.map(({ key }) => key);
  const cured: readonly Cured[] = await ask(surroundings, (client) =>
    rebuild ? client.doctor.rebuild.mutate({ keys }) : client.doctor.repair.mutate({ keys }),
  );
  if (terminal.json) return cured;
  terminal.out('');
  for (const { key, done, says } of cured) {
    const worker = planned.find((one) => one.key === key)?.worker ?? key;
    terminal.out(`${done ? 'done' : 'not done'}  ${worker}: ${plain(says)}`);
  }
  return cured;
}
