import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { describe, expect, it, test } from 'vitest'
import { EXCLUSION_KINDS, needOf } from '../contract/exclusion-kinds.ts'
import { ProductFields } from '../contract/explanation.ts'
import { OVERRIDE_FIELDS, SOURCE_FIELDS } from '../contract/product-fields.ts'
import { CONTENT_MEMBERS, Product } from '../contract/schemas.ts'
import { EXCLUSION_RULES } from '../contract/account-resources.ts'
import { ruleCommands } from '../src/commands/rules.ts'
import { compileAccount } from '../src/resolve/compile.ts'
import { explain } from '../src/resolve/explain.ts'
import { contentExplained } from '../src/resolve/arbitrary-inputs.ts'
import { anAccount, anOffer, aProduct, payloadOf } from '../src/resolve/fixtures.ts'
import { encodeContent } from '../src/shelf/encode.ts'

// docs/how-to lists the files to touch for a new field, rule kind or setting. These tests keep the lists true, and find
// what was forgotten on the way.

const root = new URL('..', import.meta.url).pathname
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const pages = readdirSync(join(root, 'docs/how-to')).map((name) => `docs/how-to/${name}`)

/** Texts between backticks. */
const quoted = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? '')
/** Texts that a check constraint of the schema compares with. */
const constraint = (name: string) => {
  const line = read('migrations/schema.txt')
    .split('\n')
    .find((entry) => entry.includes(` ${name} CHECK`))
  return [...(line ?? '').matchAll(/'(\w+)'::text/g)].map(([, value]) => value ?? '')
}

test.each(pages)('every file that %s names exists', (page) => {
  const files = quoted(read(page)).filter((name) => /^[\w.-]+\/[\w./-]+\.\w+$/.test(name) && !name.includes('NNN'))
  expect(files.length).toBeGreaterThan(4)
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
})

describe('a field of the payload', () => {
  const account = anAccount()
  const product = aProduct({ offers: [anOffer(1, { texts: { en: { title: 'Spade' } } })] })
  const { content } = payloadOf(account, product)!
  const members = Object.keys(CONTENT_MEMBERS)

  it('is a member of the contract, resolved, and encoded in the contract’s order', () => {
    expect(Object.keys(content).toSorted()).toEqual(members.toSorted())
    expect(Object.keys(JSON.parse(`{${encodeContent(content)}}`) as object)).toEqual(members)
    expect(Object.keys(Product.properties)).toEqual([...members, 'prices', 'stock'])
  })

  it('is explained, and listed among the product’s fields if it has a source', () => {
    expect(contentExplained(explain(compileAccount(account), product, 1)!)).toEqual(content)
    expect(Object.keys(ProductFields.properties).toSorted()).toEqual([...SOURCE_FIELDS, 'store'].toSorted())
  })

  it('is known to the database and to the docs if it has a source order or an override', () => {
    expect(constraint('source_order_field_check').toSorted()).toEqual(SOURCE_FIELDS.toSorted())
    expect(constraint('product_override_field_check').toSorted()).toEqual(OVERRIDE_FIELDS.toSorted())
    const orders =
      /A source order asks some suppliers before the others for one field \(([^)]*)\)/.exec(
        read('docs/rules.md'),
      )?.[1] ?? ''
    expect(quoted(orders)).toEqual(SOURCE_FIELDS)
    const bulk = /^\| `overrides` \|.*`field` \(([^)]*)\)/m.exec(read('docs/write-api.md'))?.[1] ?? ''
    expect(quoted(bulk)).toEqual([...OVERRIDE_FIELDS, 'attribute', 'key'])
  })
})

describe('a kind of exclusion rule', () => {
  it('is in the rule’s schema, the command’s help and the table of docs/rules.md', () => {
    const { anyOf } = EXCLUSION_RULES.fields['kind'] as unknown as { anyOf: { const: string }[] }
    expect(anyOf.map((option) => option.const)).toEqual(EXCLUSION_KINDS)
    const program = new Command()
    ruleCommands(program)
    const create = program.commands
      .find((command) => command.name() === 'exclusion')
      ?.commands.find((command) => command.name() === 'create')
    expect(create?.options.find((option) => option.long === '--kind')?.description).toBe(EXCLUSION_KINDS.join(', '))
    const rows = /\| kind \| needs \|.*\n\|---.*\n((?:\|.*\n)+)/.exec(read('docs/rules.md'))?.[1] ?? ''
    const cells = rows
      .trimEnd()
      .split('\n')
      .map((row) => row.split('|').map(quoted))
    expect(cells.flatMap(([, kinds = []]) => kinds)).toEqual(EXCLUSION_KINDS)
    for (const [, kinds = [], needs = []] of cells)
      for (const kind of kinds) expect(needs[0] ?? null, kind).toBe(needOf(kind).member)
  })

  it('is known to the database with what it needs', () => {
    const withNeed = (member: string) => EXCLUSION_KINDS.filter((kind) => needOf(kind).member === member)
    expect(constraint('exclusion_rule_kind_check')).toEqual(EXCLUSION_KINDS)
    expect(constraint('exclusion_rule_check')).toEqual(withNeed('names'))
    expect(constraint('exclusion_rule_check1')).toEqual(withNeed('supplier_ids'))
    expect(constraint('exclusion_rule_check2')).toEqual(withNeed('amount'))
    expect(constraint('exclusion_rule_check3')).toEqual(
      EXCLUSION_KINDS.filter((kind) => needOf(kind).amount?.hasCurrency === true),
    )
  })

  it('has a case in the tests of rules', () => {
    const cases = read('src/resolve/rules.test.ts')
    expect(EXCLUSION_KINDS.filter((kind) => !cases.includes(`kind: '${kind}'`))).toEqual([])
  })
})

test('every environment variable is in the table of docs/operations.md', () => {
  const names = [...read('src/platform/settings.ts').matchAll(/'([A-Z][A-Z_\d]+)'/g)].map(([, name]) => name ?? '')
  const table = /\| setting \|[^]*?\n\n/.exec(read('docs/operations.md'))?.[0] ?? ''
  const documented = [...table.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell]) => quoted(cell ?? ''))
  expect(documented.toSorted()).toEqual([...new Set(names)].toSorted())
})
