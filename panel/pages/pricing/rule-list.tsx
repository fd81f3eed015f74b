import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type Marks, useReorder } from '../../components/reorder.ts'
import { StateMark } from '../../components/state-mark.tsx'
import { GripIcon } from '../../design/icons.tsx'
import { useAccount } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import classes from './pricing.module.css'
import { type AnyRule, isDefault, type NamedThings, type RuleTab } from './rules.ts'
import { NAMED_MAX, ruleSentence } from './sentences.ts'
import { useProductNames } from '../../api/product-names.ts'
import { useProductWords } from '../../resources/product-name.tsx'

/** How many of the examined products each rule affects. */
export interface Reach {
  products: number
  isEverything: boolean
  of: (id: number) => number
}

/** Rules in the order in which they are tried. They are moved by dragging, or by the arrow keys on the handle. */
export function RuleList({
  tab,
  rules,
  named: things,
  currency,
  reach,
  reorder,
}: {
  tab: RuleTab
  rules: readonly AnyRule[]
  named: NamedThings
  currency: string
  reach: Reach | undefined
  /** Left out: the order cannot be changed. */
  reorder?: ((order: readonly number[]) => void) | undefined
}) {
  const { t } = useTranslation(['pricing', 'shared'])
  const named = useNamedProducts(things, namedIn(rules))
  const movable = rules.filter((rule) => !isDefault(rule))
  const { list, said, marksOf, placeOf, handleOf } = useReorder({
    keys: movable.map(({ id }) => id),
    reorder: (order) => reorder?.(order),
    say: (id, _, to) =>
      t('list.moved', {
        name: movable.find((rule) => rule.id === id)?.name ?? '',
        place: to + 1,
        count: movable.length,
      }),
  })
  return (
    <>
      <ol className={classes.rules} ref={list}>
        {rules.map((rule, at) => (
          <li key={rule.id} {...(isDefault(rule) ? {} : placeOf(at))} className={ruleClasses(marksOf(at))}>
            {reorder === undefined || isDefault(rule) ? (
              <span className={classes.place}>{at + 1}</span>
            ) : (
              <button
                type="button"
                className={classes.handle}
                aria-label={t('list.handle', { name: rule.name, place: at + 1, count: movable.length })}
                title={t('list.handleHint')}
                {...handleOf(at)}
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

const ruleClasses = ({ isDragged, isBefore, isBehind }: Marks) =>
  `${classes.rule} ${isDragged ? classes.dragged : ''} ${isBefore ? classes.over : ''} ${isBehind ? classes.overEnd : ''}`

/** IDs of products that the rules' sentences name. */
const namedIn = (rules: readonly AnyRule[]) =>
  rules.flatMap((rule) => ('product_ids' in rule ? (rule.product_ids ?? []).slice(0, NAMED_MAX) : []))

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
  const { t } = useTranslation(['pricing', 'conditions', 'shared'])
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

/** The number of products that a rule affects; for an exclusion rule it links to them. */
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

/** The exclusion reason by which a rule's products can be filtered; null if another rule has the same reason. */
function reasonOf(rule: AnyRule, rules: readonly AnyRule[]): string | null {
  if (!('reason' in rule)) return null
  const isShared = rules.some((other) => other.id !== rule.id && 'reason' in other && other.reason === rule.reason)
  return isShared ? null : rule.reason
}

/** The named things, extended by the names of these products. */
export function useNamedProducts(named: NamedThings, ids: readonly number[]): NamedThings {
  const { id: accountId } = useAccount()
  const find = useProductNames(accountId, ids)
  const wordsOf = useProductWords()
  return {
    ...named,
    products: (id) => {
      const found = find(id)
      return found === undefined ? undefined : wordsOf(found, id)
    },
  }
}
