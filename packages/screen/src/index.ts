/** Pane captures in, agent states out. Pure: no clock, no files, no processes. */
export { parseAnsi, PLAIN, RowReader, styleAt } from './ansi.ts';
export { rowText } from './ansi-text.ts';
export type { Colour, Row, Run, Style } from './ansi.ts';
export { composerOf } from './composer/composer.ts';
export { boxHolds } from './composer/holds.ts';
export { chooseOption } from './dialog/choose-option.ts';
export { detect } from './detect.ts';
export { CAPTURE_LABELS, CaptureFileError, captureFileSchema } from './labelled/capture-file.ts';
export type { CaptureFile } from './labelled/capture-file.ts';
export { factsOf, judge, labelOf } from './labelled/judge.ts';
export type { Judgement } from './labelled/judge.ts';
export type { Detection, HookFact, DetectInput, PaneState, StructuredState, TranscriptFact } from './detection.ts';
export { PaneReader } from './pane-reader.ts';
export { loadProfile } from './profile/load.ts';
export type { LoadedProfile } from './profile/load.ts';
export type { DialogKind, Profile, ProfileDocument } from './profile/schema.ts';
export { BUILT_IN_DOCUMENTS, BUILT_IN_PROFILES, profileNamed } from './profiles/index.ts';
export { resetWords } from './reset-time.ts';
