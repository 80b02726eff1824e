import type { SchemaStep } from './migration.ts';

/**
 * Probe: a write that fails when the disk is full. Updating a heartbeat does not fail then, because it reuses the space of older row
 * versions. Each probe adds a row, and with this fill factor a page holds only one row of that length, so the table needs a new page each
 * time. At 64 pages it is truncated, unless another process (a backup) holds a lock on it: a probe must not wait.
 */
export const durableWriteProbeStep: SchemaStep = {
  name: '0028-durable-write-probe',
  sql: `
    create table write_probes (filler text not null) with (fillfactor = 10, autovacuum_enabled = false);

    create function prove_durable_write() returns void
      language plpgsql security definer set search_path = pg_catalog, public as $body$
    begin
      if pg_relation_size('public.write_probes') >= 64 * current_setting('block_size')::int then
        begin
          lock table public.write_probes in access exclusive mode nowait;
          truncate public.write_probes;
        exception when lock_not_available then null;
        end;
      end if;
      insert into public.write_probes (filler) values (repeat('x', 1000));
    end $body$;
    revoke execute on function prove_durable_write() from public;
  `,
};
