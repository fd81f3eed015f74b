import type { Rate } from '../written.ts'
import type { Kept } from './kept.ts'

// Exchange rates. In the fake they are all set by hand.

const STATUS: Rate['status'] = { from: 'hand', day: null, held_rate: null, held_day: null }

export const RATES: Kept<Rate> = {
  path: 'rates',
  noun: 'exchange rate',
  key: 'currency',
  isKeyNumber: false,
  rows: ({ written }) => [...written.rates.values()],
  canonical: (key) => (/^[A-Za-z]{3}$/.test(key) ? key.toUpperCase() : key),
  fields: { currency: 'text', rate: 'decimal' },
  required: ['rate'],
  fixed: [],
  given: { status: 'ignored' },
  defaults: {},
  digits: { whole: 12, fraction: 12 },
  whole: ({ currency, rate }) => ({ currency, rate, status: STATUS }) as Rate,
  next({ rates }, currency, now) {
    const next = new Map(rates)
    if (now === null) next.delete(currency)
    else next.set(currency, now)
    return { rates: next }
  },
  write: (before, now) => ({ kind: 'rate', productId: null, before, now }),
}
