import { engineViews } from './rejected/engine-views.ts';
import { fileReads } from './rejected/file-reads.ts';
import { functionsWithEffects } from './rejected/functions-with-effects.ts';
import { hiddenFileReads } from './rejected/hidden-file-reads.ts';
import { otherKinds } from './rejected/other-kinds.ts';

/** Each of these would read, show or do what no caller may; `{file}` is a file within a folder that views may read. */
const STATEMENTS: readonly string[] = [
  ...otherKinds,
  ...fileReads,
  ...hiddenFileReads,
  ...engineViews,
  ...functionsWithEffects,
];

/** Returns the statements that the guard must reject with READ_ONLY. */
export const rejectedStatements = (file: string): readonly string[] =>
  STATEMENTS.map((statement) => statement.replaceAll('{file}', file).replaceAll('{stem}', file.replace(/\.csv$/, '')));
