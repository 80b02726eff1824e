import { useTranslation } from '../../i18n/translate.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Icon } from '../../ui/icon.tsx';

/** Result of a verification for one part of the log. */
export interface Fact {
  readonly id:
    | 'beginning'
    | 'changes'
    | 'end'
    | 'intact'
    | 'reason'
    | 'records'
    | 'retention'
    | 'set-aside'
    | 'signature'
    | 'time'
    | 'wrong-times';
  readonly name: string;
  readonly value: string;
  readonly isWarning?: boolean;
}

/** Result of a verification, a row for each part. */
export function FactTable({ facts }: { readonly facts: readonly Fact[] }) {
  const { t } = useTranslation();
  return (
    <DataTable
      label={t('audit.verify.result')}
      items={facts}
      idOf={({ id }) => id}
      columns={[
        { id: 'part', title: t('audit.verify.part'), isTerm: true, cell: ({ name }) => name },
        {
          id: 'result',
          title: t('audit.verify.result'),
          isText: true,
          cell: ({ value, isWarning = false }) =>
            isWarning ? (
              <span className="verify-result__warning">
                <Icon name="warning" />
                <span>{value}</span>
              </span>
            ) : (
              value
            ),
        },
      ]}
    />
  );
}
