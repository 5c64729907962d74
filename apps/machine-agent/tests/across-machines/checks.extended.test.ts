/**
 * Checks of a merge on another machine: requests of one machine, actions of the other, and the meaning of each answer. On real git, without
 * panes.
 */
import { randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redactor, type HomeRequest, type Query, type QueryResult, type WorkerSettings } from '@drover/protocol';
import { WORKER_SETTINGS } from '@drover/protocol/testing';
import { bringBase, ensureWorktree, makeCandidate } from '@drover/worktree';
import { expect, test } from 'vitest';
import { checkThere } from '../../src/execute/checks/elsewhere.ts';
import { checkFor } from '../../src/execute/checks/for.ts';
import { depotPlaceOf } from '../../src/execute/depot-of.ts';
import type { CommandContext } from '../../src/execute/tools.ts';
import { clonePlaceOf, openPlaceOf } from '../../src/execute/worktree-of.ts';
import { CommandError } from '../../src/failure.ts';
import { gitYard } from '../support/git-yard.ts';

const TEST_MS = 600_000;
const FAILS = { kind: 'failed', retry: false } as const;

const noWords = (): Promise<readonly string[]> => Promise.resolve([]);

/** Makes the source, a worker's place with one commit, and two machines with a depot each; `post` holds parcels at the coordinator. */
async function yard() {
  const { dir, stack, host, source, post, git, commit } = await gitYard('dchecks-');

  /** Makes a machine with its own root, depot, spool and ceilings. */
  function machine(name: string, { validate = [['true']], isolates = false }: Kind = {}): CommandContext {
    const [spool, machineDir] = [join(dir, name, 'parcels'), join(dir, name)];
    mkdirSync(spool, { recursive: true });
    const project = { ...WORKER_SETTINGS.project, source, root: join(dir, name, 'root'), validateTimeoutMs: 60_000 };
    const settings: WorkerSettings = { ...WORKER_SETTINGS, project: { ...project, validate } };
    return {
      host,
      settings,
      machineDir,
      commandId: randomUUID(),
      signal: new AbortController().signal,
      redactor: new Redactor(),
      cages: { holds: () => isolates, wordsForLanding: noWords },
      parcels: {
        spool,
        send: ({ path, sha256 }: { path: string; sha256: string }) => void copyFileSync(path, join(post, sha256)),
        fetch: ({ path, sha256 }: { path: string; sha256: string }) => void copyFileSync(join(post, sha256), path),
        askHome: () => Promise.reject(new Error('nobody is asked')),
      },
    } as unknown as CommandContext;
  }

  const sender = machine('sender');
  const place = openPlaceOf(sender);
  const { worker, worktree } = place;
  await ensureWorktree(place.git, clonePlaceOf(place, await bringBase(place.git, place.depot), source));
  const head = await commit(worktree, { 'b.txt': 'mine\n' }, 'the work');
  const made = await makeCandidate(place.git, depotPlaceOf(sender), {
    worker,
    clone: worktree,
    head,
    began: null,
  });
  if (made.kind !== 'candidate') throw new Error(made.kind);
  const at = { head: made.commit, tree: made.tree };
  return {
    dir,
    source,
    post,
    sender,
    machine,
    commit,
    git,
    made,
    at,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

interface Kind {
  readonly validate?: string[][];
  /** True if it runs workers of this profile in a cage. */
  readonly isolates?: boolean;
}

type Ask = Extract<HomeRequest['ask'], { kind: 'checks' }>;
type Answer = (ask: Ask, times: number) => QueryResult | Promise<QueryResult>;

function failing(code: string): Answer {
  return () => ({ ...FAILS, code, message: 'its own words' });
}

/** Answers with a refusal of the coordinator itself. */
function refusing(code: string, message: string): Answer {
  return () => Promise.reject(new CommandError(code, message));
}

/** Machine of the work, which gets these answers, one for each time that it asks. */
function asking(context: CommandContext, answer: Answer): CommandContext & { readonly asked: readonly Ask[] } {
  const asked: Ask[] = [];
  const askHome = async ({ ask }: HomeRequest): Promise<unknown> => {
    if (ask.kind !== 'checks') throw new Error(ask.kind);
    asked.push(ask);
    return { machine: randomUUID(), name: 'big', maxBytes: 1e9, result: await answer(ask, asked.length) };
  };
  return { ...context, parcels: { ...context.parcels, askHome }, asked } as CommandContext & { asked: Ask[] };
}

/** Lets the other machine carry out the requests that the coordinator passes on. */
function doneBy(context: CommandContext): (ask: Ask) => Promise<QueryResult> {
  return async ({ parcel, commit, tree }) => {
    const query: Extract<Query, { kind: 'check-for' }> = {
      kind: 'check-for',
      from: randomUUID(),
      sha256: parcel?.sha256 ?? null,
      bytes: parcel?.bytes ?? 0,
      commit,
      tree,
    };
    try {
      return await checkFor({ ...context, commandId: randomUUID() }, query);
    } catch (error) {
      if (error instanceof CommandError) return { ...FAILS, code: error.code, message: error.message };
      throw error;
    }
  };
}

test(
  'given work whose merge another machine checks, when its checks pass, fail or change files, then that is the outcome, and nothing of the work is left there',
  async () => {
    await using given = await yard();
    const { sender, machine, at, made } = given;
    const endOn = async (name: string, validate: string): Promise<unknown> => {
      const there = machine(name, { validate: [['sh', '-c', validate]] });
      const outcome = await checkThere(asking(sender, doneBy(there)), { at, on: 'big' });
      const depot = join(depotPlaceOf(there).directory, 'depot.git');
      expect(await given.git(depot, 'for-each-ref', '--format=%(refname)', 'refs/drover/carried')).toBe('');
      expect(readdirSync(there.parcels.spool)).toEqual([]);
      return outcome;
    };

    const passed = await endOn('one', 'test "$(cat a.txt b.txt)" = "one\nmine"');
    const failed = await endOn('two', 'echo it is wrong; exit 3');
    const changed = await endOn('three', 'echo x > a.txt');

    expect(passed).toEqual({
      kind: 'valid',
      head: made.commit,
      tree: made.tree,
      checks: expect.any(String),
      on: 'big',
    });
    expect(failed).toMatchObject({ kind: 'invalid', output: expect.stringContaining('it is wrong'), on: 'big' });
    expect(changed).toMatchObject({ kind: 'changed', why: expect.stringContaining('a.txt') });
    expect(readdirSync(sender.parcels.spool)).toEqual([]);
  },
  TEST_MS,
);

test(
  'given a commit that main has, or a machine that lacks what it builds on, when it is to be checked, then nothing is sent, or all of it',
  async () => {
    await using given = await yard();
    const { sender, machine, at, source } = given;
    const main = await given.git(source, 'rev-parse', 'main');
    const there = machine('big');
    // Main there has another history, without any commit on which the work builds.
    const elsewhere = join(given.dir, 'of-its-own');
    mkdirSync(elsewhere);
    await given.git(elsewhere, 'init', '-q');
    await given.commit(elsewhere, { 'c.txt': 'c\n' }, 'another first');
    const stranger = machine('stranger');
    const { settings } = stranger;
    const apart = { ...stranger, settings: { ...settings, project: { ...settings.project, source: elsewhere } } };

    const merged = asking(sender, doneBy(there));
    const ofMain = await checkThere(merged, { at: { head: main, tree: null }, on: 'big' });
    const lacking = asking(sender, doneBy(apart));
    const whole = await checkThere(lacking, { at, on: 'big' });

    expect(ofMain).toMatchObject({ kind: 'valid', head: main });
    expect(merged.asked).toMatchObject([{ parcel: null }]);
    expect(whole).toMatchObject({ kind: 'valid', head: at.head });
    expect(lacking.asked).toHaveLength(2);
    expect(lacking.asked[0]?.parcel?.sha256).not.toBe(lacking.asked[1]?.parcel?.sha256);
  },
  TEST_MS,
);

test(
  'given a parcel that is altered on its way, when it is to be checked, then it is not, it is sent once more, and then the work waits',
  async () => {
    await using given = await yard();
    const { sender, machine, at, post } = given;
    const there = machine('big', { validate: [['touch', join(given.dir, 'ran')]] });
    const spoils: Answer = async (ask, times) => {
      const file = join(post, ask.parcel?.sha256 ?? '');
      if (times === 1) writeFileSync(file, readFileSync(file).toReversed());
      else writeFileSync(file, 'nothing of it');
      return doneBy(there)(ask);
    };
    const asked = asking(sender, spoils);

    const ended = checkThere(asked, { at, on: 'big' });

    await expect(ended).rejects.toMatchObject({
      code: 'parcel-damaged',
      retry: true,
      message: expect.stringContaining('On "big", which runs the checks: The parcel is damaged'),
    });
    expect(asked.asked).toHaveLength(2);
    expect(existsSync(join(given.dir, 'ran'))).toBe(false);
  },
  TEST_MS,
);

test(
  'given each answer of the other machine, when it is not the end of checks, then the work waits, is checked at home, or needs a person',
  async () => {
    await using given = await yard();
    const { sender, machine, at } = given;
    const endOf = async (answer: Answer, context = sender): Promise<unknown> =>
      checkThere(asking(context, answer), { at, on: 'big' }).catch((error: unknown) => error);
    const there = doneBy(machine('caged', { isolates: true }));

    const waits = { code: 'disk-full', retry: true, message: 'On "big", which runs the checks: its own words' };
    expect(await endOf(failing('disk-full'))).toMatchObject(waits);
    expect(await endOf(failing('setup-failed'))).toMatchObject({ code: 'setup-failed', retry: false });
    const stays = { code: 'checks-stay', retry: true };
    expect(await endOf(failing('forbidden'))).toMatchObject({ ...stays, message: expect.stringContaining('its own') });
    expect(await endOf(there)).toMatchObject({ ...stays, message: expect.stringContaining('isolates workers') });
    expect(await endOf(() => ({ kind: 'settled' }))).toMatchObject({
      ...stays,
      message: expect.stringMatching(/settled/u),
    });
    expect(await endOf(() => ({ kind: 'nonsense' }) as unknown as QueryResult)).toMatchObject(stays);
    expect(await endOf(() => ({ kind: 'checks-ended', outcome: { kind: 'incomplete' } }))).toMatchObject(stays);
    expect(await endOf(failing('x'), machine('own', { isolates: true }))).toMatchObject(stays);
    expect(await endOf(refusing('home-away', '"big" is away'))).toMatchObject({
      code: 'checks-away',
      retry: true,
      message: '"big" is away',
    });
    expect(await endOf(refusing('not-asked', 'no command of yours'))).toMatchObject(stays);
  },
  TEST_MS,
);
