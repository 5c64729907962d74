/** What may other rooms use of the tmux driver? */
export type { Capture, CaptureOptions, CaptureOutcome } from './capture.ts';
export { withoutAttributes } from './capture.ts';
export { TMUX_ERRORS, TmuxError } from './errors.ts';
export type { ExitCause, PaneExit } from './exits.ts';
export type { Hands, SendOutcome, TypeOptions } from './hands.ts';
export type { ServerIdentity } from './hub.ts';
export { formatIncarnation, parseIncarnation } from './incarnation.ts';
export type { Incarnation, PaneAddress } from './incarnation.ts';
export { DEFAULT_USER_OPTIONS } from './pane-facts.ts';
export type { PaneFacts } from './pane-facts.ts';
export type { ByteStream, Clock, EnvironmentChange, Host, RunOutcome } from './ports.ts';
export { sendable } from './sendable-text.ts';
export type { CreateOutcome, PaneProgram, RespawnOutcome, RespawnPlan, SessionPlan } from './sessions.ts';
export { TmuxServer } from './tmux-server.ts';
export type { TmuxServerOptions } from './tmux-server.ts';
export { LEAST_VERSION } from './versions.ts';
export type { Abilities } from './versions.ts';
export type { Interest, WatchOptions } from './watch.ts';
