/** Looks for a prompt in the program's own records, as proof that it was taken. Transcript first, then hooks; both hold the prompt's words. */
import type { Profile } from '@drover/screen';
import { hookFiles } from '../signals/hooks.ts';
import { transcriptPath } from '../signals/transcript.ts';
import type { Mark } from './notes/notes.ts';
import type { Records } from './records.ts';

/** Files to search, and the position after which to start. */
export interface WordMarks {
  readonly transcript: Mark | null;
  readonly hooks: Mark | null;
}

/** Marks of this moment: records after them are new. */
export async function marksNow(
  records: Records,
  profile: Profile,
  place: { machineDir: string; workerId: string; home: string; cwd: string; conversation: string },
): Promise<WordMarks> {
  const transcript = transcriptPath(profile, place);
  const hooks = hookFiles(place.machineDir, place.workerId, profile);
  return {
    transcript: transcript === null ? null : await markOf(records, transcript),
    hooks: hooks.settings === null ? null : await markOf(records, hooks.news),
  };
}

async function markOf({ sizeOf }: Records, path: string): Promise<Mark | null> {
  const offset = await sizeOf(path);
  return offset === null ? null : { path, offset };
}

/** Prompt to look for, and its places. */
interface PromptRecordsOptions {
  readonly profile: Profile;
  readonly text: string;
  readonly marks: WordMarks;
  readonly records: Records;
}

/** Looks for one prompt; files that have not grown are not read again. */
export class PromptRecords {
  readonly #marks: WordMarks;
  readonly #profile: Profile;
  readonly #text: string;
  readonly #records: Records;
  readonly #sizes = new Map<string, number>();
  #conversation: string | null = null;

  constructor({ profile, text, marks, records }: PromptRecordsOptions) {
    this.#profile = profile;
    this.#text = text;
    this.#marks = marks;
    this.#records = records;
  }

  /** Tells whether the program is known to keep a transcript: then a prompt that is missing in it was not taken. */
  async hasTranscript(): Promise<boolean> {
    return this.#marks.transcript !== null && this.#records.keepsTranscripts(this.#marks.transcript.path);
  }

  /** Tells whether there is any record to wait for. */
  get isKept(): boolean {
    return this.#marks.transcript !== null || this.#marks.hooks !== null;
  }

  /** Conversation that took the prompt, by the program's own id; null while no hook has named it. */
  get conversation(): string | null {
    return this.#conversation;
  }

  /** Record that shows that the prompt was taken; null when there is none so far. */
  async takenBy(): Promise<'transcript' | 'hook' | null> {
    const { transcript, hooks } = this.#marks;
    if (transcript !== null && (await this.#hasGrown(transcript))) {
      if (await this.#records.transcriptHolds(transcript.path, transcript.offset, this.#text)) return 'transcript';
    }
    if (hooks !== null && (await this.#hasGrown(hooks))) {
      const wanted = { profile: this.#profile, words: this.#text };
      const hook = await this.#records.hookOfPrompt(hooks.path, hooks.offset, wanted);
      if (hook !== null) {
        this.#conversation = hook.conversation;
        return 'hook';
      }
    }
    return null;
  }

  async #hasGrown({ path, offset }: Mark): Promise<boolean> {
    const size = (await this.#records.sizeOf(path)) ?? 0;
    const before = this.#sizes.get(path) ?? offset;
    this.#sizes.set(path, size);
    return size > before;
  }
}
