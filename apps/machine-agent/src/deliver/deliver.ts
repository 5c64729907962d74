/**
 * Gets a text into an agent exactly once. A machine of stages, each with its own deadline, each of which leads to another or to a result with
 * its evidence. The policy alone retries a delivery.
 */
import { invariant, type CommandResult } from '@drover/core';
import { ON_PANE, type KnownCommands } from '../execute/known.ts';
import type { CommandContext, DeliveryContext } from '../execute/tools.ts';
import { layOutResult, noteBegun, resultsOf } from '../signals/results.ts';
import { addressOf } from '../execute/commands/open.ts';
import { worktreeOf } from '../execute/worktree-of.ts';
import { Attempt, type Deliver, type Stage, type Typed } from './attempt.ts';
import { clearBox } from './clearing.ts';
import { bringBack, setAside } from './draft.ts';
import { enter, see, type } from './entering.ts';
import { deliverByChannel } from '../channels/by-channel.ts';
import { keepConversation } from './notes/conversation.ts';
import { lastDelivery } from './last-delivery.ts';
import { lineFor } from './prompt-file.ts';
import { preflight } from './preflight.ts';
import { take } from './taking.ts';
import { planTyping } from './typing.ts';
import { marksNow, PromptRecords, type WordMarks } from './prompt-records.ts';

export const DELIVER = {
  deliver: { ...ON_PANE, carryOut: tellOwedFirst },
} satisfies KnownCommands;

/** Notes the task whose use is counted, and lays out the file of a result that the text asks for, before it is typed. */
async function tellOwedFirst(context: CommandContext, command: Deliver): Promise<CommandResult> {
  const { host, machineDir, settings } = context;
  const { task, owed } = command;
  const directory = resultsOf(machineDir, settings.workerId);
  if (task !== undefined) await noteBegun(host, directory, { task, of: owed ?? null });
  if (owed !== undefined) await layOutResult(host, directory, owed);
  return deliver(context, command);
}

/** Delivers by the program's channel, or types where there is none, or where it is closed. @throws CommandError `prompt-file-elsewhere`. */
export async function deliver(context: DeliveryContext, command: Deliver): Promise<CommandResult> {
  return (await deliverByChannel(context, command)) ?? typeIt(context, command);
}

async function typeIt(context: DeliveryContext, command: Deliver): Promise<CommandResult> {
  const { profile } = context.profiles.of(context.settings);
  const plan = planTyping(profile, command);
  switch (plan.kind) {
    case 'type':
      return attemptIt(context, command, { ...plan, file: null });
    case 'file':
      return deliverByFile(context, command, plan.why);
    case 'too-long':
      return { kind: 'refused', why: 'too-long', detail: `${plan.bytes} bytes` };
    default:
      return plan satisfies never;
  }
}

/** Writes the text to a file, and types a line that names the file. */
async function deliverByFile(context: DeliveryContext, command: Deliver, why: string): Promise<CommandResult> {
  const { profile } = context.profiles.of(context.settings);
  const path = await context.files.writePromptFile(worktreeOf(context.settings), command.text);
  const plan = planTyping(profile, { ...command, text: lineFor(path) });
  invariant(plan.kind === 'type', 'a line that names a file can be typed');
  return attemptIt(context, command, { ...plan, file: { path, why, bytes: Buffer.byteLength(command.text) } });
}

async function attemptIt(context: DeliveryContext, command: Deliver, plan: Typed): Promise<CommandResult> {
  const { profile } = context.profiles.of(context.settings);
  const pane = await context.panes.at(addressOf(command.incarnation));
  if (pane === undefined) return { kind: 'refused', why: 'pane-gone', detail: `${command.incarnation} has ended` };
  const last = await lastDelivery(context, command);
  const earlier = last?.isSame === true && !last.wasTaken && last.notes.sentTo === undefined ? last.notes : null;
  const former = last?.isSame === false ? last.notes.text : null;
  const marks = earlier ?? (await marksOf(context, command.incarnation));
  const words = new PromptRecords({ profile, text: plan.text, marks, records: context.files.records });
  const { transcript, hooks } = marks;
  return pane.withHands(async (hands) => {
    const parts = {
      context,
      command,
      plan,
      profile,
      pane,
      hands,
      words,
      earlier,
      former,
      marks: { transcript, hooks },
    };
    const attempt = new Attempt(parts);
    // Notes the earlier text even if this attempt fails or the agent dies: that text may be in the box, or be taken at any time.
    attempt.noteEarlier();
    let stage: Stage = { kind: 'preflight' };
    while (stage.kind !== 'ended') {
      stage = await next(attempt, stage).catch((error: unknown) => attempt.brokeOff(error));
    }
    // Programs that choose the id of a conversation report it through a hook.
    if (profile.launch.session === null && words.conversation !== null)
      await keepConversation(context, command, words.conversation);
    // The result of the text does not depend on the draft.
    await bringBack(attempt).catch((error: unknown) =>
      attempt.evidence.push(`Drover could not restore the draft: ${String(error)}`),
    );
    return stage.result;
  });
}

function next(attempt: Attempt, stage: Exclude<Stage, { kind: 'ended' }>): Promise<Stage> {
  switch (stage.kind) {
    case 'preflight':
      return preflight(attempt);
    case 'clear':
      return clearBox(attempt);
    case 'set-aside':
      return setAside(attempt, stage.text);
    case 'type':
      return type(attempt);
    case 'see':
      return see(attempt);
    case 'enter':
      return enter(attempt, stage.at);
    case 'take':
      return take(attempt);
    default:
      return stage satisfies never;
  }
}

/** Places of the evidence for this life's conversation. */
async function marksOf(context: DeliveryContext, incarnation: string): Promise<WordMarks> {
  const { profiles, settings, knownWorkers, machineDir, home, files } = context;
  const life = knownWorkers.incarnationOf(incarnation);
  if (life === undefined) return { transcript: null, hooks: null };
  const cwd = (await files.realpath(worktreeOf(settings))) ?? worktreeOf(settings);
  const { workerId } = settings;
  return marksNow(files.records, profiles.of(settings).profile, {
    machineDir,
    workerId,
    home,
    cwd,
    conversation: life.conversation,
  });
}
