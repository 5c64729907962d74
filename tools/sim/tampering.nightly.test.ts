// Checks that the simulation sees a machine agent that breaks its promises. Each is broken on purpose here, in the real core.
import type { Command, CommandKind, CommandResult } from '@drover/core';
import type { Stores } from '@drover/machine-agent/testing';
import { changedMethods } from '@drover/store/testing';
import type { MemoryDatabase } from '@drover/store/testing';
import type { SimGit } from '@drover/testkit';
import { profileOf } from './faults/profiles.ts';
import type { ScheduleOptions } from './schedule.ts';
import { expectNoticed } from './tampering.ts';
import type { World } from './coordinator/world.ts';

expectNoticed('some schedules run', [
  [
    'an agent that carries out what comes twice',
    33,
    { tamper: carriesOutRepeats },
    /was carried out twice|ended as .* then as/,
  ],
  ['an agent that tells an outcome that it did not record', 3, { tamper: recordsNoOutcome }, /ended as .* then as/],
  [
    'an agent that never answers a question',
    8,
    { tamper: answersNoQuestion },
    /was taken by its machine, and never answered/,
  ],
  [
    'an agent that forgets what it was doing when it died',
    12,
    { tamper: forgetsUnfinished },
    /never answered|did not|not at rest/,
  ],
  [
    'a coordinator that believes a machine whatever it says of others',
    1,
    { lies: true, hearLiar: believe },
    /a forged report was decided on/,
  ],
]);

expectNoticed(
  'workers move',
  [
    [
      'a machine that says that a place is frozen, and lets its agent live',
      41,
      instead(['close', 'freeze'], freezesNothing),
      /has an agent on|was taken twice/,
    ],
    [
      'a machine that brings along what was saved long ago',
      63,
      instead(['freeze'], savesNothing),
      /clears .*, and no other machine has it/,
    ],
    [
      'a machine that clears a place as soon as it is frozen',
      271,
      instead(['freeze'], clearsAtOnce),
      /is lost|clears .*, and no other machine has it|its place is fresh, and nothing has|at rest/,
    ],
    [
      'a machine that never lets a worker in',
      3,
      instead(['let-in'], letsNobodyIn),
      /nothing may begin in its place|not at rest/,
    ],
  ],
  { seeds: 600, step: 2 },
);

expectNoticed(
  'trains go',
  [
    [
      'a machine that builds on what main never was',
      20,
      instead(['candidate'], buildsElsewhere),
      /builds on e+, which main never was/,
    ],
    [
      'a machine that pushes by force what does not stand on main',
      80,
      instead(['publish'], pushesByForce),
      /does not contain \w+ any more/,
    ],
    [
      'a machine that makes a place fresh without a look',
      40,
      instead(['prepare', 'recycle'], clearsAnyway),
      /its place is fresh, and nothing has/,
    ],
    [
      'a machine that passes a train without running its checks',
      30,
      instead(['validate'], passesUnchecked),
      /no checks passed on/,
    ],
    [
      'a machine that says that it pushed a train, and does not',
      30,
      instead(['publish', 'prove', 'recycle'], saysPushed),
      /does not contain|never was/,
    ],
    [
      'a machine that has one stash for all',
      1_260,
      instead(['prepare'], sharesStash),
      /is merged as its own, and .* made it/,
    ],
    ['a machine that builds what no person has seen', 100, instead(['extend'], buildsUnseen), /is merged unseen/],
  ],
  { seeds: 120, step: 10, isCrowded: true },
);

// Agents name other repositories and stash where they do what nobody expects: two seeds in 66 are of this kind.
expectNoticed(
  'agents surprise',
  [
    [
      'a machine that does not look whether what work names can be fetched',
      247,
      instead(['candidate'], namesAnything),
      /is merged, and what it names is nowhere/,
    ],
    [
      'a machine that clears the stash with the rest',
      701,
      instead(['prepare', 'recycle'], dropsStash),
      /its place is fresh, and nothing has/,
    ],
  ],
  { seeds: 6_000, isMeant: (seed) => profileOf(seed) === 'surprises' },
);

type Act = (parts: Instead) => Promise<CommandResult>;

/** Replaces the act that carries out commands of these kinds. */
function instead(kinds: readonly CommandKind[], act: Act): Pick<ScheduleOptions, 'tamperHands'> {
  return {
    tamperHands: (hands, clones) => ({
      ...hands,
      carryOut: (running, command) => {
        const git = clones.of(running.settings.project.id);
        const really = (): Promise<CommandResult> => hands.carryOut(running, command);
        const { kind } = command;
        const { workerId } = running.settings;
        return kinds.includes(kind) ? act({ kind, command, workerId, really, git }) : really();
      },
    }),
  };
}

interface Instead {
  readonly kind: CommandKind;
  readonly workerId: string;
  readonly command: Command;
  readonly really: () => Promise<CommandResult>;
  readonly git: SimGit;
}

function freezesNothing({ kind, git }: Instead): Promise<CommandResult> {
  if (kind === 'close') return Promise.resolve({ kind: 'closed' });
  const [commit = null] = git.saves.keys();
  return Promise.resolve({ kind: 'frozen', commit });
}

async function savesNothing({ really, git }: Instead): Promise<CommandResult> {
  const [first] = git.saves.keys();
  const frozen = await really();
  return frozen.kind === 'frozen' && first !== undefined ? { kind: 'frozen', commit: first } : frozen;
}

async function clearsAtOnce({ workerId, really, git }: Instead): Promise<CommandResult> {
  const frozen = await really();
  git.worktrees.delete(workerId);
  return frozen;
}

function letsNobodyIn(): Promise<CommandResult> {
  return Promise.resolve({ kind: 'let-in' });
}

async function buildsElsewhere({ really }: Instead): Promise<CommandResult> {
  const made = await really();
  return made.kind === 'candidate' ? { ...made, base: 'e'.repeat(40) } : made;
}

async function namesAnything({ really }: Instead): Promise<CommandResult> {
  const made = await really();
  return made.kind === 'candidate' ? { ...made, gitlinks: [] } : made;
}

/** Shares the stash as linked worktrees do, where an agent that begins with "git stash pop" commits what another one stashed. */
async function sharesStash({ workerId, really, git }: Instead): Promise<CommandResult> {
  const prepared = await really();
  const mine = git.worktrees.get(workerId);
  for (const tree of git.worktrees.values())
    if (mine !== undefined && tree !== mine && tree.stash.length > 0)
      mine.head = git.commit(mine.head, tree.stash.splice(0));
  return prepared;
}

function dropsStash({ workerId, really, git }: Instead): Promise<CommandResult> {
  git.worktrees.get(workerId)?.stash.splice(0);
  return really();
}

/** Pushes without a compare-and-swap: the previous state of main is gone. */
function pushesByForce({ command, really, git }: Instead): Promise<CommandResult> {
  const before = git.parentOf(git.tip);
  if (command.kind !== 'publish' || before === null) return really();
  git.tip = git.commit(before, []);
  return Promise.resolve({ kind: 'published', commit: command.commit });
}

function clearsAnyway({ workerId, really, git }: Instead): Promise<CommandResult> {
  git.worktrees.set(workerId, { head: git.tip, dirty: [], stash: [], rebase: null });
  return really();
}

function passesUnchecked({ command, really, git }: Instead): Promise<CommandResult> {
  if (command.kind !== 'validate') return really();
  const { head } = command.at;
  return Promise.resolve({ kind: 'valid', head, tree: git.treeOf(head), checks: 'npm test' });
}

function saysPushed({ command, really, git }: Instead): Promise<CommandResult> {
  if (command.kind === 'publish') return Promise.resolve({ kind: 'published', commit: command.commit });
  if (command.kind === 'recycle') return Promise.resolve({ kind: 'recycled', base: git.tip });
  return command.kind === 'prove' ? Promise.resolve({ kind: 'proven', commit: command.commit }) : really();
}

async function buildsUnseen({ really, git }: Instead): Promise<CommandResult> {
  const made = await really();
  const last = made.kind === 'extended' ? made.links.at(-1) : undefined;
  if (made.kind !== 'extended' || last === undefined) return made;
  const commit = git.commit(last.base, ['a-work-of-its-own']);
  git.owners.set(commit, git.owners.get(last.commit) ?? '');
  return { ...made, links: [...made.links.slice(0, -1), { ...last, commit, tree: git.treeOf(commit) }] };
}

/** Workers and commands are taken whosesoever they are. */
function believe(open: World['open'], database: MemoryDatabase): World['open'] {
  const machineOf = ({ id, machineId }: { id: string; machineId: string }) =>
    database.outbox.get(id)?.machineId ?? machineId;
  return (client) => {
    const store = open(client);
    return {
      ...store,
      transaction: (work) =>
        store.transaction((tx) =>
          work(
            changedMethods(tx, {
              lockWorker: (id) => tx.lockWorker(id),
              finishCommands: (all, now) =>
                tx.finishCommands(
                  all.map((said) => ({ ...said, machineId: machineOf(said) })),
                  now,
                ),
            }),
          ),
        ),
    };
  };
}

function carriesOutRepeats({ journal }: Stores): void {
  const receive = journal.receive.bind(journal);
  journal.receive = (command) => {
    const receipt = receive(command);
    return receipt === 'known' ? 'new' : receipt;
  };
}

function recordsNoOutcome({ db }: Stores): void {
  const prepare = db.prepare.bind(db);
  db.prepare = (text) => prepare(text.replace("SET state = 'done'", "SET state = 'started'"));
}

function answersNoQuestion({ outbox }: Stores): void {
  const add = outbox.add.bind(outbox);
  outbox.add = (body) => {
    if (body.kind !== 'answer') add(body);
  };
}

function forgetsUnfinished({ journal }: Stores): void {
  journal.unfinished = () => [];
}
