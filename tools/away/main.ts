// `npm run away -- --minutes 60`: what does a coordinator find that was away for so long? The real parts, and nothing scaled.
import { parseArgs } from 'node:util';
import { leaveAlone } from './away.ts';

const HELP = `npm run away -- [--minutes 60]

A machine with four workers works on while the coordinator is away: one ends its turn, one waits, the program of one dies, and one has nothing
to do. Then the coordinator comes back. Prints what it found and how long it took; exit status 1 where something was lost or harmed.
`;

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '60' }, help: { type: 'boolean', short: 'h', default: false } },
});
const minutes = Number(values.minutes);

if (values.help) process.stdout.write(HELP);
else if (!(minutes > 0)) {
  console.error(`away: --minutes is a number above 0, not "${values.minutes}"`);
  process.exitCode = 2;
} else {
  const { lines, problems } = await leaveAlone({ awayMs: minutes * 60_000 });
  for (const line of lines) console.log(line);
  for (const problem of problems) console.error(`away: ${problem}`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
