/**
 * What does tmux know about a pane, and how is it asked?
 *
 * Texts that a program in the pane can choose (title, command name) are sent with their length in
 * bytes, so that nothing it writes there can pass for another field or another pane.
 */
import { derivedWord } from './derived-word.ts';
import { type Incarnation, PANE_PID } from './incarnation.ts';
import { signalName } from './signal-names.ts';

/** What is known of one pane at one moment. */
export interface PaneFacts {
  readonly incarnation: Incarnation;
  readonly sessionName: string;
  /** The session's user options, by name with `@`; those that are not set are absent. */
  readonly options: Readonly<Record<string, string>>;
  readonly dead: boolean;
  /** Exit status; absent while it lives, after a death by signal, and when tmux does not know. */
  readonly deadStatus: number | undefined;
  /** Such as `SIGKILL`; never known to tmux 3.2. */
  readonly deadSignal: string | undefined;
  /** Epoch seconds of the death; never known to tmux 3.2. */
  readonly diedAt: number | undefined;
  readonly title: string;
  /** Name of the program in the foreground; `env` for a moment at its start; empty when dead. */
  readonly currentCommand: string;
  /** Columns. */
  readonly width: number;
  /** Rows. */
  readonly height: number;
  readonly cursor: { readonly x: number; readonly y: number; readonly visible: boolean };
  /** True while the program uses the alternate screen. */
  readonly alternate: boolean;
  /** True while a person looks through the history: keys do not reach the program. */
  readonly inMode: boolean;
  /** Rows above the screen that tmux keeps. */
  readonly historySize: number;
  /** Epoch second of the last output. */
  readonly windowActivity: number;
}

/** User options that identify a worker, unless the driver is told others. */
export const DEFAULT_USER_OPTIONS: readonly string[] = [
  '@drover_worker',
  '@drover_project',
  '@drover_profile',
  '@drover_machine',
  '@drover_epoch',
];

const NUMBERS = [
  'pid',
  'start_time',
  'session_created',
  'pane_id',
  'pane_pid',
  'pane_dead',
  'pane_dead_status',
  'pane_dead_signal',
  'pane_dead_time',
  'pane_width',
  'pane_height',
  'cursor_x',
  'cursor_y',
  'cursor_flag',
  'alternate_on',
  'pane_in_mode',
  'history_size',
  'window_activity',
] as const;
const TEXTS = ['session_name', 'pane_title', 'pane_current_command'] as const;
const TAG = 'pane|';

/** Asks for panes and reads the answers; both sides know the same list of user options. */
export class FactsFormat {
  readonly userOptions: readonly string[];
  /** For `-F` of `list-panes` and the like. */
  readonly format: string;
  /** The option of a server that holds {@link format}, and a format that stands for it: 40 bytes instead of 900. */
  readonly option: string;
  readonly shortFormat: string;

  constructor(userOptions: readonly string[]) {
    this.userOptions = userOptions;
    const texts = [...TEXTS, ...userOptions];
    const numbers = NUMBERS.map((name) => (name === 'pane_pid' ? PANE_PID : `#{${name}}`));
    const lengths = texts.map((name) => `#{n:${name}}`);
    const contents = texts.map((name) => `#{${name}}`).join('');
    this.format = `${TAG}${[...numbers, ...lengths].join('|')}|${contents}`;
    this.option = `@drover_facts_${derivedWord(this.format, 'option')}`;
    this.shortFormat = `#{E:${this.option}}`;
  }

  /** Reads every pane in a reply; lines that are not panes are passed over. */
  read(body: Uint8Array): readonly PaneFacts[] {
    const bytes = Buffer.from(body);
    const panes: PaneFacts[] = [];
    let at = 0;
    while (at < bytes.length) {
      const found = this.#readOne(bytes, at);
      if (found !== undefined) panes.push(found.facts);
      const end = bytes.indexOf('\n', found?.end ?? at);
      at = end < 0 ? bytes.length : end + 1;
    }
    return panes;
  }

  #readOne(bytes: Buffer, at: number): { facts: PaneFacts; end: number } | undefined {
    if (bytes.toString('latin1', at, at + TAG.length) !== TAG) return undefined;
    const fields: string[] = [];
    let position = at + TAG.length;
    const count = NUMBERS.length + TEXTS.length + this.userOptions.length;
    while (fields.length < count) {
      const end = bytes.indexOf('|', position);
      if (end < 0) return undefined;
      fields.push(bytes.toString('latin1', position, end));
      position = end + 1;
    }
    const texts = fields.slice(NUMBERS.length).map((length) => {
      const start = position;
      position += Number(length);
      return bytes.toString('utf8', start, position);
    });
    if (fields[NUMBERS.indexOf('pane_id')] === '') return undefined; // asked for a missing pane
    return { facts: this.#facts(fields, texts), end: position };
  }

  #facts(fields: readonly string[], texts: readonly string[]): PaneFacts {
    const raw = (name: (typeof NUMBERS)[number]): string => fields[NUMBERS.indexOf(name)] ?? '';
    const number = (name: (typeof NUMBERS)[number]): number => Number(raw(name));
    const optional = (name: (typeof NUMBERS)[number]): number | undefined =>
      raw(name) === '' ? undefined : Number(raw(name));
    const [sessionName = '', title = '', currentCommand = '', ...values] = texts;
    const options = this.userOptions
      .map((name, index) => [name, values[index] ?? ''] as const)
      .filter(([, value]) => value !== '');
    const signal = raw('pane_dead_signal');
    return {
      incarnation: {
        serverPid: number('pid'),
        serverStart: number('start_time'),
        sessionCreated: number('session_created'),
        paneId: raw('pane_id'),
        panePid: number('pane_pid'),
      },
      sessionName,
      options: Object.fromEntries(options),
      dead: raw('pane_dead') === '1',
      deadStatus: optional('pane_dead_status'),
      deadSignal: signal === '' ? undefined : signalName(signal),
      diedAt: optional('pane_dead_time'),
      title,
      currentCommand: raw('pane_dead') === '1' ? '' : currentCommand,
      width: number('pane_width'),
      height: number('pane_height'),
      cursor: {
        x: number('cursor_x'),
        y: number('cursor_y'),
        visible: raw('cursor_flag') === '1',
      },
      alternate: raw('alternate_on') === '1',
      inMode: number('pane_in_mode') > 0,
      historySize: number('history_size'),
      windowActivity: number('window_activity'),
    };
  }
}
