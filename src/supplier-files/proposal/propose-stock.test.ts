import { describe, expect, it } from 'vitest'
import { detectMapping } from './detect.ts'
import { chunked } from '../fixtures.ts'
import { readOfferPages } from '../read-offers.ts'

async function proposed(text: string) {
  const warnings: string[] = []
  const bytes = Buffer.from(text)
  const { mapping } = await detectMapping(chunked(bytes), (warning) => warnings.push(warning))
  const quantities: Record<string, number | undefined> = {}
  for await (const page of readOfferPages(chunked(bytes), mapping))
    for (const row of page) if ('offer' in row) quantities[row.offer.sku] = row.offer.quantity
  return { quantity: mapping.fields.quantity, quantities, warnings: warnings.join('\n') }
}

const articles = (names: string, ...stocks: string[]) =>
  [`Artikelnummer;Bezeichnung;EK;${names}`, ...stocks.map((stock, i) => `A-${i};Schraube M${i};1,2${i};${stock}`)].join(
    '\n',
  )

describe('stock of several places', () => {
  it('is added up, without what is not for sale, and asked about', async () => {
    const file = articles('Bestand Berlin;Bestand Hamburg;Bestand Reserviert;Mindestbestand', '5;7;2;1', '0;;3;1')
    const { quantity, quantities, warnings } = await proposed(file)
    expect(quantity).toEqual({ sum: ['Bestand Berlin', 'Bestand Hamburg'] })
    expect(quantities).toEqual({ 'A-0': 12, 'A-1': 0 })
    expect(warnings).toContain('is what is in each of these places for sale?')
  })

  it.each([
    ['by its name', 'Bestand Berlin;Bestand Hamburg;Bestand gesamt', ['5;7;12', '0;3;3']],
    ['by its values', 'Bestand;Bestand Berlin;Bestand Hamburg', ['12;5;7', '3;0;3', '9;9;0']],
    ['by its values, behind the others', 'Bestand Berlin;Bestand Hamburg;Bestand', ['5;7;12', '0;3;3', '9;0;9']],
  ])('is the total where the file has it, %s', async (_, names, stocks) => {
    const { quantity, quantities, warnings } = await proposed(articles(names, ...stocks))
    expect(quantity).toMatch(/^Bestand(?: gesamt)?$/)
    expect(quantities).toMatchObject({ 'A-0': 12, 'A-1': 3 })
    expect(warnings).not.toContain('sum')
  })

  it('is what the whole is, and not what is reserved or in a package', async () => {
    const { quantity } = await proposed(articles('Stock (reserved);Stock (total);Menge (VE)', '1;5;10', '0;7;20'))
    expect(quantity).toBe('Stock (total)')
    const other = await proposed(articles('Stock (reserved);Menge (VE)', '1;10', '0;20'))
    expect(other.quantity).toBeUndefined()
    expect(other.warnings).toContain('no column was found for the quantity')
  })

  it('is not added up where the columns say other things of the same stock', async () => {
    const { quantity } = await proposed(articles('Bestand;Bestand verfügbar;Bestand min', '12;7;1', '3;2;1', '9;9;1'))
    expect(quantity).toBe('Bestand verfügbar')
  })

  it('is added up over a list, of which an article may have no member', async () => {
    const { quantity, quantities } = await proposed(
      JSON.stringify([
        {
          sku: 'A',
          name: 'Wood screw',
          cost: 1,
          stocks: [
            { location: 'Berlin', quantity: 5 },
            { location: 'Ulm', quantity: 7 },
          ],
        },
        { sku: 'B', name: 'Wood nut', cost: 2, stocks: [{ location: 'Berlin', quantity: 0 }] },
        { sku: 'C', name: 'Wall plug', cost: 3, stocks: [] },
      ]),
    )
    expect(quantity).toEqual({ sum: 'stocks', amount: 'quantity' })
    expect(quantities).toEqual({ A: 12, B: 0, C: 0 })
  })
})
