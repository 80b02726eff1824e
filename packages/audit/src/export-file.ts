import { createReadStream } from 'node:fs';
import { splitLines } from './export-lines.ts';

/** Yields the lines of a file. Throws the error of the file system if it cannot be read, and ExportTextError. */
export const exportLines = (path: string): AsyncGenerator<string> => splitLines(createReadStream(path));
