/**
 * Maps names to conversations. A pane that went on keeps its own, and the one that the command named is another name for it. An installed
 * agent keeps the names in its database. A gateway keeps them on the host, because the next gateway has another database (docs/adr/0013).
 */
import { join } from 'node:path';
import type { Files } from '@drover/host';
import { z } from 'zod';
import type { KnownWorkers } from './known-workers.ts';

/** Names of one worker that are kept on a host, which hears the newest alone. */
const NAMES_KEPT = 50;
/** Characters of a name; Drover's own are UUIDs. The file lies where other programs write. */
const NAME_LENGTH_MAX = 200;

/** Conversation names of one machine's workers. */
export interface ConversationNames {
  /** Makes `wanted` another name for `actual` from now on. */
  name(workerId: string, wanted: string, actual: string): Promise<void>;
  /** Finds the conversation of a name; the name itself if it is no other one's. */
  named(workerId: string, wanted: string): Promise<string>;
  /** Forgets the names of a removed worker. */
  forget(workerId: string): Promise<void>;
}

/** Keeps names in the database, for an agent on the machine of its panes. */
export function namesInDatabase(db: Pick<KnownWorkers, 'nameConversation' | 'conversationNamed'>): ConversationNames {
  return {
    name: (_workerId, wanted, actual) => new Promise((resolve) => resolve(db.nameConversation(wanted, actual))),
    named: (_workerId, wanted) => new Promise((resolve) => resolve(db.conversationNamed(wanted))),
    forget: () => Promise.resolve(),
  };
}

/** Ids of programs that may become a word of a command line: no option, no path. */
const PROGRAM_ID = /^[A-Za-z0-9][\w-]{0,99}$/u;

/** Keeps the id that the program itself gave to a conversation. One that could be read as an option of the program is not kept. */
export async function keepProgramId(
  names: ConversationNames,
  workerId: string,
  { conversation, id }: { readonly conversation: string; readonly id: string },
): Promise<void> {
  if (PROGRAM_ID.test(id)) await names.name(workerId, programKey(conversation), id);
}

/** Finds the id that the program itself gave to a conversation; null: it is not known. */
export async function programIdOf(
  names: Pick<ConversationNames, 'named'>,
  workerId: string,
  conversation: string,
): Promise<string | null> {
  const id = await names.named(workerId, programKey(conversation));
  return PROGRAM_ID.test(id) ? id : null;
}

/** A key that is never a conversation's name, and no id. */
function programKey(conversation: string): string {
  return `program:${conversation}`;
}

const name = z.string().min(1).max(NAME_LENGTH_MAX);
/** Conversations with their names; the newest last. */
const keptNames = z.array(z.object({ wanted: name, actual: name }));
type KeptNames = z.infer<typeof keptNames>;

/**
 * Keeps names in a file for each worker, in a directory of Drover's that is made at the first one. Each is read once: its epoch makes the
 * gateway the only writer here.
 */
export function namesOnHost(
  files: Pick<Files, 'mkdir' | 'writeFile' | 'readFile' | 'removeFile'>,
  directory: string,
): ConversationNames {
  const known = new Map<string, KeptNames>();
  const pathOf = (workerId: string): string => join(directory, `${workerId}.json`);
  const namesOf = async (workerId: string): Promise<KeptNames> => {
    const present = known.get(workerId);
    if (present !== undefined) return present;
    const bytes = await files.readFile(pathOf(workerId));
    const read = bytes === undefined ? [] : readNames(Buffer.from(bytes).toString());
    known.set(workerId, read);
    return read;
  };
  const named = async (workerId: string, wanted: string): Promise<string> =>
    (await namesOf(workerId)).find((one) => one.wanted === wanted)?.actual ?? wanted;
  return {
    async name(workerId, wanted, actual) {
      if ((await named(workerId, wanted)) === actual) return;
      const others = (await namesOf(workerId)).filter((one) => one.wanted !== wanted);
      const next = [...others, { wanted, actual }].slice(-NAMES_KEPT);
      // If the connection is lost in the middle, the file decides.
      known.delete(workerId);
      await files.mkdir(directory);
      await files.writeFile(pathOf(workerId), JSON.stringify(next));
      known.set(workerId, next);
    },
    named,
    async forget(workerId) {
      known.delete(workerId);
      await files.removeFile(pathOf(workerId));
    },
  };
}

/** Reads the names; a damaged file, as a loss of power may leave it, holds none. */
function readNames(text: string): KeptNames {
  try {
    return keptNames.parse(JSON.parse(text));
  } catch {
    return [];
  }
}
