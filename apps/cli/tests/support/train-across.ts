/** Work of workers on several machines is accepted at once, and goes into main as one train. */
import type { Sandbox } from './sandbox.ts';

/** For drover.toml: a machine that is busy takes a while between the first accept and the last. */
export const GATHERS_LONG = '[policy]\ntrainGatherMs = 6000\n';

/** Each worker makes a commit `again by NAME`. @returns the history of the workers, where a train is told. */
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
