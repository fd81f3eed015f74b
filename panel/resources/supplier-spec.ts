import { codeOf } from './code.ts'
import type { FormSpec, ResourceSpec } from './field.ts'
import { currency, decimal, flag, percent, text, wholeNumber } from './inputs.tsx'

/** Limits that hold an import back, and the time after which a supplier's silence is reported. */
const LIMITS = {
  zeroed_share_max: percent(),
  refused_share_max: percent(),
  prices_lost_share_max: percent(),
  prices_zero_share_max: percent(),
  prices_jump_share_max: percent(),
  prices_jump_factor: decimal(),
  emptied_share_max: percent(),
  swapped_share_max: percent(),
  silent_days_max: wholeNumber<number | null>({ isNullable: true }),
}

/** The form for the limits only. */
export const SUPPLIER_LIMITS: FormSpec = { name: 'limits', required: [], fixed: [], fields: LIMITS }

/** A supplier, as the list creates it and its page edits it. */
export const SUPPLIER_SPEC: ResourceSpec<'suppliers'> = {
  name: 'suppliers',
  key: 'code',
  required: ['code', 'name', 'currency'],
  fixed: ['code', 'currency'],
  fields: {
    name: text(),
    code: text({ isCode: true, placeholder: 'north' }),
    currency: currency(),
    priority: wholeNumber(),
    safety_buffer: wholeNumber(),
    is_active: flag(),
    cost_tax_country: text({ isCode: true, placeholder: 'DE', isNullable: true }),
    list_price_tax: text({ isCode: true, placeholder: 'DE', isNullable: true }),
    ...LIMITS,
  },
  more: ['priority', 'safety_buffer', 'is_active', 'cost_tax_country', 'list_price_tax', ...Object.keys(LIMITS)],
  proposed: { code: ({ name }) => codeOf(String(name)) },
  initial: {
    code: '',
    name: '',
    currency: '',
    priority: 100,
    safety_buffer: 0,
    is_active: true,
    cost_tax_country: null,
    list_price_tax: null,
    zeroed_share_max: '0.5',
    refused_share_max: '0.25',
    prices_lost_share_max: '0.5',
    prices_zero_share_max: '0.05',
    prices_jump_share_max: '0.2',
    prices_jump_factor: '3',
    emptied_share_max: '0.5',
    swapped_share_max: '0.2',
    silent_days_max: null,
  },
  titleOf: (supplier) => supplier.name,
}
