import { useTranslation } from '../i18n/translate.tsx';
import { Filters } from '../ui/filters.tsx';
import { Row } from '../ui/layout.tsx';
import { SelectField } from '../ui/select-field.tsx';
import type { AdminRole } from './use-admin.ts';
import { USER_STATES, type UserView } from './user-view.ts';

/** No role and no state has this name. */
const ALL = '*';

interface UserFiltersProps {
  readonly view: UserView;
  readonly roles: readonly AdminRole[];
}

/** Fields that narrow the list of users. */
export function UserFilters({ view: { filter, show }, roles }: UserFiltersProps) {
  const { t } = useTranslation();
  const { role, state } = filter;
  // A role that was deleted stays visible as the reason of an empty list.
  const names = new Set([...roles.map(({ name }) => name), ...(role === undefined ? [] : [role])]);
  return (
    <Filters count={Number(role !== undefined) + Number(state !== undefined)}>
      <Row>
        <SelectField
          label={t('admin.users.role')}
          value={role ?? ALL}
          choices={[{ id: ALL, label: t('admin.users.role.all') }, ...[...names].map((id) => ({ id, label: id }))]}
          onChange={(next) => show({ role: next === ALL ? undefined : next })}
        />
        <SelectField<string>
          label={t('label.state')}
          value={state ?? ALL}
          choices={[
            { id: ALL, label: t('admin.users.state.all') },
            ...USER_STATES.map((id) => ({ id, label: t(`admin.users.state.${id}`) })),
          ]}
          onChange={(next) => show({ state: next === ALL ? undefined : next })}
        />
      </Row>
    </Filters>
  );
}
