/** Describes how to start, read and talk to Pi. Measured on 1.6.0. It asks for no permission. */
import type { ProfileDocument } from '../profile/schema.ts';
import { COMMON_ERRORS } from './errors.ts';

const NEVER = '^(?!)';

/** Style of its own errors. Markdown of an answer, which nothing else tells apart, is coloured otherwise or bold. */
const ERROR = { fg: 1, bold: false };

const SCREEN = {
  composer: {
    kind: 'between-rules',
    // The upper rule holds the spinner. Words about hidden rows: Pi's library of screens, pi-tui.
    rule: '^─{8,}$|^── [⠀-⣿] \\S.*─$|^─── [↑↓] \\d+ more ?─*$',
    // Green instead of dim while a shell command is typed.
    ruleStyle: {},
    glyph: '^',
    scrolled: '^─── [↑↓] \\d+ more',
    indent: 0,
  },
  placeholder: { matches: NEVER },
  paste: '\\[paste #\\d+ (?:\\+\\d+ lines|\\d+ chars)\\]',
  // Neither prompts nor answers are marked; the end of a quoted error is no block.
  block: '^ (?!If this looks like a pi bug)(?![^\\s"]{0,80}","(?:code|type)")[A-Z$]',
  prompt: { matches: NEVER },
  dialog: {
    option: '^\\s*(?<mark>→) (?<label>\\S.*)$',
    mark: {},
    selected: null,
    top: '^─{8,}$',
    topStyle: { fg: 'coloured' },
    closed: true,
    topIsTitle: false,
    heading: null,
    cursorInside: false,
    frame: '^\\s*',
    bare: [],
    across: null,
    kinds: [{ id: 'dialog-trust', kind: 'trust', matches: 'Trust project folder' }],
    tool: null,
    command: null,
    keys: { next: 'Down', previous: 'Up', confirm: 'Enter', dismiss: 'Escape' },
    keysFor: {},
  },
  ownTitle: '^π(?: |$)',
  without: 'unknown',
  // Its rules look like those of a shell command.
  asking: [{ id: 'trust-asked', in: 'box', matches: '^ (?<at>Trust project folder\\?)', text: { bold: true } }],
  panels: [],
  idleTitle: null,
  busy: [{ id: 'working', in: 'box', matches: '^── (?<at>[⠀-⣿]) \\S' }],
  starting: [],
  retrying: [{ id: 'retrying', in: 'box', matches: '^── [⠀-⣿] (?<at>Retrying \\(\\d+/\\d+\\))' }],
  failed: [{ id: 'error-row', in: 'last', matches: '^ (?<at>Error: \\S)', text: ERROR }],
  queued: [{ id: 'queued', in: 'above', matches: '^ (?<at>Steering|Follow-up): ', text: { fg: 'default', dim: true } }],
  interrupted: [
    {
      id: 'aborted',
      in: 'last',
      matches: '^ (?<at>Operation aborted|Error: Retry failed after \\d+ attempts: Retry cancelled)',
      text: ERROR,
    },
  ],
  answer: '^ \\S',
  aside: null,
  noise: ['^── [⠀-⣿] .*', '(?<!\\d)\\d+(?:\\.\\d+)?s\\b'],
} as const satisfies ProfileDocument['screen'];

/** The profile document of Pi. */
export const PI = {
  format: 1,
  id: 'pi',
  name: 'Pi',
  revision: 3,
  versions: ['1.5.0', '1.5.2', '1.6.0'],
  commands: ['pi'],
  launch: {
    program: 'pi',
    args: [],
    // Takes up the conversation of that id, or begins it.
    session: ['--session-id', '{session}'],
    resume: ['--session-id', '{session}'],
    resumeLast: ['--continue'],
    model: ['--model', '{model}'],
    permissions: { ask: [], auto: [], skip: [] },
    asksNothing: true,
    allowedTools: ['--tools', '{tools}'],
    systemPrompt: ['--append-system-prompt', '{text}'],
    settings: null,
    prompt: ['{prompt}'],
    env: { set: { PI_SKIP_VERSION_CHECK: '1' }, unset: ['NO_COLOR'] },
  },
  typing: {
    method: 'paste',
    settleMs: 0,
    startupMs: 600,
    collapse: { lines: 10, chars: 1_000, verbatim: true },
    chunks: null,
    leading: [
      { char: '!', means: 'runs a shell command, even behind a space', spaceHelps: false },
      { char: '/', means: 'command', spaceHelps: true },
    ],
    newline: 'C-j',
    submit: 'Enter',
    clear: ['C-c'],
    interrupt: ['Escape'],
    exit: ['C-d'],
    queues: true,
  },
  signals: { title: false, transcript: '{home}/.pi/agent/sessions/', structured: null, hooks: [], hookMeaning: {} },
  screen: SCREEN,
  errors: [...COMMON_ERRORS],
  answers: [],
  trust: [{ kind: 'folder', begins: 'Trust project folder\\?', accept: 'Trust', refuse: 'Do not trust' }],
} as const satisfies ProfileDocument;
