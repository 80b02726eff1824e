import {
  type Attack,
  continueChain,
  entryWithoutRow,
  lastCheckpoint,
  lastEntry,
  nextOf,
  rowAt,
  rowWithEntry,
  unreadableCheckpoint,
} from './forge-chain.ts';

/** Change by a superuser, and what has to follow from it. */
export interface Forgery {
  readonly name: string;
  readonly sql?: (tenantId: string) => string;
  readonly act?: (attack: Attack) => Promise<void>;
  /** Verdict before a host has seen it; undefined if the verifier cannot see it. */
  readonly before?: RegExp;
  /** Logins in the export, including those that the attacker made up. */
  readonly logins: number;
  /** Genuine logins whose entries the attacker removed. The verifier names them. */
  readonly unsealed?: number;
  /** Verdict after later records were sealed. */
  readonly after: RegExp;
  /** Error events of the host. */
  readonly events?: readonly string[];
}

const SET_ASIDE = ['audit_forgeries_set_aside'];
const UUID = '[0-9a-f-]{36}';
const verified = (report: string): RegExp =>
  new RegExp(
    `\\d+ records and \\d+ checkpoints are verified\\.\n.* Record \\d+ reports that a host set aside ${report}\\.$`,
  );
const NOT_SIGNED = 'No checkpoint signs this entry';
const HIGHEST = '9223372036854775807';

/** Forgeries of a chain that has two logins, with a checkpoint each. */
export const FORGERIES: readonly Forgery[] = [
  {
    name: 'a row with an entry at the next position',
    sql: (tenant) => rowWithEntry(tenant, { sequence: nextOf(tenant) }),
    before: new RegExp(`inserted: record 3, id ${UUID}\\. ${NOT_SIGNED}`),
    logins: 4,
    after: verified(`1 entry and 0 checkpoints that no host had added to the chain: entry 3 for record id ${UUID}`),
    events: SET_ASIDE,
  },
  {
    name: 'a row with an entry at the next position whose hash is right',
    act: (attack) => continueChain(attack, false),
    before: new RegExp(`missing: checkpoint 3, record 3, id ${UUID}\\. ${NOT_SIGNED}`),
    logins: 4,
    after: verified(`1 entry and 0 checkpoints that no host had added to the chain: entry 3 for record id ${UUID}`),
    events: SET_ASIDE,
  },
  {
    name: 'a row with an entry and a checkpoint by another key',
    act: (attack) => continueChain(attack, true),
    before: /altered: checkpoint 3\. It is not signed by a trusted key/,
    logins: 4,
    after: verified(`1 entry and 1 checkpoint that .*: entry 3 for record id ${UUID}, checkpoint 3`),
    events: SET_ASIDE,
  },
  {
    name: 'a row with an entry far after the end',
    sql: (tenant) => rowWithEntry(tenant, { sequence: HIGHEST }),
    before: new RegExp(`inserted: record ${HIGHEST}, id ${UUID}\\. ${NOT_SIGNED}`),
    logins: 4,
    after: verified(`1 entry and 0 checkpoints that .*: entry ${HIGHEST} for record id ${UUID}`),
    events: SET_ASIDE,
  },
  {
    name: 'a row with an entry before the first',
    sql: (tenant) => rowWithEntry(tenant, { sequence: '-1000000000000' }),
    before: /inserted: record -1000000000000/,
    logins: 4,
    after: verified(`1 entry and 0 checkpoints that .*: entry -1000000000000 for record id ${UUID}`),
    events: SET_ASIDE,
  },
  {
    name: 'a row with an entry at a position that is taken',
    sql: (tenant) => rowWithEntry(tenant, { sequence: '2' }),
    before: new RegExp(`inserted: record 2, id ${UUID}`),
    logins: 4,
    after: new RegExp(`inserted: record 2, id ${UUID}`),
    events: ['audit_records_skipped'],
  },
  {
    name: 'an entry without a row',
    sql: (tenant) => entryWithoutRow(tenant, nextOf(tenant)),
    before: new RegExp(`inserted: record 3, id ${UUID}\\. ${NOT_SIGNED}`),
    logins: 3,
    after: verified(`1 entry and 0 checkpoints that .*: entry 3 for record id ${UUID}`),
    events: SET_ASIDE,
  },
  {
    name: 'a row of a later century',
    sql: (tenant) => rowAt(tenant, `clock_timestamp() + interval '400 years'`),
    before: /inserted: id .* Its time is later/,
    logins: 4,
    after: new RegExp(`inserted: record \\d, id ${UUID}\\. Its time is later`),
  },
  {
    name: 'a row with an infinite time',
    sql: (tenant) => rowAt(tenant, `'infinity'`),
    before: /inserted: id .* Its time is later/,
    logins: 3,
    after: new RegExp(`inserted: id ${UUID}\\. The log contains the record, but it was never sealed`),
  },
  {
    name: 'the last entry, by deleting it',
    sql: (tenant) => `delete from audit_chain where ${lastEntry(tenant)}`,
    before: /missing: record 2/,
    logins: 2,
    unsealed: 1,
    after: /missing: record 2/,
  },
  {
    name: 'the last checkpoint, by deleting it',
    sql: (tenant) => `delete from audit_checkpoints where ${lastCheckpoint(tenant)}`,
    before: new RegExp(`missing: checkpoint 2, record 2, id ${UUID}\\. ${NOT_SIGNED}`),
    logins: 2,
    unsealed: 1,
    after: new RegExp(
      `never sealed\\..*\n.*set aside 1 entry and 0 checkpoints that .*: entry 2 for record id ${UUID}\\.$`,
    ),
    events: ['audit_chain_cut', ...SET_ASIDE],
  },
  {
    name: 'the last checkpoint and entries, by deleting them',
    sql: (tenant) =>
      `delete from audit_chain where tenant_id = '${tenant}' and sequence > 1; delete from audit_checkpoints where ${lastCheckpoint(tenant)}`,
    logins: 2,
    unsealed: 1,
    after: new RegExp(`inserted: id ${UUID}\\. The log contains the record, but it was never sealed`),
    events: ['audit_chain_cut'],
  },
  {
    name: 'a checkpoint that cannot be read',
    sql: (tenant) => unreadableCheckpoint(tenant, 'number + 1'),
    before: /altered: checkpoint 3\. The checkpoint cannot be read/,
    logins: 3,
    after: verified('0 entries and 1 checkpoint that .*: checkpoint 3'),
    events: SET_ASIDE,
  },
  {
    name: 'checkpoints with the highest number and with the number 0',
    sql: (tenant) => `${unreadableCheckpoint(tenant, HIGHEST)}; ${unreadableCheckpoint(tenant, '0')}`,
    before: /altered: checkpoint 1\. The checkpoint cannot be read/,
    logins: 3,
    after: verified('0 entries and 2 checkpoints that .*: checkpoint 0, checkpoint \\d+'),
    events: SET_ASIDE,
  },
  {
    name: 'the text of the last checkpoint',
    sql: (tenant) => `update audit_checkpoints set payload = 'x' where ${lastCheckpoint(tenant)}`,
    before: /altered: checkpoint 2\. The checkpoint cannot be read/,
    logins: 2,
    unsealed: 1,
    after: /never sealed\..*\n.*set aside 1 entry and 1 checkpoint that /,
    events: ['audit_chain_cut', ...SET_ASIDE],
  },
  {
    name: 'the counts, to the highest number',
    sql: (tenant) => `update audit_counts set records = ${HIGHEST} where tenant_id = '${tenant}'`,
    before: new RegExp(`altered: .*The count of .* is ${HIGHEST}, but the log has \\d`),
    logins: 3,
    after: /altered: .*The count of/,
  },
  {
    name: 'the transactions of sealed rows, which look new then',
    sql: (tenant) => `update audit_log set xact = pg_current_xact_id() where tenant_id = '${tenant}'`,
    logins: 3,
    after: /\d+ records and \d+ checkpoints are verified\.$/,
    events: ['audit_records_skipped'],
  },
  {
    name: 'a row with an entry, and a checkpoint that cannot be read',
    sql: (tenant) =>
      `${rowWithEntry(tenant, { sequence: nextOf(tenant) })}; ${unreadableCheckpoint(tenant, 'number + 1')}`,
    before: /altered: checkpoint 3\. The checkpoint cannot be read/,
    logins: 4,
    after: verified(`1 entry and 1 checkpoint that .*: entry 3 for record id ${UUID}, checkpoint 3`),
    events: SET_ASIDE,
  },
];
