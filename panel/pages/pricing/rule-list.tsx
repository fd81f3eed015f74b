import { Link } from '@tanstack/react-router'
import { useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { StateMark } from '../../components/state-mark.tsx'
import { GripIcon } from '../../design/icons.tsx'
import { useAccount } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import classes from './pricing.module.css'
import { isDefault, type AnyRule, type NamedThings, type RuleTab } from './rules.ts'
import { ruleSentence } from './sentences.ts'

/** How many of the products looked at a rule has a say in. */
export interface Reach {
  products: number
  isEverything: boolean
  of: (id: number) => number
}

/** Rules in the order in which they are tried; they are moved by dragging, or by the arrow keys on the handle. */
export function RuleList({
  tab,
  rules,
  named,
  currency,
  reach,
  reorder,
}: {
  tab: RuleTab
  rules: readonly AnyRule[]
  named: NamedThings
  currency: string
  reach: Reach | undefined
  /** Left out: the order is only looked at. */
  reorder?: ((order: readonly number[]) => void) | undefined
}) {
  const { t } = useTranslation(['pricing', 'shared'])
  const list = useRef<HTMLOListElement>(null)
  const [dragged, setDragged] = useState<number | null>(null)
  const [over, setOver] = useState<number | null>(null)
  const [said, setSaid] = useState('')
  const movable = rules.filter((rule) => !isDefault(rule))
  const move = (from: number, to: number) => {
    const rule = movable[from]
    const end = Math.min(Math.max(to, 0), movable.length - 1)
    if (rule === undefined || reorder === undefined || from === end) return
    const order = movable.map(({ id }) => id)
    order.splice(from, 1)
    order.splice(end, 0, rule.id)
    reorder(order)
    setSaid(t('list.moved', { name: rule.name, place: end + 1, count: movable.length }))
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[data-handle="${rule.id}"]`)?.focus())
  }
  const onKeyDown = (event: KeyboardEvent, at: number) => {
    const to: Readonly<Record<string, number>> = {
      ArrowUp: at - 1,
      ArrowDown: at + 1,
      Home: 0,
      End: movable.length - 1,
    }
    const place = to[event.key]
    if (place === undefined) return
    event.preventDefault()
    move(at, place)
  }
  /** The place under a pointer. */
  const placeAt = (y: number) => {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-place]') ?? [])]
    const at = rows.findIndex((row) => {
      const { top, height } = row.getBoundingClientRect()
      return y < top + height / 2
    })
    return at === -1 ? movable.length : at
  }
  return (
    <>
      <ol className={classes.rules} ref={list}>
        {rules.map((rule, at) => (
          <li
            key={rule.id}
            data-place={isDefault(rule) ? undefined : at}
            className={`${classes.rule} ${dragged === at ? classes.dragged : ''} ${dragged !== null && over === at ? classes.over : ''} ${dragged !== null && over === movable.length && at === movable.length - 1 ? classes.overEnd : ''}`}
          >
            {reorder === undefined || isDefault(rule) ? (
              <span className={classes.place}>{at + 1}</span>
            ) : (
              <button
                type="button"
                className={classes.handle}
                data-handle={rule.id}
                aria-label={t('list.handle', { name: rule.name, place: at + 1, count: movable.length })}
                title={t('list.handleHint')}
                onKeyDown={(event) => onKeyDown(event, at)}
                onPointerDown={(event) => {
                  event.currentTarget.setPointerCapture(event.pointerId)
                  setDragged(at)
                  setOver(at)
                }}
                onPointerMove={(event) => {
                  if (dragged !== null) setOver(placeAt(event.clientY))
                }}
                onPointerUp={() => {
                  if (dragged !== null && over !== null) move(dragged, over > dragged ? over - 1 : over)
                  setDragged(null)
                  setOver(null)
                }}
                onPointerCancel={() => setDragged(null)}
              >
                <GripIcon />
              </button>
            )}
            <RuleWords tab={tab} rule={rule} named={named} currency={currency} />
            <RuleReach tab={tab} rule={rule} rules={rules} reach={reach} />
          </li>
        ))}
      </ol>
      <div role="status" className={classes.said}>
        {said}
      </div>
    </>
  )
}

function RuleWords({
  tab,
  rule,
  named,
  currency,
}: {
  tab: RuleTab
  rule: AnyRule
  named: NamedThings
  currency: string
}) {
  const { t } = useTranslation(['pricing', 'shared'])
  const format = useFormats()
  const account = useAccount()
  return (
    <div className={classes.words}>
      <Link to="/$account/pricing" params={{ account: String(account.id) }} search={{ tab, open: rule.id }} dir="auto">
        {rule.name}
      </Link>{' '}
      {rule.is_active ? null : <StateMark tone="off">{t('list.off')}</StateMark>}
      <p>{ruleSentence(tab, rule, { t, format, currency, named })}</p>
    </div>
  )
}

/** How many products a rule has a say in; of an exclusion rule it leads to them. */
function RuleReach({
  tab,
  rule,
  rules,
  reach,
}: {
  tab: RuleTab
  rule: AnyRule
  rules: readonly AnyRule[]
  reach: Reach | undefined
}) {
  const { t } = useTranslation(['pricing', 'shared'])
  const format = useFormats()
  const account = useAccount()
  if (reach === undefined || reach.products === 0 || !rule.is_active) return <span className={classes.aside} />
  const count = reach.of(rule.id)
  const percent = Math.round((count / reach.products) * 1_000) / 10
  const shares = () => {
    if (count === 0) return t('reach.none', { count: reach.products })
    return percent === 0 ? t('reach.few') : t('reach.about', { percent: format.number(percent) })
  }
  const words = t(`reach.${verbOf(tab, rule)}`, {
    what: reach.isEverything ? t('reach.exact', { count }) : shares(),
  })
  const reason = reasonOf(rule, rules)
  return (
    <span
      className={classes.aside}
      title={reach.isEverything ? undefined : t('reach.sample', { count: reach.products })}
    >
      {reason === null || count === 0 ? (
        words
      ) : (
        <Link to="/$account/catalog" params={{ account: String(account.id) }} search={{ excluded: 'yes', reason }}>
          {words}
        </Link>
      )}
    </span>
  )
}

function verbOf(tab: RuleTab, rule: AnyRule) {
  if (tab === 'pricing-rules') return 'prices'
  if (tab === 'exclusion-rules') return 'excludes'
  return 'is_listed' in rule && rule.is_listed ? 'lists' : 'unlists'
}

/** The reason by which products of a rule are found; null where another rule gives the same. */
function reasonOf(rule: AnyRule, rules: readonly AnyRule[]): string | null {
  if (!('reason' in rule)) return null
  const isShared = rules.some((other) => other.id !== rule.id && 'reason' in other && other.reason === rule.reason)
  return isShared ? null : rule.reason
}
