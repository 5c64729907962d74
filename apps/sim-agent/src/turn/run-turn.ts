// Runs a turn from a taken prompt to its end.

import { timeOfDay } from '../clock.ts';
import { parseScript, type ScriptedStep } from './script.ts';
import { runStep, scriptText } from './steps.ts';
import type { Turn, TurnOutcome } from './turn.ts';
import { sha256 } from '../records/witness.ts';
import { owesNoCommit, refusalIn, resultStep } from './result.ts';

/** Runs a turn whose prompt is already on disk. The Stop hook is through when it resolves. */
export async function runTurn(turn: Turn): Promise<TurnOutcome> {
  const { session } = turn;
  const began = session.world.clock.now();
  turn.spin('working');
  await session.fire('UserPromptSubmit', { prompt: turn.prompt });
  const outcome = await runSteps(turn);
  if (outcome === 'ended') await endTurn(turn);
  const spent = session.world.clock.now() - began;
  session.patch({ spinner: undefined });
  if (outcome === 'ended') {
    session.push({ kind: 'done', text: doneText(turn, spent) });
    session.transcript.turnEnded(turn.prompt, spent);
  }
  if (outcome === 'interrupted') session.transcript.interrupted(turn.promptId, false);
  return outcome;
}

/** Refusals of a turn's end that are heeded. */
const REFUSALS_MAX = 8;

/** Fires the Stop hook until it lets the turn end. An agent whose turn is refused for a missing result gives a plain one, unless it keeps it. */
async function endTurn(turn: Turn): Promise<void> {
  const { session } = turn;
  for (let refused = 0; refused <= REFUSALS_MAX; refused += 1) {
    const answers = await session.fire('Stop', {
      stop_hook_active: refused > 0,
      last_assistant_message: turn.lastMessage,
      background_tasks: [],
      session_crons: [],
    });
    const reason = refusalIn(answers);
    if (reason === undefined || turn.interrupted) return;
    session.world.witness({ event: 'stop-refused', reason });
    session.push({ kind: 'detail', text: `Stop hook: ${reason}`, tone: 'muted' });
    await turn.work(session.options.tickMs);
    if (!session.world.home.spend('keep-result')) await resultStep(turn, '');
  }
}

async function runSteps(turn: Turn): Promise<TurnOutcome> {
  const { session } = turn;
  const { witness, home } = session.world;
  const script = scriptOf(turn);
  const fails = parseScript(mishapOf(turn));
  const known = new Map<string, boolean>();
  const steps = [...fails, ...script];
  for (const [index, { step, once }] of steps.entries()) {
    if (session.left !== undefined) session.left = steps.slice(index + 1);
    if (turn.interrupted) return 'interrupted';
    if (once !== undefined) {
      const isFirst = known.get(once) ?? home.markOnce(once);
      known.set(once, isFirst);
      if (!isFirst) continue;
    }
    witness({ event: 'step', step: step.kind });
    const after = await runStep(turn, step);
    if (after !== 'go-on' && !turn.interrupted) return after;
  }
  return turn.interrupted ? 'interrupted' : 'ended';
}

/** Returns the mishap of this turn, whatever its prompt says, as a script. */
function mishapOf({ session: { options, world } }: Turn): string {
  if (options.outage || world.home.spend('fail-turn')) return 'APIERROR';
  return world.home.spend('limit-turn') ? 'RATE later' : '';
}

/** Returns the steps of a prompt. A prompt without any is a word between: a steady agent goes on, another one makes it its job. */
function scriptOf(turn: Turn): readonly ScriptedStep[] {
  const script = parseScript(scriptText(turn));
  if (script.length > 0) return script;
  const { left } = turn.session;
  if (left === undefined) return owesNoCommit(turn) ? LOOKING : defaultJob(turn.prompt);
  return left.length > 0 ? left : parseScript('SAY Nothing is left to do.');
}

/** Steps of a task that changes nothing: look, and say what was found. */
const LOOKING = parseScript('THINK 600\nSAY I have looked at it.\nRESULT');

/** Returns the steps for a prompt without keywords: think, write a file that names the prompt, commit it. */
function defaultJob(prompt: string): ScriptedStep[] {
  const mark = sha256(prompt).slice(0, 8);
  const about = prompt.trim().split('\n')[0]?.slice(0, 60) ?? '';
  const steps: ScriptedStep['step'][] = [
    { kind: 'work', ms: 600, thinking: true },
    { kind: 'say', text: `I will note this down: ${about}` },
    { kind: 'edit', path: `notes/${mark}.md`, text: about },
    { kind: 'work', ms: 400, thinking: false },
    { kind: 'commit', message: `Note ${mark}` },
    { kind: 'say', text: `Done: notes/${mark}.md is committed.` },
    { kind: 'result', text: '' },
  ];
  return steps.map((step) => ({ step, once: undefined }));
}

function doneText(turn: Turn, spentMs: number): string {
  const verbs = turn.session.view.persona.doneVerbs;
  const verb = verbs[Number.parseInt(turn.promptId.slice(0, 4), 16) % verbs.length] ?? 'Worked';
  return `${verb} for ${Math.floor(spentMs / 1000)}s · done ${timeOfDay(turn.session.world.clock.now())}`;
}
