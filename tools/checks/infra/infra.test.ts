/** Checks that the files of infra/ agree with each other and with the product. Tries nothing that needs an engine or a cluster. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseConfig, readEnvironment } from '@drover/config';
import { expect, test } from 'vitest';
import { COMPOSE, IMAGE, KUSTOMIZATION, readInfra, resourcesOf } from './resources.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const RESOURCES = resourcesOf();
const PODS = RESOURCES.flatMap((one) =>
  one.kind === 'Deployment' || one.kind === 'Job' ? [{ name: one.metadata.name, ...one.spec.template }] : [],
);
const DIRECTORIES = readdirSync(path.join(ROOT, 'infra'));

test.each(DIRECTORIES)(
  'given infra/%s, when it is opened, then a README says how it is used and what was proved',
  (name) => {
    const text = readInfra(name, 'README.md');

    expect(text.split('\n').length).toBeLessThan(60);
    expect(text).toMatch(/Proved in `npm test`/u);
    const tests = [...text.matchAll(/`([\w./-]+\.test\.ts)`/gu)].map(([, file = '']) => file);
    expect(tests.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
  },
);

test.each(['compose', 'kubernetes'])('given the drover.toml of infra/%s, when it is read, then it is valid', (name) => {
  const outcome = parseConfig(readInfra(name, 'drover.toml'), {
    root: '/drover',
    environment: readEnvironment({}),
  });

  expect(outcome).toMatchObject({ kind: 'loaded', warnings: [] });
});

test('given the image, when compose and Kubernetes run it, then with its port, its arguments and its place for drover.toml', () => {
  const [container] = PODS.find(({ name }) => name === 'drover-coordinator')?.spec.containers ?? [];

  expect(container?.args).toEqual(IMAGE.command);
  expect(container?.ports).toEqual([{ name: 'http', containerPort: IMAGE.port }]);
  for (const { spec } of PODS)
    expect(spec.containers[0].volumeMounts).toContainEqual({
      name: 'config',
      mountPath: spec.containers[0].workingDir,
    });
  for (const name of ['coordinator-1', 'coordinator-2', 'migrate']) {
    const service = COMPOSE.services[name];
    expect(service?.volumes).toEqual([`./drover.toml:${service?.working_dir}/drover.toml:ro`]);
    expect(path.dirname(service?.working_dir ?? '')).toBe(IMAGE.directory);
    expect(existsSync(path.join(ROOT, service?.build?.dockerfile ?? ''))).toBe(true);
  }
  expect(COMPOSE.services['proxy']?.environment['DROVER_UPSTREAMS']).toBe(
    `coordinator-1:${IMAGE.port} coordinator-2:${IMAGE.port}`,
  );
});

test('given compose, when a service names another one or a volume, then that is there', () => {
  const { services, volumes } = COMPOSE;
  const named = Object.values(services).flatMap(({ depends_on: on = [] }) =>
    Array.isArray(on) ? on : Object.keys(on),
  );
  const kept = Object.values(services).flatMap((one) => one.volumes.map((volume) => volume.split(':')[0] ?? ''));

  expect(named.filter((name) => !(name in services))).toEqual([]);
  expect(kept.filter((name) => !name.startsWith('./') && !(name in volumes))).toEqual([]);
  const files = kept.filter((name) => name.startsWith('./'));
  expect(files.filter((name) => !existsSync(path.join(ROOT, 'infra/compose', name)))).toEqual([]);
});

test('given the resources of Kubernetes, when one names another, then that is there', () => {
  const coordinator = PODS.find(({ name }) => name === 'drover-coordinator');
  const ports = coordinator?.spec.containers[0].ports.map(({ name }) => name) ?? [];
  const maps = KUSTOMIZATION.configMapGenerator.map(({ name }) => name);
  const services = RESOURCES.flatMap((one) => (one.kind === 'Service' ? [one] : []));

  for (const one of RESOURCES) {
    if (one.kind === 'Service') {
      expect(one.spec.selector).toEqual(coordinator?.metadata.labels);
      for (const { targetPort } of one.spec.ports) expect(ports).toContain(targetPort);
    }
    if (one.kind === 'Deployment' || one.kind === 'PodDisruptionBudget')
      expect(one.spec.selector.matchLabels).toEqual(coordinator?.metadata.labels);
    if (one.kind === 'Ingress')
      for (const { host, http } of one.spec.rules) {
        expect(readInfra('kubernetes', 'drover.toml')).toContain(`"${host}"`);
        expect(one.spec.tls.flatMap(({ hosts }) => hosts)).toContain(host);
        for (const { backend } of http.paths) {
          const service = services.find(({ metadata }) => metadata.name === backend.service.name);
          expect(service?.spec.ports.map(({ name }) => name)).toContain(backend.service.port.name);
        }
      }
  }
  for (const { spec } of PODS) {
    const [container] = spec.containers;
    expect(KUSTOMIZATION.images.map(({ name }) => name)).toContain(container.image);
    for (const { configMap } of spec.volumes) if (configMap !== undefined) expect(maps).toContain(configMap.name);
    for (const { name } of container.volumeMounts) expect(spec.volumes.map((volume) => volume.name)).toContain(name);
    for (const { secretRef } of container.envFrom)
      expect(readInfra('kubernetes', 'README.md')).toContain(`secret generic ${secretRef.name} `);
    for (const probe of [container.startupProbe, container.livenessProbe, container.readinessProbe])
      if (probe !== undefined) {
        expect(['/healthz', '/readyz']).toContain(probe.httpGet.path);
        expect(ports).toContain(probe.httpGet.port);
        // A pod is asked by its address, which is no name that the coordinator answers to.
        expect(probe.httpGet.httpHeaders).toContainEqual({ name: 'Host', value: 'localhost' });
      }
  }
});

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
const mark = hasSystemd ? '' : 'NOT RUN, systemd-analyze is missing ("apt-get install systemd"): ';

test.skipIf(!hasSystemd).each(['drover-coordinator.service'])(
  `${mark}given the unit %s, when systemd reads it, then it finds nothing wrong`,
  (name) => {
    const directory = mkdtempSync(path.join(tmpdir(), 'drover-unit-'));
    try {
      const unit = path.join(directory, name);
      // The program is where an installation puts it, which is not here.
      writeFileSync(unit, readInfra('systemd', name).replaceAll('/opt/drover/bin/drover', '/bin/sh'));
      const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', unit], { encoding: 'utf8' });
      expect(`${stdout}${stderr}`.split('\n').filter((line) => line.includes(name))).toEqual([]);
    } finally {
      rmSync(directory, { recursive: true });
    }
  },
);
