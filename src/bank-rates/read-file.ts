import { SaxesParser } from 'saxes'
import { readDay } from '../input/day.ts'
import { BOUNDS, compareDecimals, readDecimal } from '../input/decimal.ts'

/** The bank's rates of one day. */
export interface BankRates {
  /** `YYYY-MM-DD` */
  day: string
  /** Units of each currency for one euro, as decimal text; includes the euro. */
  rates: ReadonlyMap<string, string>
}

/** The bank states about 30. A list with fewer than this cannot be complete. */
const CURRENCIES_MIN = 5
const CURRENCIES_MAX = 500
const EURO = 'EUR'

/**
 * Reads the European Central Bank's daily file (eurofxref-daily.xml): `<Cube time="2026-11-27"><Cube currency="USD" rate="1.0575"/>…`. If anything in
 * it is wrong, the whole file is refused, so that no part of a broken file is taken over.
 * @throws Error that says what is wrong
 */
export function readBankRates(xml: string): BankRates {
  const days: string[] = []
  const rates = new Map([[EURO, '1']])
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ local, attributes }) => {
    if (local !== 'Cube') return
    const { time, currency, rate } = attributes
    if (time !== undefined) days.push(valueOf(readDay(time.value), 'the day'))
    if (currency === undefined && rate === undefined) return
    if (days.length === 0) throw new Error('a rate comes before the day')
    const code = currency?.value ?? ''
    if (!/^[A-Z]{3}$/.test(code)) throw new Error(`${JSON.stringify(code.slice(0, 20))} is no currency`)
    if (rates.has(code)) throw new Error(`${code} is listed twice`)
    if (rates.size > CURRENCIES_MAX) throw new Error('there are too many currencies')
    const stated = valueOf(readDecimal(rate?.value ?? '', BOUNDS.rate), `the rate of ${code}`)
    if (compareDecimals(stated, '0') <= 0) throw new Error(`the rate of ${code} must be above 0`)
    rates.set(code, stated)
  })
  parser.write(xml).close()
  const [day, ...others] = days
  if (day === undefined) throw new Error('it names no day')
  if (others.length > 0) throw new Error('it names several days')
  if (rates.size <= CURRENCIES_MIN) throw new Error(`it has rates of only ${rates.size - 1} currencies`)
  return { day, rates }
}

function valueOf(verdict: { value: string } | { reason: string }, name: string): string {
  if ('reason' in verdict) throw new Error(`${name} ${verdict.reason}`)
  return verdict.value
}
