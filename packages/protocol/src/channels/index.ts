/** Everything that crosses the wire between a chat bot and the coordinator: `/v1/channels`. */
export * from './card.ts';
export * from './press.ts';
export * from './work.ts';
