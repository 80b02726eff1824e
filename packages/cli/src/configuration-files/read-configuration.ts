import { open } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import type { LineCounter, Node, YAMLMap, YAMLParseError, YAMLWarning } from 'yaml';
import { CommandError } from '../errors.ts';
import { asFileError, FileFault } from '../text-files/file-fault.ts';
import { TextCheck } from '../text-files/text-check.ts';

/** Parsed YAML or JSON with the positions of its values. */
interface ParsedYaml {
  readonly value: unknown;
  /** Line and column of the key or item at a path, or of the nearest one around it. */
  readonly positionOf: (path: readonly (string | number)[]) => { readonly line: number; readonly column: number };
}

type Yaml = typeof import('yaml');

/** Options for the YAML that the API accepts: one document of the core schema (docs/administration.md). */
const OPTIONS = { version: '1.2', schema: 'core', strict: true, uniqueKeys: false, prettyErrors: false } as const;

/** The first sentence of the parser, with what to do. */
function toSentence({ code, message }: YAMLParseError | YAMLWarning): string {
  const [what = ''] = message.split('\n');
  const step = code === 'TAG_RESOLVE_FAILED' ? 'remove the tag' : 'check the indentation and the quotes here';
  return `${what.replace(/[.:]$/, '')}; ${step}`;
}

type Fail = (offset: number, what: string) => never;

/** Checks for repeated keys. The parser would compare all pairs of keys, which takes minutes for a large mapping. */
function checkKeys({ items }: YAMLMap, yaml: Yaml, fail: Fail): void {
  const seen = new Set<unknown>();
  for (const { key } of items) {
    const offset = yaml.isNode(key) ? (key.range?.[0] ?? 0) : 0;
    const name = yaml.isScalar(key) ? key.value : undefined;
    if (typeof name !== 'string') fail(offset, 'a key must be a string; put it in quotes');
    if (seen.has(name)) fail(offset, `the key ${name} is used twice; keep one of the two`);
    seen.add(name);
  }
}

/** Rejects what JSON does not have: anchors and aliases (a small file could expand to gigabytes), tags, and numbers that JSON cannot represent. */
function checkNode(node: Node, yaml: Yaml, fail: Fail): void {
  const offset = node.range?.[0] ?? 0;
  if (yaml.isAlias(node)) fail(offset, `the alias *${node.source} is not accepted; write the value out`);
  if ('anchor' in node && node.anchor !== undefined)
    fail(offset, `the anchor &${node.anchor} is not accepted; write the value out where it is used`);
  if (node.tag?.startsWith('!')) fail(offset, `the tag ${node.tag} is not accepted; remove it`);
  if (yaml.isMap(node)) checkKeys(node, yaml, fail);
  if (yaml.isScalar(node) && typeof node.value === 'number' && !Number.isFinite(node.value))
    fail(offset, 'JSON cannot represent this number; write it as a string in quotes');
}

/** Returns the offset of the key or item at a path, or of the nearest one around it. */
function findOffset(yaml: Yaml, root: unknown, path: readonly (string | number)[]): number {
  let node = root;
  let offset = 0;
  for (const step of path) {
    const found = yaml.isMap(node)
      ? node.items.find(({ key }) => yaml.isScalar(key) && key.value === step)
      : { key: yaml.isSeq(node) ? node.items[Number(step)] : undefined, value: undefined };
    if (!yaml.isNode(found?.key)) break;
    offset = found.key.range?.[0] ?? offset;
    node = yaml.isMap(node) ? found.value : found.key;
  }
  return offset;
}

/**
 * Parses one YAML document, or JSON, which is YAML too.
 * @param firstLine - line of the file on which the text begins
 * @throws FileFault with the first violation and its position
 */
function parseYaml(yaml: Yaml, text: string, firstLine = 1): ParsedYaml {
  const lines: LineCounter = new yaml.LineCounter();
  const at = (offset: number): { readonly line: number; readonly column: number } => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1) + firstLine - 1, column: Math.max(col, 1) };
  };
  const fail: Fail = (offset, what) => {
    const { line, column } = at(offset);
    throw new FileFault(line, column, what);
  };
  try {
    const document = yaml.parseDocument(text, { ...OPTIONS, lineCounter: lines });
    const [violation] = [...document.errors, ...document.warnings];
    if (violation !== undefined) fail(violation.pos[0], toSentence(violation));
    // A function sees every node; an object of functions would give each node to the most specific one only.
    yaml.visit(document, (_key, node) => {
      if (yaml.isNode(node)) checkNode(node, yaml, fail);
    });
    const positionOf: ParsedYaml['positionOf'] = (path) => at(findOffset(yaml, document.contents, path));
    return { value: document.toJS(), positionOf };
  } catch (error) {
    if (error instanceof RangeError) throw new FileFault(firstLine, undefined, 'is nested too deeply');
    throw error;
  }
}

/** Limit of the API. */
const FILE_BYTES_MAX = 1024 * 1024;

export interface Configuration {
  readonly name: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly positionOf: ParsedYaml['positionOf'];
}

async function openBytes(path: string, stdin: Readable, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
  if (path === '-') return addAbortSignal(signal, stdin);
  const file = await open(path).catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code === 'ENOENT' ? 'does not exist' : `cannot be read (${cause.code})`;
    throw new CommandError(`${path} ${reason}. Check the name.`, { cause });
  });
  return file.createReadStream();
}

/** Reads text up to a limit. */
async function readText(chunks: AsyncIterable<Uint8Array>, name: string): Promise<string> {
  const check = new TextCheck();
  const read: Uint8Array[] = [];
  for await (const chunk of chunks) {
    check.add(chunk);
    read.push(chunk);
    if (check.bytes > FILE_BYTES_MAX)
      throw new CommandError(`${name} has more than 1 MiB, the limit of one file. Split it.`);
  }
  check.end();
  return new TextDecoder().decode(Buffer.concat(read));
}

function isConfiguration(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Reads a configuration file, YAML or JSON.
 * @throws CommandError with the position of the first violation
 */
export async function readConfiguration(path: string, stdin: Readable, signal: AbortSignal): Promise<Configuration> {
  const name = path === '-' ? 'stdin' : path;
  try {
    const text = await readText(await openBytes(path, stdin, signal), name);
    const { value, positionOf } = parseYaml(await import('yaml'), text);
    if (value === null) throw new CommandError(`${name} is empty. Write sections such as \`roles:\` and \`users:\`.`);
    if (!isConfiguration(value))
      throw new FileFault(1, 1, 'this is not a configuration; write sections such as `roles:` and `users:`');
    return { name, value, positionOf };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Error && 'code' in error && error.code === 'EISDIR')
      throw new CommandError(`${name} is a folder. Name a file.`, { cause: error });
    throw asFileError(name, error);
  }
}
