import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LIMITS } from '../../platform/limits.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { parseStrictJson } from './strict-json.ts'
import { parseStrictLines, parseStrictRows } from './strict-rows.ts'

const SEED = Number(process.env['SEED'] ?? 7)
const wanted = () => {}

/** The body with its rows put back in place of their numbers. */
const inParts = async (bytes: Buffer) => {
  const { value, rows } = await parseStrictRows(bytes, wanted)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  for (const [name, member] of Object.entries(value)) {
    if (Array.isArray(member))
      Object.defineProperty(value, name, { value: (member as number[]).map((at) => rows.at(at)) })
  }
  return value
}

const outcome = async (parse: (bytes: Buffer) => unknown, text: string) => {
  try {
    return { value: await parse(Buffer.from(text)) }
  } catch (error) {
    if (!(error instanceof ShelfwireError)) throw error
    return { code: error.code }
  }
}

test(
  `a body that is parsed entry by entry is what it is in one piece, or refused as it is there (SEED=${SEED})`,
  { timeout: 60_000 },
  async () => {
    const body = fc.oneof(
      fc.record({ rows: fc.array(fc.jsonValue({ maxDepth: 4 })) }),
      fc.dictionary(
        fc.oneof(fc.constantFrom('rows', '1', '__proto__', 'a'), fc.string()),
        fc.jsonValue({ maxDepth: 3 }),
      ),
      fc.jsonValue(),
    )
    const harm = fc.option(
      fc.record({ at: fc.nat(), put: fc.constantFrom('', ',', ']', '[', '}', '{', '"', ':', '0', ' ', '\\', 'null') }),
      { nil: null },
    )
    await fc.assert(
      fc.asyncProperty(body, harm, fc.boolean(), async (value, harmed, isSpaced) => {
        const sound = JSON.stringify(value, null, isSpaced ? 2 : 0)
        const at = harmed === null ? 0 : harmed.at % (sound.length + 1)
        const text = harmed === null ? sound : sound.slice(0, at) + harmed.put + sound.slice(at + 1)
        expect(await outcome(inParts, text)).toEqual(await outcome((bytes) => parseStrictJson(bytes).value, text))
      }),
      { seed: SEED, numRuns: 3_000 },
    )
  },
)

const refusal = async (text: string) => {
  try {
    await inParts(Buffer.from(text))
  } catch (error) {
    if (error instanceof ShelfwireError) return { message: error.message, faults: error.faults }
  }
  throw new Error('it was taken')
}

test('a fault inside an entry is told with its number', async () => {
  expect(await refusal('{"rows":[{"a":1},{"a":1,"b":{"c":1,"c":2}}]}')).toEqual({
    message: 'row 1: the body has "b.c" twice',
    faults: [{ name: 'rows.1.b.c', reason: 'is duplicated' }],
  })
  expect((await refusal('{"rows":[{"a":1},{"a":nul}]}')).message).toMatch(/^row 1: the body is not valid JSON: /)
  expect((await refusal('{"rows":[],"rows":[]}')).faults).toEqual([{ name: 'rows', reason: 'is duplicated' }])
})

test('depth counts from the body', async () => {
  const nested = (depth: number) => `{"rows":[${'['.repeat(depth)}${']'.repeat(depth)}]}`
  await expect(inParts(Buffer.from(nested(LIMITS.jsonDepthMax - 2)))).resolves.toBeDefined()
  expect((await refusal(nested(LIMITS.jsonDepthMax - 1))).message).toMatch(/nested deeper than/)
})

test('what would take long to parse or much to hold is refused before it is', async () => {
  const many = (entry: string, count: number) => Array.from({ length: count }, () => entry).join(',')
  const large = 'x'.repeat(LIMITS.requestBodyBytesMax)
  expect((await refusal(`{"rows":[${many('{}', LIMITS.bulkRowsMax + 1)}]}`)).message).toMatch(/at most 100000 rows/)
  expect((await refusal(`{"rows":[1,{"a":"${large}"}]}`)).message).toMatch(/^row 1 has more than/)
  expect((await refusal(`{"rows":[],"more":{"a":"${large}"}}`)).message).toMatch(/^what is around the rows/)
  await expect(inParts(Buffer.from(`{"rows":[${many('{}', LIMITS.bulkRowsMax)}]}`))).resolves.toHaveProperty(
    'rows.length',
    LIMITS.bulkRowsMax,
  )
})

test('reading stops when nobody waits for it any more, and others are served in between', async () => {
  const row = JSON.stringify({ sku: 'S', value: 'x'.repeat(1_000) })
  const rows = Array.from({ length: 20_000 }, () => row)
  const bodies = [
    [parseStrictRows, `{"rows":[${rows.join(',')}]}`],
    [parseStrictLines, rows.join('\n')],
  ] as const
  for (const [parse, text] of bodies) {
    const bytes = Buffer.from(text)
    let turns = 0
    await parse(bytes, () => turns++)
    expect(turns).toBeGreaterThan(3)
    const gone = new Error('gone')
    let asked = 0
    const reading = parse(bytes, () => {
      if (++asked === 2) throw gone
    })
    await expect(reading).rejects.toBe(gone)
    expect(asked).toBe(2)
  }
})

test('the values of a row are counted as they are, and those of the largest valid offer leave room', async () => {
  const values = (count: number) => `{"rows":[{"a":[${Array.from({ length: count - 2 }, () => '1').join(',')}]}]}`
  // counted: the row, its list and its entries; the first entry of a list is counted with the bracket
  const { bulkRowValuesMax: max } = LIMITS
  await expect(inParts(Buffer.from(values(max - 1)))).resolves.toBeDefined()
  expect(await refusal(values(max + 2))).toEqual({
    message: `row 0 has more than ${max} values`,
    faults: [{ name: 'rows.0', reason: `has more than ${max} values` }],
  })
  const largest =
    13 +
    LIMITS.eansPerProductMax +
    3 * LIMITS.localesPerOfferMax +
    3 * LIMITS.attributesPerProductMax +
    LIMITS.imagesPerProductMax
  expect(largest).toBeLessThan(max / 2)
})
