const IS_ADMIN = `u.roles && array(select r.name from roles r where r.tenant_id = u.tenant_id and 'admin' = any (r.permissions))`;

/**
 * Conditions, by kind, under which a mail is still right and wanted: the user may still decide and the request is undecided; the request is
 * decided; the grant still ends at that time. A user without settings wants all mails.
 */
const IS_WANTED = `
  case m.kind
    when 'ACCESS_REQUEST' then coalesce(s.access_requests, true) and q.state = 'PENDING'
      and ((i.owner_kind = 'user' and i.owner_id = u.id) or ${IS_ADMIN})
    when 'ACCESS_DECISION' then coalesce(s.access_decisions, true) and q.state <> 'PENDING'
    else coalesce(s.grant_endings, true) and exists (
      select 1 from marketplace_grants g
      where g.tenant_id = m.tenant_id and g.item_id = m.item_id and g.subject_kind = 'user' and g.subject = u.email
        and g.expires = m.grant_expires and g.expires > now())
  end`;

/** Takes the mail of an outbox that is due for the longest time. Parameter: lease in milliseconds. */
const takeFrom = (outbox: string): string => `
  with due as (
    select tenant_id, mail_id from ${outbox} where state = 'WAITING' and next_attempt <= clock_timestamp()
    order by next_attempt, mail_id limit 1 for update skip locked
  ), m as (
    update ${outbox} o
    set attempts = o.attempts + 1, next_attempt = clock_timestamp() + make_interval(secs => $1::float8 / 1000)
    from due where o.tenant_id = due.tenant_id and o.mail_id = due.mail_id
    returning o.*
  )`;

const MAY_GET = `t.state = 'active' and t.removal_requested is null and not u.disabled`;

/**
 * Parameter: lease in milliseconds. Other hosts skip the row while it is locked, and afterwards because it is due later. `email` is null for
 * a mail that must not be sent: not wanted any more, or the user is removed or disabled, or the tenant suspended.
 */
export const CLAIM_MAIL = `
  ${takeFrom('outgoing_mails')}
  select m.tenant_id, m.mail_id, m.kind, m.attempts, m.created, t.name as tenant_name,
    case when ${MAY_GET} and ${IS_WANTED} then u.email end as email,
    s.language, m.item_id, i.title as item_title, q.account_name as requester, q.decided_by,
    coalesce(q.state = 'APPROVED', false) as is_approved, coalesce(m.grant_expires, q.expires) as expires
  from m
  join tenants t on t.id = m.tenant_id
  join marketplace_items i on i.tenant_id = m.tenant_id and i.item_id = m.item_id
  left join users u on u.tenant_id = m.tenant_id and u.id = m.user_id
  left join marketplace_requests q on q.tenant_id = m.tenant_id and q.request_id = m.request_id
  left join notification_settings s on s.tenant_id = m.tenant_id and s.user_id = m.user_id`;

/** Takes a mail about a login from a new device, as `CLAIM_MAIL` takes one about an item. */
export const CLAIM_DEVICE_MAIL = `
  ${takeFrom('device_mails')}
  select m.tenant_id, m.mail_id, 'NEW_DEVICE' as kind, m.attempts, m.created, t.name as tenant_name,
    case when ${MAY_GET} and coalesce(s.new_devices, true) then u.email end as email,
    s.language, m.device, m.address
  from m
  join tenants t on t.id = m.tenant_id
  left join users u on u.tenant_id = m.tenant_id and u.id = m.user_id
  left join notification_settings s on s.tenant_id = m.tenant_id and s.user_id = m.user_id`;

/**
 * Grants of users only: a role has many. Left out are users who keep their access by another grant or own the item, and ends that the mail
 * about the approval names at most seven days ahead.
 */
export const ANNOUNCE_ENDING_GRANTS = `
  insert into outgoing_mails (tenant_id, mail_id, user_id, kind, item_id, grant_expires)
  select g.tenant_id, gen_random_uuid(), u.id, 'GRANT_ENDING', g.item_id, g.expires
  from marketplace_grants g
  join users u on u.tenant_id = g.tenant_id and u.email = g.subject and not u.disabled
  join marketplace_items i on i.tenant_id = g.tenant_id and i.item_id = g.item_id
  where g.subject_kind = 'user' and g.expires > now() and g.expires <= now() + interval '7 days'
    and not (i.owner_kind = 'user' and i.owner_id = u.id)
    and not exists (
      select 1 from marketplace_grants o
      where o.tenant_id = g.tenant_id and o.item_id = g.item_id and o.subject_kind = 'role' and o.subject = any (u.roles)
        and (o.expires is null or o.expires > g.expires))
    and not exists (
      select 1 from marketplace_requests q
      where q.tenant_id = g.tenant_id and q.item_id = g.item_id and q.account_kind = 'user' and q.account_id = u.id
        and q.state = 'APPROVED' and q.expires = g.expires and q.decided > g.expires - interval '7 days')
  on conflict do nothing`;
