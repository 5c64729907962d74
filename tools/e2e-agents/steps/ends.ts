// Checks that Drover sees how work and programs end: a commit, a crash, an exit.
import type { Program } from '@drover/real-agents';
import { isAlive } from '../../fleet/processes.ts';
import type { Finding, Trial } from '../trial.ts';

/** SIGKILL in the middle of an answer: the program is started again, and the conversation goes on. */
export async function crashes(trial: Trial, { keys }: Program): Promise<Finding> {
  const { fleet, model } = trial.site;
  const { before } = await trial.tell('SLOW 60');
  await trial.knows('the model is at work', (all) => (all[before]?.ended === 'no' ? true : undefined));
  process.kill(await trial.site.pid(trial.worker), 'SIGKILL');
  const restored = await trial.knows('the task once more', (all) =>
    all.slice(before + 1).find(({ asked }) => asked.texts.some((text) => text.includes('the session was cut off'))),
  );
  const receipt = await trial.knows('its receipt', async () => {
    const { receipts } = await fleet.why(trial.worker);
    return receipts.find(({ purpose }) => purpose === 'restored');
  });
  const rules = await trial.rules();
  const seen = rules.includes('exit:crash');
  await trial.rests('needs_input');
  const cleared = model.exchanges.slice(before + 1).length;
  if (model.isAtWork) await trial.site.press(trial.worker, keys.interrupt);
  return {
    believed: `${seen ? 'crashed' : 'no crash seen'}, restarted; ${receipt?.purpose} ${receipt?.outcome}`,
    truth: `killed by SIGKILL; asked ${cleared} time(s) more, with ${restored.asked.earlier} earlier answers`,
    ok: seen && receipt?.outcome === 'delivered' && restored.asked.earlier > 0 && cleared === 1,
  };
}

/** The agent commits: permission if it asks for it, then review, then the merge. */
export async function commits(trial: Trial, { keys }: Program, asksFirst: boolean): Promise<Finding> {
  const { fleet, source, worktree } = {
    fleet: trial.site.fleet,
    source: trial.site.source,
    worktree: await trial.site.worktree(trial.worker),
  };
  const status = (await fleet.worker(trial.worker))?.status;
  const words = `${asksFirst ? 'COMMIT' : 'FREECOMMIT'} Work of the agent`;
  if (status === 'idle') await fleet.start(trial.worker, words);
  else await fleet.message(trial.worker, words);
  if (asksFirst) {
    await trial.believes(
      'asks for permission',
      ({ screen, status: now }) => screen === 'permission' && now === 'needs_input',
    );
    await trial.press(keys.allow, ({ screen }) => screen === 'permission');
  }
  const review = await trial.believes('needs review', ({ status: now }) => now === 'needs_review');
  const subject = await trial.site.git(worktree, 'log', '-1', '--format=%s');
  await fleet.accept(trial.worker);
  const idle = await trial.believes(
    'idle again',
    ({ status: now, screen }) => now === 'idle' && screen === 'ready',
    90_000,
  );
  const merged = await trial.site.git(source, 'log', '-1', '--format=%s', 'main');
  return {
    believed: `${review.status} (${review.note}); after accept ${idle.status}`,
    truth: `committed "${subject}"; the source has "${merged}"`,
    ok: subject === 'Work of the agent' && merged === subject,
  };
}

/** A person ends the program. */
export async function exits(trial: Trial, { keys }: Program): Promise<Finding> {
  const pid = await trial.site.pid(trial.worker);
  await trial.site.press(trial.worker, keys.exit);
  const view = await trial.believes('an idle worker', ({ screen, status }) => screen === null && status === 'idle');
  const rules = await trial.rules();
  const seen = rules.find((rule) => rule.startsWith('exit:')) ?? 'nothing';
  return {
    believed: `${view.status}, ${seen}`,
    truth: `its process is ${isAlive(pid) ? 'there' : 'gone'}`,
    ok: seen === 'exit:user' && !isAlive(pid),
  };
}
