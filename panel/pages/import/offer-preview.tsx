import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { asProblem } from '../../api/problem.ts'
import { useResource } from '../../api/resources.ts'
import { Facts } from '../../components/facts.tsx'
import { FaultText } from '../../components/fault-text.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { Section } from '../../components/page.tsx'
import { Waiting } from '../../components/loaded.tsx'
import { useAccount } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import { Remark } from '../../runs/remark.tsx'
import { remarksOf } from '../../words/remarks.ts'
import classes from './import.module.css'
import { isUnknownWord } from './availability.ts'
import { LeaveOut } from './leave-out.tsx'
import { tiersText } from './cells.ts'
import { fieldsOf, type Doc } from './mapping.ts'
import type { Previewed, PreviewedRow } from './preview-file.ts'
import { WordMeaning } from './word-meaning.tsx'
import { useFieldName } from './words.ts'

const TEXT_CHARACTERS = 300

/** The offers that the mapping makes of the file, one row at a time. */
export function OfferPreview({ read, doc }: { read: UseQueryResult<Previewed>; doc: Doc }) {
  const { t } = useTranslation('import')
  const [at, setAt] = useState(0)
  const rows = read.data?.rows ?? []
  const row = rows[Math.min(at, rows.length - 1)]
  const offers = rows.filter(({ offer }) => offer !== null).length
  return (
    <Section
      title={t('offer.title')}
      note={rows.length === 0 ? t('offer.note') : t('offer.counts', { offers, count: rows.length })}
      actions={
        rows.length < 2 ? null : (
          <>
            <Button size="xs" variant="default" disabled={at <= 0} onClick={() => setAt(at - 1)}>
              {t('offer.previous')}
            </Button>
            <Button
              size="xs"
              variant="default"
              disabled={at >= rows.length - 1}
              onClick={() => setAt(Math.min(at + 1, rows.length - 1))}
            >
              {t('offer.next')}
            </Button>
          </>
        )
      }
    >
      {read.isError ? (
        <ProblemNote error={read.error} faults={asProblem(read.error).faults} retry={() => void read.refetch()} />
      ) : null}
      {read.data === undefined && !read.isError ? <Waiting lines={6} /> : null}
      {row === undefined ? (
        read.isError || read.data === undefined ? null : (
          <p className={classes.quiet}>{t('offer.none')}</p>
        )
      ) : (
        <div aria-busy={read.isFetching}>
          <p className={`${classes.quiet} ${classes.lined}`}>{t('line', { line: row.line })}</p>
          <OneOffer row={row} doc={doc} />
        </div>
      )}
    </Section>
  )
}

type Tiers = { quantity: number; cost: string }[]

function OneOffer({ row, doc }: { row: PreviewedRow; doc: Doc }) {
  const { t } = useTranslation('import')
  const nameOf = useFieldName()
  const valueOf = useValues(row.offer)
  if (row.is_left_out) return <p>{t('offer.leftOut')}</p>
  if (row.offer === null)
    return (
      <ul className={classes.faults}>
        {row.errors.map(({ name, reason }) => (
          <li key={`${name} ${reason}`}>
            {nameOf(name)}: <FaultText reason={reason} />
          </li>
        ))}
      </ul>
    )
  const { texts, attributes, images, eans, ...plain } = row.offer
  const facts: [string, string][] = Object.entries(plain).flatMap(([name, value]) =>
    value === undefined ? [] : [[nameOf(name), valueOf(name, value)]],
  )
  const known = Object.entries((texts ?? {}) as Record<string, Record<string, string | null>>)
  for (const [locale, byField] of known)
    for (const [field, text] of Object.entries(byField)) facts.splice(1, 0, [nameOf(`${field}.${locale}`), shown(text)])
  if (eans !== undefined) facts.push([nameOf('ean'), shown((eans as string[] | null)?.join(', ') ?? null)])
  if (images !== undefined) facts.push([nameOf('images'), shown((images as string[] | null)?.join(' ') ?? null)])
  for (const { key, value } of (attributes ?? []) as { key: string; value: string }[]) facts.push([key, value])
  const unmapped = (['cost', 'quantity'] as const).filter(
    (field) => fieldsOf(doc)[field] === undefined && doc['preset'] === undefined,
  )
  return (
    <>
      <Facts facts={facts.map(([name, value]) => [name, <span dir="auto">{value}</span>] as const)} />
      {row.dropped.map(({ name, reason }) => (
        <p key={`${name} ${reason}`} className={`${classes.warning} ${classes.unmapped}`}>
          {nameOf(name)}: <FaultText reason={reason} /> ({t('problems.dropped')})
        </p>
      ))}
      {unmapped.map((field) => (
        <p key={field} className={`${classes.warning} ${classes.unmapped}`}>
          {t(`offer.unmapped.${field}`)}
        </p>
      ))}
    </>
  )
}

/** Fields of an offer that are amounts in its currency. */
const AMOUNTS: readonly string[] = ['cost', 'list_price']
const MONEY_DIGITS = 2

/** Formats an offer's values: amounts with the offer's currency, or by default the supplier's. */
function useValues(offer: PreviewedRow['offer']): (name: string, value: unknown) => string {
  const { id } = useAccount()
  const { supplier: code } = useParams({ from: '/signed/$account/suppliers/$supplier/import' })
  const format = useFormats()
  const own = useResource(id, 'suppliers', code).data?.data.currency ?? ''
  const currency = typeof offer?.['currency'] === 'string' ? offer['currency'] : own
  // costs may have more digits than money; all of them are shown
  const money = (amount: string) =>
    currency === '' || (amount.split('.')[1] ?? '').length <= MONEY_DIGITS
      ? format.money(amount, currency)
      : `${format.amount(amount, currency)} ${currency}`
  return (name, value) => {
    if (name === 'cost_tiers' && value !== null) return tiersText(value as Tiers, money)
    return AMOUNTS.includes(name) && typeof value === 'string' && value !== '' ? money(value) : shown(value)
  }
}

function shown(value: unknown): string {
  const text = value === null || value === '' ? '–' : typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > TEXT_CHARACTERS ? `${text.slice(0, TEXT_CHARACTERS)}…` : text
}

interface Group {
  field: string
  reason: string
  count: number
  example: string
  line: number
  isDropped: boolean
}

/** Faults of the first rows, grouped and counted, each with an example. */
export function Problems({
  read,
  doc,
  change,
}: {
  read: UseQueryResult<Previewed>
  doc: Doc
  change: (doc: Doc) => void
}) {
  const { t } = useTranslation('import')
  const nameOf = useFieldName()
  const format = useFormats()
  const rows = read.data?.rows ?? []
  const groups = new Map<string, Group>()
  const add = (line: number, { name, reason }: PreviewedRow['errors'][number], isDropped: boolean) => {
    // groups reasons that differ only in the value
    const key = `${isDropped} ${name} ${reason.replaceAll(/"[^"]*"/g, '"…"')}`
    const known = groups.get(key)
    if (known === undefined) groups.set(key, { field: name, reason, count: 1, example: reason, line, isDropped })
    else known.count++
  }
  for (const { line, errors, dropped } of rows) {
    for (const error of errors) add(line, error, false)
    for (const value of dropped) add(line, value, true)
  }
  const remarks = read.data === undefined ? [] : remarksOf(read.data)
  if (groups.size === 0 && remarks.length === 0) return null
  const sorted = [...groups.values()].toSorted((a, b) => b.count - a.count)
  return (
    <Section title={t('problems.title')}>
      {remarks.map((remark) => (
        <p key={remark.text} className={classes.warning}>
          <Remark of={remark} />
        </p>
      ))}
      <ul className={classes.groups}>
        {sorted.map(({ field, count, example, line, isDropped }) => (
          <li key={`${isDropped} ${field} ${example}`}>
            <strong>{t('problems.rows', { count })}</strong> {nameOf(field)}:{' '}
            {isUnknownWord(field, valueIn(example)) ? (
              t('problems.word', { word: format.quote(valueIn(example) ?? '') })
            ) : (
              <FaultText reason={example} />
            )}{' '}
            <span className={classes.quiet}>
              ({isDropped ? `${t('problems.dropped')}; ` : ''}
              {t('line', { line })})
            </span>
            {isDropped ? null : (
              <>
                <LeaveOut field={field} value={valueIn(example)} doc={doc} change={change} />
                <WordMeaning field={field} value={valueIn(example)} doc={doc} change={change} />
              </>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** The refused value within a reason: `must be …, not "abc": …`. */
const valueIn = (reason: string): string | null =>
  /not "([^"]*)"/.exec(reason)?.[1] ?? /"([^"]*)"$/.exec(reason)?.[1] ?? null
