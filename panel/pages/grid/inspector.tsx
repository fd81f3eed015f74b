import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ProductLink, ProductName } from '../../resources/product-name.tsx'
import type { GridColumn } from './columns.ts'
import classes from './grid.module.css'
import { keyOf, type Own, type SheetRow, type SheetState } from './sheet-state.ts'

/** Describes the focused cell: whose value it is, its previous value, its fault, and the possible actions. */
export function Inspector({
  state,
  row,
  column,
}: {
  state: SheetState
  row: SheetRow | undefined
  column: GridColumn | undefined
}) {
  const { t } = useTranslation('grid')
  if (row === undefined || column === undefined) return <div className={classes.inspector} />
  const key = keyOf(row.id, column.name)
  const { own, supplied } = state.cell(row.id, column.name)
  const draft = state.drafts.get(key)
  const fault = state.faults.get(key)
  const say = (value: Own) =>
    value === false ? t('hidden') : value === null ? (supplied === null ? t('nothing') : supplied) : value
  return (
    <section className={classes.inspector} aria-label={t('inspector.title')}>
      <strong>
        <ProductName of={row} id={row.id} /> · {column.title}
      </strong>
      {fault === undefined ? null : (
        <p className={classes.wrong}>
          {fault.kind === 'conflict'
            ? t('inspector.conflict', { theirs: say(own) })
            : fault.kind === 'jump'
              ? t('inspector.jump')
              : t('inspector.refused', { reason: fault.reason })}
        </p>
      )}
      {column.isReadOnly ? (
        <p dir="auto">
          {supplied ?? t('inspector.none')} <ProductLink id={row.id}>{t('inspector.readOnly')}</ProductLink>
        </p>
      ) : draft === undefined ? (
        <p dir="auto">
          {own === null
            ? supplied === null
              ? t('inspector.empty')
              : t('inspector.supplied', { value: supplied })
            : supplied === null
              ? t('inspector.own', { value: say(own) })
              : t('inspector.ownOver', { value: say(own), supplied })}
        </p>
      ) : fault?.kind === 'conflict' ? (
        <div className={classes.choices}>
          <Button size="compact-sm" variant="default" onClick={() => state.insist(row.id, column.name)}>
            {t('inspector.keepMine')}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => state.write([{ id: row.id, column: column.name, value: own }])}
          >
            {t('inspector.takeTheirs')}
          </Button>
        </div>
      ) : fault?.kind === 'jump' ? (
        <div className={classes.choices}>
          <Button size="compact-sm" variant="default" onClick={() => state.confirmJump(row.id, column.name)}>
            {t('inspector.jumpIsRight')}
          </Button>
        </div>
      ) : (
        <p dir="auto">
          {draft.value === null
            ? t('inspector.willReset', { before: say(draft.expected), after: say(null) })
            : t('inspector.changed', { before: say(draft.expected), after: say(draft.value) })}
        </p>
      )}
    </section>
  )
}
