import { FILE_OBJECTS_MAX, type FileFormat, type MetadataObject } from '@sluice/contract';
import { FileFault } from '@sluice/contract/metadata-files';
import { parseJson, type Upload } from '@sluice/http';
import { checkObject, keyText, type RawObject } from './check-object.ts';
import { CsvObjects, isEmptyRow, readHeader } from './csv-objects.ts';
import { readCsvRows } from './csv-records.ts';
import { decodeText } from './decode-text.ts';
import { FileFaults } from './file-faults.ts';
import { JsonSplitter } from './json-splitter.ts';
import { readLines } from './read-lines.ts';
import { yamlItems } from './yaml-items.ts';

export interface FileObject {
  readonly line: number;
  readonly object: MetadataObject;
  /** Lines of its fields, in a format that has rows of their own for them. */
  readonly fieldLines?: readonly number[];
}

/** File of a request, read as its objects are pulled. */
export interface MetadataFile {
  readonly format: FileFormat;
  /**
   * Valid objects, in groups. Throws `invalid_request` with up to a hundred violations, each with its line; no object is returned after the
   * first violation.
   */
  readonly objects: AsyncIterable<readonly FileObject[]>;
  /** Member `dry_run` of a JSON document. Known when all objects are read. */
  isDryRun(): boolean;
}

/** Formats of reports, which have YAML as NDJSON. */
const FORMATS = {
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
  'application/json': 'json',
  'application/yaml': 'ndjson',
} as const;

type Items = AsyncIterable<readonly (RawObject | FileFault)[]>;

/** Keeps the violation of one row after what was read before it, so that those of later rows are found too. */
function* orFault(read: Iterable<RawObject>): Generator<RawObject | FileFault> {
  try {
    yield* read;
  } catch (thrown) {
    if (!(thrown instanceof FileFault)) throw thrown;
    yield thrown;
  }
}

async function* csvItems(chunks: AsyncIterable<string>): Items {
  let objects: CsvObjects | undefined;
  for await (const rows of readCsvRows(chunks)) {
    const items: (RawObject | FileFault)[] = [];
    for (const row of rows) {
      if (row instanceof FileFault) items.push(row);
      else if (isEmptyRow(row)) continue;
      else if (objects === undefined) objects = new CsvObjects(readHeader(row));
      else items.push(...orFault(objects.add(row)));
    }
    yield items;
  }
  yield [...(objects?.end() ?? [])];
}

function* jsonObject(line: number, text: string): Generator<RawObject> {
  const { value, repeatedKeys } = parse(line, text);
  const [repeated] = repeatedKeys;
  if (repeated !== undefined) throw new FileFault(`line ${line}, ${keyText(repeated)}`, 'must not be given twice');
  yield { line, value, locate: (keys) => ({ line, keys }) };
}

const parse = (line: number, text: string): ReturnType<typeof parseJson> => {
  try {
    return parseJson(Buffer.from(text));
  } catch {
    throw new FileFault(`line ${line}`, 'is not valid JSON, or is nested too deeply');
  }
};

async function* ndjsonItems(chunks: AsyncIterable<string>): Items {
  for await (const lines of readLines(chunks)) {
    yield lines.flatMap(({ line, text }) => [...orFault(jsonObject(line, text))]);
  }
}

async function* jsonItems(chunks: AsyncIterable<string>, onMember: (name: string, value: unknown) => void): Items {
  const splitter = new JsonSplitter();
  for await (const chunk of chunks) {
    const items: (RawObject | FileFault)[] = [];
    for (const { line, member, text } of splitter.push(chunk)) {
      if (member === undefined) items.push(...orFault(jsonObject(line, text)));
      else if (member === 'dry_run') onMember(member, parse(line, text).value);
      else throw new FileFault(`line ${line}, ${member}`, 'is not a known key');
    }
    yield items;
  }
  splitter.finish();
}

/** Validates an object. Adds its violations to `faults`. */
function validate(raw: RawObject, faults: FileFaults): readonly FileObject[] {
  const checked = checkObject(raw);
  if (checked.object !== undefined) {
    const { line } = raw;
    const fieldLines = (checked.object.fields ?? []).map((_, index) => raw.locate(['fields', index]).line);
    const { object } = checked;
    return [fieldLines.some((each) => each !== line) ? { line, object, fieldLines } : { line, object }];
  }
  faults.add(...checked.faults);
  return [];
}

async function* validObjects(items: Items): AsyncGenerator<readonly FileObject[]> {
  const faults = new FileFaults();
  let count = 0;
  try {
    for await (const group of items) {
      const valid: FileObject[] = [];
      for (const item of group) {
        if (item instanceof FileFault) {
          faults.add(item.detail);
          continue;
        }
        count += 1;
        if (count > FILE_OBJECTS_MAX) {
          throw new FileFault(`line ${item.line}`, `starts object ${count}; a file has at most ${FILE_OBJECTS_MAX}`);
        }
        valid.push(...validate(item, faults));
      }
      if (faults.isEmpty && valid.length > 0) yield valid;
    }
    if (count === 0 && faults.isEmpty) throw new FileFault('file', 'has no objects; send at least one');
  } catch (thrown) {
    if (!(thrown instanceof FileFault)) throw thrown;
    faults.add(thrown.detail);
  }
  faults.throwIfAny();
}

/** Reads the metadata file of an upload. */
export function readMetadataFile({ mediaType, bytes }: Upload): MetadataFile {
  let isDryRun = false;
  const onMember = (name: string, value: unknown): void => {
    if (typeof value !== 'boolean') throw new FileFault(name, 'must be true or false');
    isDryRun = value;
  };
  const text = decodeText(bytes);
  const items = {
    'text/csv': () => csvItems(text),
    'application/x-ndjson': () => ndjsonItems(text),
    'application/json': () => jsonItems(text, onMember),
    'application/yaml': () => yamlItems(text),
  }[mediaType]();
  return { format: FORMATS[mediaType], objects: validObjects(items), isDryRun: () => isDryRun };
}
