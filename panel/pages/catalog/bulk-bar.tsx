import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../words/format.ts'
import { ExcludeForm, FieldForm, StockForm, type BulkFormProps } from './bulk-forms.tsx'
import classes from './bulk-bar.module.css'
import { ExportDialog } from './export.tsx'
import { GridLink } from './grid-link.tsx'
import { GroupButtons } from './group-buttons.tsx'
import type { CatalogSearch, ProductFilter } from './search.ts'
import type { Selection } from './selection.ts'

type Action = 'exclude' | 'include' | 'field' | 'stock' | 'export'
const ACTIONS: readonly Action[] = ['exclude', 'include', 'field', 'stock', 'export']

/** Actions on the chosen products. The bar appears when the first one is chosen. */
export function BulkBar({
  selection,
  filter,
  total,
  isEnd,
  shown,
  sort,
}: {
  selection: Selection
  filter: ProductFilter
  /** How many products match; null: unknown. */
  total: number | null
  /** Whether all matching products have been read. */
  isEnd: boolean
  shown: number
  sort: CatalogSearch['sort']
}) {
  const { t } = useTranslation('catalog')
  const format = useFormats()
  const [action, setAction] = useState<Action | null>(null)
  const { count, isAll } = selection
  const canTakeAll = !isAll && count === shown && !isEnd
  const close = () => setAction(null)
  const form: BulkFormProps = {
    selection: selection.sent(filter),
    count,
    close,
    done: () => {
      close()
      selection.clear()
    },
  }
  return (
    <>
      <div className={classes.bar} role="region" aria-label={t('bulk.title')}>
        <span className={classes.count} role="status">
          {count === null ? t('bulk.allMatching') : isAll ? t('bulk.all', { count }) : t('bulk.chosen', { count })}
        </span>
        {canTakeAll ? (
          <button type="button" className={classes.link} onClick={selection.takeAll}>
            {total === null ? t('bulk.takeAllMatching') : t('bulk.takeAll', { total: format.number(total) })}
          </button>
        ) : null}
        <span className={classes.actions}>
          <GridLink selection={selection} filter={filter} sort={sort} />
          {ACTIONS.map((name) => (
            <Button key={name} variant="default" size="compact-sm" onClick={() => setAction(name)}>
              {t(`bulk.${name}`)}
            </Button>
          ))}
          <GroupButtons selection={selection} done={selection.clear} />
        </span>
        <button type="button" className={classes.link} onClick={selection.clear}>
          {t('bulk.clear')}
        </button>
      </div>
      {action === 'exclude' || action === 'include' ? (
        <ExcludeForm {...form} isExcluded={action === 'exclude'} />
      ) : null}
      {action === 'field' ? <FieldForm {...form} /> : null}
      {action === 'stock' ? <StockForm {...form} /> : null}
      {action === 'export' ? <ExportDialog selection={selection} filter={filter} close={close} /> : null}
    </>
  )
}
