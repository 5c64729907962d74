/** Checks the comments of every file as part of `npm run lint`: their first words, their place and their length. */
import { commentProblems } from './code/comments.ts';
import { listRooms } from './source/rooms.ts';
import { sourcesIn } from './source/source.ts';

const problems = sourcesIn(listRooms().map((room) => room.directory)).flatMap(commentProblems);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
