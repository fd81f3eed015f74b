import { describe, expect, it } from 'vitest'
import { readAll } from './fixtures.ts'

const HEADER = 'sku;title;cost;qty'
const mapping = {
  format: 'csv',
  delimiter: ';',
  decimal: ',',
  locale: 'de',
  fields: { sku: 'sku', title: 'title', cost: 'cost', quantity: 'qty' },
}

/** The result of one line among articles. */
async function fate(line: string, settings: object = {}, header = HEADER): Promise<string> {
  const rows = await readAll(`${header}\nA-1;Spaten;1,50;1\n${line}\nA-2;Harke;2,50;2\n`, { ...mapping, ...settings })
  const row = rows.find(({ line: at }) => at === 3)
  if (row === undefined) return 'passed over'
  return 'skipped' in row ? (row.remark ?? 'skip') : 'offer' in row ? 'article' : 'refused'
}

describe('a sum is no article', () => {
  it.each([
    'Summe: 300 Artikel;;;',
    'Summe: 300 Artikel',
    'Summe;;1.234,50;300',
    'Summe;300 Artikel;1.234,50 €;300',
    ';Summe;1.234,50;300',
    ';;Gesamt:;300',
    'Gesamtsumme netto;;1.234,50 EUR;',
    'Gesamt;;;',
    'Anzahl Artikel: 300;;;',
    'Total;;1234,50;300',
    'TOTAL (EUR);;1234,50;',
    'Grand total: 300 items',
    'Total number of articles: 300;;;',
    'Razem: 300 pozycji;;;',
    'Suma;;1 234,50 zł;300',
    'Łącznie 300 szt.;;;',
    'Totaal;;1234,50;300',
    'Somme;;1234,50;300',
    'Total général : 300 références;;;',
    'Suma total;;1234,50;300',
    'Totale;;1234,50;300',
    'Total geral;;1234,50;300',
    'Celkem;;1234,50;300',
    'Spolu: 300 ks;;;',
    'Összesen: 300 tétel;;;',
    'Summa;;1234,50;300',
    'Yhteensä;;1234,50;300',
    'Итого: 300 позиций;;;',
    'Всього;;1234,50;300',
    'Toplam;;1234,50;300',
    'Iš viso;;1234,50;300',
    '** Summe **;;1234,50;300',
    'Total 300;;;',
    'Zwischensumme Garten;;12,00;4',
    'Summe Warengruppe 7:;;100,00;',
    '300 Artikel;;;',
    '1.300 Artikel gesamt',
    'Artikel: 300;;;',
    '(300 rows affected)',
    'Liczba rekordów: 300;;;',
    'Počet položek: 300;;;',
    'Aantal: 300;;;',
    'Nombre de références : 300;;;',
  ])('%s', async (line) => expect(await fate(line)).toBe('sum'))
  it('in a last line without an end, which is not cut off', async () => {
    const rows = await readAll(`${HEADER}\nA-1;Spaten;1,50;1\nSumme: 300 Artikel`, mapping)
    expect(rows).toMatchObject([{ offer: { sku: 'A-1' } }, { skipped: true, remark: 'sum' }])
    for (const [end, fate] of [
      ['300 Artikel', 'sum'],
      ['\u001a', undefined],
    ] as const) {
      const read = await readAll(`${HEADER}\nA-1;Spaten;1,50;1\n${end}`, mapping)
      expect(read.map((row) => ('skipped' in row ? row.remark : 'sku'))).toEqual([
        'sku',
        ...(fate === undefined ? [] : [fate]),
      ])
    }
    for (const cut of ['Total', 'Preise gültig bis Ende', 'A-2;Harke'])
      expect(await readAll(`${HEADER}\nA-1;Spaten;1,50;1\n${cut}`, mapping).then(() => 'read', String)).toMatch(
        /is cut off/,
      )
  })
})

describe('an article that is called like a sum is an article', () => {
  it.each([
    'Total Care Shampoo;Shampoo;4,50;12',
    'Summer-01;Liegestuhl;4,50;12',
    'Total-01;Öl;4,50;12',
    'Total 300;Lampe;4,50;12',
    'Total;Waschmittel;4,50;12',
    'Sum 41 Records;Vinyl;4,50;12',
    'Gesamtausgabe;Buch;4,50;12',
    '100234;TOTAL;4,50;12',
    'Summe: schwer;Gewichtssatz;4,50;12',
    'sku;title;4,50;12',
    'Total Care Shampoo 300;;4,50;12',
    'Total 300;;4,50;12',
  ])('%s', async (line) => expect(await fate(line)).toBe('article'))
  it('where the word is its brand, before a key of figures', async () => {
    expect(await fate('TOTAL;100234;4,50;12', {}, 'title;sku;cost;qty')).toBe('article')
    const fields = { ...mapping.fields, sku: { join: ['title', 'sku'], with: '-' } }
    expect(await fate('TOTAL;100234;4,50;12', { fields }, 'title;sku;cost;qty')).toBe('article')
  })
  it('keeps the key that it has, where it is taken for a sum', async () => {
    const rows = await readAll(`${HEADER}\nTotal;;1,50;1\nGesamt\n`, mapping)
    expect(rows).toMatchObject([
      { remark: 'sum', about: ['Total'] },
      { remark: 'sum', about: ['Gesamt'] },
    ])
  })
})

describe('names of columns that are repeated', () => {
  it.each([HEADER, 'SKU; Title ;Cost;Qty', '"sku";"title";cost;qty'])('%s', async (line) =>
    expect(await fate(line)).toBe('header'),
  )
  it('are no header where the columns have numbers', async () => {
    const fields = { sku: '1', title: '2', cost: '3', quantity: '4' }
    expect(await readAll('1;2;3;4\n', { ...mapping, header: false, fields })).toMatchObject([{ offer: { sku: '1' } }])
  })
  it('names in another order are no header', async () => expect(await fate('sku;title;qty;cost')).toBe('refused'))
})

describe('a note is no article', () => {
  it.each([
    'Preise gültig bis 31.12.2026;;;',
    'Preise gültig bis 31.12.2026',
    '* zzgl. MwSt;;;',
    '*zzgl. MwSt.;;;',
    ';;* alle Preise zzgl. MwSt;',
    'All prices plus VAT;;;',
    'Stand: heute früh;;;',
    'Ceny ważne do 31.12.2026;;;',
    'Tous les prix sont hors taxes;;;',
    'Seite 1 von 3;;;',
    'Ende der Liste;;;',
    '-----------;;;',
    '*** Ende ***;;;',
    'Stand 01.02.2026;;;',
    'gültig ab 01.03.2026;;;',
    'Erstellt: 01.02.2026 12:30;;;',
    'Wygenerowano: 2026-02-01;;;',
    'Preisliste 2026;;;',
    'Tarif 2026/27',
    'www.acme.example',
    'https://www.acme.example/;;;',
    'info@acme.example;;;',
    'Tel. +49 89 1234567;;;',
    '(c) 2026 ACME;;;',
    '© ACME',
    'ACME GmbH, Musterstr. 1, 80331 München;;;',
    'USt-IdNr. DE123456789;;;',
    'zzgl. MwSt.;;;',
    'MwSt. 19%;;;',
    'Irrtümer vorbehalten.;;;',
    '- 2 -;;;',
  ])('%s', async (line) => expect(await fate(line)).toBe('note'))
  it.each([
    'AB 12 CD 34;;;',
    'Werkzeug;;;',
    'Garten;;0;',
    'Rote Harke;;;',
    'Harke mit Stiel;;0;0',
    'HV/12 AB;;;',
    '10.20.3000;;;',
    '01.02.2026;;;',
    'Stand 2026;;;',
    'Items 300;;;',
    'ITEM:300;;;',
    '300 mm;;;',
    'UST-1;;;',
    'Tel-200;;;',
    'END;;;',
    'Tarif;;;',
    '300 Artikel;Set;9,50;1',
    'www.a.example;Domain;9,50;1',
    '(c) 12;Knopf;1,00;1',
  ])('but %s is an article, perhaps without a cost', async (line) => expect(await fate(line)).toBe('article'))
  it('nor where the keys of articles are sentences', async () => {
    const lines = ['Harke mit langem Stiel;;1;1', 'Spaten mit kurzem Stiel;;;', 'Preise gültig bis morgen;;;']
    const rows = await readAll(`${HEADER}\n${lines.join('\n')}\n`, mapping)
    expect(rows.map((row) => 'offer' in row)).toEqual([true, true, true])
  })
})

it('conditions of the mapping go before', async () => {
  expect(await fate('Summe;;1;2', { skip: [{ column: 'sku', matches: '^Summe' }] })).toBe('skip')
})
