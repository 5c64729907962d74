// Runs `npm run test:matrix [-- NAME…]`: tests the store on every server that we support. Needs a container engine; if none answers, it
// tests nothing, says so and fails.
import { spawn } from 'node:child_process';
import { messageOf } from '@drover/base';
import { getContainerRuntimeClient } from 'testcontainers';
import { ARRANGEMENTS } from './arrangements.ts';
import { chosen, verdictOf } from './verdict.ts';
import type { Outcome } from './verdict.ts';

try {
  const names = chosen(process.argv.slice(2), Object.keys(ARRANGEMENTS));
  const engine = await whyNoEngine();
  const outcomes: Outcome[] = [];
  if (engine === null) for (const name of names) outcomes.push({ name, passed: await testOn(name) });
  const { lines, exitCode } = verdictOf(engine, outcomes);
  for (const line of lines) console.log(line);
  process.exitCode = exitCode;
} catch (error) {
  console.error(`test:matrix: ${messageOf(error)}`);
  process.exitCode = 2;
}

async function whyNoEngine(): Promise<string | null> {
  return getContainerRuntimeClient().then(
    () => null,
    (error: unknown) => messageOf(error),
  );
}

/** A server that does not start is a failure too. */
async function testOn(name: string): Promise<boolean> {
  console.log(`\n=== ${name}`);
  try {
    const start = ARRANGEMENTS[name];
    if (start === undefined) return false;
    await using arrangement = await start();
    return await vitest(arrangement.tests, { ...process.env, ...arrangement.env });
  } catch (error) {
    console.error(error);
    return false;
  }
}

async function vitest(tests: readonly string[], env: NodeJS.ProcessEnv): Promise<boolean> {
  const child = spawn('vitest', ['run', ...tests], { env, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code === 0));
  });
}
