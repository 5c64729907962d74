/** A long-running command that only fails as its argument says. Started by `strays.test.ts`. */
import { handleStrays } from '../../src/processes/strays.ts';
import { untilSignalled } from '../../src/processes/until-signalled.ts';

const ending = untilSignalled();
handleStrays({ log: (level, message) => console.error(`${level} ${message}`), ending, endMs: 300 });
const [how] = process.argv.slice(2);
const open = setInterval(() => {}, 1_000);
setImmediate(() => {
  if (how === 'rejection') void Promise.reject(new Error('nobody waits for me'));
  else if (how !== 'unclosed') throw new Error('nobody catches me');
});
if (how === 'rejection' || how === 'unclosed') setTimeout(() => ending.end(), 100);
await ending.asked;
console.log('closed what was open');
if (how !== 'stuck' && how !== 'unclosed') clearInterval(open);
