import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { describe, expect, it, test } from 'vitest'
import { EXCLUSION_KINDS, needOf } from '../contract/exclusion-kinds.ts'
import { FILE_FORMATS, READY_MAPPING_NAMES } from '../contract/file-formats.ts'
import { NOTICE_CHANNEL_KINDS } from '../contract/notice-channel-kinds.ts'
import { ProductFields } from '../contract/field-sources.ts'
import {
  descriptionOf,
  forEachField,
  isNameField,
  isByLocale,
  isTextField,
  lengthMaxOf,
  NAME_FIELDS,
  OVERRIDE_FIELDS,
  SOURCE_FIELDS,
  TEXT_FIELDS,
  type NameField,
  type SourceField,
  type TextField,
} from '../contract/product-fields.ts'
import { CONTENT_MEMBERS, LOCALE_MEMBERS, Product } from '../contract/schemas.ts'
import { ADDITIONAL_MEMBER_NAMES } from '../contract/additional-members.ts'
import { EXCLUSION_RULES } from '../contract/account-resources.ts'
import { PRICING_CONDITIONS, RULE_CONDITIONS } from '../contract/rule-conditions.ts'
import { optionOf } from '../src/commands/resources/resource-options.ts'
import { resourceCommands } from '../src/commands/resources/resources.ts'
import { explain } from '../src/resolve/explain/explain.ts'
import {
  anAccount,
  anOffer,
  aProduct,
  compileAccount,
  contentExplained,
  payloadOf,
  withoutAdditional,
} from '../src/resolve/fixtures.ts'
import { encodeContent, withUpdatedAt } from '../src/shelf/encode.ts'

// docs/how-to lists the files to change for a new field, rule kind or setting. These tests keep the lists true, and find
// files that were forgotten.

const root = new URL('..', import.meta.url).pathname
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const pages = readdirSync(join(root, 'docs/how-to')).map((name) => `docs/how-to/${name}`)

/** Texts between backticks. */
const quoted = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? '')
/** The texts in a check constraint of the schema. */
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
  const category = {
    categoryId: 1,
    path: 'Own',
    supplierPaths: ['A category'],
    names: {},
    externalId: null,
    taxClass: null,
  }
  const account = anAccount({ categories: [category], additionalMembers: ADDITIONAL_MEMBER_NAMES })
  // optional members are left out where the product has no value
  const product = aProduct({
    groups: [{ supplierId: 1, key: 'tee', groupId: 1, position: 0 }],
    offers: [
      anOffer(1, {
        ...forEachField(NAME_FIELDS, (field) => (field === 'net_content' ? '750 ml' : `A ${field}`)),
        texts: { en: forEachField(TEXT_FIELDS, (field) => `A ${field}`) },
        group: { key: 'tee', title: {}, options: [], position: null },
      }),
    ],
  })
  const { content } = payloadOf(account, product)!
  const members = Object.keys(CONTENT_MEMBERS)

  it('is a member of the contract, resolved, and encoded in the contract’s order', () => {
    // the time of the last change of content is a column of its own, and comes last
    expect([...Object.keys(content), 'updated_at'].toSorted()).toEqual(members.toSorted())
    const body = withUpdatedAt(encodeContent(content), '2026-11-20T10:00:00+00:00')
    expect(Object.keys(JSON.parse(`{${body}}`) as object)).toEqual(members)
    expect(Object.keys(Product.properties)).toEqual([...members, 'prices', 'stock', 'texts'])
  })

  it('is named in docs/read-api.md, where not every product has it', () => {
    const page = read('docs/read-api.md')
    const required: readonly string[] = Product.required
    expect(members.filter((name) => !required.includes(name)).filter((name) => !page.includes(`\`${name}\``))).toEqual(
      [],
    )
  })

  it('is a member that follows the locale if it is a text per locale', () => {
    expect(LOCALE_MEMBERS).toEqual(expect.arrayContaining([...TEXT_FIELDS]))
  })

  it('is explained, and listed among the product’s fields if it has a source', () => {
    expect(contentExplained(explain(compileAccount(account), product, 1)!)).toEqual(withoutAdditional(content))
    expect(Object.keys(ProductFields.properties).toSorted()).toEqual([...SOURCE_FIELDS, 'store'].toSorted())
  })

  it('is known to the database if it has a source order or an override', () => {
    expect(constraint('source_order_field_check').toSorted()).toEqual(SOURCE_FIELDS.toSorted())
    expect(constraint('product_override_field_check').toSorted()).toEqual(OVERRIDE_FIELDS.toSorted())
    const columns = /\ntable offer_content\n([^]*?)\n\n/.exec(read('migrations/schema.txt'))?.[1] ?? ''
    expect(NAME_FIELDS.filter((field) => !columns.includes(`\n  ${field} text\n`))).toEqual([])
    const ofEveryLocale = OVERRIDE_FIELDS.filter((field) => !isByLocale(field))
    expect(constraint('product_override_locale_check').toSorted()).toEqual(ofEveryLocale.toSorted())
  })

  it('is a row of the table in docs/write-api.md, which `npm run tables` writes', async () => {
    const own = {
      images: 'an override',
      attributes: 'overrides by key and locale',
      ean: 'of the product',
      sku: 'of the product',
    } satisfies Record<Exclude<SourceField, TextField | NameField>, string>
    const cells = (field: SourceField): readonly string[] => {
      const what = descriptionOf(field)
      if (!isTextField(field) && !isNameField(field)) return [what, '', own[field]]
      const longest = lengthMaxOf(field).toLocaleString('en')
      return isTextField(field)
        ? [`${what}; a text per locale`, longest, 'an override per locale']
        : [what, longest, 'an override']
    }
    const rows = SOURCE_FIELDS.map((field) => `| \`${field}\` | ${cells(field).join(' | ')} |\n`.replace('|  |', '| |'))
    const page = read('docs/write-api.md').replace(
      /(\| field \| what it is \|.*\n\|---.*\n)(?:\|.*\n)+/,
      (_, head: string) => head + rows.join(''),
    )
    expect(page).toContain(rows.join(''))
    await expect(page).toMatchFileSnapshot('../docs/write-api.md')
  })
})

describe('a condition of rules', () => {
  const kinds = ['pricing', 'assortment'] as const
  /** The lines of the schema about a table. */
  const table = (name: string) =>
    (read('migrations/schema.txt').split(`\ntable ${name}\n`)[1] ?? '').split('\ntable ')[0]?.split('\n') ?? []

  it('is a column of the table of its rules, and nothing that the default rule may have', () => {
    for (const kind of kinds) {
      const columns = table(`${kind}_rule`).map((line) => /^ {2}(\w+) /.exec(line)?.[1])
      expect(columns).toEqual(expect.arrayContaining(RULE_CONDITIONS[kind].map(({ name }) => name)))
    }
    const checks = table('pricing_rule').filter((line) => line.includes('NOT is_default'))
    const allowed = PRICING_CONDITIONS.filter(({ name }) => !checks.some((line) => line.includes(`(${name} IS NULL)`)))
    expect(allowed.map(({ name }) => name)).toEqual([])
  })

  it('is a row of the table in docs/rules.md, which `npm run tables` writes', async () => {
    const rows = PRICING_CONDITIONS.map(
      (condition) =>
        `| \`${optionOf(condition)}\` | ${[condition.texts.help, condition.texts.note ?? []].flat().join('; ')} |\n`,
    )
    const page = read('docs/rules.md').replace(
      /(\| condition \| matches \|\n\|---\|---\|\n)(?:\|.*\n)+/,
      (_, head: string) => head + rows.join(''),
    )
    expect(page).toContain(rows.join(''))
    await expect(page).toMatchFileSnapshot('../docs/rules.md')
  })
})

describe('a kind of exclusion rule', () => {
  it('is in the rule’s schema, the command’s help and the table of docs/rules.md', () => {
    const { anyOf } = EXCLUSION_RULES.fields['kind'] as unknown as { anyOf: { const: string }[] }
    expect(anyOf.map((option) => option.const)).toEqual(EXCLUSION_KINDS)
    const program = new Command()
    resourceCommands(program)
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
    const cases = read('src/resolve/rules/rules.test.ts')
    expect(EXCLUSION_KINDS.filter((kind) => !cases.includes(`kind: '${kind}'`))).toEqual([])
  })
})

test('every kind of notice channel has a paragraph of docs/notices.md that begins with its name', () => {
  const page = read('docs/notices.md')
  expect(Object.keys(NOTICE_CHANNEL_KINDS).filter((kind) => !page.includes(`\n**${kind}** `))).toEqual([])
})

test('the row of `url` in docs/notices.md names the kinds of notice channel whose URL is a secret, and those whose is not', () => {
  const row = /^\| `url` \|.*$/m.exec(read('docs/notices.md'))?.[0] ?? ''
  const [, secret = '', shown = ''] = /is a secret \((.+?)\), otherwise .+? \((.+?)\)/.exec(row) ?? []
  const kinds = Object.entries(NOTICE_CHANNEL_KINDS)
  const ofUrl = (isSecret: boolean) =>
    kinds.flatMap(([kind, { isUrlSecret }]) => (isUrlSecret === isSecret ? kind : []))
  expect([quoted(secret), quoted(shown)]).toEqual([ofUrl(true), ofUrl(false)])
})

test('every format of supplier files is in the row of docs/mapping.md', () => {
  const row = /^\| `format` \|.*$/m.exec(read('docs/mapping.md'))?.[0] ?? ''
  expect(quoted(row).slice(1).toSorted()).toEqual([...FILE_FORMATS].toSorted())
})

test('every ready mapping has a row in docs/import.md, an example file and a case that finds it by that file', () => {
  const table = /(?<=\| `--mapping` \| reads .*\n)[^]*?\n\n/.exec(read('docs/import.md'))?.[0] ?? ''
  const documented = [...table.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell]) => quoted(cell ?? ''))
  expect(documented.toSorted()).toEqual([...READY_MAPPING_NAMES].toSorted())
  const found = [...read('src/supplier-files/proposal/detect.test.ts').matchAll(/\['([\w.-]+)', '([\w-]+)'\]/g)]
  const examples = readdirSync(join(root, 'src/supplier-files/exports'))
  const has = (name: string) => found.some(([, file = '', preset]) => preset === name && examples.includes(file))
  expect(READY_MAPPING_NAMES.filter((name) => !has(name))).toEqual([])
})

test('every environment variable is in the table of docs/operations.md', () => {
  const names = [
    'src/platform/settings/settings.ts',
    'src/platform/settings/provider-settings.ts',
    'src/platform/settings/tracing-settings.ts',
  ].flatMap((file) => [...read(file).matchAll(/'([A-Z][A-Z_\d]+)'/g)].map(([, name]) => name ?? ''))
  const table = /\| setting \|[^]*?\n\n/.exec(read('docs/operations.md'))?.[0] ?? ''
  const documented = [...table.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell]) => quoted(cell ?? ''))
  expect(documented.toSorted()).toEqual([...new Set(names)].toSorted())
})
