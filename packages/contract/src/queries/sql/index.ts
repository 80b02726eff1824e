/** SQL as text, for editors: tokens, statements, words, and what is typed at a cursor. It describes SQL and never decides what runs. */
export { type CompletionContext, completionContext, type NamedTable, type NamePath } from './completion-context.ts';
export { type SqlDialect, SqlScanner, statements, type TextRange, type TokenKind } from './sql-scanner.ts';
export { functionsOf, keywordsOf, sqlName } from './sql-words.ts';
