// Finds the action that a prompt asks for. The first upper-case keyword of the user's words decides.
import type { Action, Call, Refuse, Say } from './actions.ts';
import { backgroundCall, mcpCall, namedCall, shellCall, questionCall } from './tool-calls.ts';

/** The keywords, and what the mock does when it meets them. */
export const KEYWORDS: Readonly<Record<string, string>> = {
  SAY: 'answers with one sentence',
  LONGSAY: 'answers with 120 lines',
  SLOW: 'streams words for as many seconds as the number after it says, or 20',
  QUESTION: 'answers with words that end in a question',
  ASK: 'calls the tool that asks the user to choose',
  BASH: 'calls the shell with the rest of the line, then says that it did',
  FREEBASH: 'the same, without asking to leave a sandbox',
  BACKGROUND: 'lets the shell run the rest of the line beside it, then says that it did',
  COMMIT: 'writes a line to work.txt and commits it with the rest of the line as its message, then says that it did',
  FREECOMMIT: 'the same, without asking to leave a sandbox',
  USETOOL: 'calls the tool of the MCP server "drover" that the next word names, with the JSON after it',
  CALL: 'calls the tool that the next word names, offered or not, with the JSON after it',
  RATE: 'refuses with 429, as often as the number after it says, or always; likewise the three below',
  OVERLOAD: 'refuses with 529',
  ERR500: 'refuses with 500',
  AUTH: 'refuses with 401',
  DENIED: 'refuses with 403',
  CREDIT: 'refuses because there is no credit left',
  HANG: 'never answers',
};

const KEYWORD = new RegExp(`\\b(${Object.keys(KEYWORDS).join('|')})\\b[ \\t]*([^\\n]*)`, 'u');
/** Words by which Drover asks for the result of a run's task; the model then gives a report. */
const ASKED_FOR_RESULT = /No result for this task|has no valid result/u;
const GIVE_RESULT = 'result --verdict done --summary ok --report README.md';
/** File that the words name for a machine without the program: its name holds the attempt. */
const RESULT_FILE = /\$DROVER_RESULT\/(\d+)\.json/u;
/** Words of the same for a review: the model asks for a second half of the work, and approves of it. */
const ASKED_FOR_REVIEW = 'approve|revise';
const REVISE = 'result --verdict revise --summary one --finding "major work.txt:1 FREECOMMIT Second half"';
const APPROVE = 'result --verdict approve --summary ok';
/** Milliseconds between two words of a slow answer. */
const SLOW_GAP_MS = 250;

/** A keyword and the rest of its line. */
type Cue = { readonly keyword: string; readonly rest: string };

/** Finds the first keyword in the user's words. */
export function cueOf(text: string): Cue | null {
  if (ASKED_FOR_RESULT.test(text))
    return { keyword: text.includes(ASKED_FOR_REVIEW) ? 'REVIEW' : 'RESULT', rest: RESULT_FILE.exec(text)?.[1] ?? '' };
  const [, keyword, rest = ''] = KEYWORD.exec(text) ?? [];
  return keyword === undefined ? null : { keyword, rest: rest.trim() };
}

/**
 * Decides what to answer.
 *
 * @param results Results of tools since the cue: after the first, the model says that it is done.
 * @param refusals How often this very cue was refused before.
 * @param isFree Tells whether programs run without permissions: Codex then refuses a command that asks to leave its sandbox.
 */
export function actionFor(
  cue: Cue | null,
  {
    results,
    tools,
    refusals,
    isFree = false,
  }: { results: number; tools: readonly string[]; refusals: number; isFree?: boolean },
): Action {
  if (cue === null) return say('Understood.');
  switch (cue.keyword) {
    case 'SAY':
      return say('Hello from the model. This is the whole answer.');
    case 'LONGSAY':
      return { kind: 'say', pieces: lines(120), gapMs: 4 };
    case 'SLOW':
      return { kind: 'say', pieces: words(seconds(cue.rest)), gapMs: SLOW_GAP_MS };
    case 'QUESTION':
      return say('There are two ways to do it. Should I take the first or the second?');
    case 'ASK':
      return results > 0 ? say('Thank you, going on with your choice.') : orSay(questionCall(tools), tools);
    case 'BASH':
    case 'FREEBASH': {
      const call = shellCall(tools, cue.rest || 'git status', cue.keyword === 'BASH');
      return results > 0 ? say('The command has run.') : orSay(call, tools);
    }
    case 'BACKGROUND':
      return results > 0 ? say('The command goes on by itself.') : orSay(backgroundCall(tools, cue.rest), tools);
    case 'RESULT':
      return results > 0
        ? say('The result is given.')
        : orSay(shellCall(tools, resultFor(tools, cue.rest), !isFree), tools);
    case 'REVIEW': {
      const drover = droverFor(tools);
      const command = `if git grep -q Second HEAD -- work.txt; then ${drover} ${APPROVE}; else ${drover} ${REVISE}; fi`;
      return results > 0 ? say('The verdict is given.') : orSay(shellCall(tools, command, !isFree), tools);
    }
    case 'COMMIT':
    case 'FREECOMMIT': {
      const message = (cue.rest || 'Work of the model').replaceAll("'", '');
      // Gemini hides the user's own git settings from its shell.
      const author = '-c user.name=Ada -c user.email=ada@example.org';
      const command = `echo '${message}' >> work.txt && git add -A && git ${author} commit -q -m '${message}'`;
      return results > 0 ? say('It is committed.') : orSay(shellCall(tools, command, cue.keyword === 'COMMIT'), tools);
    }
    case 'USETOOL':
      return results > 0 ? say('The tool has answered.') : orSay(mcpCall(tools, cue.rest), tools);
    case 'CALL':
      return results > 0 ? say('The tool was called.') : orSay(namedCall(cue.rest), tools);
    case 'HANG':
      return { kind: 'hang' };
    default:
      return refusalOf(cue, refusals);
  }
}

/** Gives the result by the program, or where there is none by the file that the words name. */
function resultFor(tools: readonly string[], attempt: string): string {
  const drover = droverFor(tools);
  if (attempt === '') return `${drover} ${GIVE_RESULT}`;
  const result = JSON.stringify({
    v: 1,
    attempt: Number(attempt),
    verdict: 'done',
    summary: 'ok',
    report: 'It is so.',
  });
  return `if command -v ${drover} > /dev/null; then ${drover} ${GIVE_RESULT}; else echo '${result}' > "$DROVER_RESULT/${attempt}.json"; fi`;
}

/** Codex runs commands in a login shell, whose PATH is its own. */
function droverFor(tools: readonly string[]): string {
  return tools.includes('Bash') ? 'drover' : '"$DROVER_RESULT/drover"';
}

function refusalOf({ keyword, rest }: Cue, refusals: number): Action {
  const times = /^\d+/u.exec(rest)?.[0];
  if (times !== undefined && refusals >= Number(times)) return say('The service is back. This is the answer.');
  return REFUSALS[keyword] ?? say('Understood.');
}

const REFUSALS: Readonly<Record<string, Refuse>> = {
  RATE: {
    ...refuse(429, 'rate_limit_error', 'This request would exceed your rate limit.'),
    headers: { 'retry-after': '2' },
  },
  OVERLOAD: refuse(529, 'overloaded_error', 'Overloaded'),
  ERR500: refuse(500, 'api_error', 'Internal server error'),
  AUTH: refuse(401, 'authentication_error', 'invalid x-api-key'),
  DENIED: refuse(403, 'permission_error', 'Your API key does not have permission to use this model.'),
  CREDIT: refuse(400, 'invalid_request_error', 'Your credit balance is too low to access the API.'),
};

function refuse(status: number, type: string, message: string): Refuse {
  return { kind: 'refuse', status, type, message, headers: {} };
}

/** An answer in a few pieces, without waiting. */
export function say(text: string): Say {
  return { kind: 'say', pieces: text.match(/\S+\s*/gu) ?? [text], gapMs: 4 };
}

function orSay(call: Call | null, tools: readonly string[]): Action {
  return call ?? say(`No tool for that among ${tools.join(', ')}.`);
}

function seconds(rest: string): number {
  const given = Number.parseInt(rest, 10);
  return Number.isNaN(given) ? 20 : given;
}

function words(forSeconds: number): readonly string[] {
  const count = Math.ceil((forSeconds * 1_000) / SLOW_GAP_MS);
  return Array.from({ length: count }, (_, index) => `word${index}${index % 12 === 11 ? '.\n' : ' '}`);
}

function lines(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `Line ${index + 1} of a long answer with several words.\n\n`);
}
