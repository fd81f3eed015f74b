import type { ResourceSpec } from './field.ts'
import { currency, flag, text, whole } from './inputs.tsx'

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
  },
  initial: { code: '', name: '', currency: '', priority: 100, safety_buffer: 0, is_active: true },
  titleOf: (supplier) => supplier.name,
}
