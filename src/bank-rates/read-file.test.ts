import { expect, test } from 'vitest'
import { readBankRates } from './read-file.ts'

const RATES = { USD: '1.1575', JPY: '181.02', PLN: '4.2343', GBP: '0.8752', CHF: '0.9321', HUF: '381.5' }
const cubes = (rates: Readonly<Record<string, string>>) =>
  Object.entries(rates)
    .map(([currency, rate]) => `<Cube currency='${currency}' rate='${rate}'/>`)
    .join('\n')
const file = (days: string) => `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
  <gesmes:subject>Reference rates</gesmes:subject>
  <gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender>
  <Cube>${days}</Cube>
</gesmes:Envelope>`
const day = (text: string, inside = cubes(RATES)) => `<Cube time='${text}'>${inside}</Cube>`

test('the bank’s file is read with its day, and the euro', () => {
  expect(readBankRates(file(day('2026-11-27')))).toEqual({
    day: '2026-11-27',
    rates: new Map([['EUR', '1'], ...Object.entries(RATES)]),
  })
})

test.each([
  ['no XML', 'Service Unavailable'],
  ['another page', '<html><body><p>Sorry</p></body></html>'],
  ['a file that ends too soon', file(day('2026-11-27')).slice(0, -30)],
  ['no day', file(cubes(RATES))],
  ['two days', file(day('2026-11-27') + day('2026-11-26', ''))],
  ['a day that is none', file(day('2026-02-30'))],
  ['few currencies', file(day('2026-11-27', cubes({ USD: '1.1' })))],
  ['a currency twice', file(day('2026-11-27', cubes(RATES) + cubes({ USD: '1.2' })))],
  ['the euro itself', file(day('2026-11-27', cubes(RATES) + cubes({ EUR: '2' })))],
  ['a name that is no currency', file(day('2026-11-27', cubes({ ...RATES, usd2: '1' })))],
  ['a rate of 0', file(day('2026-11-27', cubes({ ...RATES, SEK: '0' })))],
  ['a rate below 0', file(day('2026-11-27', cubes({ ...RATES, SEK: '-1' })))],
  ['a rate that is no number', file(day('2026-11-27', cubes({ ...RATES, SEK: 'N/A' })))],
  ['a rate with too many digits', file(day('2026-11-27', cubes({ ...RATES, SEK: `1.${'1'.repeat(30)}` })))],
  ['a currency without a rate', file(day('2026-11-27', `${cubes(RATES)}<Cube currency='SEK'/>`))],
])('%s is refused as a whole', (_, xml) => {
  expect(() => readBankRates(xml)).toThrow()
})
