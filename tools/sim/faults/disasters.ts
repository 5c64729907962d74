// Hits the fleet with disasters from outside, now and then.
import { damageRow, type DisasterParts } from './damage.ts';
import { DISASTERS } from './disaster-kinds.ts';
import type { DisasterKind } from './disaster-kinds.ts';
import { pushSlip, takeOut } from '@drover/testkit';

/** A program that is being replaced by a newer one is not there for so long, in milliseconds. */
const GONE_MS = { min: 5_000, max: 25_000 } as const;

/** Every replica is down for so long, in milliseconds: longer than any wait that another one would end. */
const DOWN_MS = { min: 20_000, max: 90_000 } as const;

/** Milliseconds after which others take out by force what they pushed. */
const SLIP_MS = { min: 500, max: 40_000 } as const;

/** Milliseconds after which others mend what they broke. */
const RED_MS = { min: 2_000, max: 30_000 } as const;

/**
 * The database's clock after a jump, in milliseconds off the true time: as a time service steps it. Drover asks for a database
 * whose clock is kept: what was armed before it was set back by much is late by as much.
 */
const JUMPS_MS: readonly number[] = [-5_000, -500, 0, 500, 5_000];

/** A computer sleeps for so long, in milliseconds. */
const SLEEPS_MS: readonly number[] = [500, 5_000, 60_000, 600_000];

/** Clocks of machines after a jump, in milliseconds off the true time: as a time service steps them. */
const MACHINE_JUMPS_MS: readonly number[] = [-4_000, -300, 0, 300, 4_000];

/** Strikes for as long as there is bad luck. */
export async function strike(parts: DisasterParts): Promise<void> {
  const { time, random, luck } = parts;
  for (;;) {
    const every = luck.disasterEveryMs;
    if (!Number.isFinite(every)) return;
    await time.sleep(random.int(100, 2 * every));
    if (Number.isFinite(luck.disasterEveryMs)) strikeOnce(parts, random.weighted({ ...DISASTERS, ...luck.disasters }));
  }
}

function strikeOnce(parts: DisasterParts, kind: DisasterKind): void {
  const { random, luck, tally, replicas, machines, origins, network, time, databaseClock } = parts;
  const machine = random.pick(machines);
  const git = random.pick(origins);
  const { name } = machine.parts;
  switch (kind) {
    case 'replica':
      return random.pick(replicas).crash(random.int(200, 20_000));
    case 'coordinator': {
      const ms = random.int(DOWN_MS.min, DOWN_MS.max);
      tally.fault('coordinator-down', `${ms} ms`);
      for (const replica of replicas) replica.crash(ms);
      return undefined;
    }
    case 'row':
      return void damageRow(parts);
    case 'agent':
      return machine.crash(random.int(200, 30_000));
    case 'tmux':
      tally.fault('tmux-death', name);
      return machine.losePanes();
    case 'machine':
      tally.fault('machine-reboot', name);
      return machine.reboot(random.int(5_000, 120_000));
    case 'program': {
      const panes = [...machine.panes.values()];
      if (panes.length === 0) return;
      tally.fault('program-killed', name);
      return random.pick(panes).program.kill({ status: null, signal: 9, lastLines: [], limit: null });
    }
    case 'idle-program': {
      const idle = machines.flatMap(({ panes }) =>
        [...panes.values()].filter((pane) => pane.program.state.kind === 'ready'),
      );
      if (idle.length === 0) return undefined;
      tally.fault('idle-program-killed');
      return random.pick(idle).program.kill({ status: null, signal: 9, lastLines: [], limit: null });
    }
    case 'uninstalled':
      return machine.uninstall(random.int(GONE_MS.min, GONE_MS.max));
    case 'partition':
      return network.cutOff(name, random.int(500, 100_000));
    case 'clock-jump':
      databaseClock.offMs = random.pick(JUMPS_MS);
      return tally.fault('clock-jump', `${databaseClock.offMs}`);
    case 'replica-sleeps': {
      const replica = random.pick(replicas);
      const ms = random.pick(SLEEPS_MS);
      tally.fault('replica-sleeps', `${replica.parts.name} ${ms}`);
      return replica.sleep(ms);
    }
    case 'branch-moves':
      tally.fault('branch-moved-by-others');
      git.tip = git.commit(git.tip, []);
      return undefined;
    case 'branch-breaks':
      tally.fault('branch-broken-by-others');
      git.breakTip();
      time.after(random.int(RED_MS.min, RED_MS.max), () => git.mendTip());
      return undefined;
    case 'branch-rewritten': {
      const work = `slip-at-${time.now()}-of-others`;
      tally.fault('branch-pushed-by-mistake');
      pushSlip(git, work);
      time.after(random.int(SLIP_MS.min, SLIP_MS.max), () => {
        // The commit stays on the branch if the faults are over, or if somebody has taken it out already.
        if (!Number.isFinite(luck.disasterEveryMs)) return;
        if (takeOut(git, { work, keepsLater: random.chance(0.5) })) tally.fault('branch-rewritten-by-others');
      });
      return undefined;
    }
    case 'source-dirty':
      tally.fault('source-dirty');
      git.sourceIsDirty = true;
      time.after(random.int(500, 20_000), () => {
        git.sourceIsDirty = false;
      });
      return undefined;
    case 'worktree-deleted': {
      const all = machine.parts.clones.all();
      const places = all.flatMap((clone) => [...clone.worktrees.keys()].map((workerId) => ({ clone, workerId })));
      if (places.length === 0) return undefined;
      tally.fault('worktree-deleted');
      const { clone, workerId } = random.pick(places);
      return clone.loseWorktree(workerId);
    }
    case 'machine-clock':
      machine.clockOffMs = random.pick(MACHINE_JUMPS_MS);
      return tally.fault('machine-clock-jump', `${name} ${machine.clockOffMs}`);
    default:
      return kind satisfies never;
  }
}
