/** Kills the coordinator in the middle of recoveries, on real parts: tmux, git, Postgres, machine agent. */
import { afterAll, beforeAll, test } from 'vitest';
import { KILLS } from './killed-coordinator.scenarios.ts';
import { holdBack, installHeldAgent, Kills } from '../support/kills.ts';
import { ends, SCENARIO_MS } from '../support/play.ts';
import { Scene } from '../support/scene.ts';
import { openStand, type Stand } from '../support/stand.ts';

let stand: Stand;
let kills: Kills;
/** Adds workers before anything dies: no machine is there for a moment after a kill. */
beforeAll(async () => {
  stand = await openStand(KILLS);
  kills = new Kills(stand);
  installHeldAgent(stand);
  await Promise.all(
    KILLS.map(async (scenario) => {
      const scene = new Scene(stand, scenario);
      await scene.addWorker();
      await scene.reach('idle');
    }),
  );
}, SCENARIO_MS);
afterAll(() => stand[Symbol.asyncDispose]());

test.concurrent.each(KILLS)(
  '$title',
  async (scenario) => {
    const scene = new Scene(stand, scenario);
    const letGo = holdBack(scene);
    await scene.start(scenario.prompt ?? '');
    await scenario.act?.(scene);
    await kills.at(scene, scenario.moment);
    letGo();
    await scenario.later?.(scene);
    await ends(scene, scenario.end);
  },
  SCENARIO_MS,
);
