/**
 * Compares the screens of a program's version that no trial has seen with what the program itself says: its status or channel, hooks and
 * transcript. Counts its turns, and keeps the screens of disagreements on the machine with the panes, without their secrets.
 */
import type { Compared, Reading } from '@drover/core';
import type { Files } from '@drover/host';
import type { Redactor } from '@drover/protocol';
import type { Capture, PaneState } from '@drover/tmux';
import { join } from 'node:path';
import type { Log } from '@drover/base';
import type { AgentDatabase } from '../store/database.ts';

/** Name under which the counts are kept. */
const FACT = 'compared';
/** Versions that are remembered, and screens that are kept: the newest. */
const VERSIONS_MAX = 20;
const SCREENS_MAX = 20;
/** Milliseconds that a disagreement must stand: screens and records follow each other within a second. */
const STANDS_MS = 5_000;

/** Rules by which a reading differs from what the screen alone says, or which make nothing of it. */
const DISAGREEMENTS: Readonly<Record<string, string>> = {
  contradiction: 'the program says the opposite of its screen',
  'structured-only': 'the screen says nothing, and the program does',
  'hook-only': 'the screen says nothing, and a hook does',
  'hook-failed': 'a hook tells of an error that the screen does not show',
  'transcript-api-error': 'the transcript tells of an error that the screen does not show',
  'nothing-matched': 'the screen says nothing',
};

/** Version of the program of a profile. */
interface Subject {
  readonly profile: string;
  readonly version: string;
}

/** A reading of the pane of a program. */
interface Witnessed {
  readonly profile: string;
  readonly reading: Reading;
  readonly capture: Pick<Capture, 'text' | 'ansi'> & {
    readonly facts: Pick<PaneState, 'currentCommand' | 'title' | 'cursor' | 'width'>;
  };
}

interface WitnessOptions {
  readonly db: Pick<AgentDatabase, 'maybeFact' | 'setFact'>;
  readonly files: Pick<Files, 'mkdir' | 'writeFile'>;
  readonly directory: string;
  readonly redactor: Pick<Redactor, 'text' | 'screen'>;
  /** Version of the program of a profile that no trial has seen; null: a trial has, or it is not known. */
  readonly untried: (profile: string) => string | null;
  readonly log: Log;
}

/** Course of one life of a pane. */
interface Course {
  /** Version with which the program was first seen: an update changes no program that runs. */
  readonly subject: Subject | null;
  wasAtWork: boolean;
  /** Disagreement that stands now. */
  standing: (Witnessed & { readonly says: string; readonly since: number }) | null;
}

/** Compares each reading of a pane; told by `Pane`. */
export class Witness {
  readonly #options: WitnessOptions;
  readonly #courses = new Map<string, Course>();
  readonly #counts: Map<string, Compared>;

  constructor(options: WitnessOptions) {
    this.#options = options;
    const kept: unknown = JSON.parse(options.db.maybeFact(FACT) ?? '[]');
    this.#counts = new Map(Array.isArray(kept) ? kept : []);
  }

  /** Counts for a version. */
  of(subject: Subject): Compared {
    return this.#counts.get(keyOf(subject)) ?? NONE;
  }

  /** Takes the next reading of a life of a pane. */
  see(incarnation: string, one: Witnessed): void {
    const course = this.#courses.get(incarnation) ?? this.#begin(incarnation, one.profile);
    const { subject } = course;
    if (subject === null) return;
    const { state, rule, at } = one.reading;
    const says = DISAGREEMENTS[rule.slice(rule.indexOf('/') + 1)] ?? null;
    const before = course.standing;
    // A reading stands until the next one.
    const hasStood = before !== null && at - before.since >= STANDS_MS;
    if (hasStood) this.#disagree(subject, before);
    if (says === null) course.standing = null;
    // A disagreement that goes on counts once.
    else if (before?.says !== says) course.standing = { ...one, says, since: at };
    else if (hasStood) course.standing = { ...before, since: Number.POSITIVE_INFINITY };
    if (state.kind === 'processing') course.wasAtWork = true;
    if (state.kind !== 'ready' || !course.wasAtWork) return;
    course.wasAtWork = false;
    if (!hasStood && state.after !== 'interrupted')
      this.#count(subject, ({ turns, ...more }) => ({ ...more, turns: turns + 1 }));
  }

  forget(incarnation: string): void {
    this.#courses.delete(incarnation);
  }

  #begin(incarnation: string, profile: string): Course {
    const version = this.#options.untried(profile);
    const course: Course = {
      subject: version === null ? null : { profile, version },
      wasAtWork: false,
      standing: null,
    };
    this.#courses.set(incarnation, course);
    return course;
  }

  #disagree(subject: Subject, { says, capture, reading }: NonNullable<Course['standing']>): void {
    const { disagreements } = this.of(subject);
    this.#count(subject, () => ({ turns: 0, disagreements: disagreements + 1 }));
    const { log } = this.#options;
    const version = `${subject.profile} ${subject.version}`;
    log('warn', `${version}, which no trial has seen, was read wrong: ${says}`, { rule: reading.rule });
    const kept = this.#keep(subject, { says, capture, number: disagreements % SCREENS_MAX });
    kept.catch((error: unknown) => log('warn', `Cannot keep a screen of ${version}: ${String(error)}`));
  }

  /** Keeps a screen in the two files that `drover debug screen test` reads. A person puts the right label. */
  async #keep(
    { profile, version }: Subject,
    {
      says,
      capture,
      number,
    }: { readonly says: string; readonly capture: Witnessed['capture']; readonly number: number },
  ): Promise<void> {
    const { files, directory, redactor } = this.#options;
    const { facts, text, ansi = text } = capture;
    const base = join(directory, `${profile}-${number}`);
    const file = {
      program: profile,
      version,
      state: says,
      label: 'unknown',
      pane_current_command: facts.currentCommand,
      pane_title: redactor.text(facts.title),
      cursor_y: String(facts.cursor.y),
    };
    await files.mkdir(directory);
    await files.writeFile(`${base}.ansi`, redactor.screen(ansi, facts.width), { mode: 0o600 });
    await files.writeFile(`${base}.json`, `${JSON.stringify(file, null, 1)}\n`, { mode: 0o600 });
  }

  #count(subject: Subject, change: (before: Compared) => Compared): void {
    const key = keyOf(subject);
    const after = change(this.of(subject));
    this.#counts.delete(key);
    this.#counts.set(key, after);
    this.#options.db.setFact(FACT, JSON.stringify([...this.#counts].slice(-VERSIONS_MAX)));
  }
}

const NONE: Compared = { turns: 0, disagreements: 0 };

function keyOf({ profile, version }: Subject): string {
  return `${profile} ${version}`;
}
