import { describe, expect, it } from 'vitest'
import { isCalledPrice } from './column-names.ts'
import { currencyOfName } from './name-currencies.ts'
import { detectMapping } from './detect.ts'
import { chunked } from '../fixtures.ts'
import { parseMapping } from '../mapping/mapping.ts'
import { Reading } from '../reading.ts'
import { defaultLimits } from '../rows.ts'
import { sampleOf } from './trial.ts'

// What column names alone do not show is asked. docs/decisions/240-what-a-name-alone-does-not-say-is-asked.md says why.

async function detect(text: string) {
  const asked: string[] = []
  const { mapping, reasons, preset } = await detectMapping(chunked(Buffer.from(text)), (question) =>
    asked.push(question),
  )
  return { mapping, reasons, preset, asked: asked.join('\n') }
}

describe('prices', () => {
  const table = (first: string, second: string, factor = (row: number) => 0.8 + row / 100) =>
    `sku,name,${first},${second}\n${[1, 2, 3, 4].map((row) => `K-${row},Cup no ${row},${row * 10},${(row * 10 * factor(row)).toFixed(2)}`).join('\n')}\n`

  it('of which two are called what is paid are asked about', async () => {
    const { mapping, asked } = await detect(table('공급가', '원가'))
    expect(mapping.fields.cost).toBe('공급가')
    expect(asked).toContain('the cost is read from "공급가": is that what you pay, or "원가"')
    expect((await detect(table('Purchase price', 'Cost per item'))).asked).toContain('is that what you pay, or')
  })

  it('of the supplier are what is paid', async () => {
    for (const name of ['precio_proveedor', 'Supplier price', 'Цена поставщика', 'Prix fournisseur'])
      expect((await detect(table('precio_obra', name))).mapping.fields.cost).toBe(name)
  })

  it('that differ by tax alone are the same', async () => {
    const { asked } = await detect(table('EK netto', 'EK-Preis', () => 1.19))
    expect(asked).not.toContain('is that what you pay, or')
  })

  it('of groups of customers are asked about', async () => {
    const { mapping, asked } = await detect(table('Preisgruppe A', 'Preisgruppe B'))
    expect(mapping.fields.cost).toBe('Preisgruppe A')
    expect(asked).toContain('"Preisgruppe B" has other prices, perhaps of other groups of customers')
    expect((await detect(table('Price', 'Old B'))).asked).not.toContain('groups of customers')
  })

  it('that are called by quantities alone are those of one piece and of more, where they fall', async () => {
    const rows = (of: (row: number) => string) => [1, 2, 3].map((row) => `K-${row},Cup no ${row},${of(row)}`).join('\n')
    const falling = await detect(`sku,name,1 pcs,10 pcs\n${rows((row) => `${row}.50,${row}.20`)}\n`)
    expect(falling.mapping.fields.cost).toBe('1 pcs')
    expect(falling.mapping.fields.cost_tiers).toEqual([{ quantity: 10, cost: '10 pcs' }])
    expect(falling.asked).toContain('is "1 pcs" what you pay for one piece?')
    // rising amounts are the costs of packs
    const rising = await detect(`sku,name,1 pcs,10 pcs\n${rows((row) => `${row}.50,${row}1.20`)}\n`)
    expect(rising.mapping.fields.cost).toBeUndefined()
    expect(rising.asked).toContain('no column was found for the cost')
  })

  it('are in the currency that the name of their column ends with, whatever else it says', async () => {
    const { mapping } = await detect(table('Preis EXW USD', 'Dauer'))
    expect(mapping.fields).toMatchObject({ cost: 'Preis EXW USD', currency: { constant: 'USD' } })
    expect(currencyOfName('Koszt (zł)')).toBe('PLN')
    expect(currencyOfName('Price per ft')).toBeUndefined()
    expect(currencyOfName('Koszt (kr)')).toBeUndefined()
  })

  it('are known by their words in Turkish capital letters', () => {
    expect(isCalledPrice('2026 YURTİÇİ LİSTE')).toBe(true)
    expect(isCalledPrice('base_price')).toBe(true)
    expect(isCalledPrice('base_unit')).toBe(false)
  })
})

describe('the key', () => {
  it('is a number that few rows repeat, rather than one with the title in it', async () => {
    const row = (no: number) => `X${no === 50 ? 49 : no}-${no % 7},Pump ${no === 80 ? 79 : no} steel,${no}.50`
    const rows = Array.from({ length: 100 }, (_, no) => row(no))
    // each column repeats one value, in different rows
    rows[50] = `X49-0,Pump 50 steel,50.50`
    const { mapping, asked } = await detect(`GOID,Item_name,Cost\n${rows.join('\n')}\n`)
    expect(mapping.fields.sku).toBe('GOID')
    expect(asked).toContain('1 of 100 rows have none or that of another one here')
  })

  it('is an EAN that few rows repeat, rather than the title', async () => {
    const check = (no: number) => {
      const digits = `40063813${String(no).padStart(4, '0')}`
      const sum = [...digits].reduce((all, digit, at) => all + Number(digit) * (at % 2 === 0 ? 1 : 3), 0)
      return `${digits}${(10 - (sum % 10)) % 10}`
    }
    const rows = Array.from(
      { length: 100 },
      (_, no) => `${check(no < 98 ? no : 7)},Pump ${no === 80 ? 79 : no} steel,${no}.50`,
    )
    expect((await detect(`barcode,name,price\n${rows.join('\n')}\n`)).mapping.fields.sku).toBe('barcode')
  })

  it('is the id of what another column has the names of', async () => {
    const rows = [1, 2, 3, 4].map((no) => `${no},Flour no ${no},${no}.50`).join('\n')
    expect((await detect(`ingredient_id,ingredient_name,unit_cost\n${rows}\n`)).mapping.fields.sku).toBe(
      'ingredient_id',
    )
    // the id of the supplier is no key
    expect((await detect(`supplier_id,supplier_name,unit_cost\n${rows}\n`)).mapping.fields.sku).not.toBe('supplier_id')
  })
})

describe('what a ready mapping leaves out', () => {
  const item = (no: number, inner: string) =>
    `<item><g:id>DZ${no}</g:id><title>Blouse ${no}</title><g:price>43.09 PLN</g:price><g:availability>in stock</g:availability>${inner}</item>`
  const feed = (inner: string) =>
    `<rss xmlns:g="http://base.google.com/ns/1.0" version="2.0"><channel>${[1, 2, 3].map((no) => item(no, inner)).join('')}</channel></rss>`

  it('is asked about where its elements have EANs of their own', async () => {
    const option = (size: string, ean: string) => `<option><value>${size}</value><ean>${ean}</ean></option>`
    const options = `<options>${option('104', '4006381333931')}${option('110', '4006381333948')}</options>`
    const { preset, asked } = await detect(feed(options))
    expect(preset).toBe('google')
    expect(asked).toContain('up to 2 elements in "options.option" with a number or an EAN of their own')
  })

  it('is not where they have none, as deliveries', async () => {
    const shipping = (to: string) => `<g:shipping><g:country>${to}</g:country><g:price>4 PLN</g:price></g:shipping>`
    expect((await detect(feed(shipping('PL') + shipping('DE')))).asked).not.toContain('of their own')
  })
})

it.each([
  ['pieces of a pack', 'Codigo;Nombre;Costo;Cantidad x caja\nK1;Aceite;8,50;12\nK2;Filtro;3,20;6\n'],
  ['how many of something it has', 'Art.Nr.;Name;EK;Anzahl LEDs\nK1;Lampe;8,50;12\nK2;Leuchte;3,20;6\n'],
  ['whether it has a picture', 'Артикул;Назва;Ціна;Наявність картинки\nK1;Лампа;8,50;ні\nK2;Стіл;3,20;так\n'],
])('the stock of an article is not %s', async (_, text) => {
  const { mapping, asked } = await detect(text)
  expect(mapping.fields.quantity).toBeUndefined()
  expect(asked).toContain('no column was found for the quantity')
})

it.each([
  ['Anzahl auf Lager', 'Art.Nr.;Name;EK;Anzahl auf Lager\nK1;Lampe;8,50;12\nK2;Leuchte;3,20;6\n'],
  ['Počet ks skladem', 'Kód;Název;Cena;Počet ks skladem\nK1;Lampa;8,50;12\nK2;Stůl;3,20;6\n'],
  ['Cantidad de unidades', 'Codigo;Nombre;Costo;Cantidad de unidades\nK1;Aceite;8,50;12\nK2;Filtro;3,20;6\n'],
])('the stock of an article is %s', async (column, text) => {
  expect((await detect(text)).mapping.fields.quantity).toBe(column)
})

it('a cost that few rows have is asked about beside other amounts', async () => {
  const rows = ['K1;Rost A;68,82;41,00', 'K2;Rost B;79,96;', 'K3;Rost C;83,72;', 'K4;Rost D;93,12;']
  const { asked } = await detect(`Nr.;Name;Katalog;Nettopreis\n${rows.join('\n')}\n`)
  expect(asked).toContain('only 1 of 4 rows have a cost in "Nettopreis", and there are amounts in "Katalog"')
})

it('texts in Arabic letters are in the language that the names of columns say', async () => {
  const rows = ['چای سیاه شکسته', 'زعفران سرگل', 'پسته شور'].map((title, no) => `K-${no},${title},${no + 3}0000,4`)
  expect((await detect(`کد کالا,نام کالا,قیمت,موجودی\n${rows.join('\n')}\n`)).mapping.locale).toBe('fa')
  // Persian has letters that Arabic does not have
  expect((await detect(`sku,name,price,stock\n${rows.join('\n')}\n`)).mapping.locale).toBe('fa')
  const arabic = ['شاي أسود', 'قهوة عربية', 'سكر أبيض'].map((title, no) => `K-${no},${title},${no + 3}0000,4`)
  expect((await detect(`sku,name,price,stock\n${arabic.join('\n')}\n`)).mapping.locale).toBe('ar')
})

it('of wide records that list their articles few are copied for a sample (I154)', async () => {
  const members = Object.fromEntries(Array.from({ length: 4_990 }, (_, no) => [`a${no}`, no]))
  const variants = Array.from({ length: 40 }, (_, no) => ({ sku: `S-${no}` }))
  const records = Array.from({ length: 12 }, () => ({ ...members, variants }))
  const mapping = parseMapping({ format: 'json', each: 'variants', fields: { sku: 'variants.sku' } })
  const { raws } = await sampleOf(new Reading(mapping, defaultLimits, () => {}), Buffer.from(JSON.stringify(records)))
  expect(raws.length).toBeGreaterThan(10)
  expect(raws.length).toBeLessThan(100)
})
