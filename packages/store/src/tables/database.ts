// Every table by its name, with its columns. Written by hand beside migrations/; a test holds it against the migrated schema.
import type { AccountTable } from './accounts.ts';
import type {
  ChannelLeaseTable,
  DeliveryTable,
  IdentityTable,
  LinkCodeTable,
  PersonTable,
  PlaceTable,
  PlaceTestTable,
  SilenceTable,
} from './channels.ts';
import type { CheckpointTable } from './checkpoints.ts';
import type { CommandTable } from './commands.ts';
import type { DueWorkTable } from './due-work.ts';
import type { EscalationResponseTable, EscalationTable } from './escalations.ts';
import type { EventTable, ReceiptTable } from './history.ts';
import type { EpisodeTable, ErrorTable, IncidentTable } from './incidents.ts';
import type {
  CheckoutTable,
  FleetIdentityTable,
  JoinTokenTable,
  MachineTable,
  ObservationTable,
  RefusedReportTable,
} from './machines.ts';
import type { ApiTokenTable, AuditHeadTable, AuditTable } from './people.ts';
import type { TerminalTable } from './terminals/terminals.ts';
import type { ParcelChunkTable, ParcelReaderTable, ParcelTable } from './parcels.ts';
import type { PolicyTable } from './policies.ts';
import type { ProfileTable } from './profiles.ts';
import type { ProjectTable } from './projects.ts';
import type { AnnouncementFloorTable, AnnouncementTable } from './public/announcements.ts';
import type { WebhookAttemptTable, WebhookDeliveryTable, WebhookEndpointTable } from './public/webhooks.ts';
import type { KeptAnswerTable } from './public/kept-answers.ts';
import type { QueueItemTable } from './queue.ts';
import type { ReviewTable } from './reviews.ts';
import type { TaskTable } from './tasks.ts';
import type { WorkerTable } from './workers.ts';

/** Every table by its name. */
export interface Database {
  projects: ProjectTable;
  fleet_identity: FleetIdentityTable;
  machines: MachineTable;
  checkouts: CheckoutTable;
  workers: WorkerTable;
  tasks: TaskTable;
  observations: ObservationTable;
  refused_reports: RefusedReportTable;
  events: EventTable;
  policies: PolicyTable;
  reviews: ReviewTable;
  commands: CommandTable;
  due_work: DueWorkTable;
  receipts: ReceiptTable;
  join_tokens: JoinTokenTable;
  api_tokens: ApiTokenTable;
  profiles: ProfileTable;
  audit: AuditTable;
  audit_heads: AuditHeadTable;
  incidents: IncidentTable;
  errors: ErrorTable;
  episodes: EpisodeTable;
  escalations: EscalationTable;
  escalation_responses: EscalationResponseTable;
  checkpoints: CheckpointTable;
  queue_items: QueueItemTable;
  accounts: AccountTable;
  terminals: TerminalTable;
  parcels: ParcelTable;
  parcel_chunks: ParcelChunkTable;
  parcel_readers: ParcelReaderTable;
  people: PersonTable;
  identities: IdentityTable;
  link_codes: LinkCodeTable;
  places: PlaceTable;
  deliveries: DeliveryTable;
  channel_leases: ChannelLeaseTable;
  silences: SilenceTable;
  place_tests: PlaceTestTable;
  kept_answers: KeptAnswerTable;
  webhook_endpoints: WebhookEndpointTable;
  webhook_deliveries: WebhookDeliveryTable;
  webhook_attempts: WebhookAttemptTable;
  announcements: AnnouncementTable;
  announcement_floor: AnnouncementFloorTable;
}
