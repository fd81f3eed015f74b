import { Button, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CodeBlock } from '../../components/code-block.tsx'
import { ColumnSelect } from './column-select.tsx'
import { Unsaved } from '../../components/unsaved.ts'
import type { FileColumn } from './columns.ts'
import { ConditionList } from './condition-editor.tsx'
import classes from './import.module.css'
import { MemberList } from './member-list.tsx'
import { isObject } from '../../resources/is-object.ts'
import { asKind, columnOf, kindOf, withMember, type Doc, type Source, type SourceKind } from './mapping.ts'

interface SourceProps {
  label: string
  value: unknown
  set: (source: Source) => void
  columns: readonly FileColumn[]
}

const KINDS = ['column', 'constant', 'join', 'first', 'when', 'calc', 'sum'] as const

/** The source of a value and its steps. Members that the form does not show are kept. */
export function SourceEditor({ label, value, set, columns }: SourceProps) {
  const { t } = useTranslation('import')
  const kind = kindOf(value)
  const source = isObject(value) ? value : {}
  const isKnown = KINDS.some((name) => name === kind)
  return (
    <fieldset className={classes.source}>
      <legend>{label}</legend>
      <NativeSelect
        label={t('source.kind')}
        value={kind}
        data={[
          ...KINDS.map((name) => ({ value: name, label: t(`kinds.${name}`) })),
          ...(isKnown ? [] : [{ value: kind, label: t('kinds.other') }]),
        ]}
        onChange={(event) => set(asKind(value, event.currentTarget.value as SourceKind))}
      />
      {kind === 'column' ? <ColumnSource value={value} set={set} columns={columns} label={label} /> : null}
      {kind === 'constant' ? (
        <TextInput
          label={t('kinds.constant')}
          value={text(source['constant'])}
          onChange={(event) => set({ ...source, constant: event.currentTarget.value })}
        />
      ) : null}
      {kind === 'join' || kind === 'first' || (kind === 'sum' && typeof source['sum'] !== 'string') ? (
        <SourceList
          value={source[kind]}
          set={(members) => set({ ...source, [kind]: members })}
          columns={columns}
          label={label}
        />
      ) : null}
      {kind === 'join' ? (
        <TextInput
          label={t('source.with')}
          value={text(source['with'])}
          onChange={(event) => set(withMember(source, 'with', event.currentTarget.value))}
        />
      ) : null}
      {kind === 'when' ? (
        <>
          <ConditionList
            label={t('source.when')}
            value={source['when']}
            set={(when) => set({ ...source, when })}
            columns={columns}
          />
          <SourceEditor
            label={t('source.use')}
            value={source['use'] ?? ''}
            set={(use) => set({ ...source, use })}
            columns={columns}
          />
          {source['else'] === undefined ? (
            <Button variant="default" size="xs" onClick={() => set({ ...source, else: { constant: '' } })}>
              {t('source.addElse')}
            </Button>
          ) : (
            <>
              <SourceEditor
                label={t('source.else')}
                value={source['else']}
                set={(other) => set({ ...source, else: other })}
                columns={columns}
              />
              <Button variant="default" size="xs" onClick={() => set(withMember(source, 'else', undefined))}>
                {t('source.removeElse')}
              </Button>
            </>
          )}
        </>
      ) : null}
      {kind === 'sum' && typeof source['sum'] === 'string' ? (
        <SumOfList source={source} set={set} columns={columns} />
      ) : null}
      {kind === 'calc' ? <CalcSource source={source} set={set} columns={columns} /> : null}
      {isKnown ? null : <CodeBlock title={t('source.advanced')} code={JSON.stringify(value, null, 2)} wraps />}
    </fieldset>
  )
}

const text = (value: unknown) => (typeof value === 'string' ? value : '')

/** A column, with its steps in the order in which they are applied. */
function ColumnSource({ value, set, columns, label }: SourceProps) {
  const { t } = useTranslation('import')
  const source: Doc = isObject(value) ? value : { column: text(value) }
  const change = (name: string, member: unknown) => {
    const next = withMember(source, name, member)
    // a column without steps is written as its name alone
    set(Object.keys(next).length === 1 ? text(next['column']) : next)
  }
  const step = (name: 'split' | 'capture' | 'prefix' | 'suffix' | 'default') => (
    <TextInput
      label={t(`source.${name}`)}
      description={t(`source.${name}Hint`)}
      value={text(source[name])}
      autoComplete="off"
      onChange={(event) => change(name, event.currentTarget.value === '' ? undefined : event.currentTarget.value)}
    />
  )
  return (
    <>
      <ColumnSelect
        label={t('source.column', { name: label })}
        value={columnOf(source)}
        columns={columns}
        set={(column) => change('column', column ?? '')}
      />
      {step('split')}
      <TextInput
        label={t('source.take')}
        description={t('source.takeHint')}
        value={typeof source['take'] === 'number' ? String(source['take']) : ''}
        inputMode="numeric"
        onChange={(event) => {
          const number = Number(event.currentTarget.value)
          change('take', event.currentTarget.value === '' || !Number.isInteger(number) ? undefined : number)
        }}
      />
      {step('capture')}
      <Pairs
        label={t('source.replace')}
        hint={t('source.replaceHint')}
        value={Array.isArray(source['replace']) ? source['replace'].map(pairOf) : []}
        set={(pairs) => change('replace', pairs.length === 0 ? undefined : pairs)}
      />
      <Pairs
        label={t('source.values')}
        hint={t('source.valuesHint')}
        value={isObject(source['values']) ? Object.entries(source['values']).map(pairOf) : []}
        set={(pairs) => change('values', pairs.length === 0 ? undefined : Object.fromEntries(pairs))}
      />
      <Checkbox
        label={t('source.number')}
        checked={source['number'] === true}
        onChange={(event) => change('number', event.currentTarget.checked ? true : undefined)}
      />
      {step('prefix')}
      {step('suffix')}
      {step('default')}
      <Checkbox
        label={t('source.untrimmed')}
        checked={source['trim'] === false}
        onChange={(event) => change('trim', event.currentTarget.checked ? false : undefined)}
      />
      <Checkbox
        label={t('source.optional')}
        checked={source['optional'] === true}
        onChange={(event) => change('optional', event.currentTarget.checked ? true : undefined)}
      />
    </>
  )
}

type Pair = [from: string, to: string]
const pairOf = (pair: unknown): Pair => {
  const [from, to] = Array.isArray(pair) ? (pair as unknown[]) : []
  return [text(from), text(to)]
}

/** Pairs of texts, one per line, separated by an arrow. The text being typed is not reformatted. */
function Pairs({
  label,
  hint,
  value,
  set,
}: {
  label: string
  hint: string
  value: readonly Pair[]
  set: (pairs: Pair[]) => void
}) {
  const [typed, setTyped] = useState(() => value.map(([from, to]) => `${from} → ${to}`).join('\n'))
  return (
    <Textarea
      label={label}
      description={hint}
      autosize
      minRows={1}
      maxRows={8}
      value={typed}
      onChange={(event) => {
        const next = event.currentTarget.value
        setTyped(next)
        set(
          next.split('\n').flatMap((line): Pair[] => {
            const parts = /^(.*?)\s?(?:→|->|=>)\s?(.*)$/.exec(line)
            return parts === null || parts[1] === '' ? [] : [[parts[1] ?? '', parts[2] ?? '']]
          }),
        )
      }}
    />
  )
}

function SourceList({
  value,
  set,
  columns,
  label,
}: {
  label: string
  value: unknown
  set: (members: unknown[]) => void
  columns: readonly FileColumn[]
}) {
  const { t } = useTranslation('import')
  const members: unknown[] = Array.isArray(value) ? value : []
  return (
    <MemberList
      members={members}
      set={set}
      least={1}
      removeLabel={(number) => t('source.removeMember', { number })}
      addLabel={t('source.addMember')}
      next={() => columns[0]?.name ?? ''}
    >
      {(member, i, setMember) => (
        <SourceEditor
          label={t('source.member', { name: label, number: i + 1 })}
          value={member}
          set={setMember}
          columns={columns}
        />
      )}
    </MemberList>
  )
}

/** A field of several values: one source, or a list of them. */
export function ListEditor({
  value,
  set,
  columns,
}: {
  value: unknown
  set: (value: unknown) => void
  columns: readonly FileColumn[]
}) {
  const { t } = useTranslation('import')
  const members = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]
  return (
    <SourceList
      label={t('source.part')}
      value={members}
      set={(next) => set(next.length === 1 ? next[0] : next)}
      columns={columns}
    />
  )
}

/** The sum of a member over the entries of a list, with a condition on the entries. */
function SumOfList({
  source,
  set,
  columns,
}: {
  source: Doc
  set: (source: Source) => void
  columns: readonly FileColumn[]
}) {
  const { t } = useTranslation('import')
  return (
    <>
      {(['sum', 'amount'] as const).map((name) => (
        <TextInput
          key={name}
          label={t(`source.${name}`)}
          dir="ltr"
          value={text(source[name])}
          onChange={(event) => set({ ...source, [name]: event.currentTarget.value })}
        />
      ))}
      {source['where'] === undefined ? (
        <Button
          variant="default"
          size="xs"
          onClick={() => set({ ...source, where: { column: text(source['amount']), empty: false } })}
        >
          {t('source.addWhere')}
        </Button>
      ) : (
        <>
          <ConditionList
            label={t('source.where')}
            value={source['where']}
            set={(where) => set({ ...source, where })}
            columns={columns}
          />
          <Button variant="default" size="xs" onClick={() => set(withMember(source, 'where', undefined))}>
            {t('source.removeWhere')}
          </Button>
        </>
      )}
    </>
  )
}

/** A formula, and the columns that its variables mean. */
function CalcSource({
  source,
  set,
  columns,
}: {
  source: Doc
  set: (source: Source) => void
  columns: readonly FileColumn[]
}) {
  const { t } = useTranslation('import')
  const of = isObject(source['of']) ? source['of'] : {}
  const [name, setName] = useState('')
  return (
    <>
      <TextInput
        label={t('source.formula')}
        description={t('source.formulaHint')}
        dir="ltr"
        value={text(source['calc'])}
        onChange={(event) => set({ ...source, calc: event.currentTarget.value })}
      />
      {Object.entries(of).map(([key, member]) => (
        <div key={key} className={classes.member}>
          <SourceEditor
            label={key}
            value={member}
            set={(next) => set({ ...source, of: { ...of, [key]: next } })}
            columns={columns}
          />
          <Button variant="default" size="xs" onClick={() => set({ ...source, of: withMember(of, key, undefined) })}>
            {t('source.removeName', { name: key })}
          </Button>
        </div>
      ))}
      <div className={classes.field}>
        <Unsaved when={name.trim() !== ''} />
        <TextInput
          label={t('source.name')}
          dir="ltr"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button
          variant="default"
          size="sm"
          disabled={name.trim() === '' || of[name.trim()] !== undefined}
          onClick={() => {
            set({ ...source, of: { ...of, [name.trim()]: columns[0]?.name ?? '' } })
            setName('')
          }}
        >
          {t('source.addName')}
        </Button>
      </div>
    </>
  )
}
