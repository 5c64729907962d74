/** Takes the commands and worker settings that come in, refuses some, and concludes the commands that the agent's last process left. */
import type { Log } from '@drover/base';
import type { CommandResult } from '@drover/core';
import { SUPERSEDED } from '@drover/core';
import {
  tellMisfit,
  type Misfit,
  type QueryResult,
  type WorkerSettings,
  type UnreadCommand,
  type UnreadSettings,
  type CommandEnvelope,
} from '@drover/protocol';
import { kindOf, type Executor } from './execute/executor.ts';
import type { CrashPoint } from './crash-point.ts';
import type { KnownWorkers } from './store/known-workers.ts';
import { placeOf, type Journal } from './store/journal.ts';

/**
 * Code of a command that cannot be read, one of the policy's own: the fault is a mismatch within Drover, not a failure of tmux or git. Source:
 * packages/core/src/taxonomy. The message says what does not fit, and what helps.
 */
const UNREADABLE = 'INTERNAL_ERROR';

interface IntakeOptions {
  readonly journal: Journal;
  readonly knownWorkers: KnownWorkers;
  readonly executor: Executor;
  readonly log: Log;
  readonly crashPoint: (point: CrashPoint, kind: string) => void;
}

/** Takes commands and worker settings, as the single entrance. */
export class Intake {
  readonly #options: IntakeOptions;
  /** Reported inputs that can neither be read nor answered: kinds without an id, and worker settings. */
  readonly #passedOver = new Set<string>();

  constructor(options: IntakeOptions) {
    this.#options = options;
  }

  /**
   * Concludes commands that an earlier life was carrying out: their outcome is unknown, so the coordinator looks, then decides on current
   * facts. Call before anything is received.
   */
  concludeUnfinished(): void {
    for (const place of this.#options.journal.unfinished()) {
      const why = 'the machine agent ended before the outcome was recorded';
      const result: CommandResult | QueryResult =
        place.seq === 0 ? { kind: 'failed', code: 'agent-restarted', message: why } : { kind: 'unknown', why };
      this.#options.journal.finish(place, result);
    }
  }

  /** Takes a command: on return it is in the journal. A repeat is answered, an outdated one refused. */
  receive(command: CommandEnvelope, epoch: number): void {
    const { journal, knownWorkers, executor, crashPoint, log } = this.#options;
    const receipt = journal.receive(command);
    if (receipt === 'known') return journal.answerAgain(command.id);
    crashPoint('received', kindOf(command));
    if (command.epoch < epoch) {
      return journal.finish(
        placeOf(command),
        refused('stale-epoch', `The command is of epoch ${command.epoch}; the machine is in epoch ${epoch}`),
      );
    }
    if (receipt === 'superseded') {
      log('debug', `The command ${command.id} came after a newer one for "${command.settings.name}"`);
      const place = placeOf(command);
      const message = 'A newer command for this worker came before it';
      const newestSeq = journal.newestSeq(place.workerId);
      return journal.finish(place, { kind: 'failed', code: SUPERSEDED, message, retry: true, newestSeq });
    }
    // An inventory is about no worker: its settings name the project alone.
    if (command.body.kind === 'command') knownWorkers.rememberWorker(command.settings);
    executor.submit(command);
  }

  /** Answers a command that this agent cannot read, so that the coordinator does not send it again without end. */
  refuseUnread({ id, unread, misfit, command }: UnreadCommand): void {
    const { journal, log } = this.#options;
    const why = cannotRead(`the command "${unread}"`, misfit);
    if (id !== null) {
      log('warn', why, { id });
      const place = { id, workerId: command?.workerId ?? '', seq: command?.seq ?? 0 };
      return journal.conclude(place, { kind: 'failed', code: UNREADABLE, message: why, retry: false });
    }
    if (this.#passedOver.has(unread)) return;
    this.#passedOver.add(unread);
    log('warn', `${why}. It has no id, so the agent ignores it`);
  }

  /** Takes the worker settings of a hello. Unreadable settings keep their previous value; each is reported once. */
  rememberWorkers(workers: readonly (WorkerSettings | UnreadSettings)[]): void {
    const { knownWorkers, log } = this.#options;
    for (const settings of workers) {
      if (!('unread' in settings)) {
        knownWorkers.rememberWorker(settings);
        continue;
      }
      const why = cannotRead(`the settings of the worker "${settings.unread}"`, settings.misfit);
      if (this.#passedOver.has(why)) continue;
      this.#passedOver.add(why);
      log('warn', `${why}. The agent keeps its previous settings`);
    }
  }
}

/** Describes the mismatch, and which side is too old if that is certain. */
function cannotRead(what: string, misfit: Misfit): string {
  const helps = misfit.isLater
    ? 'it is older than the coordinator, update it'
    : 'it and the coordinator do not match, so bring both to the same version';
  return `This machine agent cannot read ${what} (${tellMisfit(misfit)}): ${helps}`;
}

function refused(code: string, message: string): CommandResult & QueryResult {
  return { kind: 'failed', code, message, retry: true };
}
