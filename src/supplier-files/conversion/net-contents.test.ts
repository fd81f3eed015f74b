import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { OfferRecord } from '../../model/offer.ts'
import { detectMapping } from '../proposal/detect.ts'
import { chunked, readAll } from '../fixtures.ts'
import { readFileContent } from './net-content.ts'
import { presetMapping } from '../presets/preset-mapping.ts'

const offersIn = (rows: Awaited<ReturnType<typeof readAll>>): OfferRecord[] =>
  rows.flatMap((row) => ('offer' in row ? [row.offer] : []))

describe('a content in a file', () => {
  it.each([
    ['750 ml', undefined, '750 ml'],
    ['0,75 l', ',', '0.75 l'],
    ['6 x 0,33 l', ',', '6 x 0.33 l'],
    ['6x330ml', '.', '6 x 330 ml'],
    ['1.000 g', ',', '1000 g'],
    ['1,000 g', '.', '1000 g'],
    ['100 Stück', ',', '100 piece'],
    ['12 FL OZ', '.', '12 fl oz'],
    ['0 ml', '.', null],
    ['', '.', null],
    // kept as stated: the earlier content would be that of another package
    ['1,5 l', '.', '1,5 l'],
    ['2 Gebinde', ',', '2 Gebinde'],
    ['750', '.', '750'],
    ['ca. 500 g', '.', 'ca. 500 g'],
  ] as const)('%j by %j is %j', (text, sign, value) => {
    expect(readFileContent(text, sign)).toEqual({ value })
  })

  it('of more characters than any is none', () => {
    expect(readFileContent('x'.repeat(61), '.')).toMatchObject({ reason: expect.stringContaining('60 characters') })
  })
})

describe('ready mappings read contents', () => {
  it('google: the measure and the base measure', async () => {
    const table =
      'id\ttitle\tprice\tunit_pricing_measure\tunit_pricing_base_measure\nA\tJuice\t3 EUR\t750ml\t100ml\nB\tPen\t1 EUR\t\t\n'
    expect(
      offersIn(await readAll(table, presetMapping('google', {}))).map((offer) => [
        offer.net_content,
        offer.unit_price_reference,
      ]),
    ).toEqual([
      ['750 ml', '100 ml'],
      [null, null],
    ])
  })

  it.each([
    ['woocommerce', 'ID,Type,SKU,', 'Unit,Unit base,Unit product', 'ml,100,750', ['750 ml', '100 ml']],
    ['woocommerce', 'ID,Type,SKU,', 'Unit,Unit base,Unit product', ',,', [null, null]],
    ['woocommerce', 'ID,Type,SKU,', 'Meta: _unit,Meta: _unit_base,Meta: _unit_product', 'kg,1,0.5', ['0.5 kg', '1 kg']],
    [
      'woocommerce-de',
      'ID,Typ,Artikelnummer,',
      'Einheit,Grundpreiseinheit,Produkteinheit',
      'l,1,"0,75"',
      ['0.75 l', '1 l'],
    ],
    // files without the plug-in's columns change nothing
    ['woocommerce', 'ID,Type,SKU,', 'Other', 'x', [undefined, undefined]],
  ] as const)('%s: the columns of Germanized: %s%s, %s', async (preset, own, columns, values, expected) => {
    const names = readFileSync(new URL(`../exports/${preset}.csv`, import.meta.url), 'utf8').split('\n')[0] ?? ''
    const row = names.split(own)[1] ?? ''
    const blanks = ','.repeat((row.match(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/g) ?? []).length)
    const file = `${names},${columns}\n7,simple,A,${blanks},${values}\n`
    const [offer] = offersIn(await readAll(file, presetMapping(preset, {})))
    expect([offer?.net_content, offer?.unit_price_reference]).toEqual(expected)
  })

  it.each([
    ['<CONTENT_UNIT>LTR</CONTENT_UNIT><NO_CU_PER_OU>0.75</NO_CU_PER_OU>', '0.75 l'],
    ['<CONTENT_UNIT>KGM</CONTENT_UNIT>', '1 kg'],
    // pieces in a carton are no content
    ['<CONTENT_UNIT>C62</CONTENT_UNIT><NO_CU_PER_OU>10</NO_CU_PER_OU>', null],
    ['<ORDER_UNIT>C62</ORDER_UNIT>', null],
  ])('bmecat: %s', async (order, content) => {
    const file = `<BMECAT version="2005"><HEADER><CATALOG><LANGUAGE>deu</LANGUAGE><CURRENCY>EUR</CURRENCY></CATALOG></HEADER><T_NEW_CATALOG><PRODUCT><SUPPLIER_PID>A</SUPPLIER_PID><PRODUCT_ORDER_DETAILS>${order}</PRODUCT_ORDER_DETAILS></PRODUCT></T_NEW_CATALOG></BMECAT>`
    expect(offersIn(await readAll(file, presetMapping('bmecat', {})))[0]?.net_content).toBe(content)
  })
})

describe('detection finds contents', () => {
  it.each([
    ['Artikelnummer;Bezeichnung;EK;Inhalt\n1;Saft;1,20;0,75 l\n2;Bier;8,40;6 x 0,33 l\n3;Tee;2,10;80 g\n', 'Inhalt'],
    [
      'sku;name;cost;Unit pricing measure\nA1;Juice;1.20;750ml\nA2;Beer;8.40;1.98l\nA3;Tea;2.10;80g\n',
      'Unit pricing measure',
    ],
    [
      'Symbol;Nazwa;Cena zakupu;Zawartość\nA1;Sok;1,20;750 ml\nA2;Piwo;8,40;330 ml\nA3;Herbata;2,10;80 g\n',
      'Zawartość',
    ],
  ])('in a column that is called so and has quantities with units: %j', async (file, column) => {
    const { mapping } = await detectMapping(chunked(file), () => {})
    expect(mapping?.fields?.net_content).toEqual(column)
  })

  it('but not where it has other texts', async () => {
    const file = 'Artikelnummer;Bezeichnung;EK;Inhalt\n1;Buch;1,20;Kapitel\n2;Heft;8,40;Noten\n3;Karte;2,10;Bild\n'
    const { mapping } = await detectMapping(chunked(file), () => {})
    expect(mapping?.fields?.net_content).toBeUndefined()
  })
})
