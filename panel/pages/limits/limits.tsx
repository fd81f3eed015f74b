import { useTranslation } from 'react-i18next'
import type { Answer } from '../../api/client.ts'
import { useRead } from '../../api/read.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Page, Section } from '../../components/page.tsx'
import { StateMark } from '../../components/state-mark.tsx'
import { useAccount } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import classes from './limits.module.css'
import { addWords } from '../../words/add-words.ts'
import limitsWords from '../../words/en/limits.json'

addWords({ limits: limitsWords })

type Limit = Answer<'GET /v1/account/limits'>['data'][number]

const LIVE_MS = 10_000

/** The limits of the account, and how much of each is used. Only the operator changes a limit. */
export function LimitsPage() {
  const { t } = useTranslation('limits')
  const { id: accountId } = useAccount()
  const limits = useRead('GET /v1/account/limits', { accountId }, { everyMs: LIVE_MS })
  return (
    <Page title={t('title')} lead={t('lead')}>
      <Loaded query={limits} lines={12}>
        {({ data }) => <Limits limits={data} />}
      </Loaded>
    </Page>
  )
}

function Limits({ limits }: { limits: readonly Limit[] }) {
  const { t } = useTranslation('limits')
  const near = limits.filter((row) => row.kind === 'stock' && row.is_near).length
  const stock = limits.filter(({ kind }) => kind === 'stock')
  const rates = limits.filter(({ kind }) => kind !== 'stock')
  return (
    <>
      <Section
        title={t('stock')}
        note={near === 0 ? undefined : <StateMark tone="warn">{t('nearText', { count: near })}</StateMark>}
      >
        <Rows limits={stock} />
      </Section>
      <Section title={t('rate')}>
        <Rows limits={rates} />
      </Section>
    </>
  )
}

function Rows({ limits }: { limits: readonly Limit[] }) {
  return (
    <ul className={classes.limits}>
      {limits.map((row) => (
        <Row key={row.budget} row={row} />
      ))}
    </ul>
  )
}

function Row({ row }: { row: Limit }) {
  const { t, i18n } = useTranslation('limits')
  const formats = useFormats()
  const { budget, used, limit, unit, per, kind } = row
  const shown = (amount: number) => (unit === 'bytes' ? formats.bytes(amount) : formats.number(amount))
  // a newer service may have budgets that this page has no words for
  const name = i18n.exists(`limits:budgets.${budget}`) ? t(`budgets.${budget}` as 'budgets.products') : row.description
  const within = per === null ? (kind === 'concurrent' ? ` ${t('concurrent')}` : '') : ` ${t(per)}`
  const amount =
    (limit === null ? t('unlimited', { used: shown(used) }) : t('of', { used: shown(used), limit: shown(limit) })) +
    within
  const isFull = limit !== null && used >= limit
  const tone = isFull ? classes.full : row.is_near ? classes.near : ''
  return (
    <li>
      <div className={classes.line}>
        <span>{name}</span>
        <span className={classes.amount}>{amount}</span>
      </div>
      {limit === null ? null : (
        <div
          role="meter"
          aria-label={name}
          aria-valuemin={0}
          aria-valuemax={Math.max(limit, 1)}
          aria-valuenow={Math.min(used, Math.max(limit, 1))}
          aria-valuetext={amount}
          className={classes.bar}
        >
          <div
            className={`${classes.used} ${tone}`}
            style={{ width: `${limit === 0 ? 100 : Math.min(100, (used / limit) * 100)}%` }}
          />
        </div>
      )}
      <div className={classes.state}>
        {isFull || row.is_near ? (
          <StateMark tone={isFull ? 'bad' : 'warn'}>{isFull ? t('full') : t('near')}</StateMark>
        ) : null}
      </div>
    </li>
  )
}
