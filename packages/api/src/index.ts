/** What does the API offer? The router for whoever serves it, its ports, and what clients send and see. */
export * as inputs from './inputs.ts';
export * as checkpointInputs from './checkpoint-inputs.ts';
export * as recoveryInputs from './recovery-inputs.ts';
export type { Actor, ApiContext, Fleet, FleetInfo, Outcome, Refusal } from './ports.ts';
export { cureInput } from './doctor.ts';
export type { CuredView, DiagnosisView, DoctorFleet, FindingView, RebuildView, RepairView } from './doctor.ts';
export * from './policy.ts';
export * from './queue.ts';
export type { CheckpointFleet } from './checkpoint-ports.ts';
export type { RecoveryFleet } from './recovery-ports.ts';
export { appRouter } from './router.ts';
export type { AppRouter } from './router.ts';
export * from './views.ts';
export * from './recovery-views.ts';
export * from './checkpoint-views.ts';
