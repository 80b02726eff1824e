import { useTranslation } from '../../i18n/translate.tsx';
import { visibleText } from '../../result/cell-text.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import { type DeclaredParameter, draftOfParameter } from './parameter-draft.ts';

/** Parameters that a datamap declares. Nothing without parameters. */
export function ParameterTable({ parameters }: { readonly parameters: readonly DeclaredParameter[] }) {
  const { t } = useTranslation();
  if (parameters.length === 0) return null;
  const missing = (declared: DeclaredParameter): string => {
    const { missing: kind, preset } = draftOfParameter(declared);
    return kind === 'default' ? visibleText(preset) : t(`life.parameter.missing.${kind}`);
  };
  return (
    <DataTable
      label={t('parameters.title')}
      items={parameters}
      idOf={({ name }) => name}
      columns={[
        { id: 'name', title: t('life.parameter'), cell: ({ name }) => <code>{`$${name}`}</code> },
        { id: 'type', title: t('label.type'), cell: ({ type }) => <code>{type}</code> },
        { id: 'missing', title: t('life.parameter.column.missing'), cell: missing },
        {
          id: 'allowed',
          title: t('life.parameter.column.allowed'),
          cell: (declared) =>
            declared.allowed_values === null ? (
              t('life.parameter.allowed.any')
            ) : (
              <VisibleText text={draftOfParameter(declared).allowed.replaceAll('\n', ', ')} />
            ),
        },
        {
          id: 'description',
          title: t('property.description'),
          cell: ({ description }) => <VisibleText text={description ?? ''} />,
        },
      ]}
    />
  );
}
