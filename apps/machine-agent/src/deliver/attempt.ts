/** Knows, sees and records one attempt to deliver a text. */
import { messageOf, pause } from '@drover/base';
import type { Composer, Command, CommandResult, Receipt, ReceiptStep } from '@drover/core';
import { composerOfState } from '@drover/core';
import type { WorkerSettings } from '@drover/protocol';
import { boxHolds, type Profile } from '@drover/screen';
import type { Cursor } from '@drover/tmux';
import type { DeliveryContext } from '../execute/tools.ts';
import { living, type Known, type Pane, type PaneReading } from '../panes/pane.ts';
import type { PaneHands } from '../panes/servers.ts';
import type { DeliveryNotes } from './notes/notes.ts';
import type { TypingPlan } from './typing.ts';
import type { PromptRecords, WordMarks } from './prompt-records.ts';

/** Command that is being carried out. */
export type Deliver = Extract<Command, { kind: 'deliver' }>;
/** Text in the form in which it is typed. */
export type Typed = Extract<TypingPlan, { kind: 'type' }> & {
  /** File that holds the text when a line that names it is typed in its place, and the reason. */
  readonly file: { readonly path: string; readonly why: string; readonly bytes: number } | null;
};

/** Content of the box, as far as this text is concerned. */
type Stands = 'whole' | 'part' | 'other' | 'empty' | 'placeholder' | 'none';

/** Next stage; each has its own file section and its own deadline. */
export type Stage =
  | { readonly kind: 'preflight' }
  | { readonly kind: 'clear' }
  | { readonly kind: 'set-aside'; readonly text: string }
  | { readonly kind: 'type' }
  | { readonly kind: 'see' }
  /** With the cursor of the capture that showed the text in the box. */
  | { readonly kind: 'enter'; readonly at: Cursor }
  | { readonly kind: 'take' }
  | { readonly kind: 'ended'; readonly result: CommandResult };

/** Parts that an attempt works with. */
interface AttemptParts {
  readonly context: DeliveryContext;
  readonly command: Deliver;
  readonly plan: Typed;
  readonly profile: Profile;
  readonly pane: Pane;
  readonly hands: PaneHands;
  readonly marks: WordMarks;
  readonly words: PromptRecords;
  /** Notes of an earlier attempt with the same text that was not delivered. */
  readonly earlier: DeliveryNotes | null;
  /** Text that was delivered last in this life, as it was typed; null when there is none, or it is this one. */
  readonly former: string | null;
}

/** Attempt with its tools, its observations, and the receipt that it writes on its way. */
export class Attempt {
  readonly parts: AttemptParts;
  readonly evidence: string[] = [];
  /** Observation before anything was typed. */
  before: { readonly wasBusy: boolean; readonly progress: string } = { wasBusy: false, progress: '' };
  enters = 0;
  /** Times that Enter was held back because the cursor had moved since the capture. */
  heldBack = 0;
  readonly #steps: ReceiptStep[] = [];
  #isTyped = false;
  #kept: DeliveryNotes['step'] | undefined;

  constructor(parts: AttemptParts) {
    this.parts = parts;
  }

  get worker(): WorkerSettings {
    return this.parts.context.settings;
  }

  get now(): number {
    return this.parts.context.clock.now();
  }

  /** Measures durations. A change of the clock makes them neither shorter nor longer. */
  get elapsed(): number {
    return this.parts.context.clock.elapsed();
  }

  /** True when the command's time is over or the agent stops. */
  get isOver(): boolean {
    return this.parts.context.signal.aborted;
  }

  pause(delayMs: number): Promise<void> {
    return pause(this.parts.context.clock, delayMs, this.parts.context.signal);
  }

  /**
   * Looks at this very life of the pane with everything that its program says of itself: an agent whose own word contradicts its screen is not
   * typed to.
   */
  async seeWhole(): Promise<PaneReading | null> {
    return this.see(await this.parts.pane.known());
  }

  /** Looks at this very life of the pane again; null when it is gone or its program has ended. The content of the box shows on the screen alone. */
  async see(known: Known = {}): Promise<PaneReading | null> {
    return living(await this.parts.pane.see(this.parts.profile, known));
  }

  /** Tells how much of the text is in the box. */
  stands(seen: PaneReading): Stands {
    return standsIn(composerOfState(seen.reading.state), this.parts.plan.text);
  }

  done(step: ReceiptStep['step'], evidence?: string): void {
    this.#steps.push({ step, at: this.now });
    if (evidence !== undefined) this.evidence.push(evidence);
  }

  /** Writes the next step down, durably, before it is done. @throws when the machine with the panes is unreachable. */
  async note(step: DeliveryNotes['step']): Promise<void> {
    const { context, command, plan, marks } = this.parts;
    const typed = { incarnation: command.incarnation, text: plan.text, step };
    const notes: DeliveryNotes = { ...typed, ...marks, ...this.before };
    if (this.#kept !== step) {
      const { settings, seq, files } = context;
      await files.kept?.keep(settings.workerId, { seq, textId: command.textId, notes });
      this.#kept = step;
    }
    this.#isTyped = true;
    context.journal.note(context.commandId, notes);
  }

  /** Takes over the notes of the earlier attempt: this one is about the same text. */
  noteEarlier(): void {
    const { context, earlier } = this.parts;
    if (earlier !== null) context.journal.note(context.commandId, earlier);
  }

  receipt(): Receipt {
    const { how, text, file } = this.parts.plan;
    const told = { evidence: this.evidence, steps: this.#steps, enters: this.enters };
    if (file === null) return { ...told, method: methodOf(how), bytes: Buffer.byteLength(text) };
    return { ...told, method: `file ${file.path} (${file.why})`, bytes: file.bytes };
  }

  taken(kind: 'delivered' | 'queued', evidence: string): Stage {
    this.done('taken', evidence);
    return { kind: 'ended', result: { kind, at: this.now, receipt: this.receipt() } };
  }

  failed(kind: 'lost' | 'partial', evidence: string): Stage {
    this.evidence.push(evidence);
    return { kind: 'ended', result: { kind, receipt: this.receipt() } };
  }

  refused(why: Extract<CommandResult, { kind: 'refused' }>['why'], detail: string): Stage {
    return { kind: 'ended', result: { kind: 'refused', why, detail } };
  }

  unknown(why: string): Stage {
    this.evidence.push(why);
    return { kind: 'ended', result: { kind: 'unknown', why, receipt: this.receipt() } };
  }

  /** Handles a failed step, such as a tmux that does not answer: a text that may have been typed is looked for. @throws before that. */
  brokeOff(error: unknown): Stage {
    if (!this.#isTyped) throw error;
    return this.unknown(`its delivery broke off: ${messageOf(error)}`);
  }
}

/** Compares the box with a text. A box that has scrolled and shows the end of the text counts as holding all of it. */
export function standsIn(composer: Composer, text: string): Stands {
  if (composer.kind === 'none') return 'none';
  const holds = boxHolds(composer, text);
  if (holds !== 'part' || composer.kind !== 'text' || composer.whole) return holds;
  return bare(text).endsWith(bare(composer.text)) ? 'whole' : 'part';
}

function methodOf(how: Typed['how']): string {
  switch (how.kind) {
    case 'paste':
      return 'paste';
    case 'pieces':
      return `paste in ${how.pieces.length} pieces`;
    case 'keys':
      return `keys ${how.chunk}/${how.gapMs} ms`;
    default:
      return how satisfies never;
  }
}

function bare(text: string): string {
  return text.replaceAll(/[\s\u00a0\u200b-\u200d\ufeff]+/gu, '').normalize('NFC');
}
