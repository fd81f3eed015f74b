import type { GivenSupplier, Supplier } from '../written.ts'
import type { Kept } from './kept.ts'

// Suppliers.

const SHARES = {
  zeroed_share_max: '0.5',
  refused_share_max: '0.25',
  prices_lost_share_max: '0.5',
  prices_zero_share_max: '0.05',
  prices_jump_share_max: '0.2',
  prices_jump_factor: '3',
  emptied_share_max: '0.5',
  swapped_share_max: '0.2',
} as const
const DEFAULTS = {
  priority: 100,
  safety_buffer: 0,
  is_active: true,
  cost_tax_country: null,
  list_price_tax: null,
  ...SHARES,
  silent_days_max: null,
} as const

/** Completes the suppliers that a test states. */
export const suppliersOf = (given: readonly GivenSupplier[]): Supplier[] =>
  given.map((one, i) => ({ id: i + 1, name: one.code, currency: 'EUR', ...DEFAULTS, ...one }))

export const SUPPLIERS: Kept<Supplier> = {
  path: 'suppliers',
  noun: 'supplier',
  key: 'code',
  isKeyNumber: false,
  rows: ({ written }) => [...written.suppliers.values()],
  fields: {
    code: 'text',
    name: 'text',
    currency: 'text',
    priority: 'whole',
    safety_buffer: 'whole',
    is_active: 'flag',
    cost_tax_country: 'text',
    list_price_tax: 'text',
    ...(Object.fromEntries(Object.keys(SHARES).map((name) => [name, 'decimal'])) as Record<
      keyof typeof SHARES,
      'decimal'
    >),
    silent_days_max: 'days',
  },
  required: ['name', 'currency'],
  fixed: ['currency'],
  given: { id: 'id' },
  defaults: DEFAULTS,
  digits: { whole: 4, fraction: 4 },
  whole: (members, { written }) =>
    ({ id: 1 + Math.max(0, ...[...written.suppliers.values()].map(({ id }) => id)), ...members }) as Supplier,
  next({ suppliers, offers }, code, now) {
    const next = new Map(suppliers)
    if (now !== null) return { suppliers: next.set(code, now) }
    next.delete(code)
    // its offers are deleted, too; products stay
    return { suppliers: next, offers: new Map([...offers].filter(([, offer]) => offer.supplier !== code)) }
  },
  write: (before, now) => ({ kind: 'supplier', productId: null, before, now }),
}
