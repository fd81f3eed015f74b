import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { summariesOf, chunked, readAll } from '../fixtures.ts'
import { parseMapping } from '../mapping/mapping.ts'
import { readOfferPages } from '../read-offers.ts'

const mapping = { format: 'json', locale: 'en', fields: { sku: 'sku', title: 'title' } }

describe('json', () => {
  it('reads a top-level list and counts its elements', async () => {
    const rows = await readAll(
      '\ufeff [\n{"sku":"A","title":"Zażółć 😀"},\n7, [], {"sku":"B","title":null}\n]\n',
      mapping,
    )
    expect(rows[0]).toEqual({ line: 1, offer: { sku: 'A', texts: { en: { title: 'Zażółć 😀' } } } })
    expect(rows[3]).toEqual({ line: 4, offer: { sku: 'B', texts: { en: { title: null } } } })
    expect(summariesOf(rows)).toEqual(['1:A', '2!row is not a JSON object', '3!row is not a JSON object', '4:B'])
  })

  it('reads a list inside the document', async () => {
    const text = '{"meta":{"products":[{"sku":"no"}]},"data":{"products":[{"sku":"A"},{"sku":"B"}],"n":2},"end":[1]}'
    expect(summariesOf(await readAll(text, { ...mapping, items: 'data.products' }))).toEqual(['1:A', '2:B'])
  })

  it('reads no rows from an empty list', async () => {
    expect(await readAll('[]', mapping)).toEqual([])
  })

  it.each([
    ['[{"sku":"A"}', undefined, /^after element 1: the file is cut off/],
    ['[{"sku":"A"},', undefined, /cut off/],
    ['[', undefined, /cut off/],
    ['[{"sku":"A"},{"sku" "B"}]', undefined, /^after element 1: not valid JSON/],
    ['[{"sku":"A"}] x', undefined, /not valid JSON/],
    ['{"products":[]}', undefined, /^line 1: the file does not start with a list/],
    ['{"products":[]}', 'items', /no list with elements at "items"/],
    ['{"items":{"a":{"sku":"A"}}}', 'items', /is not a list/],
    ['{"items":[{"sku":"A"}]', 'items', /cut off/],
    [' ', undefined, /cut off/],
  ])('refuses %j with items %j', async (text, items, message) => {
    const reading = readAll(text, { ...mapping, ...(items === undefined ? {} : { items }) }, 5)
    await expect(reading).rejects.toMatchObject({ code: 'source-unreadable', message: expect.stringMatching(message) })
  })

  it('reports an element that is too long, and refuses a file with one that does not end', async () => {
    const limits = { importRowBytesMax: 100 }
    const long = JSON.stringify({ sku: 'x'.repeat(200) })
    for (const cuts of [7, 10_000]) {
      expect(summariesOf(await readAll(`[${long},{"sku":"B"}]`, mapping, cuts, limits))).toEqual([
        '1!row is longer than 100 bytes',
        '2:B',
      ])
    }
    await expect(readAll(`[{"a":[${'{"b":[1]},'.repeat(100)}`, mapping, 7, limits)).rejects.toThrow(/within 400 bytes/)
  })

  it('does not count text around the list towards the length of an element', async () => {
    const around = JSON.stringify(Array.from({ length: 300 }, (_, i) => i))
    const text = `{"before":${around},"products":[{"sku":"A"},\n${' '.repeat(50)}{"sku":"B"}],"after":${around}}`
    const rows = await readAll(text, { ...mapping, items: 'products' }, 7, { importRowBytesMax: 20 })
    expect(summariesOf(rows)).toEqual(['1:A', '2:B'])
  })

  it('reads the same elements however the text is cut, and whatever its texts look like', async () => {
    const texts = ['{', '},{', '"', '\\', '\\"', ',{"sku":"no"},', '[', ']', 'ąé😀', '\u2028', '\n\t', ':']
    const elements = Array.from({ length: 60 }, (_, i) => {
      const text = texts[i % texts.length] ?? ''
      if (i % 13 === 7) return `${text}},{},{}`
      if (i % 17 === 5) return [{ sku: 'no' }]
      return { sku: `A${i}`, title: `a${text}`, more: { [`k${text}`]: [text, { a: text }, i, null, true] } }
    })
    const document = (space: string) =>
      `{"x":[{"sku":"no"},{"list":[1]}],"data":{"list":${JSON.stringify(elements, null, space)}},"y":{"z":[{}]}}`
    const expected = summariesOf(await readAll(document(''), { ...mapping, items: 'data.list' }))
    expect(expected).toEqual(
      elements.map((element, i) =>
        typeof element === 'object' && 'sku' in element
          ? `${i + 1}:${element.sku}`
          : `${i + 1}!row is not a JSON object`,
      ),
    )
    for (const space of ['', ' '])
      for (const cut of [1, 2, 3, 7, 64, 251, 4_096])
        expect(summariesOf(await readAll(document(space), { ...mapping, items: 'data.list' }, cut))).toEqual(expected)
    const rows = await readAll(document(' '), { ...mapping, items: 'data.list' }, 101)
    for (const [i, row] of rows.entries()) {
      const element = elements[i]
      if ('offer' in row && typeof element === 'object' && 'title' in element)
        expect(row.offer.texts?.['en']?.title).toBe(element.title.trim())
    }
  })

  it.each([
    ['depth', { importDepthMax: 4 }, '{"a":[[[1]]]}', /^after element 2: values are nested more than 4 deep/],
    [
      'members',
      { importColumnsMax: 3 },
      '{"a":1,"b":2,"c":3,"d":4}',
      /^after element 2: an object has more than 3 mem/,
    ],
    [
      'values',
      { importRowValuesMax: 3 },
      '{"a":[1,2,3,4,5]}',
      /^after element 2: the next element has more than 3 val/,
    ],
    [
      'characters',
      { importCellCharactersMax: 5 },
      '{"a":"123456"}',
      /^after element 2: a text is longer than 5 charac/,
    ],
    ['grammar', {}, '{"a":x}', /^after element 2: not valid JSON: .*absolute position "31"/],
  ])('checks the %s of later elements as of the first', async (_, limits, element, message) => {
    const text = `[{"sku":"A"}, {"sku":"B"},${element},{"sku":"C"}]`
    for (const cut of [3, 1_000]) await expect(readAll(text, mapping, cut, limits)).rejects.toThrow(message)
  })

  it('releases elements once they are read', async () => {
    // Measures the heap after a garbage collection at each page, while 16 MB are read.
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    async function* big() {
      yield Buffer.from('[')
      const element = Buffer.from(
        `${JSON.stringify({ sku: 'A', title: 'x'.repeat(500), more: Array(100).fill('y'.repeat(20)) })},`,
      )
      const block = Buffer.concat(Array(200).fill(element) as Buffer[])
      for (let sent = 0; sent < 16_000_000; sent += block.length) yield block
      yield* chunked('{"sku":"Z"}]')
    }
    let rows = 0
    let top = 0
    collect()
    const before = process.memoryUsage().heapUsed
    for await (const page of readOfferPages(big(), parseMapping(mapping))) {
      rows += page.length
      collect()
      top = Math.max(top, process.memoryUsage().heapUsed - before)
    }
    expect(rows).toBeGreaterThan(5_000)
    expect(top).toBeLessThan(8_000_000)
  })
})
