/** The use cases of the API, all subjects together, bound to a context. */
import type { Fleet, FleetInfo } from '@drover/api';
import { listAccounts } from './accounts/list.ts';
import { createChannelFleet } from './channels/fleet.ts';
import { createCheckpointFleet } from './checkpoints/fleet.ts';
import type { Context } from './context.ts';
import { createDoctorFleet } from './doctor/doctor.ts';
import type { DoctorParts } from './doctor/facts.ts';
import { createEscalationFleet } from './escalations/fleet.ts';
import { createWebhookFleet } from './webhooks/fleet.ts';
import type { WebhookOptions } from './webhooks/fleet.ts';
import { createFeedFleet } from './feed/fleet.ts';
import { FeedTail } from './feed/tail.ts';
import { createIncidentFleet } from './incidents/fleet.ts';
import { createMachineFleet } from './machines/machines.ts';
import { createMoveFleet } from './moves/move.ts';
import { createAuditFleet } from './people/audit/fleet.ts';
import { createOncallFleet } from './oncall/fleet.ts';
import { createPeopleFleet } from './people/people.ts';
import { createTokenFleet } from './people/tokens.ts';
import { createPolicyFleet } from './policies/policies.ts';
import { createProfileFleet } from './profiles/profiles.ts';
import { createProjectFleet } from './projects/fleet.ts';
import { createQueueFleet } from './queue/queue.ts';
import { createTerminalFleet } from './terminals/fleet.ts';
import type { TerminalParts } from './terminals/fleet.ts';
import { createTaskFleet } from './tasks/fleet.ts';
import { createWorkerFleet } from './workers/fleet.ts';
import { createSettingsFleet } from './workers/show.ts';
import type { WorkerParts } from './workers/fleet.ts';

/** What the use cases need beside their context. */
export interface FleetOptions extends DoctorParts, TerminalParts, WebhookOptions, WorkerParts {
  readonly info: FleetInfo;
  /** Stops the process; null where the process has another owner. */
  readonly stop: (() => void) | null;
}

/** Binds the use cases to a context. */
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
    ...createTokenFleet(ctx),
    ...createAuditFleet(ctx),
    ...createPeopleFleet(ctx),
    ...createOncallFleet(ctx),
    ...createChannelFleet(ctx, { events: options.events, fleet: { ...workers, ...tasks, ...escalations } }),
    listAccounts: (by) => listAccounts(ctx, by),
    info: () => Promise.resolve(info),
    stop: () => {
      if (stop === null) {
        return Promise.resolve({
          kind: 'refused',
          code: 'not-stoppable',
          message: 'This coordinator is stopped where it was started, with a signal',
        });
      }
      stop();
      return Promise.resolve({ kind: 'ok', value: null });
    },
  };
}
