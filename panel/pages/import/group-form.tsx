import { Button, Checkbox } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Section } from '../../components/page.tsx'
import { ColumnSelect } from './column-select.tsx'
import type { FileColumn } from './columns.ts'
import { ConditionList } from './condition-editor.tsx'
import type { MappingPartProps } from './fields-form.tsx'
import classes from './import.module.css'
import { isObject } from '../../resources/is-object.ts'
import { columnOf, faultsAt, withColumn, withMember } from './mapping.ts'
import { useSourceWords } from './words.ts'

/** Products with several rows, such as the variants and pictures of an article. */
export function GroupForm({ doc, change, columns, faults }: MappingPartProps) {
  const { t } = useTranslation('import')
  const sourceWords = useSourceWords()
  const group = isObject(doc['group']) ? doc['group'] : null
  // a ready mapping's group is not in the document
  const hasPreset = doc['preset'] !== undefined
  if (group === null && hasPreset) return null
  if (group === null)
    return (
      <Section title={t('group.title')} note={t('group.note')}>
        <Button
          variant="default"
          size="xs"
          disabled={columns.length === 0}
          onClick={() => change(withMember(doc, 'group', { by: repeatedColumn(columns) }))}
        >
          {t('group.add')}
        </Button>
      </Section>
    )
  const set = (name: string, value: unknown) => change(withMember(doc, 'group', withMember(group, name, value)))
  const by = columnOf(group['by'])
  const list = (name: 'inherit' | 'collect') => (
    <ColumnList
      label={t(`group.${name}`)}
      hint={t(`group.${name}Hint`)}
      value={group[name]}
      columns={columns}
      set={(names) => set(name, names.length === 0 ? undefined : names)}
    />
  )
  return (
    <Section title={t('group.title')} note={t('group.note')}>
      {faultsAt(faults, 'group').map(({ name, reason }) => (
        <p key={`${name} ${reason}`} className={classes.error}>
          {name}: {reason}
        </p>
      ))}
      <div className={classes.fields}>
        <ColumnSelect
          label={t('group.by')}
          value={by}
          columns={columns}
          other={by === undefined ? sourceWords(group['by']) : undefined}
          isRequired
          set={(column) => set('by', withColumn(group['by'], column ?? ''))}
        />
        <ColumnSelect
          label={t('group.parent')}
          value={typeof group['parent'] === 'string' ? group['parent'] : undefined}
          columns={columns}
          none={t('form.none')}
          set={(column) => set('parent', column)}
        />
        <Checkbox
          label={t('group.anywhere')}
          checked={group['anywhere'] === true}
          onChange={(event) => set('anywhere', event.currentTarget.checked ? true : undefined)}
        />
        <Checkbox
          label={t('group.continues')}
          checked={group['continues'] === true}
          onChange={(event) => set('continues', event.currentTarget.checked ? true : undefined)}
        />
        {list('inherit')}
        {list('collect')}
        {group['offers'] === undefined ? (
          <div>
            <Button
              variant="default"
              size="xs"
              disabled={columns.length === 0}
              onClick={() => set('offers', { column: columns[0]?.name ?? '', empty: false })}
            >
              {t('group.addOffers')}
            </Button>
          </div>
        ) : (
          <div>
            <ConditionList
              label={t('group.offers')}
              value={group['offers']}
              set={(offers) => set('offers', offers)}
              columns={columns}
            />{' '}
            <Button variant="default" size="xs" onClick={() => set('offers', undefined)}>
              {t('group.removeOffers')}
            </Button>
          </div>
        )}
        <div>
          <Button
            variant="default"
            size="xs"
            onClick={() => change(withMember(doc, 'group', hasPreset ? null : undefined))}
          >
            {t('group.remove')}
          </Button>
        </div>
      </div>
    </Section>
  )
}

/** An initial column: one with a typical name, or else the first. */
function repeatedColumn(columns: readonly FileColumn[]): string {
  const known = columns.find(({ name }) => /^(handle|group|item.?group.?id|parent.*|model|gruppe)$/i.test(name))
  return (known ?? columns[0])?.name ?? ''
}

/** Columns, each with a button that removes it. */
function ColumnList({
  label,
  hint,
  value,
  columns,
  set,
}: {
  label: string
  hint: string
  value: unknown
  columns: readonly FileColumn[]
  set: (names: string[]) => void
}) {
  const { t } = useTranslation('import')
  const names = Array.isArray(value) ? value.filter((name): name is string => typeof name === 'string') : []
  return (
    <fieldset className={classes.attributes}>
      <legend>{label}</legend>
      <p className={classes.quiet}>{hint}</p>
      {names.length === 0 ? null : (
        <div className={classes.buttons}>
          {names.map((name) => (
            <Button
              key={name}
              variant="default"
              size="xs"
              aria-label={t('group.removeColumn', { name, label })}
              onClick={() => set(names.filter((one) => one !== name))}
            >
              <span dir="auto">{name}</span>&nbsp;×
            </Button>
          ))}
        </div>
      )}
      <ColumnSelect
        label={t('group.addColumn', { label })}
        isLabelHidden
        value={undefined}
        none={t('group.addOne')}
        columns={columns.filter(({ name }) => !names.includes(name))}
        set={(name) => {
          if (name !== undefined) set([...names, name])
        }}
      />
    </fieldset>
  )
}
