// Exports of this room for tests of other rooms.
export { eventually, logLines, query, start, temporaryDirectory } from './clusters.ts';
export { placeOfTests } from './place.ts';
export { startReplicated } from './replicated.ts';
export { testServer } from './test-server.ts';
