/** The chat bot for its composition roots: its options, its adapters, and its entry point. */
export { channelsOf, runBot, type BotOptions } from './bot.ts';
export { systemHttp } from './http-adapter.ts';
export { systemRandom } from './random-adapter.ts';
export { systemSocket } from './socket-adapter.ts';
export type { Http, Nature } from './ports.ts';
