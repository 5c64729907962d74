/** Finds contradictions between rows and machines. */
import type { Inventory } from '@drover/protocol';
import type { WorkerRow } from '@drover/store';
import { branchOfWorker, isBusy } from '@drover/core';
import { shellWord } from '@drover/core/shell-word';
import { workersOf } from './facts.ts';
import { placed } from '../../facts/projects/place.ts';
import type { DoctorFacts, Finding, Place } from './facts.ts';
import { orFine, problem, warning } from './finding.ts';
import { examineAgents } from './loose-agents.ts';

/** Bytes of free space below which the doctor warns: a build of a large project takes as much. */
const FREE_BYTES_MIN = 1024 ** 3;

/** Runs all checks that need the machines. */
export function examinePlaces(facts: DoctorFacts): readonly Finding[] {
  return facts.places.flatMap((place) => examinePlace(facts, place));
}

function examinePlace(facts: DoctorFacts, place: Place): readonly Finding[] {
  const { machine, project, inventory, why } = place;
  const where = `${project.name} on ${machine.name}`;
  const rows = workersOf(facts, place);
  if (inventory === null) {
    // A machine without workers of a project need not have the project.
    if (rows.length === 0) return [];
    return [
      problem('machine', where, {
        says: `could not report its worktrees and sessions: ${why}`,
        help: `drover machine`,
      }),
    ];
  }
  const known = new Set(facts.workers.map(({ id }) => id));
  return [
    ...orFine('worktrees', where, {
      says: `${inventory.worktrees.length} worktree(s), each of a worker`,
      found: worktrees(place, inventory, rows),
    }),
    ...orFine('branches', where, {
      says: 'each branch of Drover has a worker',
      found: branches(place, inventory, rows),
    }),
    ...orFine('sessions', where, {
      says: `${inventory.sessions.length} session(s), each of a worker`,
      found: sessions(inventory, rows, known),
    }),
    ...examineAgents(where, inventory),
    ...orFine('commands', where, {
      says: 'the database has the last commands of its machine',
      found: laterCommands(inventory, rows),
    }),
    ...orFine('git', where, {
      says: `commits are by ${inventory.git.name ?? ''} <${inventory.git.email ?? ''}>`,
      found: gitSettings(where, inventory),
    }),
    ...programs(machine.name, inventory),
    disk(machine.name, inventory),
  ];
}

function worktrees({ machine, project }: Place, inventory: Inventory, rows: readonly WorkerRow[]): readonly Finding[] {
  const names = new Set(rows.map(({ name }) => name));
  const there = new Set(inventory.worktrees.filter(({ gone }) => !gone).map(({ name }) => name));
  const { root } = placed(project, machine);
  const missing = rows.filter(({ name, state }) => state.worktree.place.kind === 'ready' && !there.has(name));
  const without = inventory.worktrees.filter(({ name, gone }) => !gone && !names.has(name));
  return [
    ...missing.map((row) =>
      whyMissing(
        row,
        inventory.strays.find((path) => path === `${root}/.worktrees/${row.name}`),
      ),
    ),
    ...rows.flatMap((row) => unclean(row, inventory)),
    ...without.map(({ name, path, dirty }) =>
      warning('worktrees', path, {
        says: `belongs to no worker; ${dirty ?? 'unknown'} changed file(s)`,
        help: lostHelp(name),
      }),
    ),
    ...inventory.strays
      .filter((path) => missing.every(({ name }) => path !== `${root}/.worktrees/${name}`))
      .map((path) =>
        warning('worktrees', path, {
          says: 'is in the directory of worktrees, but this build of Drover did not make it',
          help: `mv ${shellWord(path)} somewhere else`,
        }),
      ),
  ];
}

/** Finds changes that nobody committed, and conflicts, in the worktree of a worker that is not at work. */
function unclean({ name, state }: WorkerRow, { worktrees: all }: Inventory): readonly Finding[] {
  const { status } = state.lifecycle;
  const found = all.find((worktree) => worktree.name === name && !worktree.gone);
  if (found === undefined || isBusy(status)) return [];
  const { dirty, unmerged, rebasing, path } = found;
  const parts = [
    ...((dirty ?? 0) > 0 ? [`${dirty} changed file(s) that are not committed`] : []),
    ...(unmerged > 0 ? [`${unmerged} file(s) with conflicts`] : []),
    ...(rebasing ? ['a rebase that is not finished'] : []),
  ];
  if (parts.length === 0) return [];
  const says = `its worktree is not clean while it is ${status}: ${parts.join(', ')}`;
  return [warning('worktrees', name, { says, help: `git -C ${shellWord(path)} status` })];
}

/** @param stray A directory in the worktree's place. */
function whyMissing({ name, state }: WorkerRow, stray: string | undefined): Finding {
  if (stray !== undefined)
    return problem('worktrees', name, {
      says: `has no worktree of its own: the .git in "${stray}" is gone, or is not the one that Drover made`,
      help: `mv ${shellWord(`${stray}/.git`)} somewhere else   (Drover makes its own around the files)`,
    });
  const isUp = state.lifecycle.wanted === 'up';
  return problem('worktrees', name, {
    says: `has no worktree any more: Drover makes it again ${isUp ? 'by itself within a minute' : 'when it starts'}, with the work of its last checkpoint`,
    help: isUp ? `drover why ${name}` : `drover worker checkpoint ${name}`,
  });
}

function lostHelp(name: string): string {
  return `drover doctor --rebuild   (brings ${name} back as a worker)`;
}

/** Finds branches that only the archive of the machine has. */
function branches({ project }: Place, inventory: Inventory, rows: readonly WorkerRow[]): readonly Finding[] {
  const there = inventory.worktrees.filter(({ gone }) => !gone);
  const used = new Set([...rows, ...there].map(({ name }) => name));
  return inventory.branches
    .filter(({ name }) => !used.has(name))
    .map(({ name, ahead, subject }) =>
      ahead === 0
        ? warning('branches', branchOfWorker(name, project.config.branchPrefix), {
            says: 'still exists although its worker is gone; all its commits are merged',
            help: `drover add ${name} && drover nuke ${name}   (which removes it)`,
          })
        : warning('branches', branchOfWorker(name, project.config.branchPrefix), {
            says: `still exists although its worker is gone: ${ahead} commit(s) are not merged, the last "${subject}"`,
            help: `drover add ${name}   (a worker of this name gets them as a checkpoint)`,
          }),
    );
}

function sessions(inventory: Inventory, rows: readonly WorkerRow[], known: ReadonlySet<string>): readonly Finding[] {
  const alive = new Set(inventory.sessions.map(({ workerId }) => workerId));
  const without = rows.filter(
    ({ id, state }) => state.lifecycle.wanted === 'up' && state.session.pane.kind !== 'absent' && !alive.has(id),
  );
  return [
    ...without.map(({ name }) =>
      warning('sessions', name, {
        says: 'has no session, although its row names one; Drover opens it again within a minute',
        help: `drover why ${name}`,
      }),
    ),
    ...inventory.sessions
      .filter(({ workerId }) => !known.has(workerId))
      .map(({ name }) =>
        warning('sessions', `drover-${name}`, {
          says: 'belongs to no worker; an agent may be working in it',
          help: lostHelp(name),
        }),
      ),
  ];
}

function laterCommands(inventory: Inventory, rows: readonly WorkerRow[]): readonly Finding[] {
  return rows
    .filter((row) => commandsAhead(inventory, row) > 0)
    .map(({ name }) =>
      problem('commands', name, {
        says: 'its machine has later commands than the database and refuses older ones: this database is an old copy',
        help: 'drover doctor --repair',
      }),
    );
}

/** Returns the number of the last command that the machine has seen, if that is later than the row's; else 0. */
export function commandsAhead({ commands: seen }: Inventory, { id, state }: WorkerRow): number {
  const newest = seen[id] ?? 0;
  return newest > state.command.seq ? newest : 0;
}

function gitSettings(where: string, { git }: Inventory): readonly Finding[] {
  const { name, email, hooksPath } = git;
  return [
    ...(name === null
      ? [
          problem('git', where, {
            says: 'git has no user name there, so agents commit as "Drover"',
            help: 'git config --global user.name "Your Name"',
          }),
        ]
      : []),
    ...(email === null
      ? [
          problem('git', where, {
            says: 'git has no e-mail address there, so agents commit as "drover@localhost"',
            help: 'git config --global user.email you@example.com',
          }),
        ]
      : []),
    ...(hooksPath !== null && !hooksPath.there
      ? [
          warning('git', where, {
            says: `core.hooksPath names "${hooksPath.path}", which does not exist, so no hook runs for commits of agents`,
            help: 'git config --show-origin core.hooksPath',
          }),
        ]
      : []),
  ];
}

function programs(machine: string, inventory: Inventory): readonly Finding[] {
  return inventory.programs.map(({ name, path, version }): Finding => {
    const about = `${name} on ${machine}`;
    if (version !== null) return { check: 'program', about, level: 'ok', says: version, help: null };
    const says =
      path === ''
        ? 'the machine does not have this agent profile'
        : `"${path}" is missing or does not report its version`;
    return problem('program', about, {
      says,
      help: path === '' ? 'drover profile' : `${path} --version   (on that machine)`,
    });
  });
}

function disk(machine: string, { freeBytes }: Inventory): Finding {
  const says = `${(freeBytes / 1024 ** 3).toFixed(1)} GiB are free on the disk of the worktrees`;
  if (freeBytes >= FREE_BYTES_MIN) return { check: 'disk', about: machine, level: 'ok', says, help: null };
  return problem('disk', machine, { says: `${says}: agents and git will fail`, help: 'df -h   (on that machine)' });
}
