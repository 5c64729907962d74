/** Finds the delivery before this one, by the journal or the previous gateway's record. */
import type { DeliveryContext } from '../execute/tools.ts';
import type { Deliver } from './attempt.ts';
import { readNotes, type DeliveryNotes } from './notes/notes.ts';

/** Last text given to this life of the pane. */
interface LastDelivery {
  readonly notes: DeliveryNotes;
  readonly isSame: boolean;
  readonly wasTaken: boolean;
}

/** Finds the last text given to this life of the pane, and whether it is the same text again and was delivered. */
export async function lastDelivery(context: DeliveryContext, command: Deliver): Promise<LastDelivery | null> {
  const { journal, settings, seq } = context;
  const before = journal.deliveryBefore(settings.workerId, seq);
  if (before === undefined) return lastOfAnother(context, command);
  if (before.command.body.kind !== 'command') return null;
  const { command: past } = before.command.body;
  const notes = readNotes(before.notes);
  if (past.kind !== 'deliver' || notes?.incarnation !== command.incarnation) return null;
  const wasTaken = before.result?.kind === 'delivered' || before.result?.kind === 'queued';
  return { notes, isSame: past.text === command.text, wasTaken };
}

/** Last delivery of the previous gateway. A text that is given again was not taken: the coordinator has looked. */
async function lastOfAnother({ files, settings }: DeliveryContext, command: Deliver): Promise<LastDelivery | null> {
  const kept = await files.kept?.last(settings.workerId);
  if (kept == null || kept === 'damaged' || kept.notes.incarnation !== command.incarnation) return null;
  const isSame = kept.textId === command.textId;
  return { notes: kept.notes, isSame, wasTaken: !isSame };
}
