/** What may other rooms use of the tmux driver? */
export type { Capture, CaptureOutcome } from './panes/capture.ts';
export { withoutAttributes } from './panes/capture.ts';
export { endServers } from './server/end-servers.ts';
export type { EndingTools } from './server/end-servers.ts';
export { TmuxError } from './errors.ts';
export type { ExitCause, PaneExit } from './panes/exits.ts';
export type { Hands, SendOutcome } from './typing/hands.ts';
export { formatIncarnation, parseIncarnation } from './panes/incarnation.ts';
export type { Incarnation, PaneAddress } from './panes/incarnation.ts';
export type { PaneState } from './panes/facts.ts';
export type { ByteStream, Clock, EnvironmentChange, Host, RunOutcome } from './ports.ts';
export { sendable } from './typing/sendable-text.ts';
export type { CreateOutcome, PaneProgram, RespawnOutcome, SessionPlan } from './panes/sessions.ts';
export { socketName, socketNumber, WORKER_OPTION } from './server/socket-names.ts';
export { TMUX_VERSION_MIN } from './server/versions.ts';
export { TmuxServer } from './tmux-server.ts';
export type { TmuxServerOptions } from './tmux-server.ts';
export type { WatchOptions } from './panes/watch.ts';
