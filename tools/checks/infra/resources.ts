/** Reads the parts of infra/'s files that checks look at. Zod passes over the rest. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';

const INFRA = path.resolve(import.meta.dirname, '../../../infra');

/** The text of a file below infra/. */
export function readInfra(...parts: readonly string[]): string {
  return readFileSync(path.join(INFRA, ...parts), 'utf8');
}

const probe = z.object({
  httpGet: z.object({
    path: z.string(),
    port: z.string(),
    httpHeaders: z.array(z.object({ name: z.string(), value: z.string() })),
  }),
});

const pod = z.object({
  metadata: z.object({ labels: z.record(z.string(), z.string()) }),
  spec: z.object({
    containers: z.tuple([
      z.object({
        image: z.string(),
        args: z.array(z.string()),
        workingDir: z.string(),
        envFrom: z.array(z.object({ secretRef: z.object({ name: z.string() }) })),
        ports: z.array(z.object({ name: z.string(), containerPort: z.int() })).default([]),
        startupProbe: probe.optional(),
        livenessProbe: probe.optional(),
        readinessProbe: probe.optional(),
        volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
      }),
    ]),
    volumes: z.array(z.object({ name: z.string(), configMap: z.object({ name: z.string() }).optional() })),
  }),
});

const labels = z.object({ matchLabels: z.record(z.string(), z.string()) });
const metadata = z.object({ name: z.string() });

const resource = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('Namespace'), metadata }),
  z.object({ kind: z.literal('Job'), metadata, spec: z.object({ template: pod }) }),
  z.object({ kind: z.literal('Deployment'), metadata, spec: z.object({ selector: labels, template: pod }) }),
  z.object({ kind: z.literal('PodDisruptionBudget'), metadata, spec: z.object({ selector: labels }) }),
  z.object({
    kind: z.literal('Service'),
    metadata,
    spec: z.object({
      selector: z.record(z.string(), z.string()),
      ports: z.array(z.object({ name: z.string(), port: z.int(), targetPort: z.string() })),
    }),
  }),
  z.object({
    kind: z.literal('Ingress'),
    metadata,
    spec: z.object({
      tls: z.array(z.object({ hosts: z.array(z.string()) })),
      rules: z.array(
        z.object({
          host: z.string(),
          http: z.object({
            paths: z.array(
              z.object({
                backend: z.object({ service: z.object({ name: z.string(), port: z.object({ name: z.string() }) }) }),
              }),
            ),
          }),
        }),
      ),
    }),
  }),
]);

/** Resource of infra/kubernetes. */
export type Resource = z.infer<typeof resource>;

const kustomization = z.object({
  resources: z.array(z.string()),
  configMapGenerator: z.array(z.object({ name: z.string(), files: z.array(z.string()) })),
  images: z.array(z.object({ name: z.string() })),
});

/** Content of the file that `kubectl apply -k` reads first. */
export const KUSTOMIZATION = kustomization.parse(parse(readInfra('kubernetes', 'kustomization.yaml')));

/** The resources of every file that it names. @throws for a kind that is not known here. */
export function resourcesOf(): readonly Resource[] {
  return KUSTOMIZATION.resources.flatMap((file) =>
    parseAllDocuments(readInfra('kubernetes', file)).map((document) => resource.parse(document.toJS())),
  );
}

const service = z.object({
  image: z.string(),
  build: z.object({ context: z.string(), dockerfile: z.string() }).optional(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()),
  volumes: z.array(z.string()).default([]),
  working_dir: z.string().optional(),
  depends_on: z.union([z.array(z.string()), z.record(z.string(), z.object({ condition: z.string() }))]).optional(),
});

/** The services of infra/compose, with what they share filled in. */
export const COMPOSE = z
  .object({ services: z.record(z.string(), service), volumes: z.record(z.string(), z.null()) })
  .parse(parse(readInfra('compose', 'compose.yaml'), { merge: true }));

/** Settings of the image's last stage. */
export const IMAGE = {
  entrypoint: wordsOf('ENTRYPOINT'),
  command: wordsOf('CMD'),
  port: Number(/^EXPOSE (\d+)$/mu.exec(readInfra('image', 'Dockerfile'))?.[1]),
  directory: /^WORKDIR (\/drover)$/mu.exec(readInfra('image', 'Dockerfile'))?.[1] ?? '',
};

function wordsOf(instruction: string): readonly string[] {
  const [, list = '[]'] = new RegExp(`^${instruction} (\\[.*\\])$`, 'mu').exec(readInfra('image', 'Dockerfile')) ?? [];
  return z.array(z.string()).parse(JSON.parse(list));
}
