import { invalidRequest, type ProblemError } from '@sluice/contract';
import {
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseAllDocuments,
  parseDocument,
  visit,
  type YAMLError,
  type YAMLMap,
} from 'yaml';
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
const toPosition = (lines: LineCounter, position = 0): string => {
  const { line, col } = lines.linePos(position);
  return `line ${line}, column ${col}`;
};

/** Checks for repeated keys. The parser would compare all pairs of keys, which can take minutes for one body. */
function requireDistinctKeys({ items }: YAMLMap, lines: LineCounter): void {
  const seen = new Set<string>();
  for (const { key } of items) {
    if (!isScalar(key)) throw invalid('must have scalar keys');
    const name = String(key.value);
    if (seen.has(name)) throw invalid(`must not have a key twice (${toPosition(lines, key.range?.[0])})`);
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
    if (isAlias(node)) throw invalid(`must not use aliases (${toPosition(lines, node.range?.[0])})`);
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
  const [violation] = [...document.errors, ...document.warnings];
  if (violation !== undefined) throw invalid(`is not valid YAML (${toPosition(lines, violation.pos[0])})`);
  requirePlain(document.contents, lines);
  return document.toJS({ maxAliasCount: 0 });
}

/** Position in a text, from 1. */
interface Position {
  readonly line: number;
  readonly column: number;
}

/** Violation in the YAML of a file. The message may quote the file. */
export class YamlFault extends Error {
  override readonly name = 'YamlFault';
  /** Undefined: the violation concerns the whole text. */
  readonly position: Position | undefined;

  constructor(message: string, position?: Position) {
    super(message);
    this.position = position;
  }
}

/** Parsed YAML with the positions of its values. */
export interface ParsedYaml {
  readonly value: unknown;
  /** Returns the position of the key or item at a path, or of the nearest one around it. */
  positionOf(path: readonly PropertyKey[]): Position;
}

type Fail = (offset: number, message: string) => never;

/** The first sentence of the parser, with what to do. */
function toSentence({ code, message }: YAMLError): string {
  const [what = ''] = message.split('\n');
  const step = code === 'TAG_RESOLVE_FAILED' ? 'remove the tag' : 'check the indentation and the quotes here';
  return `${what.replace(/[.:]$/, '')}; ${step}`;
}

function checkKeys({ items }: YAMLMap, fail: Fail): void {
  const seen = new Set<unknown>();
  for (const { key } of items) {
    const offset = isNode(key) ? (key.range?.[0] ?? 0) : 0;
    const name = isScalar(key) ? key.value : undefined;
    if (typeof name !== 'string') fail(offset, 'a key must be a string; put it in quotes');
    if (seen.has(name)) fail(offset, `the key ${name} is used twice; keep one of the two`);
    seen.add(name);
  }
}

/** Rejects what JSON does not have: anchors and aliases (a small file could expand to gigabytes), tags, and numbers that JSON cannot represent. */
function checkNode(node: Node, fail: Fail): void {
  const offset = node.range?.[0] ?? 0;
  if (isAlias(node)) fail(offset, `the alias *${node.source} is not accepted; write the value out`);
  if ('anchor' in node && node.anchor !== undefined)
    fail(offset, `the anchor &${node.anchor} is not accepted; write the value out where it is used`);
  if (node.tag?.startsWith('!')) fail(offset, `the tag ${node.tag} is not accepted; remove it`);
  if (isMap(node)) checkKeys(node, fail);
  if (isScalar(node) && typeof node.value === 'number' && !Number.isFinite(node.value))
    fail(offset, 'JSON cannot represent this number; write it as a string in quotes');
}

function findOffset(root: unknown, path: readonly PropertyKey[]): number {
  let node = root;
  let offset = isNode(root) ? (root.range?.[0] ?? 0) : 0;
  for (const step of path) {
    const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && key.value === step) : undefined;
    const found = pair === undefined ? (isSeq(node) ? node.items[Number(step)] : undefined) : pair.key;
    if (!isNode(found)) break;
    offset = found.range?.[0] ?? offset;
    node = pair === undefined ? found : pair.value;
  }
  return offset;
}

/**
 * Returns for each path the index of its key or item in a YAML document, or of the nearest one around it. `parseYaml` must have accepted the
 * text before.
 */
export function findYamlPositions(text: string, paths: readonly (readonly PropertyKey[])[]): readonly number[] {
  const { contents } = parseDocument(text, OPTIONS);
  return paths.map((path) => findOffset(contents, path));
}

/**
 * Parses a part of a file, for a reader that shows its owner each violation with its position. Accepts what `parseYaml` accepts, without
 * anchors and with strings as keys only. Throws a YamlFault with the first violation.
 */
export function parseYamlPart(text: string): ParsedYaml {
  const refusal = findYamlLimitProblem(text);
  if (refusal !== undefined) throw new YamlFault(refusal);
  const lines = new LineCounter();
  const positionAt = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const fail: Fail = (offset, message) => {
    throw new YamlFault(message, positionAt(offset));
  };
  const document = parseDocument(text, { ...OPTIONS, lineCounter: lines });
  const [violation] = [...document.errors, ...document.warnings];
  if (violation !== undefined) fail(violation.pos[0], toSentence(violation));
  // A function sees every node; an object of functions would give each node to the most specific one only.
  visit(document, (_key, node) => {
    if (isNode(node)) checkNode(node, fail);
  });
  return { value: document.toJS(), positionOf: (path) => positionAt(findOffset(document.contents, path)) };
}
