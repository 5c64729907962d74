/** Tests that the package of infra/functions/README.md runs by itself. The test follows the commands of its step 3. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { openTestDatabase } from '@drover/store/testing';
import { expect, test } from 'vitest';
import { REPOSITORY } from '../../../../tools/fleet/program.ts';
import { Sandbox } from '../../../../tools/fleet/sandbox.ts';

const run = promisify(execFile);

test(
  'given the commands of step 3 in a checkout without a build, when its package is unpacked elsewhere, then both entries answer',
  { timeout: 240_000 },
  async () => {
    await using stack = new AsyncDisposableStack();
    const sandbox = stack.use(await Sandbox.withRoot());
    const { connectionString } = stack.use(await openTestDatabase());
    const database = { DATABASE_URL: connectionString, DATABASE_DIRECT_URL: connectionString };
    const [checkout, unpacked] = await Promise.all(['checkout', 'unpacked'].map((name) => directoryIn(sandbox, name)));
    if (checkout === undefined || unpacked === undefined) return expect.unreachable();
    await mkdir(path.join(checkout, 'apps/cli'), { recursive: true });
    for (const name of ['apps/dashboard', 'infra', 'migrations', 'node_modules', 'package.json', 'tools'])
      await symlink(path.join(REPOSITORY, name), path.join(checkout, name));
    const env = { ...process.env, PATH: `${await tarAsZip(sandbox)}:${process.env['PATH']}` };

    for (const command of await commandsOfStep3())
      if (command !== 'npm ci')
        await run('sh', ['-euc', command.replace('PATH/', `${sandbox.root}/`)], { cwd: checkout, env });
    await run('tar', ['-xf', path.join(checkout, 'drover.zip'), '-C', unpacked]);
    await sandbox.drover(['server', 'migrate', '--admin', 'ada'], { env: database });
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', ASK], {
      cwd: unpacked,
      env: { ...sandbox.env, ...database },
    });

    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toEqual({
      fetch: [200, 'ok'],
      lambda: [200, 'ok'],
      page: 200,
    });
  },
);

/** Program that asks the module of a runtime that calls `fetch`, and the handler of Lambda. */
const ASK = `
  const { default: module } = await import(process.cwd() + '/infra/functions/fetch.mjs');
  const { handler } = await import(process.cwd() + '/infra/functions/lambda.mjs');
  const answer = await module.fetch(new Request('http://127.0.0.1/readyz'));
  const http = { method: 'GET', path: '/readyz' };
  const event = { version: '2.0', rawPath: '/readyz', rawQueryString: '', headers: { host: '127.0.0.1' } };
  const { statusCode, body } = await handler({ ...event, requestContext: { http, domainName: '127.0.0.1' } });
  const { status: page } = await module.fetch(new Request('http://127.0.0.1/'));
  console.log(JSON.stringify({ fetch: [answer.status, await answer.text()], lambda: [statusCode, body], page }));
  process.exit(0);
`;

async function commandsOfStep3(): Promise<readonly string[]> {
  const readme = await readFile(path.join(REPOSITORY, 'infra/functions/README.md'), 'utf8');
  const [, step = ''] = /^3\. .*?\n\n(.*?)\n\n4\. /msu.exec(readme) ?? [];
  return step.split('\n').map((line) => line.trim());
}

async function directoryIn({ directory }: Sandbox, name: string): Promise<string> {
  const made = path.join(directory, name);
  await mkdir(made);
  return made;
}

/** Replaces `zip -r FILE WHAT…` by tar: not every machine that runs tests has zip. @returns a directory for `PATH`. */
async function tarAsZip(sandbox: Sandbox): Promise<string> {
  const directory = await directoryIn(sandbox, 'programs');
  const script = '#!/bin/sh\nshift\nfile=$1\nshift\nexec tar -chf "$file" "$@"\n';
  await writeFile(path.join(directory, 'zip'), script, { mode: 0o755 });
  return directory;
}
