import { describe, expect, it } from 'vitest'
import { compileConvert } from './convert.ts'
import { readAll } from '../fixtures.ts'
import { fieldColumns } from '../mapping/field-columns.ts'
import { parseMapping, type Mapping } from '../mapping/mapping.ts'
import { presetMapping } from '../presets/preset-mapping.ts'
import { memberLookup } from '../rows.ts'

const COLUMNS = [
  { quantity: 10, cost: 'P10' },
  { quantity: 100, cost: 'P100' },
]

/** The result of a row: the tiers as one text, and the dropped values. */
function read(costTiers: unknown, row: Record<string, unknown>, more: object = {}, fields: object = { cost: 'P' }) {
  const mapping = parseMapping({ ...more, fields: { sku: { constant: 'S' }, ...fields, cost_tiers: costTiers } })
  const converted = compileConvert(mapping, memberLookup).convert(row)
  if (!('offer' in converted)) throw new Error(JSON.stringify(converted))
  const { costTiers: tiers } = converted.offer
  return [
    tiers === undefined || tiers === null ? tiers : tiers.map(({ quantity, cost }) => `${quantity}: ${cost}`).join(),
    ...(converted.dropped ?? []).map(({ name, reason }) => `${name} ${reason}`),
  ]
}

describe('columns of costs by quantity', () => {
  it.each<[string, Record<string, unknown>, object, unknown[]]>([
    ['by number', { P: '10', P10: '9.20', P100: '8' }, {}, ['10: 9.2,100: 8']],
    [
      'with the sign of the file',
      { P: '10', P10: '9,20', P100: '1.008,5' },
      { decimal: ',' },
      [null, 'cost_tiers.1.cost must be below what it is for fewer pieces, 9.2'],
    ],
    ['not where nothing is there', { P: '10', P10: '', P100: '8' }, {}, ['100: 8']],
    ['not on request', { P: '10', P10: 'auf Anfrage', P100: '-' }, {}, [null]],
    ['not as dear as one piece', { P: '10', P10: '10.00', P100: '8' }, {}, ['100: 8']],
    ['not as dear as the tier before', { P: '10', P10: '9', P100: '9' }, {}, ['10: 9']],
    ['with a currency that is that of the cost', { P: '10 EUR', P10: '9 EUR', P100: '8' }, {}, ['10: 9,100: 8']],
    [
      'in another currency',
      { P: '10 EUR', P10: '9 PLN', P100: '8' },
      {},
      [null, 'cost_tiers.0.cost "9 PLN" is not in the currency of the row\'s cost'],
    ],
    ['of 0', { P: '10', P10: '0', P100: '8' }, {}, [null, 'cost_tiers.0.cost must be above 0']],
    [
      'dearer than one piece',
      { P: '9', P10: '9.20', P100: '8' },
      {},
      [null, 'cost_tiers.0.cost must be below what it is for fewer pieces, 9'],
    ],
    ['without a cost of one piece', { P: '', P10: '9.20', P100: '8' }, {}, [null]],
    ['that are not in the row', { P: '10' }, {}, [undefined]],
  ])('%s', (_name, row, more, expected) => {
    expect(read(COLUMNS, row, more)).toEqual(expected)
  })

  it('of quantities that columns have, in any order, and from one piece on', () => {
    const pairs = [1, 2, 3].map((n) => ({ quantity: `Q${n}`, cost: `P${n}` }))
    const row = { P: '10', Q1: '100', P1: '8', Q2: '1', P2: '10', Q3: '10', P3: '9' }
    expect(read(pairs, row)).toEqual(['10: 9,100: 8'])
    expect(read(pairs, { ...row, Q3: '', P3: '9' })).toEqual(['100: 8'])
    expect(read(pairs, { ...row, Q3: '0' })).toEqual([
      null,
      'cost_tiers.2.quantity must be a whole number from 1 to 1000000, not 0',
    ])
    expect(read(pairs, { ...row, Q3: 'ten' })[0]).toBeNull()
    expect(read(pairs, { ...row, Q3: '10.5' })[1]).toContain('cost_tiers.2.quantity must be a whole number')
    expect(read(pairs, { ...row, Q3: '100' })).toEqual([null, 'cost_tiers.2.quantity 100 is duplicated'])
    // a repeated tier is redundant
    expect(read(pairs, { ...row, Q3: '100', P3: '8.00' })).toEqual(['100: 8'])
  })

  it('in one cell', () => {
    const packed = [{ packed: 'T', pair: ';', assign: '=' }]
    expect(read(packed, { P: '10', T: '1=10; 10=9,20; 100=8,00;' }, { decimal: ',' })).toEqual(['10: 9.2,100: 8'])
    expect(read(packed, { P: '10', T: '' })).toEqual([null])
    expect(read(packed, { P: '10', T: '10 9.20' })).toEqual([null, 'cost_tiers.0 "10 9.20" has no "="'])
    const many = Array.from({ length: 21 }, (_, i) => `${i + 2}=${(9 - i / 10).toFixed(1)}`).join(';')
    expect(read(packed, { P: '10', T: many })[1]).toContain('cost_tiers')
  })

  it('are refused in a mapping with their place', () => {
    const fault = (tiers: unknown) => {
      try {
        parseMapping({ fields: { sku: 'a', cost_tiers: tiers } })
        return undefined
      } catch (error) {
        return (error as { faults?: { name: string }[] }).faults?.[0]?.name ?? String(error)
      }
    }
    expect(fault([])).toBe('fields.cost_tiers')
    expect(fault('a')).toBe('fields.cost_tiers')
    expect(fault([{ quantity: 1, cost: 'a' }])).toBe('fields.cost_tiers.0.quantity')
    expect(fault([{ quantity: 10 }])).toBe('fields.cost_tiers.0')
    expect(fault([{ cost: 'a' }])).toBe('fields.cost_tiers.0.quantity')
    expect(fault([{ quantity: 10, cost: { colum: 'a' } }])).toBe('fields.cost_tiers.0.cost.colum')
    expect(
      fault([
        { tiers: 'a', from: 'b', price: 'c' },
        { quantity: 10, cost: 'a' },
      ]),
    ).toBe('fields.cost_tiers')
    expect(fault([{ tiers: 'a', from: 'b', price: 'c', where: { column: 'a' } }])).toBe('fields.cost_tiers.0.where')
  })

  it('are named by the columns that they are made of', () => {
    const mapping = { fields: { sku: 'a', cost_tiers: [{ quantity: 'Q', cost: { column: 'P' } }] } } as Mapping
    expect(fieldColumns(mapping, 'cost_tiers.0.cost')).toEqual(['Q', 'P'])
  })
})

describe('a BMEcat catalogue', () => {
  const price = (type: string, amount: string, lower?: number, more = '') =>
    `<PRODUCT_PRICE price_type="${type}"><PRICE_AMOUNT>${amount}</PRICE_AMOUNT>${lower === undefined ? '' : `<LOWER_BOUND>${lower}</LOWER_BOUND>`}${more}</PRODUCT_PRICE>`
  const tiersOf = async (prices: string, order = '') => {
    const [row] = await readAll(
      `<BMECAT version="2005"><HEADER><CATALOG><LANGUAGE>deu</LANGUAGE><CURRENCY>EUR</CURRENCY></CATALOG></HEADER><T_NEW_CATALOG><PRODUCT><SUPPLIER_PID>A</SUPPLIER_PID><PRODUCT_ORDER_DETAILS>${order}</PRODUCT_ORDER_DETAILS><PRODUCT_PRICE_DETAILS>${prices}</PRODUCT_PRICE_DETAILS></PRODUCT></T_NEW_CATALOG></BMECAT>`,
      presetMapping('bmecat', {}),
    )
    if (row === undefined || !('offer' in row)) throw new Error(JSON.stringify(row))
    return [row.offer.cost, row.offer.costTiers, ...(row.dropped ?? [])]
  }
  const lower = price('net_list', '10', 1) + price('net_list', '8', 100) + price('net_list', '9.2', 10)

  it('has the prices of one kind by their lower bounds', async () => {
    const tiers = [
      { quantity: 10, cost: '9.2' },
      { quantity: 100, cost: '8' },
    ]
    expect(await tiersOf(lower)).toEqual(['10', tiers])
    // the customer's prices precede the list's, and recommended prices are those of one piece
    expect(await tiersOf(lower + price('net_customer', '7') + price('nrp', '20', 1))).toEqual(['7', null])
    expect(await tiersOf(lower + price('net_customer', '7', 1) + price('net_customer', '6', 5))).toEqual([
      '7',
      [{ quantity: 5, cost: '6' }],
    ])
    // prices in another currency are ignored
    const francs = price('net_list', '1', 1000, '<PRICE_CURRENCY>CHF</PRICE_CURRENCY>')
    expect(await tiersOf(lower + francs)).toEqual(['10', tiers])
    expect(await tiersOf(price('net_list', '10'))).toEqual(['10', null])
  })

  it('has them for one piece of the price quantity', async () => {
    expect(await tiersOf(lower, '<PRICE_QUANTITY>10</PRICE_QUANTITY>')).toEqual([
      '1',
      [
        { quantity: 10, cost: '0.92' },
        { quantity: 100, cost: '0.8' },
      ],
    ])
  })
})
