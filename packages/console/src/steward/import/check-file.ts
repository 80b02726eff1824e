import {
  checkObject,
  FILE_BYTES_MAX,
  FILE_OBJECTS_MAX,
  FileFault,
  type RawObject,
} from '@sluice/contract/metadata-files';
import type { CheckedFile, FileMistake, FileSource, ImportFormat, ValidFile } from './checked-file.ts';
import { csvObjects } from './csv-file.ts';
import { decodeFile } from './decode-file.ts';
import type { FileItems, FileReader } from './file-items.ts';
import { jsonObjects, ndjsonObjects } from './json-files.ts';
import { yamlObjects } from './yaml-file.ts';

interface CheckOptions {
  /** Called with the number of objects from time to time. */
  readonly onProgress: (objects: number) => void;
  readonly signal: AbortSignal;
}

/** Mistakes that are listed, as many as the host lists. */
const MISTAKES_MAX = 100;
/** Time after which the page gets to draw. */
const SLICE_MS = 30;

const READERS: Readonly<Record<ImportFormat, (chunks: AsyncIterable<string>) => FileReader>> = {
  csv: csvObjects,
  json: (chunks) => ({ items: jsonObjects(chunks) }),
  ndjson: (chunks) => ({ items: ndjsonObjects(chunks) }),
  yaml: yamlObjects,
};

const lineOf = ({ path }: FileMistake): number => Number(/^line (\d+)/.exec(path)?.[1] ?? 0);

/** Lets the page draw and react. */
const untilIdle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** Yields the items of a file, and lets the page draw between them. */
async function* paced(items: FileItems, onPause: () => void): AsyncGenerator<RawObject | FileFault> {
  let drawnMs = performance.now();
  for await (const group of items) {
    for (const item of group) {
      if (performance.now() - drawnMs > SLICE_MS) {
        await untilIdle();
        onPause();
        drawnMs = performance.now();
      }
      yield item;
    }
  }
}

/** Objects and mistakes of a file, as they are found. */
class FileCheck {
  readonly mistakes: FileMistake[] = [];
  objects = 0;

  get isFull(): boolean {
    return this.mistakes.length >= MISTAKES_MAX;
  }

  add(item: RawObject | FileFault): void {
    if (item instanceof FileFault) {
      this.mistakes.push(item.detail);
      return;
    }
    this.objects += 1;
    if (this.objects > FILE_OBJECTS_MAX)
      throw new FileFault(`line ${item.line}`, `starts object ${this.objects}; a file has at most ${FILE_OBJECTS_MAX}`);
    this.mistakes.push(...(checkObject(item).faults ?? []));
  }
}

/**
 * Checks a whole file with the rules of the host, before anything is sent. At most a hundred mistakes are returned, each with its line.
 * @throws DOMException `AbortError` if the signal aborts
 */
export async function checkFile(source: FileSource, { onProgress, signal }: CheckOptions): Promise<CheckedFile> {
  const check = new FileCheck();
  let reader: FileReader | undefined;
  const onPause = (): void => {
    onProgress(check.objects);
    signal.throwIfAborted();
  };
  try {
    if (source.content.size > FILE_BYTES_MAX) throw new FileFault('file', 'has more than 64 MiB; split it');
    reader = READERS[source.format](decodeFile(source.content));
    for await (const item of paced(reader.items, onPause)) {
      check.add(item);
      if (check.isFull) break;
    }
    if (check.objects === 0 && check.mistakes.length === 0)
      throw new FileFault('file', 'has no objects; write at least one');
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    check.mistakes.push(error.detail);
  }
  return check.mistakes.length > 0 ? mistaken(check.mistakes) : { file: fileOf(source, check.objects, reader) };
}

/** An object is checked when its last row is read, after mistakes of single rows. */
const mistaken = (mistakes: readonly FileMistake[]): CheckedFile => ({
  mistakes: mistakes.slice(0, MISTAKES_MAX).sort((a, b) => lineOf(a) - lineOf(b)),
});

function fileOf(source: FileSource, objects: number, reader: FileReader | undefined): ValidFile {
  const { name, format, content } = source;
  const rewritten = reader?.rewritten?.();
  if (rewritten !== undefined) return { name, format: 'ndjson', body: rewritten, objects, source };
  return { name, format: format === 'yaml' ? 'ndjson' : format, body: content, objects, source };
}
