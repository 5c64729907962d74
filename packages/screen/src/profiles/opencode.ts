/** Describes how to start, read and talk to OpenCode. Measured on 1.18.33; colours are compared with one another, since themes differ. */
import type { ProfileDocument } from '../profile/schema.ts';
import { COMMON_ERRORS } from './errors.ts';

const SCREEN = {
  composer: { kind: 'bar', bar: '┃', close: '^\\s*╹▀{3,}' },
  placeholder: { matches: '^(?:Ask anything|Run a command)…' },
  paste: '\\[Pasted ~\\d+ lines?\\]',
  attachment: '\\[Image \\d+\\]',
  block: '^\\s*(?:┃|▣)|^ {5}[+$→✱%←⚙] ',
  // The bar of a prompt stands on the screen's own background; of an error or a tool, on its box's.
  prompt: { matches: '^\\s*┃ {2}\\S', text: { bg: 'ground' } },
  dialog: {
    option: '^(?<mark>)(?<label>)(?!)',
    mark: {},
    selected: { bg: 'coloured' },
    top: '^(?!\\s*┃)',
    topIsTitle: false,
    heading: '(?<!\\s)\\s{2,}Confirm$',
    cursorInside: false,
    frame: '^\\s*┃\\s*',
    bare: [{ kind: 'question', matches: '^\\s*┃.*enter (?:submit|confirm|toggle)\\s+esc dismiss' }],
    across:
      '(?<first>Allow once)\\s+(?<second>Allow always)\\s+(?<third>Reject)|(?<confirm>Confirm)\\s{2,}(?<cancel>Cancel)',
    kinds: [
      { id: 'dialog-permission', kind: 'permission', matches: 'Permission required|Allow once|Always allow' },
      { id: 'dialog-question', kind: 'question', matches: 'esc dismiss' },
    ],
    tool: '\\n[#%$→←✱⚙] (?<tool>[A-Z]\\S*(?: \\S+)?)',
    command: '\\n(?:\\$|URL:) (?<command>.+)',
    keys: { next: 'Down', previous: 'Up', confirm: 'Enter', dismiss: 'Escape' },
    keysFor: { permission: { next: 'Right', previous: 'Left', confirm: 'Enter', dismiss: 'Escape' } },
  },
  ownTitle: '^OpenCode$|^OC \\|',
  without: 'unknown',
  asking: [],
  panels: [],
  idleTitle: null,
  busy: [
    { id: 'interrupt-hint', in: 'footer', matches: '(?<at>esc)(?: again to)? interrupt', text: { fg: 'coloured' } },
    { id: 'busy-bar', in: 'footer', matches: '^\\s*(?<at>[⬝■]{4,})', text: { fg: 'coloured' } },
  ],
  starting: [],
  retrying: [
    { id: 'retrying', in: 'footer', matches: 'retrying (?:in \\d|attempt)|attempt #\\d', text: { fg: 'coloured' } },
    // The bar moves, and what stands beside it is why; a narrow pane cuts the rest.
    {
      id: 'retry-reason',
      in: 'footer',
      matches: '^\\s*[⬝■]{4,}\\s*(?!esc\\b)(?<at>[^\\s⬝■])',
      text: { fg: 'coloured' },
    },
  ],
  // The bar of a tool has the colour of the screen's background, and cannot be seen. Notices stand at the right.
  failed: [{ id: 'error-box', in: 'turn', matches: '^\\s{0,4}(?<at>┃) {2}\\S', text: { fg: 'raised', bg: 'raised' } }],
  queued: [{ id: 'queued', in: 'above', matches: '^\\s*┃ +(?<at>QUEUED)', text: { bold: true, bg: 'coloured' } }],
  interrupted: [{ id: 'interrupted', in: 'turn', matches: '^\\s*▣ .*· interrupted', marker: { fg: 'coloured' } }],
  answer: '^ {5}[^\\s▣+$→✱%←⚙]',
  aside: '(?<!\\s)\\s{8,}\\S.*',
  noise: ['[⬝■]+', '^\\s*[⠀-⣿] ', '(?<!\\d)\\d+(?:\\.\\d+)?s\\b'],
} as const satisfies ProfileDocument['screen'];

/** The profile document of OpenCode. */
export const OPENCODE = {
  format: 1,
  id: 'opencode',
  name: 'OpenCode',
  revision: 5,
  versions: ['1.18.31', '1.18.32', '1.18.33'],
  commands: ['opencode'],
  launch: {
    program: 'opencode',
    args: [],
    session: null,
    resume: ['--session', '{session}'],
    resumeLast: ['--continue'],
    model: ['--model', '{model}'],
    // Permissions are in its configuration file, not in flags.
    permissions: { ask: [], auto: [], skip: [] },
    allowedTools: null,
    systemPrompt: null,
    settings: null,
    channel: {
      kind: 'opencode',
      since: '1.18.0',
      args: ['--port', '{port}'],
      env: { OPENCODE_SERVER_PASSWORD: '{password}' },
      user: 'opencode',
      // Allow always asks again what it allows.
      decisions: [
        { label: '^Allow once$', decision: 'once' },
        { label: '^Reject$', decision: 'reject' },
      ],
    },
    prompt: ['--prompt', '{prompt}'],
    env: { set: {}, unset: ['NO_COLOR'] },
  },
  typing: {
    method: 'paste',
    settleMs: 0,
    startupMs: 600,
    collapse: { lines: 3, chars: 150, verbatim: true },
    chunks: null,
    leading: [
      { char: '!', means: 'runs a shell command', spaceHelps: true },
      { char: '/', means: 'command', spaceHelps: true },
    ],
    newline: 'C-j',
    submit: 'Enter',
    // Ctrl-C on an empty box ends the program: look after each key.
    clear: ['C-u'],
    interrupt: ['Escape', 'Escape'],
    exit: ['C-c', 'C-c'],
    queues: true,
  },
  signals: {
    title: false,
    transcript: null,
    structured: null,
    hooks: [],
    hookMeaning: {},
  },
  screen: SCREEN,
  errors: [...COMMON_ERRORS],
  answers: [],
} as const satisfies ProfileDocument;
