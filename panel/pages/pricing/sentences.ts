import type { TFunction } from 'i18next'
import { needOf } from '../../../contract/exclusion-kinds.ts'
import type { Preview, PreviewEffect, PreviewExample } from '../../../contract/panel/previews.ts'
import { TIER_BYS } from '../../../contract/tiers.ts'
import type { Formats } from '../../words/format.ts'
import {
  conditionsByFact,
  type Condition,
  type Form,
  type RangeFact,
  type ReferenceFact,
} from '../../../contract/rule-conditions.ts'
import {
  THINGS,
  type AnyRule,
  type AssortmentRule,
  type ExclusionRule,
  type NamedThings,
  type PricingRule,
  type RuleTab,
} from './rules.ts'

// Descriptions of rules, and of the effects of a change.

export type Say = TFunction<['pricing', 'conditions', 'shared']>

interface Speaking {
  t: Say
  format: Formats
  /** The account's currency, in which amounts without another currency are. */
  currency: string
  named: NamedThings
}

/** "20% on the cost, at least 2.00 EUR profit, ending in .99", followed by the conditions. */
export function ruleSentence(tab: RuleTab, rule: AnyRule, speaking: Speaking): string {
  if (tab === 'pricing-rules') return pricingSentence(rule as PricingRule, speaking)
  if (tab === 'exclusion-rules') return exclusionSentence(rule as ExclusionRule, speaking)
  return assortmentSentence(rule as AssortmentRule, speaking)
}

const isSet = <T>(value: T | null | undefined | ''): value is T => value !== null && value !== undefined && value !== ''

function pricingSentence(rule: PricingRule, speaking: Speaking): string {
  const { t, format } = speaking
  const money = (value: string | number) => moneyOf(format, value, rule.currency ?? speaking.currency)
  const number = (value: string | number) => numberOf(format, value)
  const parts: string[] = []
  if (rule.action === 'fixed')
    parts.push(t('says.fixed', { amount: isSet(rule.fixed_price) ? money(rule.fixed_price) : '…' }))
  else if (rule.action === 'markup' && Number(rule.percent) < 0)
    parts.push(t('says.belowCost', { percent: number(String(rule.percent).replace('-', '')) }))
  else parts.push(t(`says.${rule.action}`, { percent: isSet(rule.percent) ? number(rule.percent) : '…' }))
  if (isSet(rule.addition)) {
    const isOff = String(rule.addition).startsWith('-')
    parts.push(t(isOff ? 'says.less' : 'says.plus', { amount: money(String(rule.addition).replace('-', '')) }))
  }
  if (isSet(rule.ceiling_price)) parts.push(t('says.ceiling', { amount: money(rule.ceiling_price) }))
  if (isSet(rule.floor_margin_percent))
    parts.push(t('says.floorMargin', { percent: number(rule.floor_margin_percent) }))
  if (isSet(rule.floor_profit)) parts.push(t('says.floorProfit', { amount: money(rule.floor_profit) }))
  if (isSet(rule.floor_price)) parts.push(t('says.floorPrice', { amount: money(rule.floor_price) }))
  for (const [code, entry] of Object.entries(rule.rounding ?? {})) {
    if (entry === null || entry.step === undefined) continue
    const { step, ending = '0', direction = 'nearest' } = entry
    const words =
      Number(ending) === 0
        ? t('says.step', { step: decimalOf(format, step) })
        : endingOf(t, format, String(step), String(ending))
    parts.push(t('says.rounded', { words, currency: code, direction: t(`says.directions.${direction}`) }))
  }
  const tiers = (rule.tiers ?? []).flatMap((tier) => {
    const by = TIER_BYS.find((name) => isSet(tier[name]))
    if (by === undefined) return []
    const value = tier[by] ?? ''
    const said = by === 'percent_off' ? number(value) : money(value)
    return [t(`says.tiers.${by}`, { quantity: format.number(tier.quantity), value: said })]
  })
  parts.push(...tiers)
  if (rule.tiers_from_supplier) parts.push(t('says.tiers.fromSupplier'))
  if (rule.tiers_above_price && (tiers.length > 0 || rule.tiers_from_supplier)) parts.push(t('says.tiersAbovePrice'))
  if (isSet(rule.list_price_percent)) parts.push(t('says.listPrice', { percent: number(rule.list_price_percent) }))
  if (rule.over_price_lists) parts.push(t('says.overPriceLists'))
  const conditions = conditionsByFact('pricing').flatMap((ofFact) => {
    const set = ofFact.flatMap((condition) => {
      const value = rule[condition.name]
      return isSet(value) ? [{ ...condition, value: valueText(condition, value, speaking) }] : []
    })
    const [first, second] = set
    return first?.form === 'number' && second !== undefined
      ? [t(`conditions:between.${first.fact as RangeFact}`, { from: first.value, below: second.value })]
      : set.map(({ name, value }) => t(`conditions:says.${name}`, { value }))
  })
  if (rule.is_default) conditions.push(t('says.rest'))
  return joined(t, parts.join(', '), conditions)
}

/** With a step of 1, only the part after the decimal point is shown: .99. */
function endingOf(t: Say, format: Formats, step: string, ending: string): string {
  const shown = decimalOf(format, ending)
  if (Number(step) === 1) return t('says.ending', { ending: shown.replace(/^0(?=\D)/, '') })
  return t('says.endingOf', { ending: shown, step: decimalOf(format, step) })
}

/**
 * A decimal with its own number of digits in the reader's notation. A text that is not a number yet is shown as it is.
 */
const decimalOf = (format: Formats, value: string | number) =>
  Number.isFinite(Number(value)) && String(value).trim() !== '' ? format.decimal(String(value)) : String(value)

function exclusionSentence(rule: ExclusionRule, speaking: Speaking): string {
  const { t, format } = speaking
  const { member, amount: needed } = needOf(rule.kind)
  const amount = !isSet(rule.amount)
    ? '…'
    : needed?.hasCurrency === true
      ? moneyOf(format, rule.amount, rule.currency ?? speaking.currency)
      : numberOf(format, rule.amount)
  const names = member === 'supplier_ids' ? thingsOf('supplier', rule.supplier_ids ?? [], speaking) : (rule.names ?? [])
  const what = t(`says.excludes.${rule.kind}`, { names: listOf(format, names), amount })
  const stores = listOf(format, thingsOf('store', rule.store_ids ?? [], speaking))
  return joined(t, what, rule.store_ids === null ? [] : [t('conditions:says.store_ids', { value: stores })])
}

function assortmentSentence(rule: AssortmentRule, speaking: Speaking): string {
  const { t, named } = speaking
  const store = named.stores?.find(({ id }) => id === rule.store_id)?.name ?? '…'
  const parts = conditionsByFact('assortment')
    .flat()
    .flatMap((condition) => {
      const value = rule[condition.name]
      return value === null
        ? []
        : [t(`conditions:listed.${condition.name}`, { value: valueText(condition, value, speaking) })]
    })
  if (parts.length === 0 && !rule.is_listed) return t('says.listsNone', { store })
  const what = parts.length === 0 ? t('says.everything') : [t('says.what'), ...parts].join(' ')
  return t(rule.is_listed ? 'says.lists' : 'says.listsNot', { store, what })
}

/** The value of a condition in words, by its form. */
const SAID: Readonly<Record<Form, (value: never, condition: Condition, speaking: Speaking) => string>> = {
  ids: (ids: readonly number[], { fact }, speaking) =>
    listOf(speaking.format, thingsOf(fact as ReferenceFact, ids, speaking)),
  names: (names: readonly string[], _condition, { format }) => listOf(format, names),
  paths: (paths: readonly string[], _condition, { format }) => listOf(format, paths),
  number: (value: string | number, { isMoney }, { format, currency }) =>
    isMoney === undefined ? numberOf(format, value) : moneyOf(format, value, currency),
  day: (day: string, _condition, { format }) => format.day(new Date(`${day}T12:00:00Z`)),
}
const valueText = (condition: Condition, value: string | number | readonly (string | number)[], speaking: Speaking) =>
  // the table of conditions determines the form of each value
  SAID[condition.form](value as never, condition, speaking)

/** The names of things by ID; the ID of a deleted one. */
function thingsOf(fact: ReferenceFact, ids: readonly number[], { named }: Speaking): string[] {
  if (fact === 'product') return ids.map((id) => named.products?.(id) ?? `#${id}`)
  const things = THINGS[fact](named)
  return ids.map((id) => things?.find((thing) => thing.id === id)?.name ?? String(id))
}

const joined = (t: Say, what: string, conditions: readonly string[]) =>
  conditions.length === 0 ? what : t('says.for', { what, conditions: conditions.join(', ') })

/** The most names in a sentence; the others are counted. */
export const NAMED_MAX = 4
const listOf = (format: Formats, names: readonly string[]) =>
  names.length <= NAMED_MAX
    ? format.list(names)
    : `${names.slice(0, NAMED_MAX).join(', ')} +${format.number(names.length - NAMED_MAX)}`

/** An amount of money. A text that is not a number yet is shown as it is. */
export function moneyOf(format: Formats, value: string | number, currency: string | null): string {
  if (currency === null) return String(value)
  const isReady = /^[A-Za-z]{3}$/.test(currency) && Number.isFinite(Number(value))
  return isReady ? format.money(value, currency) : `${value} ${currency}`.trim()
}
const numberOf = (format: Formats, value: string | number) =>
  Number.isFinite(Number(value)) ? format.number(Number(value)) : String(value)

/** The difference of a price, with its sign. */
export function priceDifferenceText(
  format: Formats,
  { old_price: old, new_price: fresh, currency }: PreviewExample,
): string {
  const by = Number(fresh) - Number(old)
  return `${by < 0 ? '−' : '+'}${moneyOf(format, Math.abs(by), currency)}`
}

/** Effects with examples, the most important first. Changed prices have a summary instead. */
export const EFFECTS_WITH_EXAMPLES: readonly Exclude<PreviewEffect, 'repriced'>[] = [
  'unpriced',
  'held',
  'excluded',
  'included',
  'listed',
  'unlisted',
  'priced',
  'reasoned',
  'tiered',
  'compared',
  'ruled',
]

/** "1,204 products get another price, by up to +12.00 EUR; 30 products are no longer exported." */
export function effectSentence(preview: Preview, t: Say, format: Formats): string {
  const parts: string[] = []
  const { effects } = preview
  const repriced = effects.repriced.products
  const largest = [preview.largest_up[0], preview.largest_down[0]].filter((move) => move !== undefined)
  if (repriced > 0)
    parts.push(
      t('effect.repriced', {
        count: repriced,
        largest: format.list(largest.map((move) => priceDifferenceText(format, move))),
      }),
    )
  for (const effect of EFFECTS_WITH_EXAMPLES) {
    const count = effects[effect].products
    if (count > 0) parts.push(t(`effect.${effect}`, { count }))
  }
  return parts.length === 0 ? t('effect.nothing') : `${parts.join('; ')}.`
}
