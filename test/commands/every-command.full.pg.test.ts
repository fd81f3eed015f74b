import type { Command } from 'commander'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { NOTICE_CHANNEL_KINDS } from '../../contract/notice-channel-kinds.ts'
import { buildProgram } from '../../src/commands/program.ts'
import { openCommands } from '../harness/command.ts'
import { directoryOfFile, worldOfFile } from '../harness/world.ts'

// Rules for every command, enumerated from the program, so that new commands are included.

const directory = directoryOfFile('every')
const { database } = worldOfFile()
const commands = openCommands(database, directory)

/** Commands without subcommands, by the words that call them. */
function leaves(command: Command, words: readonly string[] = []): { words: string[]; command: Command }[] {
  if (command.commands.length === 0) return [{ words: [...words], command }]
  return command.commands.flatMap((one) => leaves(one, [...words, one.name()]))
}
const ALL = leaves(buildProgram()).map(({ words, command }) => ({ name: words.join(' '), words, command }))
const has = (command: Command, name: string) => command.options.some(({ long }) => long === name)

/** Values of options and arguments that are validated before the account is looked up; all others get `1`. */
const VALUES: Readonly<Record<string, string>> = { '--access': 'full', budget: 'products' }
/** Options that commands need besides their required ones. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  import: ['file.csv', '--supplier', 'north', '--mapping', 'shopify'],
  'images adopt': ['--all'],
}

function argumentsOf(name: string, { options, registeredArguments }: Command): string[] {
  return [
    ...registeredArguments.filter(({ required }) => required).map((argument) => VALUES[argument.name()] ?? '1'),
    ...options
      .filter(({ mandatory, long, defaultValue }) => mandatory && long !== '--account' && defaultValue === undefined)
      .flatMap(({ long }) => [long ?? '', VALUES[long ?? ''] ?? '1']),
    ...(NEEDED[name] ?? []),
  ]
}

describe('an account that does not exist', () => {
  const ofAccount = ALL.filter(({ command }) => has(command, '--account'))
  it('is looked up by most commands', () => expect(ofAccount.length).toBeGreaterThan(40))

  it.each(ofAccount)('$name reports it, and what to do', async ({ name, words, command }) => {
    const { code, out, err } = await commands.run([
      ...words,
      ...argumentsOf(name, command),
      '--account',
      '999999',
      '--json',
    ])
    expect({ code, error: JSON.parse(out).error }).toMatchObject({
      code: 1,
      error: { code: 'unknown-account', errors: [] },
    })
    expect(err).toBe(
      'shelfwire: there is no account 999999; shelfwire account list shows the accounts, and shelfwire account create makes one\n',
    )
  })
})

describe('an option that is unknown', () => {
  it.each(ALL)('of $name is one JSON object with --json', async ({ name, words, command }) => {
    const account = has(command, '--account') ? ['--account', '1'] : []
    const given = [...words, ...argumentsOf(name, command), ...account]
    const { code, out, err } = await commands.run([...given, '--no-such-option', '--json'])
    expect(out).toMatch(/^\{.*\}\n$/)
    expect({ code, ...JSON.parse(out) }).toEqual({
      code: 1,
      error: {
        code: 'invalid-input',
        detail: expect.stringMatching(/^unknown option '--no-such-option'/),
        errors: [{ name: '--no-such-option', reason: expect.stringMatching(/^unknown option/) }],
      },
    })
    expect(err).toContain("unknown option '--no-such-option'")
  })
})

test.each([
  [['no-such-command'], 'no-such-command', /^unknown command/],
  [['supplier', 'create', '--account', '1'], '--code', /^required option '--code <code>' not specified/],
  [['supplier', 'list', '--account', 'x'], '--account', /--account/],
  [['token', 'revoke'], 'token_id', /^missing required argument/],
  [['import', 'x', '--mapping', 'shopify', '--preview', '0'], '--preview', /must be a whole number from 1/],
  [['import'], 'file', /required argument 'file' not specified/],
])('shelfwire %j is refused with the name of what is wrong', async (args, name, detail) => {
  const { code, out } = await commands.run([...args, '--json'])
  const { error } = JSON.parse(out)
  expect({ code, error }).toMatchObject({ code: 1, error: { code: 'invalid-input', errors: [{ name }] } })
  expect(error.detail).toMatch(detail)
})

test('help and version are no errors', async () => {
  for (const args of [['--help'], ['--version'], ['supplier', '--help']])
    expect(await commands.run(args)).toMatchObject({ code: 0, err: '' })
})

describe('codes, slugs and names in place of ids', () => {
  let account: string[]
  let ids: { store: number; supplier: number; group: number }
  beforeAll(async () => {
    const { json } = commands
    const made = await json(['account', 'create', '--name', 'Named', '--currency', 'EUR', '--locale', 'en'])
    account = ['--account', String(made.account_id)]
    const of = (...args: string[]) => json([...args, ...account])
    const store = await of('store', 'create', '--slug', 'de', '--name', 'D', '--locale', 'de', '--currency', 'EUR')
    const supplier = await of('supplier', 'create', '--code', 'north', '--name', 'North', '--currency', 'EUR')
    const group = await of('group', 'create', '--name', 'Trade')
    await of('rate', 'set', 'PLN=4.25')
    ids = { store: store.store_id, supplier: supplier.supplier_id, group: group.customer_group_id }
  })
  const of = (...args: string[]) => commands.json([...args, ...account])

  it('are listed', async () => {
    expect(await of('store', 'list')).toMatchObject({
      stores: [
        { slug: 'main', is_default: true },
        { store_id: ids.store, slug: 'de', name: 'D', locale: 'de', currency: 'EUR', is_active: true },
      ],
    })
    expect(await of('supplier', 'list')).toMatchObject({
      suppliers: [{ supplier_id: ids.supplier, code: 'north', name: 'North', currency: 'EUR', priority: 100 }],
    })
    expect(await of('group', 'list')).toMatchObject({
      groups: [
        { name: 'Retail', is_default: true },
        { group_id: ids.group, name: 'Trade' },
      ],
    })
    const status = { from: 'hand', day: null, held_rate: null, held_day: null }
    expect(await of('rate', 'list')).toEqual({ rates: [{ currency: 'PLN', rate: '4.25', status }] })
    const { out } = await commands.run(['supplier', 'list', ...account])
    expect(out).toBe(`${ids.supplier}\tnorth\tEUR\t100\tactive\tNorth\n`)
  })

  it('name the same, in every command', async () => {
    const byName = await of(
      'rule',
      'create',
      '--name',
      'a',
      '--markup',
      '5',
      '--store',
      'de',
      '--group',
      'Trade',
      '--supplier',
      'north',
    )
    const named = ['--store', String(ids.store), '--group', String(ids.group), '--supplier', String(ids.supplier)]
    const byId = await of('rule', 'create', '--name', 'b', '--markup', '5', ...named)
    const { rules } = await of('rule', 'list')
    const conditions = { storeIds: [ids.store], groupIds: [ids.group], supplierIds: [ids.supplier] }
    for (const made of [byName, byId])
      expect(rules.find((rule: { rule_id: number }) => rule.rule_id === made.rule_id)).toMatchObject({
        store_ids: conditions.storeIds,
        group_ids: conditions.groupIds,
        supplier_ids: conditions.supplierIds,
      })
    expect(await of('store', 'edit', '--store', 'de', '--name', 'Deutsch')).toEqual({ store_id: ids.store })
    expect(await of('supplier', 'edit', '--supplier', 'north', '--priority', '5')).toEqual({
      supplier_id: ids.supplier,
    })
    await of('supplier', 'order', 'north', '--field', 'title')
    await of('exclusion', 'create', '--name', 'x', '--kind', 'supplier', '--supplier', 'north', '--store', 'de')
    await of('assortment', 'create', '--name', 'x', '--store', 'de', '--supplier', 'north')
    expect(await of('assortment', 'list')).toMatchObject({
      rules: [{ store_id: ids.store, supplier_ids: [ids.supplier] }],
    })
  })

  it('that are unknown are answered with those that exist, the nearest first', async () => {
    const refusal = (...args: string[]) => commands.refusal([...args, ...account])
    expect(await refusal('supplier', 'edit', '--supplier', 'Nort', '--priority', '1')).toBe(
      `shelfwire: the account has no supplier "Nort"; it has "north" (${ids.supplier})`,
    )
    expect(await refusal('store', 'edit', '--store', 'de-AT', '--name', 'x')).toMatch(
      /no store "de-AT"; it has "de" \(\d+\), "main"/,
    )
    expect(await refusal('rule', 'create', '--name', 'x', '--group', 'trade')).toMatch(
      /no customer group "trade"; it has "Trade" \(\d+\), "Retail"/,
    )
  })

  it('are refused if a text is the id of one and the code of another', async () => {
    await of('supplier', 'create', '--code', String(ids.supplier), '--name', 'Odd', '--currency', 'EUR')
    expect(
      await commands.refusal(['supplier', 'edit', '--supplier', String(ids.supplier), '--priority', '1', ...account]),
    ).toMatch(/is the id of the supplier "north" and the name of the supplier with the id \d+: give "north" or \d+$/)
  })
})

describe('resources whose commands are derived from their declarations', () => {
  let account: string[]
  beforeAll(async () => {
    const { json } = commands
    const made = await json(['account', 'create', '--name', 'Derived', '--currency', 'EUR', '--locale', 'en'])
    account = ['--account', String(made.account_id)]
    const supplier = ['supplier', 'create', '--code', 'north', '--name', 'North', '--currency', 'EUR']
    await json([...supplier, ...account])
  })
  const of = (...args: string[]) => commands.json([...args, ...account])

  it.each([
    {
      noun: 'category',
      create: ['--path', 'Tools', '--supplier-paths', 'A', 'B/C', '--external-id', '0017', '--names', 'de=Werkzeug'],
      shown: { path: 'Tools', supplier_paths: ['A', 'B/C'], external_id: '0017', names: { de: 'Werkzeug' } },
      edit: ['--supplier-paths', '', '--external-id', '', '--position', '-2'],
      changed: { path: 'Tools', supplier_paths: [], external_id: null, names: { de: 'Werkzeug' }, position: -2 },
    },
    {
      noun: 'attribute',
      create: [
        '--key',
        'weight',
        '--unit',
        'kg',
        '--labels',
        'en=Weight',
        'de=Gewicht',
        '--options',
        '{"x":{"en":"X"}}',
      ],
      shown: { key: 'weight', unit: 'kg', labels: { en: 'Weight', de: 'Gewicht' }, options: { x: { en: 'X' } } },
      edit: ['--unit', '', '--labels', 'de=', 'pl=Waga', '--position', '3'],
      changed: { unit: null, labels: { en: 'Weight', pl: 'Waga' }, position: 3, options: { x: { en: 'X' } } },
    },
    {
      noun: 'variant-group',
      create: [
        '--title',
        'en=Tee',
        '--options',
        '{"key":"size","labels":{"en":"Size"}}',
        '{"key":"color"}',
        '--products',
        '',
      ],
      shown: {
        title: { en: 'Tee' },
        options: [
          { key: 'size', labels: { en: 'Size' } },
          { key: 'color', labels: {} },
        ],
        products: [],
      },
      edit: ['--title', 'de=Hemd', '--options', '{"key":"size"}'],
      changed: { title: { en: 'Tee', de: 'Hemd' }, options: [{ key: 'size', labels: {} }] },
    },
    {
      noun: 'channel',
      create: ['--name', 'Ads', '--store', 'main', '--format', 'csv', '--group', 'Retail'],
      shown: { name: 'Ads', store: 'main', format: 'csv', group_id: expect.any(Number) },
      edit: ['--group', '', '--link-template', 'https://shop.example/{sku}'],
      changed: { group_id: null, link_template: 'https://shop.example/{sku}' },
    },
    {
      noun: 'exclusion',
      create: ['--name', 'Thin', '--kind', 'margin_below', '--amount', '15'],
      shown: { kind: 'margin_below', amount: '15', is_active: true },
      edit: ['--amount', '10', '--no-active', '--store', 'main'],
      changed: { amount: '10', is_active: false, store_ids: [expect.any(Number)] },
    },
    {
      noun: 'assortment',
      create: ['--store', 'main', '--name', 'No tools', '--unlist', '--category', 'Tools'],
      shown: { is_listed: false, categories: ['Tools'] },
      edit: ['--list', '--supplier', 'north', '--priority', '7'],
      changed: { is_listed: true, priority: 7, categories: ['Tools'], supplier_ids: [expect.any(Number)] },
    },
  ])('$noun is created, shown, changed, listed and deleted', async ({ noun, create, shown, edit, changed }) => {
    const made = await of(noun, 'create', ...create)
    const key = String(made.key ?? Object.values(made)[0])
    if (noun === 'channel') expect(made.url).toMatch(/^http.*\/channels\/.+\.csv$/)
    expect(await of(noun, 'show', key)).toMatchObject(shown)
    await of(noun, 'edit', key, ...edit)
    const after = await of(noun, 'show', key)
    expect(after).toMatchObject(changed)
    expect(Object.values(await of(noun, 'list'))).toEqual([[after]])
    expect(await of(noun, 'delete', key)).toMatchObject({ deleted: true })
    expect(Object.values(await of(noun, 'list'))).toEqual([[]])
    expect(await commands.refusal([noun, 'show', key, ...account])).toMatch(/^shelfwire: the account has no .*\d|"$/)
  })

  it('a secret comes from a file or standard input, and is not shown', async () => {
    const create = ['notice-channel', 'create', '--name', 'Team', '--kind', 'slack', '--url', '-', ...account]
    const url = 'https://hooks.slack.com/services/T0/B0/secret'
    const made = await commands.json(create, { input: `${url}\n` })
    const shown = await of('notice-channel', 'show', String(made.notice_channel_id))
    expect(shown).toMatchObject({ name: 'Team', kind: 'slack', notice_kinds: null, is_paused: false })
    expect(JSON.stringify(shown)).not.toContain('secret')
    const webhook = await commands.json(
      create.map((word) => (word === 'slack' ? 'webhook' : word)),
      {
        input: 'https://example.com/notices',
      },
    )
    expect(webhook.secret).toEqual(expect.any(String))
    expect(await commands.refusal(create.map((word) => (word === 'slack' ? 'pigeon' : word)))).toBe(
      `shelfwire: notice channel: kind must be one of ${Object.keys(NOTICE_CHANNEL_KINDS).join(', ')}`,
    )
  })

  it('a value in JSON must be what the declaration says', async () => {
    const create = ['attribute', 'create', '--key', 'size', ...account, '--options']
    for (const value of ['[1]', '{"x":1}', '7'])
      expect(await commands.refusal([...create, value])).toMatch(/^shelfwire: attribute definition: options/)
    expect(await commands.refusal([...create, '{bad'])).toBe('shelfwire: --options takes JSON, not "{bad"')
  })

  it('stores, suppliers, groups and rates are shown and deleted as well', async () => {
    await of('store', 'create', '--slug', 'de', '--name', 'D', '--locale', 'de', '--currency', 'EUR', '--default')
    expect(await of('store', 'show', '--store', 'de')).toMatchObject({ slug: 'de', is_default: true })
    await of('store', 'delete', '--store', 'main')
    expect((await of('store', 'list')).stores).toHaveLength(1)
    expect(await commands.refusal(['store', 'delete', '--store', 'de', ...account])).toMatch(/default/)
    await of('group', 'create', '--name', 'Trade')
    await of('group', 'edit', '--group', 'Trade', '--name', 'Dealers')
    await of('group', 'delete', '--group', 'Dealers')
    await of('rate', 'set', 'PLN=4')
    expect(await of('rate', 'show', 'pln')).toMatchObject({ currency: 'PLN', rate: '4', status: { from: 'hand' } })
    await of('rate', 'delete', 'PLN')
    await of('supplier', 'delete', '--supplier', 'north')
    for (const [noun, left] of [
      ['group', 1],
      ['rate', 0],
      ['supplier', 0],
    ] as const)
      expect(Object.values(await of(noun, 'list'))).toEqual([expect.objectContaining({ length: left })])
  })
})
