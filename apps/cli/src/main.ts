/**
 * The start of every call of `drover`. A coding agent waits for its hook, so `drover hook` loads only its answer (`npm
 * run bench -- hook`).
 */
import { writeSync } from 'node:fs';
import { isatty } from 'node:tty';

// The title has no path and no word "drover" or "node", so that an agent that ends its own programs by `pkill -f node` does not
// hit the fleet (docs/adr/0023-one-user-guard-rails-and-a-cage.md); "drover down" looks for the word "up".
const [first, second = ''] = process.argv.slice(2);
if (first === 'up') process.title = 'fleet-server up';
else if (first === 'server') process.title = `fleet-server ${second}`;

if (first === 'hook' && process.argv.length === 3 && !isatty(0)) await hook(answerFailure);
else if (first === 'hook' && second === 'stop' && process.argv.length === 4 && !isatty(0)) await hook(answerEnd);
else await import('./program/command-line.ts');

/** Answers a hook. A failure here never disturbs the agent: the status is 0, and only an answer is printed. */
async function hook(answer: (text: string) => Promise<string>): Promise<void> {
  try {
    const { readStdin } = await import('./hook/stdin-adapter.ts');
    const said = await answer(await readStdin());
    if (said !== '') writeSync(1, `${said}\n`);
  } catch {
    // Nothing was promised; the next failure is counted as if this failure had not happened.
  }
}

async function answerFailure(text: string): Promise<string> {
  const { answerHook, TOOL_POLICY_VARIABLE } = await import('./hook/answer.ts');
  const now = new Date();
  return answerHook(text, {
    file: process.env['DROVER_TOOL_FAILURES'],
    phase: process.env['DROVER_PHASE'],
    toolPolicy: process.env[TOOL_POLICY_VARIABLE],
    now: now.getTime(),
    random: Math.random(),
    offsetMinutes: -now.getTimezoneOffset(),
  });
}

async function answerEnd(text: string): Promise<string> {
  const { answerStop } = await import('./hook/stop.ts');
  return answerStop(text, process.env['DROVER_RESULT']);
}
