import { useEffect, useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { type DeclaredParameter, type ParameterInput, valueText } from '../marketplace/item-parameters.ts';
import type { ItemQuery } from '../marketplace/item-query.tsx';
import { type Run, startRun } from '../run/start-run.ts';
import { useCurrentUser } from '../session/session-context.tsx';
import { Button } from '../ui/button.tsx';
import { Failure } from '../ui/failure.tsx';
import { RunView } from './run-view.tsx';

/** Rows of a preview. */
const PREVIEW_ROWS = 20;
const NEEDED = ['query:run', 'datamap:read'] as const;

interface ItemPreviewProps {
  readonly query: ItemQuery;
  /** Returns the values of the parameters, or undefined if one is missing. */
  readonly values: () => ParameterInput | undefined;
}

/** First rows of a query of an item, which run with the rights of the user when asked for. */
export function ItemPreview({ query, values }: ItemPreviewProps) {
  const { t } = useTranslation();
  const client = useClient();
  const { permissions } = useCurrentUser();
  const [run, setRun] = useState<Run>();
  useEffect(() => () => run?.cancel(), [run]);
  const { start, isRunning, failure } = useAction<ParameterInput>(async (input) => {
    const { datamap } = await client.api.getDatamap({ params: { id: query.datamap_id } });
    const { sql } = datamap.advanced_mode;
    if (sql === null) throw new Error(t('market.preview.gone'));
    setRun(startRun(client, { sql, size: PREVIEW_ROWS, parameters: typedValues(query.parameters, input) }));
  });
  if (!query.is_published) return null;
  if (!NEEDED.every((permission) => permissions.includes(permission)))
    return <p className="item-preview__about">{t('market.preview.not-allowed')}</p>;
  return (
    <div className="item-preview">
      <div className="item-preview__bar">
        <Button
          icon="table"
          isDisabled={isRunning}
          onPress={() => {
            const input = values();
            if (input !== undefined) void start(input);
          }}
        >
          {t('market.preview', { count: PREVIEW_ROWS })}
        </Button>
        <span className="item-preview__about">{t('market.preview.about')}</span>
      </div>
      <Failure error={failure} />
      {run !== undefined && (
        <div className="item-preview__rows">
          <RunView run={run} />
        </div>
      )}
    </div>
  );
}

/** Returns a value for each parameter: what the user has typed, or the default. Each has its declared type, so none is guessed. */
function typedValues(declared: readonly DeclaredParameter[], input: ParameterInput) {
  return Object.fromEntries(
    declared.map(({ name, type, default: preset }) => [
      name,
      { type, value: input[name] ?? (preset === null ? null : valueText(preset)) },
    ]),
  );
}
