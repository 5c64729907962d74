// Runs a bot in a process of its own: `node bot-process.ts OPTIONS_AS_JSON`. Reports how much memory it has.
import { runBot, systemHttp, systemSocket } from '../../apps/chat-bot/src/index.ts';
import type { BotOptions, Nature } from '../../apps/chat-bot/src/index.ts';

/** Time between two looks at the memory, in milliseconds. */
const EVERY_MS = 200;

/** Clock and timers of the bot's own, because those of the coordinator bring the whole coordinator with them. */
const clock: Nature['clock'] = {
  now: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
const options = JSON.parse(process.argv[2] ?? '{}') as BotOptions;
const stop = new AbortController();
process.on('disconnect', () => stop.abort());
const looking = setInterval(() => process.send?.({ rss: process.memoryUsage().rss }), EVERY_MS);
const nature = { clock, log: () => {}, http: systemHttp, socket: systemSocket, random: Math.random };
process.send?.({ up: 'bot' });
await runBot(nature, options, stop.signal);
clearInterval(looking);
