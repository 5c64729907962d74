/** What does the API need for errors, escalations and accounts? A part of `Fleet`. */
import type { z } from 'zod';
import type { Actor, Outcome } from './ports.ts';
import type { errorsInput, escalationInput, escalationsInput, reportInput, resolveInput } from './recovery-inputs.ts';
import type { AccountView, ErrorView, EscalationView, ReportView } from './recovery-views.ts';

type In<S extends z.ZodType> = z.infer<S>;

/** The use cases of recovery. */
export interface RecoveryFleet {
  listErrors(input: In<typeof errorsInput>, by: Actor): Promise<readonly ErrorView[]>;
  report(input: In<typeof reportInput>, by: Actor): Promise<Outcome<ReportView>>;
  listEscalations(input: In<typeof escalationsInput>, by: Actor): Promise<readonly EscalationView[]>;
  escalation(input: In<typeof escalationInput>, by: Actor): Promise<Outcome<EscalationView>>;
  /** Somebody looks at it; the question stays open. */
  ackEscalation(input: In<typeof escalationInput>, by: Actor): Promise<Outcome<EscalationView>>;
  /** The first valid answer wins; a second one is told who won. */
  resolveEscalation(input: In<typeof resolveInput>, by: Actor): Promise<Outcome<EscalationView>>;
  listAccounts(by: Actor): Promise<readonly AccountView[]>;
}
