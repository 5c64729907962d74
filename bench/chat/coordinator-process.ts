// A coordinator in a process of its own, on a port that stays: `node coordinator-process.ts DATABASE_URL PORT`.
import { replica } from '../../apps/coordinator/src/testing/replica.ts';

const [databaseUrl = '', port = '0'] = process.argv.slice(2);
const running = await replica(databaseUrl, { port: Number(port), project: null });
process.on('disconnect', () => void running[Symbol.asyncDispose]());
process.send?.({ up: running.url });
