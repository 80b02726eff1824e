/** Options of the commands that save a file. */
export const SAVE_OPTIONS = {
  output: {
    kind: 'text',
    short: 'o',
    value: 'FILE',
    completes: 'file',
    meaning: 'File to write; - for stdout. Required.',
  },
  force: { kind: 'flag', meaning: 'Replace an existing file and its receipt.' },
  idleTimeout: {
    kind: 'integer',
    value: 'SECONDS',
    min: 1,
    max: 86_400,
    meaning: 'Give up when nothing arrives for this long. Default: SLUICE_IDLE_TIMEOUT, or no limit.',
  },
} as const;

export const SAVE_FILES = [
  '`FILE.part`: the bytes until they are proven. Removed when a download fails; only kill -9 or a crash leaves it, and the next download replaces it',
  '`FILE.receipt.json`: the receipt, with tenant, host, account and query id',
];

/** Files of an interrupted download that can be continued. */
export const PART_FILES = [
  '`FILE.part.json`: beside FILE.part of a kept result: id, format and ETag, with which `sluice download --resume` continues it',
];

/** Guarantees about a saved file, for `--help` and docs/cli.md. */
export const SAVE_DESCRIPTION = `FILE appears only when its SHA-256 and its rows equal the receipt of the server; until then the bytes are in FILE.part. \
First the bytes are durable, then the receipt gets its name, then the file: a FILE without its receipt, or with the receipt of another file, never exists. \
With --force, the old file is removed just before that.

With -o -, the bytes are written as they arrive. Whether they are whole is said on stderr at the end, and by the exit code.`;
