// Parses the keywords of a prompt into steps. Pure.

/** Mishap of the next texts, starts or turns, also of later lives in the same directory. */
export type Mishap =
  | 'lose-text'
  | 'cut-text'
  | 'blank-start'
  | 'fail-turn'
  | 'limit-turn'
  | 'silent-turn'
  | 'keep-result';

/** Step of a turn. */
export type Step =
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'stream'; readonly lines: number }
  | { readonly kind: 'flood'; readonly lines: number }
  | { readonly kind: 'edit'; readonly path: string; readonly text: string }
  | { readonly kind: 'write'; readonly path: string; readonly text: string }
  | { readonly kind: 'commit'; readonly message: string }
  | { readonly kind: 'ask'; readonly question: string; readonly answers: readonly string[] }
  | { readonly kind: 'ask-text'; readonly question: string }
  | { readonly kind: 'permission'; readonly tool: string; readonly subject: string }
  | { readonly kind: 'run'; readonly command: string }
  | { readonly kind: 'limit'; readonly span: 'session' | 'weekly'; readonly resets: string }
  | { readonly kind: 'retry'; readonly times: number }
  | { readonly kind: 'api-error'; readonly text: string }
  | { readonly kind: 'fail-tool'; readonly text: string }
  | { readonly kind: 'crash'; readonly code: number }
  | { readonly kind: 'signal'; readonly name: string }
  | { readonly kind: 'panic'; readonly text: string }
  | { readonly kind: 'exit' }
  | { readonly kind: 'hang' }
  | { readonly kind: 'freeze' }
  | { readonly kind: 'ignore-enter'; readonly times: number }
  | { readonly kind: 'late-turn'; readonly ms: number }
  | { readonly kind: 'mishap'; readonly mishap: Mishap; readonly times: number }
  | { readonly kind: 'work'; readonly ms: number; readonly thinking: boolean }
  | { readonly kind: 'wait-file'; readonly path: string }
  | { readonly kind: 'steady' }
  | { readonly kind: 'bell' }
  | { readonly kind: 'title'; readonly text: string }
  | { readonly kind: 'fake' }
  | { readonly kind: 'result'; readonly text: string };

/** A step, and the line it must not be repeated for, when the line began with `ONCE:`. */
export interface ScriptedStep {
  readonly step: Step;
  readonly once: string | undefined;
}

/** Every keyword, with how the rest of its line is read. */
export const KEYWORDS: Readonly<Record<string, (rest: string) => Step>> = {
  SAY: (text) => ({ kind: 'say', text }),
  LONGSAY: (rest) => ({ kind: 'stream', lines: count(rest, 20) }),
  FLOOD: (rest) => ({ kind: 'flood', lines: count(rest, 1000) }),
  EDIT: (rest) => ({ kind: 'edit', ...pathAndText(rest) }),
  WRITE: (rest) => ({ kind: 'write', ...pathAndText(rest) }),
  COMMIT: (message) => ({ kind: 'commit', message: message || 'Work of the simulated agent' }),
  ASK: (rest) => ask(rest),
  ASKTEXT: (question) => ({ kind: 'ask-text', question }),
  PERMISSION: (rest) => permission(rest),
  RUN: (command) => ({ kind: 'run', command: command || 'true' }),
  RATE: (resets) => ({ kind: 'limit', span: 'session', resets: resets || '7pm (UTC)' }),
  USAGE: (resets) => ({ kind: 'limit', span: 'weekly', resets: resets || 'Monday 9am (UTC)' }),
  RETRY: (rest) => ({ kind: 'retry', times: count(rest, 1) }),
  APIERROR: (text) => ({ kind: 'api-error', text: text || 'API Error: 500 Internal server error.' }),
  CONTEXT: () => ({ kind: 'api-error', text: 'Context limit reached · /compact or /clear to continue' }),
  FAILTOOL: (text) => ({ kind: 'fail-tool', text: text || 'the tool failed' }),
  CRASH: (rest) => ({ kind: 'crash', code: count(rest, 1) }),
  SIGNAL: (rest) => ({ kind: 'signal', name: signalName(rest) }),
  PANIC: (text) => ({ kind: 'panic', text: text || 'unreachable code was reached' }),
  EXIT: () => ({ kind: 'exit' }),
  HANG: () => ({ kind: 'hang' }),
  FREEZE: () => ({ kind: 'freeze' }),
  IGNOREENTER: (rest) => ({ kind: 'ignore-enter', times: count(rest, 1) }),
  LATETURN: (rest) => ({ kind: 'late-turn', ms: count(rest, 5000) }),
  LOSETEXT: (rest) => ({ kind: 'mishap', mishap: 'lose-text', times: count(rest, 1) }),
  CUTTEXT: (rest) => ({ kind: 'mishap', mishap: 'cut-text', times: count(rest, 1) }),
  BLANKSTART: (rest) => ({ kind: 'mishap', mishap: 'blank-start', times: count(rest, 1) }),
  SILENT: (rest) => ({ kind: 'mishap', mishap: 'silent-turn', times: count(rest, 1) }),
  OUTAGE: (rest) => ({ kind: 'mishap', mishap: 'fail-turn', times: count(rest, 1) }),
  LIMITS: (rest) => ({ kind: 'mishap', mishap: 'limit-turn', times: count(rest, 1) }),
  SLOW: (rest) => ({ kind: 'work', ms: count(rest, 2000), thinking: false }),
  THINK: (rest) => ({ kind: 'work', ms: count(rest, 2000), thinking: true }),
  WAITFILE: (path) => ({ kind: 'wait-file', path }),
  STEADY: () => ({ kind: 'steady' }),
  BELL: () => ({ kind: 'bell' }),
  TITLE: (text) => ({ kind: 'title', text }),
  FAKE: () => ({ kind: 'fake' }),
  RESULT: (text) => ({ kind: 'result', text }),
  KEEPRESULT: (rest) => ({ kind: 'mishap', mishap: 'keep-result', times: count(rest, 1) }),
};

/** Marks a line whose steps run only the first time that exact line is met. */
const ONCE = 'ONCE:';

/** The steps of a prompt in order; none when it has no keyword. Lines that do not begin with a keyword are prose. */
export function parseScript(prompt: string): ScriptedStep[] {
  return prompt.split('\n').flatMap((raw) => {
    const line = raw.trim();
    const isOnce = line.startsWith(ONCE);
    const body = isOnce ? line.slice(ONCE.length).trim() : line;
    const once = isOnce ? line : undefined;
    return segments(body).map((segment) => ({ step: parseStep(segment), once }));
  });
}

/** Cuts a line at the semicolons that a keyword follows; other semicolons belong to the step's text. */
function segments(line: string): string[] {
  const found: string[] = [];
  for (const part of line.split(';')) {
    const last = found.length - 1;
    if (KEYWORDS[firstWord(part)] !== undefined) found.push(part.trim());
    else if (last < 0) return [];
    else found[last] = `${found[last]};${part}`.trimEnd();
  }
  return found.map((segment) => segment.replace(/[;\s]+$/, ''));
}

function parseStep(segment: string): Step {
  const word = firstWord(segment);
  const rest = segment.trim().slice(word.length).trim();
  return KEYWORDS[word]?.(rest) ?? { kind: 'say', text: segment };
}

function firstWord(text: string): string {
  return /^[A-Z]+(?=\s|$)/.exec(text.trim())?.[0] ?? '';
}

function count(rest: string, otherwise: number): number {
  const value = Number.parseInt(rest, 10);
  return Number.isNaN(value) || value < 0 ? otherwise : value;
}

function pathAndText(rest: string): { path: string; text: string } {
  const [path = '', ...words] = rest.split(' ');
  return { path: path || 'sim-agent.txt', text: words.join(' ') };
}

function ask(rest: string): Step {
  const [question = '', ...answers] = rest.split('|').map((part) => part.trim());
  return { kind: 'ask', question: question || 'Which one?', answers: answers.length > 0 ? answers : ['Yes', 'No'] };
}

function permission(rest: string): Step {
  const [tool = '', ...words] = rest.split(' ');
  return { kind: 'permission', tool: tool || 'Bash', subject: words.join(' ') || 'true' };
}

function signalName(rest: string): string {
  const name = rest.toUpperCase() || 'KILL';
  return name.startsWith('SIG') ? name : `SIG${name}`;
}
