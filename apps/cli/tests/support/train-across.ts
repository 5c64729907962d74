/** Accepts work of workers on several machines at once, which goes into main as one train. */
import type { Sandbox } from '../../../../tools/fleet/sandbox.ts';

/** Lines of drover.toml: a busy machine takes a while between the first accept and the last. */
export const GATHERS_LONG = '[policy]\ntrainGatherMs = 6000\n';

/** Makes a commit `again by NAME` of each worker. @returns the history of the workers, which tells the train. */
export async function mergeTogether(sandbox: Sandbox, workers: readonly string[]): Promise<string> {
  for (const worker of workers) {
    const prompt = `WRITE again-${worker}.txt it\nCOMMIT again by ${worker}`;
    await sandbox.drover(['start', '--worker', worker, '--prompt', prompt]);
  }
  for (const worker of workers) await sandbox.until(worker, 'needs_review');
  for (const worker of workers) await sandbox.drover(['review', worker]);
  const accepted = await sandbox.drover(['accept', ...workers]);
  if (accepted.status !== 0) throw new Error(`drover accept: ${accepted.stdout}${accepted.stderr}`);
  for (const worker of workers) await sandbox.until(worker, 'idle');
  const told = [];
  for (const worker of workers) told.push((await sandbox.drover(['logs', worker])).stdout);
  return told.join('\n');
}
