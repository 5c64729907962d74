/** The agent as a LaunchAgent of macOS. */
import path from 'node:path';
import type { Running, Service, ServiceParts } from './service.ts';

const LABEL = 'dev.drover.agent';

/** Defines a LaunchAgent that starts at the login of its user; its child processes outlive it (`AbandonProcessGroup`). */
export function launchdService(parts: ServiceParts): Service {
  const { home, uid } = parts;
  const file = path.join(home, 'Library', 'LaunchAgents', `${LABEL}.plist`);
  const domain = `gui/${uid}`;
  const end = { words: ['launchctl', 'bootout', `${domain}/${LABEL}`] } as const;
  return {
    file,
    text: plistText(parts),
    // An existing one is replaced: launchd reads its file only when it is loaded.
    install: [{ ...end, mayFail: true }, { words: ['launchctl', 'bootstrap', domain, file] }],
    uninstall: [end],
    stop: end,
    start: { words: ['launchctl', 'bootstrap', domain, file] },
    status: { words: ['launchctl', 'print', `${domain}/${LABEL}`] },
    read,
  };
}

function read(answer: string): Running | null {
  const pid = /^[ \t]*pid = (\d+)$/mu.exec(answer)?.[1];
  const state = /^[ \t]*state = (.+)$/mu.exec(answer)?.[1];
  return pid === undefined ? null : { state: state ?? 'running', pid: Number(pid) };
}

function plistText({ program, searchPath, variables, home, version }: ServiceParts): string {
  const log = path.join(home, 'Library', 'Logs', 'drover-agent.log');
  const environment = Object.entries({ PATH: searchPath, ...variables });
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- Written by "drover machine service install" of Drover ${escaped(version)}, which writes it again: changes here are lost. -->
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${[...program, 'server', 'agent'].map((word) => `    <string>${escaped(word)}</string>`).join('\n')}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
${environment.map(([name, value]) => `    <key>${escaped(name)}</key>\n    <string>${escaped(value)}</string>`).join('\n')}
  </dict>
  <key>WorkingDirectory</key>
  <string>${escaped(home)}</string>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <true/>
  <key>ThrottleInterval</key>
  <integer>5</integer>
  <key>AbandonProcessGroup</key>
  <true/>
  <key>StandardErrorPath</key>
  <string>${escaped(log)}</string>
</dict>
</plist>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
