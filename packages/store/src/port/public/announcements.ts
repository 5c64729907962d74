// Describes events that programs outside are notified of.

/** Announcement of an event, without any text of a pane. */
export interface AnnouncementRow {
  /** Cursor. A follower that goes on after it misses nothing and sees nothing twice (X12). */
  readonly id: number;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Type such as `escalation.opened`: the subject, and what happened to it. */
  readonly type: string;
  /** Null: it is of the whole fleet. */
  readonly projectId: string | null;
  readonly workerId: string | null;
  /** Actor; null: Drover itself. */
  readonly actor: { readonly kind: string; readonly name: string } | null;
  /** Subject by its `kind` and `id`, and what a reader needs in order to know whether to look further. */
  readonly subject: Readonly<Record<string, string | number>>;
  /** Version of the subject. */
  readonly version: number;
}

/** Page of a follower. */
export interface AnnouncementPage {
  /** Announcements, oldest first. */
  readonly items: readonly AnnouncementRow[];
  /** The last id that may be read now, also where no item has it: a follower may go on after it once it has all items up to it. */
  readonly settled: number;
  /** Transactions are under way whose items come before others that are there: read again soon. */
  readonly isBehind: boolean;
  /** True if announcements after the cursor are not known: they were removed, or the cursor is of another database. */
  readonly isLost: boolean;
}
