import { engineViews } from './refused/engine-views.ts';
import { fileReads } from './refused/file-reads.ts';
import { functionsWithEffects } from './refused/functions-with-effects.ts';
import { hiddenFileReads } from './refused/hidden-file-reads.ts';
import { otherKinds } from './refused/other-kinds.ts';

/** Each of these would read, show or do what no caller may; `{file}` is a file within a folder that views may read. */
const STATEMENTS: readonly string[] = [
  ...otherKinds,
  ...fileReads,
  ...hiddenFileReads,
  ...engineViews,
  ...functionsWithEffects,
];

/** Returns the statements that the guard must refuse with READ_ONLY. */
export const refusedStatements = (file: string): readonly string[] =>
  STATEMENTS.map((statement) => statement.replaceAll('{file}', file).replaceAll('{stem}', file.replace(/\.csv$/, '')));
