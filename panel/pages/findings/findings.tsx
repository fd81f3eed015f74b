import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import i18next from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/read.ts'
import { Empty } from '../../components/empty.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { List, type Column } from '../../components/list.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { Section } from '../../components/section.tsx'
import { StateMark } from '../../components/state-mark.tsx'
import { When } from '../../components/when.tsx'
import { ProductLink } from '../../resources/product-link.tsx'
import { useAccount } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import classes from './findings.module.css'
import { kindsOf, type Kind, type Row } from './kinds.ts'

/** The service lists so many of each kind at most. */
const LISTED_MAX = 1_000
/** What products lack in stores. */
const LACKING = 'completeness_stores'
/** Where a kind is worked off; the others are worked off at the products that they name. */
const PLACES: Readonly<Record<string, string>> = {
  offers_without_rate: 'rates',
  prices_held: 'held-prices',
  sku_collisions: 'skus',
  eans_invalid: 'suppliers',
  completeness_offers_stale: 'suppliers',
  completeness_suppliers_silent: 'suppliers',
}

/**
 * What the account's owner should look at. Kinds that the panel has no words for, of a newer service, are shown under their names in
 * the API.
 */
export function FindingsPage() {
  const { t } = useTranslation('findings')
  const account = useAccount()
  const format = useFormats()
  const navigate = useNavigate()
  const search = useSearch({ from: '/signed/$account/findings' })
  const findings = useRead('GET /v1/account/findings', { accountId: account.id })
  const titleOf = (kind: string) => wordsOf(`kinds.${kind}.title`) ?? spoken(kind)
  const count = ({ rows }: Kind) => `${format.number(rows.length)}${rows.length >= LISTED_MAX ? '+' : ''}`
  const columns: Column<Kind>[] = [
    {
      id: 'kind',
      title: t('kind'),
      cell: (kind) => <StateMark tone={kind.rows.length === 0 ? 'good' : 'warn'}>{titleOf(kind.name)}</StateMark>,
    },
    { id: 'count', title: t('count'), width: '18%', isNumber: true, cell: count },
  ]
  return (
    <Page title={t('title')} lead={t('lead')}>
      <Loaded query={findings} lines={10}>
        {({ data }) => {
          const kinds = kindsOf(data)
          const shown = kinds.find(({ name }) => name === search.kind) ?? kinds.find(({ rows }) => rows.length > 0)
          return (
            <>
              <Section title={kinds.every(({ rows }) => rows.length === 0) ? t('allRight') : t('found')} isFlush>
                <List
                  label={t('found')}
                  columns={columns}
                  rows={[
                    ...kinds.filter(({ rows }) => rows.length > 0),
                    ...kinds.filter(({ rows }) => rows.length === 0),
                  ]}
                  keyOf={({ name }) => name}
                  openKey={shown?.name ?? null}
                  open={({ name }) => void navigate({ to: '.', search: { kind: name }, resetScroll: false })}
                  empty={<Empty>{t('allRight')}</Empty>}
                />
              </Section>
              {shown === undefined ? null : (
                <Section
                  title={titleOf(shown.name)}
                  note={wordsOf(`kinds.${shown.name}.todo`) ?? t('unknownKind')}
                  actions={
                    PLACES[shown.name] === undefined ? undefined : (
                      <LinkButton to={`/${account.id}/${PLACES[shown.name]}`}>
                        {wordsOf(`kinds.${shown.name}.place`) ?? t('show')}
                      </LinkButton>
                    )
                  }
                  isFlush
                >
                  <List
                    label={titleOf(shown.name)}
                    columns={columnsOf(shown)}
                    rows={shown.rows}
                    keyOf={(row) => JSON.stringify(row)}
                    phoneLine={(row) => phoneLineOf(row)}
                    empty={<Empty>{t('none')}</Empty>}
                  />
                  {shown.rows.length < LISTED_MAX ? null : (
                    <p className={classes.more}>{t('capped', { count: LISTED_MAX })}</p>
                  )}
                </Section>
              )}
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}

/** A text whose key is made of a name that the service sends. */
function wordsOf(key: string): string | undefined {
  return i18next.exists(`findings:${key}`) ? i18next.t(`findings:${key}` as 'findings:title') : undefined
}

/** A name of the API as one reads it: "texts_from_any_locale" is "Texts from any locale". */
const spoken = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')

/** Members of the rows as columns: products are links, moments are relative. */
function columnsOf({ name: kind, rows }: Kind): Column<Row>[] {
  const names = [...new Set(rows.slice(0, 50).flatMap((row) => Object.keys(row)))]
  return names.map((name, i) => ({
    id: name,
    title: wordsOf(`members.${name}`) ?? spoken(name),
    isWide: i > 0 && !/product_id/.test(name),
    sortBy: (row) => {
      const value = row[name]
      return typeof value === 'number' ? value : shownValue(value)
    },
    cell: (row) =>
      kind === LACKING && name === 'product_ids' ? <Lacking row={row} /> : <Value name={name} value={row[name]} />,
  }))
}

/** To all products of a store that lack something; the service names only the first of them. */
function Lacking({ row }: { row: Row }) {
  const { t } = useTranslation('findings')
  const { id } = useAccount()
  const { store, gap } = row
  return (
    <Link to="/$account/catalog" params={{ account: String(id) }} search={{ store, incomplete: gap } as never}>
      {t('showProducts')}
    </Link>
  )
}

function Value({ name, value }: { name: string; value: unknown }): ReactNode {
  const format = useFormats()
  if (/^product_ids?$/.test(name)) {
    const ids = (Array.isArray(value) ? value : [value]).filter((id): id is number => typeof id === 'number')
    return (
      <span className={classes.products}>
        {ids.map((id) => (
          <ProductLink key={id} id={id}>
            {id}
          </ProductLink>
        ))}
      </span>
    )
  }
  if (name.endsWith('_at') && typeof value === 'string') return <When at={value} />
  // counts; other numbers name something
  const text = name === 'products' && typeof value === 'number' ? format.number(value) : shownValue(value)
  return (
    <span dir="auto" title={text}>
      {text}
    </span>
  )
}

function shownValue(value: unknown): string {
  if (value === null || value === undefined) return '–'
  if (Array.isArray(value)) return value.map(shownValue).join(', ')
  return typeof value === 'string' ? (wordsOf(`values.${value}`) ?? value) : JSON.stringify(value)
}

const phoneLineOf = (row: Row) =>
  Object.entries(row)
    .slice(1)
    .filter(([name]) => !/product_id|_at$/.test(name))
    .map(([, value]) => shownValue(value))
    .join(' · ')
