/**
 * Why Sluice cannot run here, in one sentence that the person at the terminal can act on. Not a ProblemError: those are
 * answers to callers, and at this point there is none.
 */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';

  constructor(sentence: string, cause?: unknown) {
    super(sentence, cause === undefined ? undefined : { cause });
  }
}

const SYSTEM_SENTENCES: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'a file may not grow further (a limit of this shell or file system)',
  EACCES: 'the right to do so is missing',
  EPERM: 'the right to do so is missing',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of the path is not a folder',
  EMFILE: 'too many files are open (ulimit -n)',
};

/** DuckDB and PostgreSQL give no code, only the system's own words. */
const SYSTEM_WORDS: readonly (readonly [RegExp, string])[] = [
  [/no space left|disk full/i, 'ENOSPC'],
  [/quota exceeded/i, 'EDQUOT'],
  [/file too large/i, 'EFBIG'],
  [/permission denied/i, 'EACCES'],
  [/read-only file system/i, 'EROFS'],
];

const codeOf = (thrown: Error): string | undefined => {
  const code: unknown = Reflect.get(thrown, 'code');
  if (typeof code === 'string' && code in SYSTEM_SENTENCES) return code;
  return SYSTEM_WORDS.find(([words]) => words.test(thrown.message))?.[1];
};

/** Puts what failed (`the demo data could not be made in /home/me/.sluice`) before why it failed. */
export function startFailure(whatFailed: string, thrown: unknown): StartFailure {
  if (thrown instanceof StartFailure) return thrown;
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const code = codeOf(error);
  const why = code === undefined ? error.message.split('\n')[0] : SYSTEM_SENTENCES[code];
  return new StartFailure(`${whatFailed}: ${why}.`, thrown);
}
