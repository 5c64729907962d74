// Holds one life of the program: the visible state, the conversation's identity, and the ways to tell the world.

import type { Clock } from '@drover/base';
import type { Entry } from './screen/conversation.ts';
import { EMPTY_COMPOSER } from './keyboard/composer.ts';
import { dialogKey, type Dialog, type DialogStep } from './dialog/dialog.ts';
import type { Home } from './records/home.ts';
import type { HookResult, RunHook } from './options/hooks.ts';
import type { Key } from './keyboard/keys.ts';
import type { Options } from './options/args.ts';
import type { ScriptedStep } from './turn/script.ts';
import { rulesFor, type HookEvent, type Settings } from './options/settings.ts';
import type { Transcript } from './records/transcript.ts';
import type { View } from './screen/view.ts';
import type { Witness } from './records/witness.ts';

/** End of a dialog. */
type DialogAnswer = Exclude<DialogStep, { kind: 'open' }>;

/** Parts of the world that the program needs. */
export interface World {
  readonly clock: Clock;
  readonly uuid: () => string;
  readonly pid: number;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly home: Home;
  readonly witness: Witness;
  readonly runHook: RunHook;
  readonly openTranscript: (session: string) => Transcript;
  readonly screen: {
    /** Asks for a repaint soon. */
    readonly show: (view: View) => void;
    /** Stops painting for good. */
    readonly freeze: () => void;
    /** Sends a control sequence past the painter: a bell, a title. */
    readonly send: (sequence: string) => void;
    /** Takes the whole screen; before it, only dialogs are painted. */
    readonly enter: () => void;
  };
  /** Ends the process: in order (screen restored, words printed), or as a crash does. */
  readonly exit: (code: number, how: { readonly restore: boolean; readonly words: string }) => void;
  readonly kill: (signal: string) => void;
  readonly fileExists: (path: string) => boolean;
}

/** The state of one life. Everything visible is in `view`; changing it repaints. */
export class Session {
  readonly world: World;
  readonly options: Options;
  readonly settings: Settings;
  transcript: Transcript;
  promptId: string | undefined;
  /** Enter keys that are still to be swallowed, by order of a script. */
  ignoreEnters = 0;
  /** The turn of the next prompt begins so many milliseconds after it left the box, by order of a script. */
  turnDelayMs = 0;
  /** The program ends when the turn does. */
  exitRequested = false;
  /** Steps that were not come to, once the agent is steady; see the README's `STEADY`. */
  left: readonly ScriptedStep[] | undefined;
  #view: View;
  #status: Readonly<Record<string, unknown>>;
  #answer: ((answer: DialogAnswer) => void) | undefined;

  constructor(
    world: World,
    options: Options,
    given: { settings: Settings; session: string; entries: readonly Entry[] },
  ) {
    this.world = world;
    this.options = options;
    this.settings = given.settings;
    this.transcript = world.openTranscript(given.session);
    this.#view = {
      persona: options.persona,
      model: options.model,
      cwd: world.cwd,
      mode: options.mode,
      entries: given.entries,
      composer: EMPTY_COMPOSER,
      placeholder: '',
      busy: false,
      spinner: undefined,
      dialog: undefined,
      queued: [],
      armed: undefined,
      killed: false,
      menuIndex: 0,
    };
    this.#status = { startedAt: world.clock.now() };
  }

  get view(): View {
    return this.#view;
  }

  /** Changes what is visible. */
  patch(change: Partial<View>): void {
    this.#view = { ...this.#view, ...change };
    this.world.screen.show(this.#view);
  }

  push(...entries: readonly Entry[]): void {
    this.patch({ entries: [...this.#view.entries, ...entries] });
  }

  /** Replaces the newest entry: how streamed text grows. */
  replaceLast(entry: Entry): void {
    this.patch({ entries: [...this.#view.entries.slice(0, -1), entry] });
  }

  /** Writes the status file that other programs read. */
  setStatus(status: 'idle' | 'busy' | 'waiting', waitingFor?: string): void {
    const now = this.world.clock.now();
    this.#status = {
      pid: this.world.pid,
      sessionId: this.transcript.session,
      cwd: this.world.cwd,
      startedAt: this.#status['startedAt'],
      version: this.options.persona.version,
      peerProtocol: 1,
      kind: 'interactive',
      entrypoint: 'cli',
      status,
      updatedAt: now,
      statusUpdatedAt: now,
      ...(waitingFor === undefined ? {} : { waitingFor }),
    };
    this.world.home.writeStatus(this.world.pid, this.#status);
  }

  /** Fires a hook event and waits for its hooks. `subject` is what matchers are compared with. */
  async fire(
    event: HookEvent,
    fields: Readonly<Record<string, unknown>> = {},
    subject = '',
  ): Promise<readonly HookResult[]> {
    const rules = rulesFor(this.settings, event, subject);
    const inTurn = !['SessionStart', 'SessionEnd', 'UserPromptSubmit', 'Notification'].includes(event);
    const payload = {
      session_id: this.transcript.session,
      transcript_path: this.transcript.path,
      cwd: this.world.cwd,
      ...(this.promptId === undefined ? {} : { prompt_id: this.promptId }),
      ...(inTurn || event === 'UserPromptSubmit' ? { permission_mode: this.#view.mode } : {}),
      ...(inTurn ? { effort: { level: 'medium' } } : {}),
      hook_event_name: event,
      ...fields,
    };
    return Promise.all(rules.map((rule) => this.world.runHook(rule, payload)));
  }

  /** Opens a dialog and waits for its answer. The turn it belongs to may be busy underneath. */
  async ask(dialog: Dialog, waitingFor = 'dialog open'): Promise<DialogAnswer> {
    this.world.witness({
      event: 'dialog-opened',
      dialog: dialog.kind,
      options: dialog.options.map((option) => option.label),
    });
    this.setStatus('waiting', waitingFor);
    this.patch({ dialog });
    const answer = await new Promise<DialogAnswer>((resolve) => (this.#answer = resolve));
    this.world.witness({
      event: 'dialog-answered',
      dialog: dialog.kind,
      answer: answer.kind === 'cancelled' ? 'cancelled' : answer.typed || answer.label,
    });
    this.setStatus(this.#view.busy ? 'busy' : 'idle');
    return answer;
  }

  /** A key for the open dialog. @returns false when none is open. */
  dialogKey(key: Key): boolean {
    const { dialog } = this.#view;
    if (dialog === undefined) return false;
    const step = dialogKey(dialog, key);
    if (step.kind === 'open') this.patch({ dialog: step.dialog });
    else this.closeDialog(step);
    return true;
  }

  /** Closes the open dialog, if there is one, with an answer, from a key or from a hook. */
  closeDialog(answer: DialogAnswer): void {
    if (this.#view.dialog === undefined) return;
    this.patch({ dialog: undefined });
    const resolve = this.#answer;
    this.#answer = undefined;
    resolve?.(answer);
  }
}
