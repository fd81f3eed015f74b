import { describe, expect, it } from 'vitest'
import { chunked, readAll } from '../fixtures.ts'
import { presetMapping } from '../presets/preset-mapping.ts'
import { Reading } from '../reading.ts'
import { defaultLimits } from '../rows.ts'

const HEAD = 'CIF_I_V3.0\nLOADMODE: F\nCURRENCY: USD\n'
const NAMES = 'FIELDNAMES: Supplier ID,Supplier Part ID,Item Description,Unit Price\n'
const ROWS = '1,A-1,"Rope, 10 m\nred",7.50\n1,A-2,Tape,1\n'
const FILE = `${HEAD}${NAMES}DATA\n${ROWS}ENDOFDATA\n`
const mapping = presetMapping('cif', {})

const briefly = async (text: string) =>
  (await readAll(text, mapping)).map((row) =>
    'offer' in row ? `${row.line}:${row.offer.sku} ${row.offer.cost} ${row.offer.currency}` : `${row.line}!`,
  )

describe('CIF catalogs', () => {
  it('have the columns that their head names, and its currency', async () => {
    expect(await briefly(FILE)).toEqual(['6:A-1 7.5 USD', '8:A-2 1 USD'])
    expect(await briefly(FILE.replace('DATA\n', 'DATA\r\n'))).toEqual(['6:A-1 7.5 USD', '8:A-2 1 USD'])
  })

  it('are the same for every chunking', async () => {
    const whole = await readAll(FILE, mapping)
    for (let cut = 0; cut <= FILE.length; cut++) expect(await readAll(FILE, mapping, [cut])).toEqual(whole)
    expect(await readAll(FILE, mapping, 1)).toEqual(whole)
  })

  it('may name the columns without the word, behind a comma, with tabs, or not at all', async () => {
    const expected = ['6:A-1 7.5 USD', '8:A-2 1 USD']
    expect(await briefly(FILE.replace('FIELDNAMES: ', ''))).toEqual(expected)
    expect(await briefly(FILE.replace('FIELDNAMES: ', 'FIELDNAMES:,'))).toEqual(expected)
    const tabs = `${HEAD}${NAMES.replaceAll(',', '\t')}DATA\n1\tA-1\tRope, 10 m\t7.50\nENDOFDATA\n`
    expect(await briefly(tabs)).toEqual(['6:A-1 7.5 USD'])
    const usual = `CIF_I_V2.1\nCURRENCY:\tEUR\nDATA\n1,00123,M-1,Screws,31,6.4,PK,2,Bolt,,,7.9\nENDOFDATA\n`
    expect(await briefly(usual)).toEqual(['4:00123 6.4 EUR'])
  })

  it('has a row of another length refused, and the others read', async () => {
    expect(await briefly(FILE.replace('1,A-2,Tape,1\n', '1,A-2,Tape\n1,A-3,Glue,2\n'))).toEqual([
      '6:A-1 7.5 USD',
      '8!',
      '9:A-3 2 USD',
    ])
  })

  it('are refused when they are cut off, have no data, or are none', async () => {
    await expect(briefly(FILE.replace('ENDOFDATA\n', ''))).rejects.toThrow('cut off: it has no line ENDOFDATA')
    await expect(briefly(`${HEAD}${NAMES}`)).rejects.toThrow('has no line DATA')
    await expect(readAll('sku;price\nA;1\n', mapping)).rejects.toThrow('is not a CIF catalog')
  })

  it('are refused where a record has no end, before all of it was read', async () => {
    let pieces = 0
    async function* endless() {
      yield Buffer.from(`${HEAD}${NAMES}DATA\n`)
      for (; pieces < 1_000; pieces++) yield Buffer.alloc(65_536, 'x')
    }
    const read = async () => {
      for await (const _page of new Reading(mapping, defaultLimits, () => {}).rows(endless())) continue
    }
    await expect(read()).rejects.toThrow('has no end within')
    expect(pieces).toBeLessThan(600)
  })

  it('may have many commas in a line of the head', async () => {
    const head = `COMMENTS: a${', '.repeat(30_000)}a\n`
    expect(await briefly(`CIF_I_V3.0\n${head}${NAMES}DATA\n${ROWS}ENDOFDATA\n`)).toHaveLength(2)
  }, 2_000)

  it('say when they have only changes', async () => {
    const warnings: string[] = []
    const reading = new Reading(mapping, defaultLimits, (warning) => warnings.push(warning))
    for await (const _page of reading.rows(chunked(FILE.replace('LOADMODE: F', 'LOADMODE: I')))) continue
    expect(warnings).toEqual(['its head says LOADMODE: I, so it has only what changed: import it as a delta (--delta)'])
  })
})
