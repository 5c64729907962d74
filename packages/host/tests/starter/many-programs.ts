/** Runs as many programs as are given, and prints who started the last one. The process then has nothing more to do. */
import { createLocalHost } from '../../src/index.ts';

const host = createLocalHost({ env: process.env });
let parent = '';
for (let left = Number(process.argv[2]); left > 0; left -= 1)
  parent = (await host.run('sh', ['-c', 'echo $PPID'], { timeoutMs: 60_000 })).stdout;
process.stdout.write(`${JSON.stringify({ self: process.pid, parent: Number(parent) })}\n`);
