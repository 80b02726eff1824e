import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import { duckDbProblem, type ErrorContext, withTemporaryFiles } from './errors.ts';

const CONTEXT: ErrorContext = { sql: 'SELECT ü,\n  x', offsetBytes: 0, hiddenPaths: ['/data/files', ''] };
const duckDbError = (fields: Record<string, string>): Error =>
  new Error(JSON.stringify({ exception_type: '', exception_message: 'm', ...fields }));

describe('duckDbProblem', () => {
  it.each([
    [{ exception_type: 'Parser' }, 'syntax_error'],
    [{ exception_type: 'Binder' }, 'semantic_error'],
    [{ exception_type: 'Binder', error_subtype: 'COLUMN_NOT_FOUND' }, 'column_not_found'],
    [{ exception_type: 'Binder', error_subtype: 'NO_MATCHING_FUNCTION' }, 'type_error'],
    [{ exception_type: 'Catalog', type: 'Table' }, 'table_not_found'],
    [{ exception_type: 'Catalog', type: 'Scalar Function' }, 'function_not_found'],
    [{ exception_type: 'Catalog', type: 'Macro' }, 'function_not_found'],
    [{ exception_type: 'Catalog', type: 'Type' }, 'type_error'],
    [{ exception_type: 'Conversion' }, 'data_error'],
    [{ exception_type: 'Out of Range' }, 'data_error'],
    [{ exception_type: 'Out of Range', exception_message: 'Cannot resize vector to 1.0 TiB: ...' }, 'resource_limit'],
    [{ exception_type: 'Out of Memory' }, 'resource_limit'],
    [{ exception_type: 'Interrupt' }, 'query_cancelled'],
    [{ exception_type: 'Permission' }, 'read_only'],
    [{ exception_type: 'IO' }, 'engine_unavailable'],
    [{ exception_type: 'INTERNAL' }, 'internal'],
    [
      { exception_type: 'INTERNAL', exception_message: 'Calling ListValue::GetChildren on a NULL value' },
      'not_supported',
    ],
    [{ exception_type: 'FATAL' }, 'internal'],
    [{ exception_type: 'Something new' }, 'internal'],
  ])('classifies %j', (fields, code) => {
    expect(duckDbProblem(duckDbError(fields), CONTEXT).code).toBe(code);
  });

  it.each([
    ['Binder', 'Catalog "nowhere" does not exist!', 'CATALOG_NOT_FOUND', 44],
    ['Catalog', 'Table with name "s.t" does not exist because schema "s" does not exist.', 'SCHEMA_NOT_FOUND', 45],
    ['Conversion', "Could not convert string 'abc' to INT32", 'INVALID_CAST_ARGUMENT', 9],
    ['Conversion', 'Unimplemented type for cast (INTEGER[] -> INTEGER)', 'TYPE_MISMATCH', 58],
    ['Out of Range', 'Overflow in addition of INT32 (2147483647 + 1)!', 'NUMERIC_VALUE_OUT_OF_RANGE', 19],
    ['Out of Range', 'cannot take logarithm of zero', 'INVALID_FUNCTION_ARGUMENT', 7],
    ['Divide by Zero', 'Division by zero!', 'DIVISION_BY_ZERO', 8],
  ])('has the name and number of Trino: %s Error: %s', (exception_type, exception_message, name, code) => {
    const { engineError } = duckDbProblem(duckDbError({ exception_type, exception_message }), CONTEXT);
    expect(engineError).toEqual({ name, code, type: 'USER_ERROR' });
  });

  it('has no name of Trino where the code of the problem says as much, or where we say something else', () => {
    const others = [
      { exception_type: 'Parser' },
      { exception_type: 'Catalog', type: 'Table' },
      { exception_type: 'Invalid Input' },
      { exception_type: 'Out of Range', exception_message: 'Cannot resize vector to 1.0 TiB: ...' },
    ];
    for (const fields of others) expect(duckDbProblem(duckDbError(fields), CONTEXT).engineError).toBeUndefined();
  });

  it.each([
    ['Could not write file "/temp/worker-1/duckdb_temp_storage_DEFAULT-0.tmp": No space left on device', '28'],
    ['Could not write file "/temp/worker-1/duckdb_temp_storage_S32K-0.tmp": Disk quota exceeded', '122'],
    ['Cannot open file "/temp/worker-1/duckdb_temp_block-7.block": No such file or directory', '2'],
    ['Could not read from file "/temp/worker-1/duckdb_temp_storage_DEFAULT-0.tmp": Input/output error', '5'],
  ])('is storage_unavailable for a temporary file: %s', (exception_message, errno) => {
    const cause = duckDbError({ exception_type: 'IO', exception_message, errno });
    const problem = duckDbProblem(cause, CONTEXT);
    expect(withTemporaryFiles(problem, '/temp/worker-1')).toMatchObject({ code: 'storage_unavailable', cause });
    expect(withTemporaryFiles(problem, '/temp/worker-1').message).not.toContain('/temp');
    for (const other of ['/temp/worker-2', undefined]) expect(withTemporaryFiles(problem, other)).toBe(problem);
  });

  it.each([
    ['Out of Memory Error: Allocation failure', 'resource_limit'],
    ['std::bad_alloc: bad allocation', 'resource_limit'],
    ['INTERRUPT Error: Interrupted!', 'query_cancelled'],
    ['INTERNAL Error: Assertion triggered in file "/duckdb/x.cpp"', 'internal'],
    ['TypeError: x is not a function', 'internal'],
  ])('reads errors without JSON: %s', (text, code) => {
    expect(duckDbProblem(new Error(text), CONTEXT).code).toBe(code);
  });

  it('points into the caller’s SQL, in characters, and nowhere if the position is in SQL that we added', () => {
    const at = (position: string, offsetBytes = 0): unknown =>
      duckDbProblem(duckDbError({ exception_type: 'Binder', position }), { ...CONTEXT, offsetBytes }).location;
    expect(at('7')).toEqual({ line: 1, column: 8 });
    expect(at('13')).toEqual({ line: 2, column: 3 });
    expect(at('33', 20)).toEqual({ line: 2, column: 3 });
    expect(at('5', 20)).toBeUndefined();
    expect(at('500')).toBeUndefined();
    expect(at('x')).toBeUndefined();
    expect(duckDbProblem(duckDbError({ exception_type: 'Binder' }), CONTEXT).location).toBeUndefined();
  });

  it.each([
    ['SELECT 1 FROM nowhere.a.b', { line: 1, column: 15 }],
    ['SELECT \'nowhere.\' --nowhere.\nFROM "NoWhere".a.b', { line: 2, column: 6 }],
    ['SELECT nowhere FROM a.b', undefined],
  ])('points at a catalog that does not exist: %s', (sql, location) => {
    const error = duckDbError({ exception_type: 'Binder', exception_message: 'Catalog "nowhere" does not exist!' });
    expect(duckDbProblem(error, { ...CONTEXT, sql }).location).toEqual(location);
  });

  it('keeps the engine’s message without paths of this machine and hints about settings', () => {
    const message = (exception_type: string, exception_message: string): string =>
      duckDbProblem(duckDbError({ exception_type, exception_message }), CONTEXT).message;
    expect(message('Invalid Input', 'Bad line in "/data/files/a b.csv"')).toBe('Bad line in ".../a b.csv"');
    expect(message('Binder', 'Too many pivots. Use SET pivot_limit=X to increase this.')).toBe('Too many pivots.');
    expect(message('Invalid Input', 'Use SET threads=1 to be happy')).toBe('Use SET threads=1 to be happy');
    expect(
      message('Parser', 'Max expression depth limit of 1000 exceeded. Use "SET max_expression_depth TO x"'),
    ).toMatch(/nested too deeply/);
    expect(message('Permission', 'Cannot access "/etc": disabled by enable_external_access')).not.toMatch(
      /external|etc/,
    );
    expect(message('INTERNAL', 'at /src/x.cpp')).not.toContain('cpp');
  });

  it('passes problems on unchanged, and keeps the cause of others for the log', () => {
    const problem = new ProblemError('time_limit', 'x');
    expect(duckDbProblem(problem, CONTEXT)).toBe(problem);
    const cause = duckDbError({ exception_type: 'Binder' });
    expect(duckDbProblem(cause, CONTEXT).cause).toBe(cause);
  });
});
