import type { ResourceSpec } from './field.ts'
import { currency, decimal, flag, text, whole } from './inputs.tsx'

/** A supplier, as the list creates and its page edits it. */
export const SUPPLIER_SPEC: ResourceSpec<'suppliers'> = {
  name: 'suppliers',
  key: 'code',
  required: ['code', 'name', 'currency'],
  fixed: ['code', 'currency'],
  fields: {
    code: text({ isCode: true, placeholder: 'north' }),
    name: text(),
    currency: currency(),
    priority: whole(),
    safety_buffer: whole(),
    is_active: flag(),
    zeroed_share_max: decimal(),
    refused_share_max: decimal(),
    prices_lost_share_max: decimal(),
    prices_zero_share_max: decimal(),
    silent_days_max: whole<number | null>({ isNullable: true }),
  },
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
