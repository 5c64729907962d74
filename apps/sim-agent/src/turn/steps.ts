// Carries out each step of a script.

import { LABELS, QUESTION_HEADER, limitDialog, questionDialog } from '../dialog/known.ts';
import { takeControlScript } from '../records/home.ts';
import { FAKE_SCREEN } from './fake-screen.ts';
import type { Step } from './script.ts';
import { resultStep } from './result.ts';
import { commitStep, editStep, runCommand } from './tools.ts';
import type { AfterStep, Turn } from './turn.ts';

/** Carries out one step. An interrupt makes it return early; the caller looks at the turn. */
export async function runStep(turn: Turn, step: Step): Promise<AfterStep> {
  const { session } = turn;
  const { tickMs } = session.options;
  switch (step.kind) {
    case 'say':
      return done(() => turn.say(step.text));
    case 'stream':
      await turn.stream(longText(step.lines), tickMs);
      return 'go-on';
    case 'flood':
      await turn.stream(longText(step.lines), 0);
      return 'go-on';
    case 'fake':
      return done(() => turn.say(FAKE_SCREEN));
    case 'edit':
    case 'write':
      return editStep(turn, step);
    case 'commit':
      return commitStep(turn, step.message);
    case 'fail-tool':
      await turn.tool({
        name: 'Bash',
        input: { command: 'false', description: 'Fail' },
        run: async () => ({ failed: true, text: step.text }),
      });
      session.push({ kind: 'detail', text: `Error: ${step.text}`, tone: 'error' });
      return 'go-on';
    case 'run':
      return runStepCommand(turn, step.command);
    case 'permission':
      return permissionStep(turn, step);
    case 'ask':
      return askStep(turn, step);
    case 'ask-text':
      turn.say(step.question.endsWith('?') ? step.question : `${step.question}?`);
      return 'ended';
    case 'limit':
      return limitStep(turn, step);
    case 'retry':
      return retryStep(turn, step.times);
    case 'api-error':
      return apiErrorStep(turn, step.text);
    case 'work':
      await turn.work(step.ms, step.thinking ? 'thinking' : 'working');
      return 'go-on';
    case 'wait-file':
      return waitFileStep(turn, step.path);
    case 'ignore-enter':
      return done(() => (session.ignoreEnters = step.times));
    case 'late-turn':
      return done(() => (session.turnDelayMs = step.ms));
    case 'result':
      return resultStep(turn, step.text);
    case 'mishap':
      return done(() => session.world.home.plan(step.mishap, step.times));
    case 'steady':
      return done(() => (session.left ??= []));
    case 'bell':
      return done(() => session.world.screen.send('\u0007'));
    case 'title':
      return done(() => session.world.screen.send(`\u001B]2;${step.text}\u001B\\`));
    default:
      return lastStep(turn, step);
  }
}

type LastStep = Extract<Step, { kind: 'crash' | 'signal' | 'panic' | 'exit' | 'hang' | 'freeze' }>;

/** The steps after which nothing of this life follows. */
async function lastStep(turn: Turn, step: LastStep): Promise<AfterStep> {
  const { world } = turn.session;
  switch (step.kind) {
    case 'crash':
      world.witness({ event: 'exit', code: step.code, why: 'crash' });
      world.exit(step.code, { restore: true, words: '' });
      break;
    case 'panic':
      world.witness({ event: 'exit', code: 1, why: 'panic' });
      world.exit(1, { restore: true, words: `FATAL ERROR: ${step.text}\npanic: ${step.text}\n` });
      break;
    case 'signal':
      world.kill(step.name);
      break;
    case 'exit':
      turn.session.exitRequested = true;
      return 'ended';
    case 'freeze':
      world.screen.freeze();
      turn.deaf = true;
      break;
    case 'hang':
      turn.deaf = true;
      turn.spin('working');
      break;
    default:
      return step satisfies never;
  }
  return new Promise<never>(() => undefined);
}

function done(act: () => void): AfterStep {
  act();
  return 'go-on';
}

/** A command that needs no permission, in whatever mode. */
async function runStepCommand(turn: Turn, command: string): Promise<AfterStep> {
  const input = { command, description: `Run ${command}` };
  const { failed, text } = await turn.tool({ name: 'Bash', input, run: () => runCommand(turn, command) });
  turn.session.push({ kind: 'tool-summary', verb: 'Ran', strong: '1', rest: 'shell command' });
  if (failed) turn.session.push({ kind: 'detail', text: `Error: ${text}`, tone: 'error' });
  return 'go-on';
}

async function permissionStep(turn: Turn, step: Extract<Step, { kind: 'permission' }>): Promise<AfterStep> {
  const file = step.tool === 'Write' || step.tool === 'Edit';
  const input = file
    ? { file_path: step.subject, content: '' }
    : { command: step.subject, description: `Run ${step.subject}` };
  const run = file
    ? async () => ({ failed: false, text: `${step.tool} ${step.subject}` })
    : () => runCommand(turn, step.subject);
  const result = await turn.guardedTool({ name: step.tool, input, run }, step.subject);
  if (result === undefined) return 'rejected';
  turn.session.push({ kind: 'tool-summary', verb: 'Ran', strong: '1', rest: 'shell command' });
  if (result.failed) turn.session.push({ kind: 'detail', text: `Error: ${result.text}`, tone: 'error' });
  return 'go-on';
}

async function askStep(turn: Turn, step: Extract<Step, { kind: 'ask' }>): Promise<AfterStep> {
  const { session } = turn;
  const questions = [
    {
      question: step.question,
      header: QUESTION_HEADER,
      options: step.answers.map((label) => ({ label, description: '' })),
      multiSelect: false,
    },
  ];
  const call = { name: 'AskUserQuestion', input: { questions } };
  const id = await turn.announce({ ...call, run: async () => ({ failed: false, text: '' }) });
  void session.fire('PermissionRequest', { tool_name: call.name, tool_input: call.input }, call.name);
  const answer = await session.ask(questionDialog(step.question, step.answers));
  if (answer.kind === 'cancelled' || answer.label === LABELS.chat) {
    session.push(
      { kind: 'answer', text: "Declined to answer Claude's questions:" },
      { kind: 'detail', text: `· ${step.question} (${step.answers.join(' / ')})`, tone: 'muted' },
    );
    session.transcript.interrupted(turn.promptId, true);
    return 'rejected';
  }
  const given = answer.typed || answer.label;
  const answers = { [step.question]: given };
  session.push(
    { kind: 'answer', text: "Answered Claude's questions:" },
    { kind: 'detail', text: `· ${step.question} → ${given}`, tone: 'muted' },
  );
  await turn.finish(
    {
      name: call.name,
      input: { questions, answers },
      run: async () => ({ failed: false, text: given, response: { questions, answers } }),
    },
    id,
  );
  return 'go-on';
}

async function limitStep(turn: Turn, step: Extract<Step, { kind: 'limit' }>): Promise<AfterStep> {
  const resets = step.resets.replace(/^resets\s+/i, '');
  const text = `You've hit your ${step.span} limit · resets ${resets}`;
  await failWith(turn, text, { error: 'rate_limit', status: 429 });
  await turn.session.ask(limitDialog());
  return 'failed';
}

async function retryStep(turn: Turn, times: number): Promise<AfterStep> {
  const { tickMs } = turn.session.options;
  for (let attempt = 1; attempt <= times && !turn.interrupted; attempt += 1) {
    for (let left = 3; left > 0 && !turn.interrupted; left -= 1) {
      turn.spin('retrying', 'API error', `retrying in ${left}s · attempt ${attempt}/10`);
      await turn.pause(tickMs * 3);
    }
  }
  turn.spin('working');
  return 'go-on';
}

async function apiErrorStep(turn: Turn, text: string): Promise<AfterStep> {
  await failWith(turn, text, apiErrorKind(text));
  return 'failed';
}

async function failWith(turn: Turn, text: string, about: { error: string; status: number | undefined }): Promise<void> {
  const { session } = turn;
  turn.produced = true;
  session.transcript.apiError(text, about.status);
  const asDetail = /^(Invalid API key|Credit balance|Context limit|You've hit)/.test(text);
  session.push(asDetail ? { kind: 'detail', text, tone: 'error' } : { kind: 'api-error', text });
  const { resendPlaceholder, fixedPlaceholder } = session.view.persona.texts;
  session.patch({ spinner: undefined, placeholder: asDetail ? fixedPlaceholder : resendPlaceholder });
  await session.fire('StopFailure', { error: about.error, last_assistant_message: text });
}

/** Names as the real program's StopFailure hook gives them. */
function apiErrorKind(text: string): { error: string; status: number | undefined } {
  const given = /\b([45]\d\d)\b/.exec(text)?.[1];
  const status = given === undefined ? undefined : Number(given);
  const error = /login|API key|40[13]/i.test(text)
    ? 'authentication_failed'
    : /credit|billing/i.test(text)
      ? 'billing_error'
      : /context limit|too long/i.test(text)
        ? 'invalid_request'
        : status === 429
          ? 'rate_limit'
          : 'server_error';
  return { error, status };
}

/** Works until a file is there: how a test decides when a turn goes on. */
async function waitFileStep(turn: Turn, path: string): Promise<AfterStep> {
  turn.spin('working');
  while (!turn.interrupted && !turn.session.world.fileExists(path)) await turn.pause(turn.session.options.tickMs / 4);
  return 'go-on';
}

function longText(lines: number): string[] {
  return Array.from(
    { length: lines },
    (_, index) => `Line ${index + 1} of the long answer: alpha beta gamma delta epsilon zeta eta theta.`,
  );
}

/** The script for a turn: the control file's when a test put one there, else the prompt's own. */
export function scriptText(turn: Turn): string {
  const requested = takeControlScript(turn.session.options.control);
  return requested.trim() === '' ? turn.prompt : requested;
}
