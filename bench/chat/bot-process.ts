// Runs a bot in a process of its own: `node bot-process.ts OPTIONS_AS_JSON`. Reports how much memory it has.
import { systemClock } from '@drover/base';
import { runBot, systemHttp, systemSocket } from '../../apps/chat-bot/src/index.ts';
import type { BotOptions } from '../../apps/chat-bot/src/index.ts';

/** Time between two looks at the memory, in milliseconds. */
const EVERY_MS = 200;

const options = JSON.parse(process.argv[2] ?? '{}') as BotOptions;
const stop = new AbortController();
process.on('disconnect', () => stop.abort());
const looking = setInterval(() => process.send?.({ rss: process.memoryUsage().rss }), EVERY_MS);
const nature = { clock: systemClock, log: () => {}, http: systemHttp, socket: systemSocket, random: Math.random };
process.send?.({ up: 'bot' });
await runBot(nature, options, stop.signal);
clearInterval(looking);
