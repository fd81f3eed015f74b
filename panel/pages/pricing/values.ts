import { needOf } from '../../../contract/exclusion-kinds.ts'
import type { RuleChangeBody } from '../../../contract/panel/previews.ts'
import {
  EVERY_CONDITION,
  RULE_CONDITIONS,
  type Condition,
  type ConditionValue,
  type ConditionOf,
  type Form,
  type FormNamed,
} from '../../../contract/rule-conditions.ts'
import { TIER_BYS } from '../../../contract/tiers.ts'
import type { AnyRule, AssortmentRule, ExclusionRule, PricingRule, RuleTab } from './rules.ts'

// The form's values of a rule as they are typed, and the body that is sent. Only the service validates them.

interface RoundingRow {
  currency: string
  step: string
  ending: string
  direction: string
}

interface TierRow {
  quantity: string
  by: string
  amount: string
}

/** A typed condition. IDs of products are one text. */
type Typed<N extends AnyName> = N extends 'product_ids'
  ? string
  : FormNamed<N> extends 'ids' | 'names' | 'paths'
    ? string[]
    : string
type AnyName = ConditionOf<'pricing' | 'assortment'>

/** One record for all kinds of rules; each form shows a part of it. */
export type RuleValues = { [N in AnyName]: Typed<N> } & {
  name: string
  is_active: boolean
  priority: string
  action: string
  percent: string
  fixed_price: string
  addition: string
  floor_margin_percent: string
  floor_profit: string
  floor_price: string
  ceiling_price: string
  currency: string
  rounding: RoundingRow[]
  tiers: TierRow[]
  tiers_above_price: boolean
  tiers_from_supplier: boolean
  list_price_percent: string
  over_price_lists: boolean
  kind: string
  reason: string
  names: string[]
  amount: string
  store_id: string
  is_listed: string
}

const text = (value: string | number | null) => (value === null ? '' : String(value))
const ids = (value: readonly number[] | null) => (value ?? []).map(String)
/** An amount as text, so that no digit is lost; a comma is accepted as decimal separator. */
export const amount = (value: string) => (value.trim() === '' ? null : value.trim().replace(/^(-?\d+),(\d+)$/, '$1.$2'))
const idList = (values: readonly string[]) => (values.length === 0 ? null : values.map(Number))
const list = (values: readonly string[]) => (values.length === 0 ? null : values)
/** Typed IDs, separated by commas, semicolons or blanks. */
export const idsIn = (typed: string) => typed.split(/[\s,;]+/).filter((part) => part !== '')

interface Typing {
  /** The form's value. @param value null: the rule does not have the condition */
  typed: (value: never) => string | string[]
  /** The value to send; null: nothing was typed. */
  sent: (typed: never) => ConditionValue | null
}
const NAMES: Typing = { typed: (value: string[] | null) => value ?? [], sent: list }
/** How conditions of each form are typed and sent. */
const TYPING: Readonly<Record<Form, Typing>> = {
  ids: { typed: ids, sent: idList },
  names: NAMES,
  paths: NAMES,
  number: { typed: text, sent: amount },
  day: { typed: text, sent: (day: string) => (day === '' ? null : day) },
}
const PRODUCTS: Typing = {
  typed: (value: readonly number[] | null) => ids(value).join(', '),
  sent: (typed: string) => idList(idsIn(typed)),
}
const typingOf = ({ fact, form }: Condition) => (fact === 'product' ? PRODUCTS : TYPING[form])

/** The form's values of a kind's conditions; empty for those that the rule does not have. */
function typedConditions<K extends keyof typeof RULE_CONDITIONS>(kind: K, rule: { [N in ConditionOf<K>]?: unknown }) {
  return Object.fromEntries(
    RULE_CONDITIONS[kind].map((condition) => [
      condition.name,
      typingOf(condition).typed((rule[condition.name as ConditionOf<K>] ?? null) as never),
    ]),
  ) as { [N in ConditionOf<K>]: Typed<N> }
}

const sentConditions = (kind: keyof typeof RULE_CONDITIONS, values: RuleValues) =>
  Object.fromEntries(
    RULE_CONDITIONS[kind].map((condition) => [
      condition.name,
      typingOf(condition).sent(values[condition.name] as never),
    ]),
  )

export const NEW_RULE: RuleValues = {
  name: '',
  is_active: true,
  priority: '100',
  ...typedConditions('pricing', {}),
  ...typedConditions('assortment', {}),
  action: 'markup',
  percent: '',
  fixed_price: '',
  addition: '',
  floor_margin_percent: '',
  floor_profit: '',
  floor_price: '',
  ceiling_price: '',
  currency: '',
  rounding: [],
  tiers: [],
  tiers_above_price: false,
  tiers_from_supplier: false,
  list_price_percent: '',
  over_price_lists: false,
  kind: 'no_stock',
  reason: '',
  names: [],
  amount: '',
  store_id: '',
  is_listed: 'no',
}

export function valuesOf(tab: RuleTab, rule: AnyRule): RuleValues {
  const shared = { ...NEW_RULE, name: rule.name, is_active: rule.is_active, priority: String(rule.priority) }
  if (tab === 'pricing-rules') {
    const pricing = rule as PricingRule
    return {
      ...shared,
      ...typedConditions('pricing', pricing),
      action: pricing.action,
      percent: text(pricing.percent),
      fixed_price: text(pricing.fixed_price),
      addition: text(pricing.addition),
      floor_margin_percent: text(pricing.floor_margin_percent),
      floor_profit: text(pricing.floor_profit),
      floor_price: text(pricing.floor_price),
      ceiling_price: text(pricing.ceiling_price),
      currency: text(pricing.currency),
      rounding: Object.entries(pricing.rounding ?? {}).map(([currency, entry]) => ({
        currency,
        step: text(entry?.step ?? null),
        ending: text(entry?.ending ?? null),
        direction: entry?.direction ?? 'up',
      })),
      tiers: (pricing.tiers ?? []).map((tier) => {
        const by = TIER_BYS.find((name) => tier[name] !== undefined) ?? 'percent_off'
        return { quantity: String(tier.quantity), by, amount: text(tier[by] ?? null) }
      }),
      tiers_above_price: pricing.tiers_above_price,
      tiers_from_supplier: pricing.tiers_from_supplier,
      list_price_percent: text(pricing.list_price_percent),
      over_price_lists: pricing.over_price_lists,
    }
  }
  if (tab === 'exclusion-rules') {
    const exclusion = rule as ExclusionRule
    return {
      ...shared,
      kind: exclusion.kind,
      reason: exclusion.reason === exclusion.kind ? '' : exclusion.reason,
      store_ids: ids(exclusion.store_ids),
      names: exclusion.names ?? [],
      supplier_ids: ids(exclusion.supplier_ids),
      amount: text(exclusion.amount),
      currency: text(exclusion.currency),
    }
  }
  const assortment = rule as AssortmentRule
  return {
    ...shared,
    store_id: String(assortment.store_id),
    is_listed: assortment.is_listed ? 'yes' : 'no',
    ...typedConditions('assortment', assortment),
  }
}

export const code = (value: string) => (value.trim() === '' ? null : value.trim().toUpperCase())
const whole = (value: string) =>
  /^-?\d{1,15}$/.test(value.trim()) ? Number(value) : value.trim() === '' ? null : value

/** The body of a change. An edit contains all members, so that emptied ones are removed. @param base the edited rule */
export function bodyOf(tab: RuleTab, values: RuleValues, base: AnyRule | null): Record<string, unknown> {
  const shared = { name: values.name, is_active: values.is_active, priority: whole(values.priority) }
  if (tab === 'pricing-rules') return { ...shared, ...pricingMembers(values, base as PricingRule | null) }
  if (tab === 'exclusion-rules') {
    const { member: need, amount: needed } = needOf(values.kind)
    return {
      ...shared,
      kind: values.kind,
      reason: values.reason.trim() === '' ? null : values.reason,
      store_ids: idList(values.store_ids),
      names: need === 'names' ? list(values.names) : null,
      supplier_ids: need === 'supplier_ids' ? idList(values.supplier_ids) : null,
      amount: need === 'amount' ? amount(values.amount) : null,
      currency: needed?.hasCurrency === true ? code(values.currency) : null,
    }
  }
  return {
    ...shared,
    ...(base === null ? { store_id: whole(values.store_id) } : {}),
    is_listed: values.is_listed === 'yes',
    ...sentConditions('assortment', values),
  }
}

function pricingMembers(values: RuleValues, base: PricingRule | null): Record<string, unknown> {
  const isFixed = values.action === 'fixed'
  const rounding = Object.fromEntries(
    values.rounding
      .filter(({ currency }) => currency.trim() !== '')
      .map(({ currency, step, ending, direction }) => [
        code(currency) ?? '',
        { step: amount(step) ?? '', ending: amount(ending) ?? '0', direction },
      ]),
  )
  const removed = Object.keys(base?.rounding ?? {}).filter((currency) => !Object.hasOwn(rounding, currency))
  // with a fixed price, every tier would be that price
  const isOfSupplier = !isFixed && values.tiers_from_supplier
  return {
    action: values.action,
    percent: isFixed ? null : amount(values.percent),
    fixed_price: isFixed ? amount(values.fixed_price) : null,
    addition: amount(values.addition),
    floor_margin_percent: amount(values.floor_margin_percent),
    floor_profit: amount(values.floor_profit),
    floor_price: amount(values.floor_price),
    ceiling_price: amount(values.ceiling_price),
    tiers:
      isOfSupplier || values.tiers.length === 0
        ? null
        : values.tiers.map(({ quantity, by, amount: given }) => ({
            quantity: whole(quantity),
            [by]: amount(given) ?? '',
          })),
    tiers_above_price: (isOfSupplier || values.tiers.length > 0) && values.tiers_above_price,
    tiers_from_supplier: isOfSupplier,
    list_price_percent: amount(values.list_price_percent),
    over_price_lists: values.over_price_lists,
    rounding: { ...rounding, ...Object.fromEntries(removed.map((currency) => [currency, null])) },
    // the default rule has no conditions
    ...(base?.is_default === true
      ? {}
      : {
          currency: code(values.currency),
          ...sentConditions('pricing', values),
        }),
  }
}

/** The change that the form describes. */
export function changeOf(tab: RuleTab, values: RuleValues, base: AnyRule | null): RuleChangeBody {
  const body = bodyOf(tab, values, base)
  return base === null
    ? { resource: tab, action: 'create', body }
    : { resource: tab, action: 'edit', id: base.id, body }
}

/** The change for a preview: a missing name is replaced, because a preview needs none. */
export function previewedOf(change: RuleChangeBody): RuleChangeBody {
  const body = change.body as { name?: string } | undefined
  return body === undefined || (body.name ?? '').trim() !== '' ? change : { ...change, body: { ...body, name: '–' } }
}

/** The change without its name, so that typing a name requests no new preview. */
export function unnamed(change: RuleChangeBody): RuleChangeBody {
  return change.body === undefined ? change : { ...change, body: { ...(change.body as object), name: '–' } }
}

/** The form's values of a change that was sent before, for a person who returns to it. */
export function valuesOfChange(tab: RuleTab, change: RuleChangeBody, base: AnyRule | null): RuleValues {
  const blank = {
    ...Object.fromEntries(EVERY_CONDITION.map(({ name }) => [name, null])),
    names: null,
    percent: null,
  }
  const amounts = {
    fixed_price: null,
    addition: null,
    floor_margin_percent: null,
    floor_profit: null,
    floor_price: null,
    ceiling_price: null,
    list_price_percent: null,
  }
  const rest = {
    currency: null,
    rounding: {},
    tiers: null,
    tiers_above_price: false,
    tiers_from_supplier: false,
    over_price_lists: false,
    reason: '',
    amount: null,
    priority: 100,
    is_active: true,
    name: '',
    kind: 'no_stock',
    action: 'markup',
  }
  const sent = change.body as Record<string, unknown>
  const rule = { ...blank, ...amounts, ...rest, ...base, ...sent } as unknown as PricingRule
  const kept = Object.entries(rule.rounding ?? {}).filter(([, entry]) => entry !== null)
  const reason = (rule as unknown as { reason: string | null }).reason ?? ''
  return valuesOf(tab, {
    ...rule,
    rounding: Object.fromEntries(kept),
    reason,
    name: rule.name === '–' ? '' : rule.name,
  })
}
