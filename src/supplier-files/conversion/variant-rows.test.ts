import { describe, expect, it } from 'vitest'
import { readAll } from '../fixtures.ts'
import { parseMapping } from '../mapping/mapping.ts'
import { readOfferPages } from '../read-offers.ts'
import { defaultLimits } from '../rows.ts'

const variants = { column: 'variants', between: '|', pair: ',', assign: '=', key: 'sku' }
const mapping = {
  locale: 'en',
  group: { by: 'sku', variants },
  fields: {
    sku: 'sku',
    group_key: 'parent.sku',
    group_title: 'parent.name',
    group_position: 'variant.position',
    group_options: [{ packed: 'variant', pair: ',', assign: '=', except: ['sku'] }],
  },
}
const HEADER = 'sku,name,variants'
const TEE = 'TEE,Shirt,"sku=A,size=M|sku=B,size=L"'

/** `sku key/title/position/size` of each offer; "kept" if the offer does not state its group. */
async function groups(
  lines: readonly string[],
  bytesMax = defaultLimits.importGroupBytesMax,
  of: object = mapping,
): Promise<string[]> {
  async function* bytes() {
    yield Buffer.from(`${[HEADER, ...lines].join('\n')}\n`)
  }
  const found: string[] = []
  const limits = { ...defaultLimits, importGroupBytesMax: bytesMax }
  for await (const page of readOfferPages(bytes(), parseMapping(of), limits))
    for (const row of page) {
      if (!('offer' in row)) continue
      const { sku, group } = row.offer
      const options = group?.options.map(({ key, value }) => `${key}=${value}`)
      found.push(
        `${sku} ${group === undefined ? 'kept' : group === null ? 'none' : [group.key, group.title['en'], group.position, options].join('/')}`,
      )
    }
  return found
}

describe('rows that list their variants', () => {
  it('are found before and behind these, and the first that lists one counts', async () => {
    const expected = ['A TEE/Shirt/1/size=M', 'B TEE/Shirt/2/size=L', 'C none', 'TEE none']
    expect((await groups(['A,,', 'C,,', TEE, 'B,,'])).toSorted()).toEqual(expected)
    expect((await groups([TEE, 'B,,', 'A,,', 'C,,'])).toSorted()).toEqual(expected)
    expect(await groups([TEE, 'POLO,Polo,"sku=A,size=S|sku=D,size=M"', 'A,,', 'D,,'])).toEqual([
      'TEE none',
      'POLO none',
      'A TEE/Shirt/1/size=M',
      'D POLO/Polo/2/size=M',
    ])
  })

  it('that list what the file does not have, themselves, or nothing that can be read, are offers like others', async () => {
    expect(await groups(['X,Own,"sku=X,size=M|sku=Y,size=L"', 'Z,Odd,"no key|size=M|sku="', 'C,,'])).toEqual([
      'X none',
      'Z none',
      'C none',
    ])
  })

  it('may be left out of a part of a file: what is not alone keeps its group', async () => {
    const alone = { column: 'name', notIn: ['hidden'] }
    const of = { ...mapping, group: { by: 'sku', variants: { ...variants, alone } } }
    expect(await groups([TEE, 'A,hidden,', 'C,hidden,', 'D,Own,'], defaultLimits.importGroupBytesMax, of)).toEqual([
      'TEE none',
      'A TEE/Shirt/1/size=M',
      'C kept',
      'D none',
    ])
  })

  it('are not waited for beyond the limit: what was not found keeps its group, and no row is lost', async () => {
    const rows = Array.from({ length: 40 }, (_, i) => `R${i},,`)
    const found = await groups([TEE, 'A,,', ...rows, 'LATE,Late,"sku=R1,size=M"', 'B,,'], 3_000)
    expect(found).toHaveLength(44)
    expect(found).toEqual(expect.arrayContaining(['A TEE/Shirt/1/size=M', 'R1 kept', 'R39 kept', 'B kept']))
  })

  it('need a column that the table has, unless it is optional: without it each offer keeps its group', async () => {
    await expect(readAll('sku,name\nA,x\n', mapping)).rejects.toThrow(/variants/)
    const optional = { ...mapping, group: { by: 'sku', variants: { ...variants, optional: true } } }
    expect(await readAll('sku,name\nA,x\n', optional)).toMatchObject([{ offer: { sku: 'A' } }])
    expect((await readAll('sku,name\nA,x\n', optional))[0]).not.toHaveProperty('offer.group')
  })

  it('stand for themselves in a mapping: what other groupings say has no meaning beside them', async () => {
    await expect(readAll('', { ...mapping, group: { by: 'sku', variants, parent: 'p' } })).rejects.toThrow(
      'group.parent has no meaning beside "variants"',
    )
  })
})
