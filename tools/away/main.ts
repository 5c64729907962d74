// Runs `npm run away -- --minutes 60`: finds what a coordinator meets that was away for so long. The parts are real, and no time is scaled.
import { parseArgs } from 'node:util';
import { leaveAlone } from './away.ts';

const HELP = `npm run away -- [--minutes 60 | --hours 24 [--scale 60]]

A machine with four workers works on while the coordinator is away: one ends its turn, one waits, the program of one dies, and one has nothing
to do. Then the coordinator comes back. With --scale 60 an hour lasts a minute: what passes is scaled, Drover's own times (leases, access
tokens, pauses between tries) are not. Prints what it found and how long it took; exit status 1 where something was lost or harmed.
`;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    hours: { type: 'string' },
    scale: { type: 'string', default: '1' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const hours = values.hours === undefined ? Number(values.minutes ?? 60) / 60 : Number(values.hours);
const minutes = (hours * 60) / Number(values.scale);

if (values.help) process.stdout.write(HELP);
else if (!(minutes > 0) || (values.hours !== undefined && values.minutes !== undefined)) {
  console.error('away: --minutes or --hours, and --scale, are numbers above 0; see --help');
  process.exitCode = 2;
} else {
  const { lines, problems } = await leaveAlone({ awayMs: minutes * 60_000 });
  for (const line of lines) console.log(line);
  for (const problem of problems) console.error(`away: ${problem}`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
