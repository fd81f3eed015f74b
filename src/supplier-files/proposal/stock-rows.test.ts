import { describe, expect, it } from 'vitest'
import { detectMapping } from './detect.ts'
import { chunked, readAll } from '../fixtures.ts'
import { columnsOf } from './sample-columns.ts'
import { placeColumnsOf, placesOf } from './stock-rows.ts'

async function proposed(text: string) {
  const warnings: string[] = []
  const { mapping } = await detectMapping(chunked(text), (warning) => warnings.push(warning))
  const rows = await readAll(text, mapping)
  const quantities = rows.flatMap((row) => ('offer' in row ? [[row.offer.sku, row.offer.quantity]] : []))
  return {
    mapping,
    quantities: Object.fromEntries(quantities) as Record<string, number>,
    warnings: warnings.join('\n'),
  }
}

describe('stock in a row of each place', () => {
  it('is added up, also where two places have as many', async () => {
    const { quantities, warnings } = await proposed(
      'Item Code,Item Name,Location,Quantity,Unit Price\nSH-1,Shaver,A1,5,12.50\nSH-1,Shaver,A2,5,12.50\nSH-2,Foil,A1,0,3.10\nSH-2,Foil,A2,,3.10\n',
    )
    expect(quantities).toEqual({ 'SH-1': 10, 'SH-2': 0 })
    expect(warnings).toContain('2 of 4 rows have the "Item Code" of another one, with another "Location"')
  })

  it('is added up without the places that the merchant leaves out as the question says', async () => {
    const text =
      'Item Code,Item Name,Location,Quantity,Unit Price\nSH-1,Shaver,A1,5,12.50\nSH-1,Shaver,Returns,4,12.50\nSH-1,Shaver,A2,5,12.50\nSH-2,Foil,Returns,3,3.10\nSH-2,Foil,A1,1,3.10\n'
    const { mapping, warnings } = await proposed(text)
    const by = /\{"when".*?\}, "use": "Item Code"\}/.exec(warnings)?.[0].replace('…', 'Returns') ?? ''
    const skip = [{ column: 'Location', in: ['Returns'] }]
    const rows = await readAll(text, { ...mapping, skip, group: { ...mapping.group, by: JSON.parse(by) as object } })
    expect(rows.flatMap((row) => ('offer' in row ? [[row.offer.sku, row.offer.quantity]] : []))).toEqual([
      ['SH-1', 10],
      ['SH-2', 1],
    ])
  })

  it('is not where the rows of an article say other things, and the merchant is asked', async () => {
    const { mapping, warnings } = await proposed(
      'SKU,Name,Store,Qty,Cost\nA,Tea,X,5,1.50\nA,Tea,Y,5,1.60\nB,Pot,X,2,9.00\nB,Pot,Y,1,9.00\nC,Mug,X,1,4.00\nC,Mug,Y,7,4.00\n',
    )
    expect(mapping).toMatchObject({ fields: { sku: 'SKU', quantity: 'Qty' } })
    expect(mapping.group).toBeUndefined()
    expect(warnings).toContain(
      '3 of 6 rows have the "SKU" of another one, with another "Store" and another "Cost": is "SKU" the key of the articles?',
    )
  })

  it('is added up where a plant, a place in it and a batch distinguish rows together, as SAP lists them', async () => {
    const { quantities, warnings } = await proposed(
      'Werk;Lagerort;Material;Materialkurztext;Charge;Frei verwendbar;Gesperrt\n1000;A1;M-1;Schraube;C1;5;0\n1000;A2;M-1;Schraube;C1;4;1\n2000;A1;M-1;Schraube;C1;3;0\n1000;A1;M-1;Schraube;C2;2;0\n1000;A1;M-2;Mutter;C9;7;0\n',
    )
    expect(quantities).toEqual({ 'M-1': 14, 'M-2': 7 })
    expect(warnings).toContain('3 of 5 rows have the "Material" of another one, with another "Werk" or ')
  })

  it('is no reason to take what articles are made of for their number', async () => {
    const { mapping, warnings } = await proposed(
      'Material;Preis;Bestand\nBaumwolle;3,20;4\nLeinen;5,10;2\nSeide;9,90;1\n',
    )
    expect(mapping.fields.sku).toBe('Material')
    expect(warnings).toContain('is "Material" the key of the articles?')
  })

  it('is looked for in few columns, and none with texts', () => {
    const row = (sku: string, text: string) => ({
      sku,
      ...Object.fromEntries(Array.from({ length: 50 }, (_, place) => [`Location ${place}`, `${text}${place}`])),
      'Store text': text.padEnd(200, '.'),
    })
    const rows = [row('A', 'x'), row('A', 'y')]
    const places = placeColumnsOf(columnsOf(rows))
    expect(places).toHaveLength(20)
    expect(placesOf(places, rows, 'sku')).toEqual(['Location 0'])
    expect(placeColumnsOf(columnsOf(rows.map((one) => ({ sku: one.sku, 'Store text': one['Store text'] }))))).toEqual(
      [],
    )
  })
})
