// Starts the sshd of a run.
import { startSshd } from '@drover/host/testing';
import type { TestProject } from 'vitest/node';

/** Vitest calls it before the first test, and what it returns after the last. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const sshd = await startSshd();
  const { directory, user, port, keyFile, hostKey } = sshd;
  project.provide('server', { directory, user, port, keyFile, hostKey });
  return async () => {
    await sshd[Symbol.asyncDispose]();
  };
}
