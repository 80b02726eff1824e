/**
 * Generates values.schema.json and the table of README.md from values.yaml: `node deploy/helm/generate-values-docs.mjs [--check]`.
 * With `--check`, it fails if one of them is not up to date.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isMap, parseDocument } from 'yaml';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CHART = fileURLToPath(new URL('sluice/', import.meta.url));
const TABLE = /(<!-- table: values -->\n)[\s\S]*(\n<!-- end -->)/;

const text = { type: 'string' };
const list = (items) => ({ type: 'array', items });
const textMap = { type: 'object', additionalProperties: text };
const object = (properties, required = []) => ({ type: 'object', additionalProperties: false, required, properties });
/** Any object: Kubernetes checks its shape. */
const anyObject = { type: 'object' };
const source = object({ name: text, optional: { type: 'boolean' } }, ['name']);
const quantities = { type: 'object', additionalProperties: { type: ['string', 'integer'] } };
const peers = list(object({ podSelector: anyObject, namespaceSelector: anyObject, ipBlock: anyObject }));
const count = (minimum, maximum) => ({ type: 'integer', minimum, ...(maximum === undefined ? {} : { maximum }) });

/** Schemas that the default value does not show, by the end of the path. The first match counts. */
const SHAPES = [
  [/^tenants$/, list(object({ name: text, tls: object({ secretName: text }) }, ['name']))],
  [/^(?:trustedProxies|imagePullSecrets|engine\.catalogs|engine\.duckdb\.catalogs)$/, list(text)],
  [
    /\.parentRefs$/,
    list(
      object({ group: text, kind: text, namespace: text, name: text, sectionName: text, port: count(1, 65535) }, [
        'name',
      ]),
    ),
  ],
  [/\.extraEnv$/, list(object({ name: text, value: text, valueFrom: anyObject }, ['name']))],
  [/\.envFrom$/, list(object({ prefix: text, configMapRef: source, secretRef: source }))],
  // Kubernetes checks the other fields of a container.
  [/\.(?:initContainers|extraContainers)$/, list({ type: 'object', required: ['name', 'image'] })],
  [/^networkPolicy\.\w+(?:From|To)$/, peers],
  [/\.(?:extraVolumes|extraVolumeMounts|tolerations|topologySpreadConstraints)$/, list(anyObject)],
  [/\.(?:affinity|behavior)$/, anyObject],
  [/nnotations$|abels$|\.nodeSelector$/, textMap],
  [/\.resources$/, object({ requests: quantities, limits: quantities })],
  [/terminationGracePeriodSeconds$/, { type: ['integer', 'null'], minimum: 1 }],
  [/^image\.digest\.\w+$/, { type: 'string', pattern: '^(sha256:[0-9a-f]{64})?$' }],
  [/^image\.pullPolicy$/, { enum: ['Always', 'IfNotPresent', 'Never'] }],
  [/^logLevel$/, { enum: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] }],
  [/\.service\.type$/, { enum: ['ClusterIP', 'NodePort', 'LoadBalancer'] }],
  [/\.maxUnavailable$/, { type: ['integer', 'string'] }],
  [/\.(?:directory|folder)$/, { type: 'string', pattern: '^(/.*)?$' }],
  [/^(?:engine|results)\.url$/, { type: 'string', pattern: '^(https?://[^/@]+/?)?$' }],
  [/\.memoryMiB$/, count(1536)],
  [/^apiHost\.workers\.max$/, count(2, 64)],
  [/^streamHost\.workers\.max$/, count(1, 256)],
  [/\.runbookUrl$/, { type: 'string', pattern: '^(https?://[^\\s#]+)?$' }],
  [/[pP]ort$/, count(1, 65535)],
  [/\.(?:delaySeconds|graceSeconds|preStopSeconds|backoffLimit)$/, count(0, 3600)],
];

const values = parseDocument(readFileSync(`${CHART}values.yaml`, 'utf8'));

function schemaOf(node, path) {
  const shape = SHAPES.find(([pattern]) => pattern.test(path))?.[1];
  if (shape !== undefined) return shape;
  if (!isMap(node)) return typeof node.value === 'number' ? count(1) : { type: typeof node.value };
  const properties = node.items.map(({ key, value }) => [key.value, schemaOf(value, joined(path, key.value))]);
  return object(Object.fromEntries(properties));
}

const joined = (path, key) => (path === '' ? key : `${path}.${key}`);

/** Returns `[path, default, description]` of each value that has a default of its own. */
function rowsOf(map, path = '', inherited = '') {
  return map.items.flatMap((pair, index) => {
    const { key, value } = pair;
    // The comment above the first key belongs to the whole map.
    const comment = key.commentBefore ?? (index === 0 ? map.commentBefore : undefined) ?? '';
    const description = comment.replaceAll(/\s+/g, ' ').trim();
    const own = joined(path, key.value);
    const hasChildren = isMap(value) && value.items.length > 0 && !SHAPES.some(([pattern]) => pattern.test(own));
    if (hasChildren) return rowsOf(value, own, description);
    return [[own, JSON.stringify(value.toJSON?.() ?? value.value), description || inherited]];
  });
}

function tableOf(rows) {
  const lines = rows.map(([path, value, text]) => `| \`${path}\` | \`${value}\` | ${text.replaceAll('|', '\\|')} |`);
  return ['| Value | Default | Meaning |', '| --- | --- | --- |', ...lines].join('\n');
}

const schema = { $schema: 'http://json-schema.org/draft-07/schema#', ...schemaOf(values.contents, '') };
// Helm passes it to charts that another chart includes.
schema.properties.global = anyObject;
const readme = readFileSync(`${CHART}README.md`, 'utf8');
const generated = {
  'values.schema.json': `${JSON.stringify(schema, undefined, 2)}\n`,
  'README.md': readme.replace(TABLE, (_all, start, end) => `${start}\n${tableOf(rowsOf(values.contents))}\n${end}`),
};

/** Returns the text as the formatter of the repository writes it. */
function formatted(name, content) {
  const args = ['format', `--stdin-file-path=deploy/helm/sluice/${name}`];
  const { status, stdout, stderr } = spawnSync(join(ROOT, 'node_modules', '.bin', 'biome'), args, {
    cwd: ROOT,
    input: content,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${name} cannot be formatted: ${stderr}`);
  return stdout;
}

const { values: options } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
for (const [name, unformatted] of Object.entries(generated)) {
  const content = formatted(name, unformatted);
  if (!options.check) writeFileSync(`${CHART}${name}`, content);
  else if (readFileSync(`${CHART}${name}`, 'utf8') !== content) {
    process.stderr.write(
      `deploy/helm/sluice/${name} is out of date: run \`node deploy/helm/generate-values-docs.mjs\`.\n`,
    );
    process.exitCode = 1;
  }
}
