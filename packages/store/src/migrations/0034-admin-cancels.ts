import type { SchemaStep } from './migration.ts';

/** Lets an admin list and cancel the queries of a tenant: who runs a waiting query, and who cancelled. */
export const adminCancelsStep: SchemaStep = {
  name: '0034-admin-cancels',
  sql: `
    alter table queries add column cancelled_by_admin boolean not null default false;
    alter table waiting_queries add column cancelled_by_admin boolean not null default false;
    alter table waiting_queries add column user_name text, add column action text;
  `,
};
