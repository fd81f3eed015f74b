import type { TFunction } from 'i18next'
import type { Preview, PreviewEffect, PreviewExample } from '../../../contract/panel/previews.ts'
import type { Formats } from '../../words/format.ts'
import type { AnyRule, AssortmentRule, ExclusionRule, NamedThings, PricingRule, RuleTab } from './rules.ts'

// What a rule does, in words, and what a change of it would do.

export type Say = TFunction<['pricing', 'shared']>

interface Speaking {
  t: Say
  format: Formats
  /** Of the account; amounts without another are in it. */
  currency: string
  named: NamedThings
}

/** "20% on the cost, at least 2.00 EUR profit, ending in .99" and for what. */
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
      Number(ending) === 0 ? t('says.step', { step: String(step) }) : endingOf(t, String(step), String(ending))
    parts.push(t('says.rounded', { words, currency: code, direction: t(`says.directions.${direction}`) }))
  }
  const conditions = conditionsOf(rule, speaking)
  if (isSet(rule.cost_min) || isSet(rule.cost_below)) {
    const from = isSet(rule.cost_min) ? moneyOf(format, rule.cost_min, speaking.currency) : null
    const below = isSet(rule.cost_below) ? moneyOf(format, rule.cost_below, speaking.currency) : null
    if (from !== null && below !== null) conditions.push(t('says.costBetween', { from, below }))
    else if (from !== null) conditions.push(t('says.costFrom', { from }))
    else conditions.push(t('says.costBelow', { below }))
  }
  if (isSet(rule.valid_from))
    conditions.push(t('says.from', { day: format.day(new Date(`${rule.valid_from}T12:00:00Z`)) }))
  if (isSet(rule.valid_to)) conditions.push(t('says.to', { day: format.day(new Date(`${rule.valid_to}T12:00:00Z`)) }))
  if (rule.is_default) conditions.push(t('says.rest'))
  return joined(t, parts.join(', '), conditions)
}

/** With a step of 1 the ending is what stands after the decimal point: .99. */
function endingOf(t: Say, step: string, ending: string): string {
  if (Number(step) === 1) return t('says.ending', { ending: ending.replace(/^0/, '') })
  return t('says.endingOf', { ending, step })
}

function exclusionSentence(rule: ExclusionRule, speaking: Speaking): string {
  const { t, format } = speaking
  const amount = !isSet(rule.amount)
    ? '…'
    : rule.kind === 'margin_below'
      ? numberOf(format, rule.amount)
      : moneyOf(format, rule.amount, rule.currency ?? speaking.currency)
  const names = rule.kind === 'supplier' ? suppliersOf(rule.supplier_ids, speaking) : (rule.names ?? [])
  const what = t(`says.excludes.${rule.kind}`, { names: listOf(format, names), amount })
  return joined(t, what, storesOf(rule.store_ids, speaking))
}

function assortmentSentence(rule: AssortmentRule, speaking: Speaking): string {
  const { t, format, named } = speaking
  const store = named.stores?.find(({ id }) => id === rule.store_id)?.name ?? '…'
  const { categories, manufacturers, supplier_ids: suppliers } = rule
  const parts = [
    ...(categories === null ? [] : [t('says.in', { names: listOf(format, categories) })]),
    ...(manufacturers === null ? [] : [t('says.by', { names: listOf(format, manufacturers) })]),
    ...(suppliers === null
      ? []
      : [t('says.fromSupplier', { names: listOf(format, suppliersOf(suppliers, speaking)) })]),
  ]
  if (parts.length === 0 && !rule.is_listed) return t('says.listsNone', { store })
  const what = parts.length === 0 ? t('says.everything') : [t('says.what'), ...parts].join(' ')
  return t(rule.is_listed ? 'says.lists' : 'says.listsNot', { store, what })
}

type Conditions = Pick<
  PricingRule,
  'store_ids' | 'group_ids' | 'product_ids' | 'supplier_ids' | 'manufacturers' | 'categories'
>

function conditionsOf(rule: Conditions, speaking: Speaking): string[] {
  const { t, format, named } = speaking
  const parts: string[] = []
  if (rule.categories !== null) parts.push(t('says.category', { names: listOf(format, rule.categories) }))
  if (rule.manufacturers !== null) parts.push(t('says.manufacturer', { names: listOf(format, rule.manufacturers) }))
  if (rule.supplier_ids !== null)
    parts.push(t('says.supplier', { names: listOf(format, suppliersOf(rule.supplier_ids, speaking)) }))
  if (rule.product_ids !== null) parts.push(t('says.products', { count: rule.product_ids.length }))
  if (rule.group_ids !== null) {
    const groups = rule.group_ids.map((id) => named.groups?.find((group) => group.id === id)?.name ?? String(id))
    parts.push(t('says.group', { names: listOf(format, groups) }))
  }
  return [...parts, ...storesOf(rule.store_ids, speaking)]
}

function storesOf(ids: readonly number[] | null, { t, format, named }: Speaking): string[] {
  if (ids === null) return []
  const stores = ids.map((id) => named.stores?.find((store) => store.id === id)?.name ?? String(id))
  return [t('says.store', { names: listOf(format, stores) })]
}

function suppliersOf(ids: readonly number[] | null, { named }: Speaking): string[] {
  return (ids ?? []).map((id) => named.suppliers?.find((supplier) => supplier.id === id)?.name ?? String(id))
}

const joined = (t: Say, what: string, conditions: readonly string[]) =>
  conditions.length === 0 ? what : t('says.for', { what, conditions: conditions.join(', ') })

/** Names beyond these are counted. */
const NAMED_MAX = 4
const listOf = (format: Formats, names: readonly string[]) =>
  names.length <= NAMED_MAX
    ? format.list(names)
    : `${names.slice(0, NAMED_MAX).join(', ')} +${format.number(names.length - NAMED_MAX)}`

/** Money, also while it is typed and is no number yet. */
export function moneyOf(format: Formats, value: string | number, currency: string): string {
  const isReady = /^[A-Za-z]{3}$/.test(currency) && Number.isFinite(Number(value))
  return isReady ? format.money(value, currency) : `${value} ${currency}`.trim()
}
const numberOf = (format: Formats, value: string | number) =>
  Number.isFinite(Number(value)) ? format.number(Number(value)) : String(value)

/** A price's difference, with its sign. */
export function byHowMuch(format: Formats, { old_price: old, new_price: fresh, currency }: PreviewExample): string {
  const by = Number(fresh) - Number(old)
  return `${by < 0 ? '−' : '+'}${moneyOf(format, Math.abs(by), currency ?? '')}`
}

/** Effects that are told one by one, what needs a look first; prices that move are told by how much they do. */
export const EFFECTS_TOLD: readonly Exclude<PreviewEffect, 'repriced'>[] = [
  'unpriced',
  'held',
  'excluded',
  'included',
  'listed',
  'unlisted',
  'priced',
  'reasoned',
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
      t('effect.repriced', { count: repriced, largest: format.list(largest.map((move) => byHowMuch(format, move))) }),
    )
  for (const effect of EFFECTS_TOLD) {
    const count = effects[effect].products
    if (count > 0) parts.push(t(`effect.${effect}`, { count }))
  }
  return parts.length === 0 ? t('effect.nothing') : `${parts.join('; ')}.`
}
