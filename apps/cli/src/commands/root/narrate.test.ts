// Checks that a wait for events leaves nothing behind: "drover up" waits thousands of times a day.
import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
