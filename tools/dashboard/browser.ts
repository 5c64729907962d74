/** A real Chromium that looks at a dashboard, and notes what no page may have: errors, violations of the policy, faults of accessibility. */
import { existsSync } from 'node:fs';
import axe from 'axe-core';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';

/** Places of the system's own browser; none is ever downloaded. Without windows it takes a third less of the processor. */
const PROGRAMS = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** The browser's program; undefined where there is none. In CI there must be one. */
export const CHROMIUM: string | undefined = PROGRAMS.find((file) => existsSync(file));

/** Name of a test that needs it. */
export const MARK = CHROMIUM === undefined ? '(not run: Debian’s chromium-headless-shell is not installed) ' : '';

/** True where tests without a browser are left out. */
export const IS_MISSING = CHROMIUM === undefined && process.env['CI'] === undefined;

export function startBrowser(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error('There is no Chromium: apt-get install chromium-headless-shell');
  // Root has no sandbox of its own; the pages are Drover's.
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

/** A person's window. */
export interface Window {
  readonly page: Page;
  /** Problems so far, a line each. */
  readonly problems: string[];
}

/** Size and theme of a window. */
export interface View {
  readonly width?: number;
  readonly theme?: 'light' | 'dark';
}

/** Milliseconds until a page shows what it is waited for on a loaded machine. */
const PATIENCE_MS = 120_000;

/** Opens a window for a new person: it has no cookie. */
export async function openWindow(browser: Browser, view: View = {}): Promise<Window> {
  const { width = 1_280, theme = 'light' } = view;
  const context: BrowserContext = await browser.newContext({
    viewport: { width, height: width < 500 ? 780 : 860 },
    colorScheme: theme,
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
  page.on('console', (message) => {
    const text = message.text();
    // Chromium itself writes a line for each answer of 4xx and 5xx, and for a line that is cut: the pages show those to people.
    if (message.type() === 'error' && !/^Failed to load resource|^WebSocket connection to/u.test(text))
      problems.push(`console: ${text}`);
  });
  await page.addInitScript({ content: TELL_VIOLATIONS });
  return { page, problems };
}

/** Runs in the page: a violation of its policy becomes a line of its console. */
const TELL_VIOLATIONS =
  "document.addEventListener('securitypolicyviolation', (found) => console.error('policy: ' + found.violatedDirective + ' ' + found.blockedURI))";

/** Runs in the page, where axe is loaded. */
const FAULTS =
  "axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ': ' + target.join(' ') + ': ' + failureSummary)))";

/** Lists faults of accessibility of the page as it is, a line each. */
export async function faultsOf(page: Page): Promise<readonly string[]> {
  // A script tag would break the page's policy; the debugger is no part of the page.
  await page.evaluate(axe.source);
  return page.evaluate<readonly string[]>(FAULTS);
}
