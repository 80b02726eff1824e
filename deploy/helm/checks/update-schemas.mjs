/**
 * Writes the schemas of custom resources from their definitions: `node deploy/helm/checks/update-schemas.mjs FILE...`. A file is a
 * CustomResourceDefinition as YAML; schemas/README.md lists where they come from. Descriptions are dropped, and unknown fields forbidden.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';

const KUBERNETES_OWN = ['metadata', 'apiVersion', 'kind'];

/** Returns the schema without prose and without the extensions of Kubernetes. An object that lists its fields gets no others. */
function strict(schema) {
  if (Array.isArray(schema)) return schema.map(strict);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([key]) => key !== 'description' && !key.startsWith('x-kubernetes-'));
  const result = Object.fromEntries(
    kept.map(([key, value]) => [key, key === 'properties' ? mapValues(value) : strict(value)]),
  );
  const isOpen =
    schema['x-kubernetes-preserve-unknown-fields'] === true || schema['x-kubernetes-int-or-string'] === true;
  if (schema.properties !== undefined && !isOpen) result.additionalProperties ??= false;
  if (schema['x-kubernetes-int-or-string'] === true) result.type ??= ['integer', 'string'];
  return result;
}

const mapValues = (properties) =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, strict(schema)]));

for (const file of process.argv.slice(2)) {
  const { spec } = parse(readFileSync(file, 'utf8'));
  const version = spec.versions.find(({ storage }) => storage === true);
  const schema = strict(version.schema.openAPIV3Schema);
  // Kubernetes itself checks these.
  for (const name of KUBERNETES_OWN) schema.properties[name] = {};
  schema.required = [...new Set([...(schema.required ?? []), 'spec'])];
  delete schema.properties.status;
  schema.properties.apiVersion = { const: `${spec.group}/${version.name}` };
  const target = new URL(`schemas/${spec.group}-${spec.names.kind.toLowerCase()}.json`, import.meta.url);
  writeFileSync(target, `${JSON.stringify(schema)}\n`);
}
