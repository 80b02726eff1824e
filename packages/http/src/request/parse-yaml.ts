import { invalidRequest, type ProblemError } from '@sluice/contract';
import { isAlias, isMap, isPair, isScalar, LineCounter, parseAllDocuments, type YAMLMap } from 'yaml';
import { findYamlLimitProblem } from './find-yaml-limit-problem.ts';

const DEPTH_MAX = 64;
const OPTIONS = {
  schema: 'core',
  merge: false,
  resolveKnownTags: false,
  uniqueKeys: false,
  prettyErrors: false,
} as const;

const invalid = (message: string): ProblemError => invalidRequest({ path: 'body', message });

/** Position for messages. The parser's own message is not used: it quotes the body, which may contain a password. */
const placeOf = (lines: LineCounter, position = 0): string => {
  const { line, col } = lines.linePos(position);
  return `line ${line}, column ${col}`;
};

/** Checks for repeated keys. The parser would compare all pairs of keys, which can take minutes for one body. */
function requireDistinctKeys({ items }: YAMLMap, lines: LineCounter): void {
  const seen = new Set<string>();
  for (const { key } of items) {
    if (!isScalar(key)) throw invalid('must have scalar keys');
    const name = String(key.value);
    if (seen.has(name)) throw invalid(`must not have a key twice (${placeOf(lines, key.range?.[0])})`);
    seen.add(name);
  }
}

const itemsOf = (node: unknown): readonly unknown[] => {
  const items: unknown = typeof node === 'object' && node !== null ? Reflect.get(node, 'items') : undefined;
  return Array.isArray(items) ? items : [];
};

function requirePlain(root: unknown, lines: LineCounter): void {
  const open = [{ node: root, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next;
    if (isAlias(node)) throw invalid(`must not use aliases (${placeOf(lines, node.range?.[0])})`);
    if (depth > DEPTH_MAX) throw invalid(`must not be nested deeper than ${DEPTH_MAX} levels`);
    if (isMap(node)) requireDistinctKeys(node, lines);
    if (isPair(node)) open.push({ node: node.value, depth });
    else for (const inner of itemsOf(node)) open.push({ node: inner, depth: depth + 1 });
  }
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalid('must be UTF-8');
  }
}

/**
 * Parses one YAML 1.2 document (core schema, at most 64 levels) to a JSON value. Throws `invalid_request`, also for aliases, tags
 * of other schemas and repeated keys.
 */
export function parseYaml(bytes: Uint8Array): unknown {
  const text = textOf(bytes);
  const refusal = findYamlLimitProblem(text);
  if (refusal !== undefined) throw invalid(refusal);
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { ...OPTIONS, lineCounter: lines });
  const [document] = documents;
  if (document === undefined || documents.length !== 1) throw invalid('must be one YAML document');
  const [mistake] = [...document.errors, ...document.warnings];
  if (mistake !== undefined) throw invalid(`is not valid YAML (${placeOf(lines, mistake.pos[0])})`);
  requirePlain(document.contents, lines);
  return document.toJS({ maxAliasCount: 0 });
}
