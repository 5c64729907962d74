/** Binds the use cases of the API, all subjects together, to a context. */
import type { Fleet, FleetInfo } from '@drover/api';
import { listAccounts } from '../use-cases/accounts/list.ts';
import { createChannelFleet } from '../use-cases/channels/fleet.ts';
import { createCheckpointFleet } from '../use-cases/checkpoints/fleet.ts';
import type { Context } from '../context/context.ts';
import { createDoctorFleet } from '../use-cases/doctor/doctor.ts';
import type { DoctorParts } from '../use-cases/doctor/facts.ts';
import { createEscalationFleet } from '../use-cases/escalations/fleet.ts';
import { createWebhookFleet } from '../use-cases/webhooks/fleet.ts';
import type { WebhookOptions } from '../use-cases/webhooks/fleet.ts';
import { createFeedFleet } from '../use-cases/feed/fleet.ts';
import { FeedTail } from '../use-cases/feed/tail.ts';
import { createIncidentFleet } from '../use-cases/incidents/fleet.ts';
import { createMachineFleet } from '../use-cases/machines/machines.ts';
import { createMoveFleet } from '../use-cases/moves/move.ts';
import { createAuditFleet } from '../use-cases/people/audit/fleet.ts';
import { createOncallFleet } from '../use-cases/oncall/fleet.ts';
import { createPeopleFleet } from '../use-cases/people/people.ts';
import { makePass } from '../facts/people/passes.ts';
import { createTokenFleet } from '../use-cases/people/tokens.ts';
import { createPolicyFleet } from '../use-cases/policies/policies.ts';
import { createProfileFleet } from '../use-cases/profiles/profiles.ts';
import { createProjectFleet } from '../use-cases/projects/fleet.ts';
import { createQueueFleet } from '../use-cases/queue/queue.ts';
import { createRunFleet } from '../use-cases/runs/fleet.ts';
import { createTerminalFleet } from '../use-cases/terminals/fleet.ts';
import type { TerminalParts } from '../use-cases/terminals/fleet.ts';
import { createTaskFleet } from '../use-cases/tasks/fleet.ts';
import { createWorkerFleet } from '../use-cases/workers/fleet.ts';
import { createSettingsFleet } from '../use-cases/workers/show.ts';
import type { WorkerParts } from '../use-cases/workers/fleet.ts';

/** Dependencies of the use cases beside their context. */
export interface FleetOptions extends DoctorParts, TerminalParts, WebhookOptions, WorkerParts {
  readonly info: FleetInfo;
  /** Stops the process; null where the process has another owner. */
  readonly stop: (() => void) | null;
}

export function createFleet(ctx: Context, options: FleetOptions): Fleet {
  const { info, stop } = options;
  const workers = createWorkerFleet(ctx, options);
  const tasks = createTaskFleet(ctx, options);
  const escalations = createEscalationFleet(ctx);
  return {
    ...workers,
    ...createMoveFleet(ctx, options),
    ...createSettingsFleet(ctx, options),
    ...tasks,
    ...createTerminalFleet(ctx, options),
    ...createMachineFleet(ctx),
    ...createProfileFleet(ctx),
    ...createProjectFleet(ctx),
    ...createIncidentFleet(ctx),
    ...createWebhookFleet(ctx, options),
    ...createFeedFleet(ctx, new FeedTail({ ...ctx, events: options.events })),
    ...escalations,
    ...createDoctorFleet(ctx, options),
    ...createCheckpointFleet(ctx, options),
    ...createPolicyFleet(ctx),
    ...createProjectFleet(ctx),
    ...createQueueFleet(ctx),
    ...createRunFleet(ctx, options),
    ...createTokenFleet(ctx),
    ...createAuditFleet(ctx),
    ...createPeopleFleet(ctx),
    ...createOncallFleet(ctx),
    ...createChannelFleet(ctx, { events: options.events, fleet: { ...workers, ...tasks, ...escalations } }),
    signInTicket: (by) => {
      const { pass: ticket, expiresAt } = makePass(ctx, by, 'sign-in ticket');
      return { ticket, expiresAt };
    },
    listAccounts: (by) => listAccounts(ctx, by),
    info: () => Promise.resolve(info),
    stop: () => {
      if (stop === null) {
        return Promise.resolve({
          kind: 'refused',
          code: 'not-stoppable',
          message: 'This coordinator cannot be stopped remotely: send SIGTERM to its process',
        });
      }
      stop();
      return Promise.resolve({ kind: 'ok', value: null });
    },
  };
}
