import { needOf } from '../../../contract/exclusion-kinds.ts'
import { namesWith } from '../../../contract/rule-conditions.ts'
import { code, amount, idsIn, type RuleValues } from './values.ts'
import type { RuleTab } from './rules.ts'

/** A field that prevents a preview: it is empty, or its value is not an amount, a whole number and so on. */
export interface Unfinished {
  name: keyof RuleValues
  why: 'missing' | 'amount' | 'whole' | 'ids' | 'currency'
}

const AMOUNTS = [
  ...namesWith('pricing', 'number'),
  'addition',
  'floor_margin_percent',
  'floor_profit',
  'floor_price',
  'ceiling_price',
  'list_price_percent',
] as const

const isAmount = (text: string) => /^-?\d+(\.\d+)?$/.test(amount(text) ?? '0')
const isWhole = (text: string) => /^-?\d{1,15}$/.test(text.trim())
const isCurrency = (text: string) => /^[A-Z]{3}$/.test(code(text) ?? 'EUR')

/**
 * The fields that are missing for a preview. Other faults, such as a margin of 100%, are reported by the service.
 * @param isNamed whether the name is required, which a preview does not need
 */
export function unfinished(tab: RuleTab, values: RuleValues, isNamed = false): Unfinished[] {
  const found: Unfinished[] = []
  const need = (name: keyof RuleValues, isGiven: boolean) => {
    if (!isGiven) found.push({ name, why: 'missing' })
  }
  const check = (name: keyof RuleValues, why: Unfinished['why'], isRight: boolean) => {
    if (!isRight) found.push({ name, why })
  }
  const amountOf = (name: 'percent' | 'fixed_price' | 'amount') => {
    need(name, values[name].trim() !== '')
    check(name, 'amount', isAmount(values[name]))
  }
  if (isNamed) need('name', values.name.trim() !== '')
  if (tab === 'pricing-rules') {
    // tiers that are hidden because the supplier's are used are not sent
    const tiers = values.action !== 'fixed' && values.tiers_from_supplier ? [] : values.tiers
    amountOf(values.action === 'fixed' ? 'fixed_price' : 'percent')
    for (const name of AMOUNTS) check(name, 'amount', isAmount(values[name]))
    check('rounding', 'missing', values.rounding.every(isRoundingGiven))
    check(
      'rounding',
      'amount',
      values.rounding.every(({ step, ending }) => isAmount(step) && isAmount(ending)),
    )
    check(
      'tiers',
      'missing',
      tiers.every(({ quantity, amount: given }) => quantity.trim() !== '' && given.trim() !== ''),
    )
    check(
      'tiers',
      'amount',
      tiers.every(({ amount: given }) => isAmount(given)),
    )
    check(
      'tiers',
      'whole',
      tiers.every(({ quantity }) => isWhole(quantity)),
    )
    check('product_ids', 'ids', idsIn(values.product_ids).every(isWhole))
    check('currency', 'currency', isCurrency(values.currency))
  }
  if (tab === 'exclusion-rules') {
    const { member, amount: needed } = needOf(values.kind)
    if (member === 'amount') amountOf('amount')
    else if (member !== null) need(member, values[member].length > 0)
    if (needed?.hasCurrency === true) check('currency', 'currency', isCurrency(values.currency))
  }
  if (tab === 'assortment-rules') need('store_id', values.store_id !== '')
  check('priority', 'whole', isWhole(values.priority))
  return found
}

const isRoundingGiven = ({ currency, step }: RuleValues['rounding'][number]) =>
  isCurrency(currency) && currency.trim() !== '' && step.trim() !== ''
