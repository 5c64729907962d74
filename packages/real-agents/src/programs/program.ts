// Defines what has to be known of a program to try it: its settings, its keys, and what it cannot do.

/** Place of a trial. */
export type Place = {
  readonly home: string;
  /** The Drover root: worktrees lie under it. */
  readonly root: string;
  /** Base URL of the model service. */
  readonly model: string;
};

/** Coding agent under trial. */
export type Program = {
  /** Writes the settings that a person would have made: an account and a model, but no trust and no permissions. */
  readonly settle: (place: Place) => Promise<void>;
  readonly env: (place: Place) => Readonly<Record<string, string>>;
  readonly args: readonly string[];
  /** Words before a prompt that start it without a screen. */
  readonly print: readonly string[];
  /** tmux keys by which a person allows and refuses, interrupts and ends. */
  readonly keys: {
    readonly allow: readonly string[];
    readonly deny: readonly string[];
    readonly interrupt: readonly string[];
    /** A key of its own for each entry; a text is typed as it is. */
    readonly exit: readonly string[];
  };
  /** Changes that are known to happen to some texts on their way, in the words of the table, and why. */
  readonly alters: Readonly<Record<string, string>>;
  /** Steps that the program has no way for, and why. */
  readonly without: Readonly<Record<string, string>>;
};

/** Reason why a program has no step about work that runs on after a turn. */
export const TELLS_NO_BACKGROUND = 'it does not tell what runs on after its turn';
/** Reason why a program has no step about what is left of its account. */
export const TELLS_NOTHING = 'it does not tell what is left of its account';
