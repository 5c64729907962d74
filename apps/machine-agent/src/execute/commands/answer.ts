/** Answers a dialog by the words of an option, never by a blind key; a permission by its id where a channel leads to its program. */
import { waitFor } from '@drover/base';
import type { AnswerChoice, Dialog, Command, CommandResult } from '@drover/core';
import type { WorkerSettings } from '@drover/protocol';
import { chooseOption, type Profile } from '@drover/screen';
import { CommandError } from '../../failure.ts';
import { living, type Pane, type PaneReading } from '../../panes/pane.ts';
import type { PaneHands } from '../../panes/servers.ts';
import { ON_PANE, type KnownCommands } from '../known.ts';
import type { AnswerContext } from '../tools.ts';
import { addressOf } from './open.ts';

export const ANSWER = {
  answer: { ...ON_PANE, carryOut: answer },
} satisfies KnownCommands;

/** Milliseconds in which a key must move the highlight, and in which the dialog must close after it was confirmed. */
const MOVE_MS = 1_500;
const CLOSE_MS = 5_000;
const CHECK_EVERY_MS = 40;

type Answer = Extract<Command, { kind: 'answer' }>;

/** Answers `answered` when the dialog has gone; `stale` when another screen is shown. */
export async function answer(context: AnswerContext, command: Answer): Promise<CommandResult> {
  const pane = await context.panes.at(addressOf(command.incarnation));
  if (pane === undefined) return { kind: 'pane-gone' };
  return pane.withHands((hands) => new Answering(context, pane, hands).run(command));
}

class Answering {
  readonly #context: AnswerContext;
  readonly #profile: Profile;
  readonly #pane: Pane;
  readonly #hands: PaneHands;

  constructor(context: AnswerContext, pane: Pane, hands: PaneHands) {
    this.#context = context;
    this.#profile = context.profiles.of(context.settings).profile;
    this.#pane = pane;
    this.#hands = hands;
  }

  async run({ incarnation, fingerprint, choice }: Answer): Promise<CommandResult> {
    const seen = await this.#see();
    if (seen === null) return { kind: 'pane-gone' };
    const dialog = dialogOf(seen);
    if (dialog === null || seen.reading.fingerprint !== fingerprint) {
      return { kind: 'stale', why: `the screen shows "${seen.reading.state.kind}" by now` };
    }
    const { settings } = this.#context;
    const label = labelFor(this.#profile, { dialog, choice, settings });
    refuseTrust(dialog, label, settings);
    const { state } = seen.reading;
    if (state.kind === 'permission') {
      // By its channel the request itself is answered, by its id, whatever the screen shows by then.
      const channel = await this.#context.channels.of(incarnation);
      const isAnswered = await channel?.answer({ command: state.command, label }).catch(() => false);
      if (isAnswered === true) return this.#closed(dialog, label);
    }
    return this.#choose(dialog, label);
  }

  async #choose(dialog: Dialog, label: string): Promise<CommandResult> {
    const plan = chooseOption(this.#profile, dialog, label);
    if (plan.kind === 'no-such-option') {
      throw new CommandError(
        'no-such-option',
        `"${dialog.title}" has no option "${label}": ${plan.labels.join(' | ')}`,
      );
    }
    if (plan.kind === 'no-highlight') {
      throw new CommandError('no-highlight', `"${dialog.title}" shows no highlight, so Drover cannot choose an option`);
    }
    for (const key of plan.keys) {
      const before = await this.#see();
      await this.#hands.pressKeys([key]);
      const moved = await this.#until((seen) => seen.reading.fingerprint !== before?.reading.fingerprint, MOVE_MS);
      if (!moved) return { kind: 'stale', why: `the highlight did not move on "${key}"` };
    }
    const stands = await this.#until((seen) => highlighted(seen) === plan.stands, MOVE_MS);
    if (!stands) return { kind: 'stale', why: `the highlight is not on "${plan.stands}"` };
    await this.#hands.pressKeys([plan.confirm]);
    return this.#closed(dialog, plan.label);
  }

  async #closed(dialog: Dialog, label: string): Promise<CommandResult> {
    const closed = await this.#until((seen) => !isSame(dialogOf(seen), dialog), CLOSE_MS);
    return closed ? { kind: 'answered', label } : { kind: 'stale', why: 'the dialog did not close' };
  }

  /** Polls the screen until it shows something; false when time is over. A pane that ended shows no dialog any more. */
  async #until(holds: (seen: PaneReading) => boolean, withinMs: number): Promise<boolean> {
    const { clock, signal } = this.#context;
    const ask = async (): Promise<true | undefined> => {
      const seen = await this.#see();
      return seen === null || holds(seen) ? true : undefined;
    };
    return (await waitFor(clock, ask, { withinMs, everyMs: CHECK_EVERY_MS, signal })) === true;
  }

  async #see(): Promise<PaneReading | null> {
    return living(await this.#pane.see(this.#profile));
  }
}

function dialogOf({ reading }: PaneReading): Dialog | null {
  return 'dialog' in reading.state ? reading.state.dialog : null;
}

/** Compares the words, too: agents ask for the next tool at once, under the same title. */
function isSame(now: Dialog | null, { title, body }: Dialog): boolean {
  return now?.title === title && now.body === body;
}

function highlighted(seen: PaneReading): string | null {
  return dialogOf(seen)?.options.find((option) => option.highlighted)?.label ?? null;
}

/** Refuses to give trust that the machine's owner does not allow, or that the project has refused. Throws with `trust-not-allowed`. */
function refuseTrust({ trust }: Dialog, label: string, { name, project }: WorkerSettings): void {
  if (trust === undefined || label !== trust.accept || project.trust[trust.kind] !== false) return;
  const message = `"${name}" is not to be trusted in "${trust.kind}" here: see agent.allowed_trust of its machine, and "drover project trust"`;
  throw new CommandError('trust-not-allowed', message);
}

/** Words of the option: the chosen ones, or the profile's for this kind of dialog. */
function labelFor(
  profile: Profile,
  { dialog, choice, settings }: { dialog: Dialog; choice: AnswerChoice; settings: WorkerSettings },
): string {
  if (choice.kind === 'label') return choice.label;
  const words = `${dialog.title}\n${dialog.body}`;
  const known = profile.answers.find(({ kind, matches }) => kind === dialog.kind && (matches?.test(words) ?? true));
  const allowed = known?.when === 'always' || settings.skipPermissions;
  if (known === undefined || known.when === 'never' || !allowed) {
    throw new CommandError('no-answer', `The profile "${profile.id}" has no answer to "${dialog.title}"`);
  }
  const labels = dialog.options.map(({ label }) => label);
  const shown = known.accept.find((wanted) =>
    labels.some((label) => label.toLowerCase().startsWith(wanted.toLowerCase())),
  );
  if (shown === undefined) {
    throw new CommandError('no-such-option', `"${dialog.title}" offers none of ${known.accept.join(' | ')}`);
  }
  return shown;
}
