import { codeOf } from './code.ts'
import type { ResourceSpec } from './field.ts'
import { currency, flag, percent, text, whole } from './inputs.tsx'

/** A supplier, as the list creates and its page edits it. */
export const SUPPLIER_SPEC: ResourceSpec<'suppliers'> = {
  name: 'suppliers',
  key: 'code',
  required: ['code', 'name', 'currency'],
  fixed: ['code', 'currency'],
  fields: {
    name: text(),
    code: text({ isCode: true, placeholder: 'north' }),
    currency: currency(),
    priority: whole(),
    safety_buffer: whole(),
    is_active: flag(),
    zeroed_share_max: percent(),
    refused_share_max: percent(),
    prices_lost_share_max: percent(),
    prices_zero_share_max: percent(),
    silent_days_max: whole<number | null>({ isNullable: true }),
  },
  more: [
    'priority',
    'safety_buffer',
    'is_active',
    'zeroed_share_max',
    'refused_share_max',
    'prices_lost_share_max',
    'prices_zero_share_max',
    'silent_days_max',
  ],
  proposed: { code: ({ name }) => codeOf(String(name)) },
  initial: {
    code: '',
    name: '',
    currency: '',
    priority: 100,
    safety_buffer: 0,
    is_active: true,
    zeroed_share_max: '0.5',
    refused_share_max: '0.25',
    prices_lost_share_max: '0.5',
    prices_zero_share_max: '0.05',
    silent_days_max: null,
  },
  titleOf: (supplier) => supplier.name,
}
