import { Button } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/read.ts'
import { Empty, Loaded } from '../../components/loaded.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { List, type Column } from '../../components/list.tsx'
import { Page, Section } from '../../components/page.tsx'
import { StateMark } from '../../components/state-mark.tsx'
import { byUrgency, findingKind, gapTone, type Urgency } from '../../resources/finding-kinds.ts'
import { useAccount } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import { AdoptCopies } from './adopt-copies.tsx'
import classes from './findings.module.css'
import { FAILING_PICTURES, type Kind, kindsOf, LACKING } from './kinds.ts'
import { humanizedName, wordsOf } from './words.ts'
import { Rows } from './rows.tsx'

/** The service lists at most this many of each kind. */
const LISTED_MAX = 1_000
const COUNTED_LIVE_MS = 15_000

/** The urgency of a kind. A kind without findings is good. */
const toneOf = ({ name, rows }: Kind): Urgency =>
  rows.length === 0 ? 'good' : name === LACKING ? gapTone(rows.map(({ gap }) => String(gap))) : findingKind(name).tone

/** The number of distinct SKUs, because rows are per store. */
const skusOf = (rows: Kind['rows']) => new Set(rows.map(({ sku }) => sku)).size

/**
 * What the account's owner should look at. Kinds of a newer service, which the panel has no words for, are shown by their API names.
 */
export function FindingsPage() {
  const { t } = useTranslation('findings')
  const account = useAccount()
  const format = useFormats()
  const navigate = useNavigate()
  const search = useSearch({ from: '/signed/$account/findings' })
  const findings = useRead('GET /v1/account/findings', { accountId: account.id })
  const titleOf = (kind: string) => wordsOf(`kinds.${kind}.title`) ?? humanizedName(kind)
  const [isAllShown, setAllShown] = useState(false)
  const counted = useRead(
    'GET /panel/api/accounts/{account_id}/finding-counts',
    { params: { account_id: account.id } },
    { everyMs: COUNTED_LIVE_MS },
  ).data?.data
  const shownCount = (count: number, isMore: boolean) => `${format.number(count)}${isMore ? '+' : ''}`
  /** The same count as on the overview: a product counts once, in however many stores and for however many groups. */
  const count = ({ name, rows }: Kind) => {
    const known = counted?.find(({ kind }) => kind === (name === LACKING ? 'products_incomplete' : name))
    if (rows.length > 0 && known !== undefined) return shownCount(known.count, known.is_capped)
    // gaps are listed per store, so their number of distinct products is unknown until the counts arrive
    if (rows.length > 0 && name === LACKING) return ''
    return shownCount(name === 'sku_collisions' ? skusOf(rows) : rows.length, rows.length >= LISTED_MAX)
  }
  const columns: Column<Kind>[] = [
    {
      id: 'kind',
      title: t('kind'),
      cell: (kind) => <StateMark tone={toneOf(kind)}>{titleOf(kind.name)}</StateMark>,
    },
    { id: 'count', title: t('count'), width: '18%', isNumber: true, cell: count },
  ]
  return (
    <Page title={t('title')} lead={t('lead')}>
      <Loaded query={findings} lines={10}>
        {({ data }) => {
          const kinds = kindsOf(data).toSorted((a, b) => byUrgency(toneOf(a), toneOf(b)))
          const found = kinds.filter(({ rows }) => rows.length > 0)
          const others = kinds.length - found.length
          const isEmptyOpen = search.kind !== undefined && found.every(({ name }) => name !== search.kind)
          const isAll = isAllShown || isEmptyOpen
          const shown = kinds.find(({ name }) => name === search.kind) ?? kinds.find(({ rows }) => rows.length > 0)
          const { place, search: asked } = findingKind(shown?.name ?? '')
          return (
            <>
              <Section title={t('found')} isFlush>
                {/* in an account without findings a list of zeros would say nothing */}
                {found.length === 0 && !isAll ? null : (
                  <List
                    label={t('found')}
                    columns={columns}
                    rows={isAll ? kinds : found}
                    keyOf={({ name }) => name}
                    openKey={shown?.name ?? null}
                    open={({ name }) => void navigate({ to: '.', search: { kind: name }, resetScroll: false })}
                    empty={<Empty>{t('allRight')}</Empty>}
                  />
                )}
                {others === 0 ? null : (
                  <p className={classes.others}>
                    <StateMark tone="good">
                      {found.length === 0 ? t('allRight') : t('others', { count: others })}
                    </StateMark>
                    <Button
                      variant="subtle"
                      size="compact-sm"
                      aria-expanded={isAll}
                      onClick={() => {
                        setAllShown(!isAll)
                        // an open kind without findings is hidden with the others, so it is closed
                        if (isAll && isEmptyOpen) void navigate({ to: '.', search: {}, resetScroll: false })
                      }}
                    >
                      {t(isAll ? 'hideOthers' : 'showOthers')}
                    </Button>
                  </p>
                )}
              </Section>
              {shown === undefined ? null : (
                <Section
                  title={titleOf(shown.name)}
                  note={wordsOf(`kinds.${shown.name}.todo`) ?? t('unknownKind')}
                  actions={
                    place === undefined ? undefined : (
                      <LinkButton to={`/${account.id}/${place}`} {...(asked === undefined ? {} : { search: asked })}>
                        {wordsOf(`kinds.${shown.name}.place`) ?? t('show')}
                      </LinkButton>
                    )
                  }
                  isFlush
                >
                  {shown.name === FAILING_PICTURES && shown.rows.length > 0 ? <AdoptCopies rows={shown.rows} /> : null}
                  <Rows kind={shown} label={titleOf(shown.name)} />
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
