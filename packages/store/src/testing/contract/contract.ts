// The tests that every store behind the port passes, subject by subject.
import { accountContract } from './accounts.ts';
import { checkpointContract } from './work/checkpoints.ts';
import { channelContract } from './channels/channels.ts';
import { placeMoveContract } from './channels/place-moves.ts';
import { commandContract } from './commands.ts';
import { dueWorkContract } from './due-work.ts';
import { escalationContract } from './escalations.ts';
import { historyContract } from './history.ts';
import { incidentContract } from './incidents.ts';
import { announcementContract } from './public/announcements.ts';
import { pageContract } from './public/pages.ts';
import { webhookContract } from './public/webhooks.ts';
import { keptAnswerContract } from './public/kept-answers.ts';
import { machineContract, seedContract } from './machines.ts';
import { ownershipContract } from './ownership.ts';
import { chunkContract, parcelContract } from './work/parcels.ts';
import { policyContract } from './policies.ts';
import { profileContract } from './profiles.ts';
import { projectContract } from './work/projects.ts';
import { queueContract } from './queue.ts';
import { reviewsContract } from './reviews.ts';
import { meetingContract, terminalContract } from './work/terminals.ts';
import { runContract } from './work/runs.ts';
import { taskContract } from './work/tasks.ts';
import { workerContract } from './workers.ts';
import type { OpenStore } from './open-store.ts';

/** Declares the tests; `open` gives each its own store. */
export function storeContract(open: OpenStore): void {
  workerContract(open);
  historyContract(open);
  policyContract(open);
  commandContract(open);
  dueWorkContract(open);
  profileContract(open);
  projectContract(open);
  incidentContract(open);
  escalationContract(open);
  checkpointContract(open);
  accountContract(open);
  queueContract(open);
  taskContract(open);
  runContract(open);
  ownershipContract(open);
  reviewsContract(open);
  machineContract(open);
  parcelContract(open);
  terminalContract(open);
  channelContract(open);
  placeMoveContract(open);
  keptAnswerContract(open);
  webhookContract(open);
  announcementContract(open);
  pageContract(open);
}

/** Declares the tests of functions that are on SQL alone: no decision and no simulation uses them. */
export function sqlContract(open: OpenStore): void {
  seedContract(open);
  chunkContract(open);
  meetingContract(open);
}
