import { Button, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ColumnSelect } from './column-select.tsx'
import type { FileColumn } from './columns.ts'
import classes from './import.module.css'
import { isObject } from '../../resources/is-object.ts'
import { columnOf, columnsIn, reads, type Doc, type Fault } from './mapping.ts'
import { useSourceWords } from './words.ts'

/** Matches the index of the attribute with a fault. */
const memberOf = /^fields\.\w+\.(\d+)(?:\.|$)/

/**
 * Attributes, or options of variants: each has a name and a column. Attributes of other forms are shown in words and kept
 * as they are.
 */
export function Attributes({
  of,
  value,
  set,
  columns,
  fields,
  faults,
}: {
  of: 'attributes' | 'options'
  value: unknown
  set: (attributes: unknown) => void
  columns: readonly FileColumn[]
  fields: Doc
  /** The faults of this list. */
  faults: readonly Fault[]
}) {
  const { t } = useTranslation('import')
  const sourceWords = useSourceWords()
  const entries: unknown[] = Array.isArray(value) ? value : []
  const change = (next: unknown[]) => set(next.length === 0 ? undefined : next)
  const unused = columns.filter(({ name }) => !Object.values(fields).some((source) => reads(source, name)))
  return (
    <fieldset className={classes.attributes}>
      <legend>{t(`${of}.title`)}</legend>
      {entries.map((entry, i) => {
        const own = isObject(entry) ? entry : {}
        const key = typeof own['key'] === 'string' ? own['key'] : undefined
        const column = columnOf(entry)
        const reasons = faults.filter(({ name }) => memberOf.exec(name)?.[1] === String(i)).map((one) => one.reason)
        return (
          // attributes have no other identity while they are typed
          <div key={i} className={classes.attribute}>
            {key === undefined || column === undefined ? (
              <span className={classes.quiet} dir="auto">
                {key ??
                  (typeof own['pairs'] === 'string' && typeof own['value'] === 'string'
                    ? t('attributes.pairs', { names: own['pairs'], values: own['value'] })
                    : sourceWords(columnsIn(entry)))}
              </span>
            ) : (
              <>
                <TextInput
                  aria-label={t(`${of}.name`, { number: i + 1 })}
                  value={key}
                  onChange={(event) => change(entries.with(i, { ...own, key: event.currentTarget.value }))}
                />
                <ColumnSelect
                  label={t(`${of}.column`, { name: key })}
                  isLabelHidden
                  value={column}
                  columns={columns}
                  set={(name) => change(entries.with(i, { ...own, column: name ?? '' }))}
                />
              </>
            )}
            <Button
              variant="default"
              size="sm"
              aria-label={t(`${of}.remove`, { name: key ?? String(i + 1) })}
              onClick={() => change(entries.toSpliced(i, 1))}
            >
              {t('attributes.removeShort')}
            </Button>
            {reasons.length === 0 ? null : <p className={classes.error}>{reasons.join('; ')}</p>}
          </div>
        )
      })}
      <div className={classes.buttons}>
        <ColumnSelect
          label={t(`${of}.add`)}
          isLabelHidden
          value={undefined}
          none={t(`${of}.add`)}
          columns={columns}
          set={(name) => {
            if (name !== undefined) change([...entries, { key: name, column: name }])
          }}
        />
        {of === 'options' || unused.length === 0 ? null : (
          <Button
            variant="default"
            size="sm"
            onClick={() => change([...entries, ...unused.map(({ name }) => ({ key: name, column: name }))])}
          >
            {t('attributes.addUnused', { count: unused.length })}
          </Button>
        )}
      </div>
    </fieldset>
  )
}
