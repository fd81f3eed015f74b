import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { compileConvert } from './conversion/convert.ts'
import { mappingJsonSchema } from './mapping-json-schema.ts'
import { parseMapping } from './mapping/mapping.ts'
import { PRESETS } from './presets/presets.ts'
import { memberLookup, type Row } from './rows.ts'

// Runs docs/mapping.md: each line of its tables, and each JSON block.

const page = readFileSync(new URL('../../docs/mapping.md', import.meta.url), 'utf8')
const schema = mappingJsonSchema()
const isValid = new Ajv({ strict: false }).compile(schema)

interface Example {
  field: string
  settings: object
  source: unknown
  row: Row
  gives: string
}

const HEAD = /^\| `([\w.]+)`(?:, with `(.+)`)? \| row \| gives \|$/
const unquoted = (cell: string) => /^`(.*)`$/s.exec(cell.trim())?.[1]?.replaceAll('\\|', '|') ?? ''

function examples(): Example[] {
  const found: Example[] = []
  let head: RegExpExecArray | null = null
  for (const line of page.split('\n')) {
    if (!line.startsWith('|')) head = null
    else if (HEAD.test(line)) head = HEAD.exec(line)
    else if (head !== null && !line.startsWith('|---')) {
      const [, source = '', row = '', gives = ''] = line.split(/(?<!\\)\|/)
      found.push({
        field: head[1] ?? '',
        settings: head[2] === undefined ? {} : (JSON.parse(`{${head[2]}}`) as object),
        source: JSON.parse(unquoted(source)) as unknown,
        row: JSON.parse(unquoted(row)) as Row,
        gives: gives.trim(),
      })
    }
  }
  return found
}

describe('docs/mapping.md', () => {
  it('has examples of every kind', () => {
    expect(examples().length).toBeGreaterThan(50)
    expect(new Set(examples().map(({ field }) => field))).toEqual(
      new Set([
        'category',
        'cost',
        'cost_tiers',
        'list_price',
        'cost_tax',
        'net_content',
        'sale_begins_on',
        'sale_ends_on',
        'quantity',
        'attributes',
        'images',
      ]),
    )
  })

  it.each(examples())('$field of $source in $row is $gives', ({ field, settings, source, row, gives }) => {
    const mapping = { ...settings, fields: { sku: { constant: 'S' }, [field]: source } }
    expect(isValid(mapping), JSON.stringify(isValid.errors)).toBe(true)
    const converted = compileConvert(parseMapping(mapping), memberLookup).convert(row)
    const refusal = /^refused: (`.*`)$/.exec(gives)?.[1]
    if (refusal === undefined) {
      const member = field === 'cost_tiers' ? 'costTiers' : field
      expect(converted).toMatchObject({ offer: { [member]: JSON.parse(unquoted(gives)) as unknown } })
    } else if ('offer' in converted) expect(converted.dropped?.[0]?.reason).toContain(unquoted(refusal))
    else if ('faults' in converted) expect(converted.faults[0]?.reason).toContain(unquoted(refusal))
    else expect(converted).toBe('refused')
  })

  it('has JSON that is a mapping, and conditions that are', () => {
    const blocks = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map((match) => JSON.parse(match[1] ?? '') as object)
    expect(blocks.length).toBeGreaterThan(1)
    const conditions = [...page.matchAll(/`(\{"column": "A", "(?:in|notIn|empty|matches|above|below)".*?\})`/g)].map(
      (match) => JSON.parse(match[1] ?? '') as object,
    )
    expect(conditions).toHaveLength(6)
    for (const given of [...blocks, { skip: conditions }]) {
      const mapping = { fields: { sku: 'sku' }, ...given }
      expect(isValid(mapping), JSON.stringify(isValid.errors)).toBe(true)
      expect(parseMapping(mapping)).toBeDefined()
    }
  })
})

describe('the JSON schema of mappings', () => {
  it('is the file in docs/ that `npm run tables` writes', async () => {
    await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot('../../docs/mapping.schema.json')
  })

  it.each(Object.entries(PRESETS))('accepts the preset %s', (_, { mapping }) => {
    expect(isValid(mapping), JSON.stringify(isValid.errors)).toBe(true)
    expect(parseMapping(mapping)).toEqual(mapping)
  })

  it.each([
    [{ fields: {} }],
    [{ fields: { sku: 'a' }, decimal: ';' }],
    [{ fields: { sku: 'a', cost: { colum: 'b' } } }],
    [{ fields: { sku: 'a', cost: { when: { column: 'a' }, use: 'b' } } }],
    [{ fields: { sku: 'a', costs: 'b' } }],
    [{ fields: { sku: 'a' }, group: { by: 7 } }],
  ])('refuses what parseMapping refuses: %j', (mapping) => {
    expect(isValid(mapping)).toBe(false)
    expect(() => parseMapping(mapping)).toThrow(/the mapping is invalid/)
  })
})
