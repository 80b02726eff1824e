import { useTranslation } from '../i18n/translate.tsx';
import { Badge } from '../ui/badge.tsx';
import { Impact } from '../ui/impact.tsx';
import { VisibleText, visibleText } from '../ui/visible-text.tsx';
import {
  type Applied,
  type AppliedChange,
  type ChangedMember,
  changedMembers,
  lostByAccountOf,
  lostGrantsOf,
  rolesAfter,
} from './configuration-diff.ts';
import { rolePermissions, useHolders, useRoles } from './use-admin.ts';
import { useRoleLosses } from './use-role-losses.ts';
import './configuration-changes.css';

/** Characters of one value that are shown. */
const SHOWN_CHARACTERS = 5000;

/** The changes of a configuration file, object by object, and what they take away. */
export function ConfigurationChanges({ applied }: { readonly applied: Applied }) {
  const { t } = useTranslation();
  const { created_count: created, updated_count: updated, unchanged_count: unchanged } = applied;
  const changes = applied.changes.filter(({ action }) => action !== 'none');
  return (
    <div className="configuration-changes">
      <p>{t('admin.apply.counts', { created, updated, unchanged })}</p>
      {changes.length > 0 && <ConfigurationImpact changes={changes} />}
      <ul>
        {changes.map((change) => (
          <li key={`${change.kind}\n${change.name}`}>
            <ChangedObject change={change} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function ConfigurationImpact({ changes }: { readonly changes: readonly AppliedChange[] }) {
  const { t } = useTranslation();
  const { data: roles } = useRoles();
  const lossesOf = useRoleLosses();
  const changed = rolesAfter(changes);
  const holders = useHolders([...changed.keys()]);
  if (roles === undefined || holders === undefined) return null;
  const ofRoles = lossesOf({ holders, roles, changed });
  const ofAccounts = lostByAccountOf(changes, rolePermissions(roles)).flatMap(({ name, permissions, isDisabled }) => [
    ...(permissions.length === 0
      ? []
      : [t('admin.impact.account-loses', { name: visibleText(name), permissions: permissions.join(', ') })]),
    ...(isDisabled ? [t('admin.impact.account-disabled', { name: visibleText(name) })] : []),
  ]);
  const ofGrants = lostGrantsOf(changes).map(({ item, kind, name }) =>
    t(`admin.impact.grant.${kind}`, { name: visibleText(name), item: visibleText(item) }),
  );
  return <Impact losses={[...ofRoles, ...ofAccounts, ...ofGrants]} />;
}

function ChangedObject({ change }: { readonly change: AppliedChange }) {
  const { t } = useTranslation();
  const { kind, name, action } = change;
  return (
    <details className="changed-object" open>
      <summary>
        <Badge tone={action === 'create' ? 'success' : 'info'}>
          {t(action === 'create' ? 'admin.apply.create' : 'admin.apply.update')}
        </Badge>{' '}
        {t(`admin.apply.kind.${kind}`)} <strong>{visibleText(name)}</strong>
      </summary>
      <dl>
        {changedMembers(change).map((member) => (
          <div key={member.name}>
            <dt>
              <VisibleText text={member.name} />
            </dt>
            <dd>
              <MemberValues member={member} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function MemberValues({ member: { before, after } }: { readonly member: ChangedMember }) {
  const { t } = useTranslation();
  return (
    <>
      {before !== undefined && (
        <del>
          <span className="visually-hidden">{t('admin.apply.before')} </span>
          <VisibleText text={before.slice(0, SHOWN_CHARACTERS)} lines="preserve" />
        </del>
      )}
      {after !== undefined && (
        <ins>
          <span className="visually-hidden">{t('admin.apply.after')} </span>
          <VisibleText text={after.slice(0, SHOWN_CHARACTERS)} lines="preserve" />
        </ins>
      )}
    </>
  );
}
