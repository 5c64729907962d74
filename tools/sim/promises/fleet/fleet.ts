// Checks the promises about a fleet of machines: places, drains, settings and gateways.
import type { WorkerSettings } from '@drover/protocol';
import type { WorkerRow } from '@drover/store';
import type { EventRecord } from '@drover/store/testing';
import type { Given } from '../../machine/parts.ts';
import { DrainChecks } from './drains.ts';
import { GatewayChecks } from './gateways.ts';
import { PlaceChecks } from './places.ts';
import type { PlaceParts } from './places.ts';
import { RestartChecks } from './restarts.ts';
import { SettingsChecks } from './settings.ts';
import type { SettingsParts } from './settings.ts';

export interface FleetParts extends PlaceParts, SettingsParts {
  /** Tells whether each commit is seen by itself. A real server shows some commits at once: the state at the moment of one is not known. */
  readonly isExact: boolean;
}

/** Watches one schedule. */
export class FleetChecks {
  readonly gateways: GatewayChecks;
  readonly settings: SettingsChecks;
  readonly restarts: RestartChecks;
  readonly #places: PlaceChecks;
  readonly #drains: DrainChecks;
  readonly #isExact: boolean;

  constructor(parts: FleetParts) {
    this.gateways = new GatewayChecks(parts);
    this.settings = new SettingsChecks(parts);
    this.restarts = new RestartChecks(parts);
    this.#places = new PlaceChecks(parts);
    this.#drains = new DrainChecks(parts);
    this.#isExact = parts.isExact;
  }

  /** Runs after each commit, before anything else of it is looked at. */
  committed(): void {
    this.gateways.committed();
    if (!this.#isExact) return;
    this.settings.committed();
    this.#drains.committed();
  }

  checkRow(row: WorkerRow, before: WorkerRow | undefined): void {
    if (!this.#isExact) return;
    this.#places.checkRow(row, before);
    this.settings.checkRow(row);
    this.restarts.checkRow(row, before);
  }

  checkEvent(row: EventRecord): void {
    this.gateways.checkExit(row);
    if (!this.#isExact) return;
    this.#places.checkTask(row);
    this.settings.checkDecision(row);
    this.restarts.checkEvent(row);
  }

  checkActed(worker: WorkerSettings, given: Given): void {
    if (this.#isExact) this.#places.checkActed(worker, given);
  }
}
