// Measures how soon a killed agent's program is known, and how soon it is back at its task, beside how long it takes to start alone.
import { readFileSync } from 'node:fs';
import { now, sleep, until } from '../eyes-hands/wait.ts';
import { openScene, type CrashScene } from './crash-scene.ts';
import { withClient } from './fleet.ts';

/** Milliseconds. */
export interface CrashTimes {
  /** kill → the observation of the exit is committed. */
  readonly detectMs: number;
  /** kill → the program shows its prompt again, by its own log. */
  readonly readyMs: number;
  /** kill → the program has taken the task again. */
  readonly takenMs: number;
  /** The program started alone in a pane of the same tmux, a moment later. */
  readonly startUpMs: number;
}

/** A crash, its restart and what follows are over by then, on any machine that is fit to measure on. */
const WITHIN_MS = 60_000;
/** Milliseconds between two crashes: not in step with the rounds of looking. */
const BETWEEN_MS = 300;

/**
 * Kills the program of each worker, one after the other, `times` times: fewer than `crash.countMax` of the policy, so that
 * each is started again.
 */
export async function measureCrashes({
  workers,
  times: rounds,
}: {
  workers: number;
  times: number;
}): Promise<readonly CrashTimes[]> {
  await using scene = await openScene(workers);
  const times: CrashTimes[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, name] of scene.names.entries()) {
      times.push(await crash(scene, name));
      await sleep(BETWEEN_MS + ((index * 37) % 100));
    }
  }
  return times;
}

async function crash(scene: CrashScene, name: string): Promise<CrashTimes> {
  const before = linesOf(scene).length;
  const pid = await pidOf(scene, name);
  const at = now();
  process.kill(pid, 'SIGKILL');
  const back = (event: string, after = at) =>
    until(`"${event}" of ${name}`, WITHIN_MS, () =>
      linesOf(scene)
        .slice(before)
        .find((line) => line.event === event && line.t >= after),
    );
  const ready = await back('ready');
  const taken = await back('taken', ready.t);
  const exitAt = await storedExit(scene, { name, after: at });
  const startUpMs = await startAlone(scene);
  return { detectMs: exitAt - at, readyMs: ready.t - at, takenMs: taken.t - at, startUpMs };
}

interface Line {
  readonly t: number;
  readonly event: string;
  readonly pid: number;
}

function linesOf({ machine }: CrashScene): readonly Line[] {
  return readFileSync(machine.witness, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}

/** The process of the pane, by the last part of the incarnation that the policy knows. */
function pidOf({ databaseUrl }: CrashScene, name: string): Promise<number> {
  return withClient(databaseUrl, (client) =>
    until(`${name} to have a pane that works`, WITHIN_MS, async () => {
      const { rows } = await client.query<{ incarnation: string; kind: string; status: string }>(
        `select state#>>'{session,pane,incarnation}' as incarnation, state#>>'{session,pane,kind}' as kind, status
         from workers where name = $1 and state#>'{command,inFlight}' = 'null' and state#>'{mailbox,current}' = 'null'`,
        [name],
      );
      const [row] = rows;
      if (row?.kind !== 'up' || row.status !== 'working') return undefined;
      return Number(row.incarnation.split('.').at(-1));
    }),
  );
}

function storedExit({ databaseUrl }: CrashScene, { name, after }: { name: string; after: number }): Promise<number> {
  return withClient(databaseUrl, (client) =>
    until(`the stored exit of ${name}`, WITHIN_MS, async () => {
      const { rows } = await client.query<{ at: string }>(
        `select extract(epoch from pg_xact_commit_timestamp(o.xmin)) * 1000 as at
         from observations o join workers w on w.id = o.worker_id
         where o.kind = 'exit' and w.name = $1 and o.stored_at > to_timestamp($2::double precision / 1000)
         order by o.seq limit 1`,
        [name, after - 1],
      );
      return rows[0] === undefined ? undefined : Number(rows[0].at);
    }),
  );
}

/** The same program in a new window of the same tmux server: from the command until it shows its prompt. */
async function startAlone(scene: CrashScene): Promise<number> {
  const { machine } = scene;
  const profile = machine.plainOptions.profiles?.['sim'];
  const command = [...(profile?.program ?? []), ...(profile?.args ?? [])];
  const before = linesOf(scene).length;
  const session = `alone-${before}`;
  const at = now();
  const size = ['-x', '200', '-y', '50'];
  machine.tmux('new-session', '-d', '-s', session, ...size, '-c', machine.source, ...command);
  const ready = await until('the program that starts alone', WITHIN_MS, () =>
    linesOf(scene)
      .slice(before)
      .find(({ event }) => event === 'ready'),
  );
  machine.tmux('kill-session', '-t', `=${session}`);
  return ready.t - at;
}
