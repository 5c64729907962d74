// `npm run fuzz`: as many odd inputs as asked for against the port of a real coordinator, on a Postgres of its own.
import { randomInt } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '@drover/embedded-postgres';
import { fuzz } from './run.ts';
import { runProgram, wholeNumber } from '../program.ts';

const HELP = `Usage: npm run fuzz -- [--inputs N] [--seed S]

  --inputs N  connections to try (10,000)
  --seed S    the seed of the run, to try the same inputs again

Exit status 1: the coordinator ended, or an honest person or machine was not served.`;

async function main(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      inputs: { type: 'string', default: '10000' },
      seed: { type: 'string' },
    },
  });
  const inputs = wholeNumber('--inputs', values.inputs, 0);
  const seed = values.seed === undefined ? randomInt(2 ** 31) : wholeNumber('--seed', values.seed, 0);
  const directory = await mkdtemp(join(tmpdir(), 'drover-fuzz-'));
  await chmod(directory, 0o711); // as root the server runs as another user, who must be able to enter
  try {
    return await onDatabase(join(directory, 'data'), { inputs, seed });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function onDatabase(dataDir: string, asked: { inputs: number; seed: number }): Promise<boolean> {
  const server = await startEmbeddedPostgres({ dataDir, log: () => {}, durability: 'none' });
  try {
    const startedAt = performance.now();
    const seconds = (): string => ((performance.now() - startedAt) / 1_000).toFixed(0);
    const sum = await fuzz({
      databaseUrl: server.connectionString,
      ...asked,
      told: ({ tried, exits, problems }) => {
        if (tried % 10_000 < 500)
          console.log(`${tried} inputs, ${exits.length} exits, ${problems.length} problems, ${seconds()} s`);
      },
    });
    const { tried, honest, statuses, exits, problems, errors } = sum;
    console.log(`${tried} inputs tried in ${seconds()} s, seed ${asked.seed}: ${exits.length} exits`);
    console.log(`honest exchanges that worked: ${honest}; answers by status: ${JSON.stringify(statuses)}`);
    for (const line of [...exits, ...problems, ...new Set(errors)].slice(0, 50)) console.log(`PROBLEM ${line}`);
    return exits.length + problems.length + errors.length === 0;
  } finally {
    await server.stop();
  }
}

await runProgram(HELP, main);
