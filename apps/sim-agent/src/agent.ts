// Runs the program's life: starts, takes prompts one after the other, is interrupted, and leaves.

import { pause } from '@drover/base';
import { commandIn } from './keyboard/slash-commands.ts';
import { insertText } from './keyboard/composer.ts';
import { LABELS, apiKeyDialog, bypassDialog, importsDialog, settingsDialog, trustDialog } from './dialog/known.ts';
import { runTurn } from './turn/run-turn.ts';
import { HOOK_EVENTS } from './options/settings.ts';
import type { Session } from './session.ts';
import { Turn, type TurnOutcome } from './turn/turn.ts';
import { sha256 } from './records/witness.ts';

/** A prompt ready to be taken: what the model will receive, what the box showed, and how many collapsed pastes it held. */
export interface Prompt {
  readonly text: string;
  readonly shown: string;
  readonly pastes: number;
}

/** Words that precede the resumed session's id after leaving. */
const RESUME_WORDS = 'Resume this session with:';
/** An idle program notifies after this long. Measured on Claude Code 2.1.330. */
const IDLE_NOTIFY_MS = 60_000;
/** Hooks at the end are not waited for longer than this, so that no hook keeps the program from ending. */
const LAST_HOOKS_MS = 1_500;

/** The life of the program: one turn at a time, a queue behind it, an orderly end. Keys come from `Keyboard`. */
export class Agent {
  readonly session: Session;
  #turn: Turn | undefined;
  #queue: Prompt[] = [];
  #callOffIdle: () => void = () => undefined;
  #leaving = false;
  readonly #ended = new AbortController();

  constructor(session: Session) {
    this.session = session;
  }

  /**
   * Goes through the dialogs of the start, shows the prompt box and takes the prompt of the command line.
   * @param ready is called as the prompt box appears.
   */
  async start(source: 'startup' | 'resume', ready: () => void): Promise<void> {
    const { session } = this;
    const { world, options } = session;
    if (world.home.spend('blank-start')) return world.witness({ event: 'blank' });
    if (!(await this.#startDialogs())) return;
    world.screen.enter();
    ready();
    session.patch({});
    session.setStatus('idle');
    world.witness({ event: 'ready' });
    this.#armIdle();
    // Output of these hooks belongs to the conversation: the prompt of the command line waits for them, the box does not.
    await session.fire('SessionStart', { source, model: options.model }, source);
    if (options.prompt !== undefined)
      this.#takeOrQueue({ text: options.prompt, shown: options.prompt, pastes: 0 }, 'argument');
  }

  /** Takes a prompt now, or queues it while a turn runs. */
  submit(prompt: Prompt): void {
    this.#takeOrQueue(prompt, 'typed');
  }

  /** Puts queued messages back into the box. */
  editQueued(): void {
    const texts = this.#queue.map((prompt) => prompt.text).join('\n');
    this.#queue = [];
    this.session.patch({ composer: insertText(this.session.view.composer, texts) });
    this.#showQueue();
  }

  get hasQueued(): boolean {
    return this.#queue.length > 0;
  }

  /** Stops the running turn, if it listens. */
  interrupt(): void {
    if (this.#turn === undefined || this.#turn.deaf) return;
    this.#turn.stop.abort();
  }

  /** Tells whether a turn runs that takes no interrupts. */
  get isDeaf(): boolean {
    return this.#turn?.deaf === true;
  }

  /** A slash command. */
  async command(name: string): Promise<void> {
    const { session } = this;
    session.world.witness({ event: 'command', text: name });
    switch (name) {
      case '/exit':
      case '/quit':
        return this.leave(0, 'prompt_input_exit');
      case '/clear':
        return this.#clearConversation();
      case '/help':
        return session.push(
          { kind: 'prompt', text: name },
          { kind: 'detail', text: 'See the README of this program', tone: 'muted' },
        );
      default:
        return session.push(
          { kind: 'prompt', text: name },
          { kind: 'detail', text: `Unknown command: ${name}`, tone: 'muted' },
        );
    }
  }

  /** Ends the program in order: hooks told, status file gone, screen restored. */
  async leave(code: number, reason: string): Promise<void> {
    if (this.#leaving) return;
    this.#leaving = true;
    const { session } = this;
    const { world } = session;
    const orderly = code === 0;
    const waited = new AbortController();
    await Promise.race([
      session.fire('SessionEnd', { reason }, reason),
      pause(world.clock, LAST_HOOKS_MS, waited.signal),
    ]);
    waited.abort();
    world.home.removeStatus(world.pid);
    world.witness({ event: 'exit', code, why: reason });
    const words = `\n\u001B[2m${RESUME_WORDS}\nsim-agent --resume ${session.transcript.session}\u001B[0m\n`;
    world.exit(code, { restore: orderly, words: orderly ? words : '' });
  }

  #takeOrQueue(prompt: Prompt, source: 'argument' | 'typed'): void {
    const { turnDelayMs, view, world } = this.session;
    if (!view.busy) {
      this.session.turnDelayMs = 0;
      if (turnDelayMs === 0) this.#take(prompt, source);
      else void pause(world.clock, turnDelayMs, this.#ended.signal).then(() => this.#take(prompt, source));
      return;
    }
    this.#queue.push(prompt);
    this.#showQueue();
    this.session.world.witness({ event: 'queued', sha256: sha256(prompt.text), bytes: Buffer.byteLength(prompt.text) });
  }

  #take(prompt: Prompt, source: 'argument' | 'typed' | 'queued'): void {
    const { session } = this;
    const promptId = session.world.uuid();
    session.promptId = promptId;
    session.transcript.prompt(prompt.text, promptId);
    session.world.witness({
      event: 'taken',
      prompt: prompt.text,
      sha256: sha256(prompt.text),
      bytes: Buffer.byteLength(prompt.text),
      promptId,
      source,
      pastes: prompt.pastes,
    });
    if (session.world.home.spend('silent-turn')) return void session.fire('UserPromptSubmit', { prompt: prompt.text });
    const { lateTurnMs } = session.options;
    if (lateTurnMs === 0) return this.#begin(prompt, promptId);
    void pause(session.world.clock, lateTurnMs, this.#ended.signal).then(() => this.#begin(prompt, promptId));
  }

  #begin(prompt: Prompt, promptId: string): void {
    const { session } = this;
    this.#callOffIdle();
    const before = session.view.entries;
    session.patch({ entries: [...before, { kind: 'prompt', text: prompt.shown }], busy: true, placeholder: '' });
    session.setStatus('busy');
    const turn = new Turn(session, prompt.text, promptId);
    this.#turn = turn;
    void runTurn(turn).then((outcome) => this.#afterTurn(turn, outcome, before));
  }

  #afterTurn(turn: Turn, outcome: TurnOutcome, before: Session['view']['entries']): void {
    const { session } = this;
    const { world } = session;
    this.#turn = undefined;
    if (outcome === 'interrupted') {
      const restored = !turn.produced && this.#queue.length === 0;
      world.witness({ event: 'interrupted', restored });
      if (restored) session.patch({ entries: before, composer: insertText(session.view.composer, turn.prompt) });
      else session.push({ kind: 'detail', text: session.view.persona.texts.interrupted, tone: 'muted' });
    }
    world.witness({ event: 'turn-ended', promptId: turn.promptId, outcome });
    session.patch({ busy: false, spinner: undefined });
    if (session.exitRequested) return void this.leave(0, 'prompt_input_exit');
    const next = this.#queue.shift();
    this.#showQueue();
    const command = next === undefined ? undefined : commandIn(next.text);
    if (next !== undefined && command === undefined) return this.#take(next, 'queued');
    session.setStatus('idle');
    this.#armIdle();
    if (command !== undefined) void this.command(command);
  }

  async #clearConversation(): Promise<void> {
    const { session } = this;
    await session.fire('SessionEnd', { reason: 'clear' }, 'clear');
    session.promptId = undefined;
    session.transcript = session.world.openTranscript(session.world.uuid());
    session.patch({ entries: [{ kind: 'prompt', text: '/clear' }], placeholder: '' });
    session.setStatus('idle');
    session.world.witness({ event: 'cleared' });
    await session.fire('SessionStart', { source: 'clear' }, 'clear');
  }

  async #startDialogs(): Promise<boolean> {
    const { session } = this;
    const { options, world, settings } = session;
    const unknown = settings.unknownEvents;
    const dialogs = [
      ...(options.trustDialog ? [trustDialog(world.cwd)] : []),
      ...(options.apiKeyDialog ? [apiKeyDialog()] : []),
      ...(options.importsDialog ? [importsDialog()] : []),
      ...(unknown.length > 0 ? [settingsDialog(settingsName(options.settings), unknown, HOOK_EVENTS)] : []),
      ...(options.mode === 'bypassPermissions' ? [bypassDialog()] : []),
    ];
    for (const dialog of dialogs) {
      const answer = await session.ask(dialog);
      const refused =
        answer.kind === 'cancelled' || answer.label === LABELS.noExit || answer.label === LABELS.exitAndFix;
      if (refused && dialog.kind !== 'api-key' && dialog.kind !== 'imports') {
        await this.leave(1, 'other');
        return false;
      }
    }
    return true;
  }

  #showQueue(): void {
    const { texts } = this.session.view.persona;
    const queued = this.#queue.map((prompt) => prompt.shown);
    const { placeholder } = this.session.view;
    const kept = placeholder === texts.queuedPlaceholder ? '' : placeholder;
    this.session.patch({ queued, placeholder: queued.length > 0 ? texts.queuedPlaceholder : kept });
  }

  #armIdle(): void {
    this.#callOffIdle();
    const message = 'Claude is waiting for your input';
    this.#callOffIdle = this.session.world.clock.after(
      IDLE_NOTIFY_MS,
      () => void this.session.fire('Notification', { message, notification_type: 'idle_prompt' }, 'idle_prompt'),
    );
  }
}

/** Names the settings for the warning: a file by its path, settings given as JSON by their flag. */
function settingsName(given: string | undefined): string {
  return given === undefined || given.trimStart().startsWith('{') ? '--settings' : given;
}
