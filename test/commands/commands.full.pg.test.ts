import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ADDITIONAL_MEMBER_NAMES } from '../../contract/additional-members.ts'
import { openCommands, type Commands } from '../harness/command.ts'
import { directoryOfFile, worldOfFile } from '../harness/world.ts'

const directory = directoryOfFile('commands')
const { database } = worldOfFile()
const commands = openCommands(database, directory)
const run: Commands['run'] = (...args) => commands.run(...args)
const json: Commands['json'] = (...args) => commands.json(...args)
const refusal: Commands['refusal'] = (...args) => commands.refusal(...args)

let names = 0
async function openAccount(): Promise<string> {
  const made = await json(['account', 'create', '--name', `Account ${names++}`, '--currency', 'EUR', '--locale', 'en'])
  return String(made.account_id)
}
const file = async (name: string, content: string) => {
  await writeFile(join(directory, name), content)
  return join(directory, name)
}
const MAPPING = { locale: 'en', fields: { sku: 'sku', cost: 'cost', quantity: 'qty', title: 'title' } }

describe('setting up an account', { timeout: 120_000 }, () => {
  it('creates account, store, supplier, group, rule and rates, and lists the account', async () => {
    const { account_id: id, store_id: storeId } = await json(
      'account create --name Acme --currency EUR --locale pl-pl --store home --store-currency PLN --markup 12.5 --group Everyone',
    )
    const account = `--account ${id}`
    const { store_id: german } = await json(
      `store create ${account} --slug de --name Deutsch --locale de --currency EUR`,
    )
    const { supplier_id: supplierId } = await json(
      `supplier create ${account} --code north --name North --currency USD --priority -1 --safety-buffer 2`,
    )
    const { customer_group_id: groupId } = await json(`group create ${account} --name Wholesale`)
    const { rule_id: ruleId } = await json(
      `rule create ${account} --name W --markup -5 --priority 3 --store ${german} --group ${groupId}`,
    )
    expect(await json(`rate set ${account} PLN=4.2875 USD=1.0832`)).toEqual({ rates_set: 2 })
    const rows = await database.db<{ text: string }[]>`
      select concat_ws(' ', 'account', name, currency, locale, time_zone) as text from account where account_id = ${id}
      union all select concat_ws(' ', 'store', store_id, slug, name, locale, currency, is_default) from store where account_id = ${id}
      union all select concat_ws(' ', 'supplier', supplier_id, code, currency, priority, safety_buffer) from supplier where account_id = ${id}
      union all select concat_ws(' ', 'group', name, is_default) from customer_group where account_id = ${id}
      union all select concat_ws(' ', 'rule', name, trim_scale(percent), priority, array_to_string(store_ids, '+'), array_to_string(group_ids, '+'), is_default) from pricing_rule where account_id = ${id}
      union all select concat_ws(' ', 'rate', currency, trim_scale(rate)) from exchange_rate where account_id = ${id}
      union all select 'sweep ' || reason from sweep where account_id = ${id}`
    expect(rows.map((row) => row.text)).toHaveLength(10)
    expect(rows.map((row) => row.text)).toEqual(
      expect.arrayContaining([
        'account Acme EUR pl-PL UTC',
        'group Everyone t',
        'group Wholesale f',
        'rate PLN 4.2875',
        'rate USD 1.0832',
        'rule Default 12.5 100 t',
        `rule W -5 3 ${german} ${groupId} f`,
        `store ${german} de Deutsch de EUR f`,
        `store ${storeId} home Acme pl-PL PLN t`,
        `supplier ${supplierId} north USD -1 2`,
      ]),
    )
    expect(ruleId).toBeGreaterThan(0)
    const list = await json('account list')
    expect(list.accounts).toContainEqual({
      account_id: id,
      name: 'Acme',
      currency: 'EUR',
      locale: 'pl-PL',
      time_zone: 'UTC',
      any_locale: false,
      sku_pattern: null,
      price_jump_factor: '3',
      adopt_images: false,
      additional_members: ADDITIONAL_MEMBER_NAMES,
      rates_from: 'hand',
      rates_least_change_percent: '0.5',
      rates_greatest_change_percent: '10',
      suspended_at: null,
      suspension_reason: null,
    })
    expect((await run('account list')).out).toContain(`${id}\tAcme\tEUR\tpl-PL\n`)
  })

  it('creates tokens, shows them once, lists and revokes them', async () => {
    const account = await openAccount()
    const made = await json(
      `token create --account ${account} --access full --name ours --expires 2099-01-01T00:00:00Z`,
    )
    expect(made).toMatchObject({ access: 'full', token: expect.stringMatching(/^sw_f[0-9A-Za-z]{38}$/) })
    const spoken = await run(`token create --account ${account} --access connector`)
    expect(spoken).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^sw_c[0-9A-Za-z]{38}\n$/),
      err: expect.stringContaining('only time'),
    })
    expect(await json('token create --unbound --access connector')).toMatchObject({ access: 'connector' })
    expect(await json(`token revoke ${made.token_id}`)).toEqual({ token_id: made.token_id, revoked: true })
    const listed = await run(`token list --account ${account}`)
    expect(
      listed.out
        .trim()
        .split('\n')
        .map((line) => line.split('\t').slice(1)),
    ).toEqual([
      ['full', 'ours', 'revoked', 'never used'],
      ['connector', 'connector', 'live', 'never used'],
    ])
    expect(listed.out).not.toContain(made.token)
    expect(await refusal(`token revoke ${made.token_id}`)).toBe(`shelfwire: there is no live token ${made.token_id}`)
  })
})

describe('import', { timeout: 120_000 }, () => {
  it('reads a file or standard input, with mappings and presets, dry runs and deltas, and asks for confirmation', async () => {
    const account = await openAccount()
    const to = `--account ${account} --supplier north`
    await json(`supplier create --account ${account} --code north --name North --currency EUR`)
    const mapping = await file('mapping.json', JSON.stringify(MAPPING))
    const offers = await file('offers.csv', 'sku,cost,qty,title\nA,10,5,Spade\nB,ten,5,Hoe\nC,8,1,Rake\n')
    const counts = { rows: 3, created: 2, changed: 0, unchanged: 0, zeroed: 0, stale: 0, stale_skus: [], skipped: 0 }
    // exit code 3: some rows were refused
    const incomplete = { code: 3 }
    const refused = [{ line: 3, sku: 'B', faults: [{ name: 'cost', reason: expect.stringContaining('"ten"') }] }]
    const report = { mode: 'full', ...counts, refused, refused_total: 1, row_groups: [], dropped: [], warnings: [] }
    expect(await json(`import ${offers} ${to} --mapping ${mapping} --dry-run`, incomplete)).toEqual({
      ...report,
      is_dry_run: true,
      products: 0,
      run_id: expect.any(Number),
    })
    expect(await json(`import ${offers} ${to} --mapping ${mapping}`, incomplete)).toEqual({
      ...report,
      is_dry_run: false,
      products: 2,
      run_id: expect.any(Number),
    })
    // imported products can be read as soon as the command has ended
    const [stored] = await database.db<
      { payloads: number }[]
    >`select count(*)::int as payloads from payload_price where account_id = ${account}`
    expect(stored).toEqual({ payloads: 2 })
    const spoken = await run(`import ${offers} ${to} --mapping ${mapping}`)
    expect(spoken).toMatchObject({
      code: 3,
      err: '',
      out: expect.stringMatching(
        /^3 rows: 0 new, 0 changed, 2 unchanged, .*1 refused\n {2}line 3 \(B\): cost must be a decimal such as "12.50", not "ten": take/,
      ),
    })
    expect(
      await json(`import - ${to} --mapping ${mapping} --delta`, {
        input: 'sku,cost,qty,title\nA,10,4,Spade\n',
      }),
    ).toMatchObject({ mode: 'delta', changed: 1, zeroed: 0 })
    const gone = await file('gone.csv', 'sku,cost,qty,title\nNEW,1,1,x\n')
    expect(await refusal(`import ${gone} ${to} --mapping ${mapping}`, {}, 5)).toMatch(
      /^shelfwire: the file would set 2 of 2 offers in stock to 0/,
    )
    const refusedJson = await run(`import ${gone} ${to} --mapping ${mapping} --json`)
    expect(refusedJson.code).toBe(5)
    const text = expect.stringMatching(/^the file would set 2 of 2/)
    const excesses = [{ kind: 'zeroed', count: 2, of: 2, limit: 0.5, text }]
    expect(JSON.parse(refusedJson.out)).toEqual({
      error: { code: 'import-refused', detail: text, errors: [{ name: 'zeroed', reason: text }], excesses },
    })
    const cut = await file('cut.csv', 'sku,cost,qty,title\nNEW,1')
    expect(await refusal(`import ${cut} ${to} --mapping ${mapping}`, {}, 4)).toContain('the file is cut off')
    expect(await json(`import ${gone} ${to} --mapping ${mapping} --confirm`)).toMatchObject({
      created: 1,
      zeroed: 2,
      products: 3,
    })
    const preset =
      'sku,price,qty,name,description,categories,base_image,additional_images,weight,additional_attributes,store_view_code\nM,9,1,Bag,<p>x</p>,,/b.jpg,,,color=Red,\n'
    const magento = `import - ${to} --mapping magento2 --delta`
    expect(await json(`${magento} --image-base-url https://m.example --locale de`, { input: preset })).toMatchObject({
      created: 1,
    })
    const [content] = await database.db<
      { text: string }[]
    >`select texts::text || images::text as text from offer_content where account_id = ${account} and supplier_sku = 'M'`
    expect(content?.text).toBe('{"de": {"title": "Bag", "description": "<p>x</p>"}}["https://m.example/b.jpg"]')
    expect(await refusal(magento)).toContain('imageBaseUrl is required')
  })

  it('proposes a mapping, shows what a mapping makes of a file, and prints the schema, without a database', async () => {
    const offers = await file('seen.csv', 'Artikelnummer;EK-Preis;Bestand\nA;1.234,50;5\nB;12,50;viele\n')
    const env = { DATABASE_URL: 'postgresql://127.0.0.1:1/none' }
    const detected = await run(`import --detect ${offers} --json`, { env })
    expect(detected).toMatchObject({ code: 0, err: '' })
    const { mapping, reasons } = JSON.parse(detected.out)
    expect(mapping).toMatchObject({ decimal: ',', fields: { sku: 'Artikelnummer', cost: 'EK-Preis' } })
    expect(reasons).toContainEqual({ path: 'decimal', reason: 'numbers such as "1.234,50" have "," for decimals' })
    const spoken = await run(`import --detect ${offers}`, { env })
    expect(spoken.out).toMatch(/ {2}fields.cost: "EK-Preis": it is called so, and its values are amounts\n/)
    const proposed = await file(
      'proposed.json',
      JSON.stringify({ ...mapping, fields: { ...mapping.fields, quantity: 'Bestand' } }),
    )
    const shown = await run(`import ${offers} --mapping ${proposed} --preview 5`, { env })
    expect(shown).toMatchObject({ code: 3, err: '' })
    expect(shown.out).toMatch(/line 2\n {2}Artikelnummer: A\n {2}EK-Preis: 1.234,50\n.*-> cost: "1234.5"/s)
    expect(shown.out).toMatch(/line 3\n.* {2}refused: quantity must be a quantity/s)
    const schema = await run('import --schema', { env })
    expect(JSON.parse(schema.out)).toMatchObject({ title: 'Mapping of a supplier’s file for Shelfwire' })
    for (const [args, missing] of [
      [['import'], /required argument 'file' not specified/],
      [
        ['import', offers],
        /required option '--mapping <file>' not specified; shelfwire import --detect \S+ proposes one/,
      ],
      [['import', offers, '--mapping', proposed], /required option '--account <id>' not specified/],
      [['import', offers, '--mapping', proposed, '--preview', '0'], /must be a whole number from 1 to 1000/],
    ] as const)
      expect(await refusal(args, env)).toMatch(missing)
  })
})

describe('operations', { timeout: 120_000 }, () => {
  it('audit reports no differences, and names a payload that was altered', async () => {
    const account = await openAccount()
    await json(`supplier create --account ${account} --code north --name North --currency EUR`)
    const mapping = await file('audit.json', JSON.stringify({ ...MAPPING, format: 'csv' }))
    await json(`import - --account ${account} --supplier north --mapping ${mapping}`, {
      input: 'sku,cost,qty,title\nA,10,5,Spade\nB,9,5,Hoe\n',
    })
    expect(await json(`audit --account ${account}`)).toMatchObject({
      differences: 0,
      accounts: [{ products: 2, payloads: 2, is_stale: false }],
    })
    const [row] = await database.db<{ productId: number; storeId: number }[]>`
      update payload_price set body = replace(body, '"stock":5', '"stock":6')
      where account_id = ${account} and ctid = (select ctid from payload_price where account_id = ${account} limit 1) returning product_id as "productId", store_id as "storeId"`
    const audit = await json(`audit --account ${account}`, { code: 1 })
    expect(audit).toMatchObject({
      differences: 1,
      accounts: [{ differences: [{ product_id: row!.productId, store_id: row!.storeId }] }],
    })
    const spoken = await run('audit')
    expect(spoken.code).toBe(1)
    expect(spoken.out).toContain(`store ${row!.storeId} product ${row!.productId}: `)
    await database.db`update payload_price set body = replace(body, '"stock":6', '"stock":5') where account_id = ${account}`
    expect(await json('audit')).toMatchObject({ differences: 0 })
  })

  it('fence-restore advances the counter of every account and records the gap; migrate has nothing to do', async () => {
    const account = await openAccount()
    const counter = async () =>
      (await database.db<{ id: number }[]>`select last_id as id from change_counter where account_id = ${account}`)[0]!
        .id
    const before = await counter()
    const [all] = await database.db<{ accounts: number }[]>`select count(*)::int as accounts from account`
    expect(await json('fence-restore')).toMatchObject(all!)
    expect((await counter()) - before).toBe(1_000_000_000)
    expect(await database.db`select after_id, before_id from change_fence where account_id = ${account}`).toEqual([
      { after_id: before, before_id: before + 1_000_000_000 },
    ])
    expect(await json('migrate')).toEqual({ applied: [] })
  })
})

describe('errors are explained, with exit code 1', { timeout: 180_000 }, () => {
  it.concurrent.each<[string, string[], RegExp, Record<string, string>?]>([
    ['an unknown command', ['acount', 'list'], /unknown command 'acount'[^]*Did you mean account/],
    ['an unknown option', ['account', 'list', '--jsn'], /unknown option '--jsn'/],
    [
      'a missing option',
      ['account', 'create', '--name', 'x', '--currency', 'EUR'],
      /required option '--locale <tag>' not specified/,
    ],
    [
      'a currency',
      ['account', 'create', '--name', 'x', '--currency', 'euro', '--locale', 'en'],
      /^shelfwire: account: currency must be an ISO 4217 currency code such as EUR, not "euro"/,
    ],
    [
      'a locale',
      ['account', 'create', '--name', 'x', '--currency', 'EUR', '--locale', 'en_GB!'],
      /locale must be a BCP 47 language tag such as en or pl-PL, not "en_GB!"/,
    ],
    [
      'a time zone',
      ['account', 'create', '--name', 'x', '--currency', 'EUR', '--locale', 'en', '--time-zone', 'Mars'],
      /"Mars" is not an IANA time zone/,
    ],
    [
      'a markup',
      ['account', 'create', '--name', 'x', '--currency', 'EUR', '--locale', 'en', '--markup', '-101'],
      /percent must be at least -100, not "-101"/,
    ],
    [
      'an account that is not a number',
      ['token', 'list', '--account', 'acme'],
      /--account must be an ID: a whole number above 0, not "acme"/,
    ],
    ['an unknown account', ['token', 'list', '--account', '999999'], /there is no account 999999/],
    [
      'a store of an unknown account',
      ['store', 'create', '--account', '999999', '--slug', 'x', '--name', 'x', '--locale', 'en', '--currency', 'EUR'],
      /there is no account 999999/,
    ],
    ['a token without an account', ['token', 'create', '--access', 'full'], /give either --account ID or --unbound/],
    ['an access', ['token', 'create', '--unbound', '--access', 'admin'], /--access is connector or full, not "admin"/],
    [
      'an expiry without offset',
      ['token', 'create', '--unbound', '--access', 'full', '--expires', '2027-01-31'],
      /--expires takes a timestamp/,
    ],
    ['a token id that is not a number', ['token', 'revoke', 'abc'], /there is no live token abc/],
    ['a token id that is too large', ['token', 'revoke', '99999999999999999999'], /there is no live token 9+/],
    ['a role', ['serve', '--roles', 'api,cook'], /"cook" is not a role; the roles are api, work/],
    [
      'a setting',
      ['account', 'list'],
      /^shelfwire: LOG_LEVEL must be one of .*; PORT must be a whole number/,
      { PORT: '70000', LOG_LEVEL: 'loud' },
    ],
    [
      'an unreachable database',
      ['account', 'list'],
      /^shelfwire: the database that DATABASE_URL names cannot be reached: .*ECONNREFUSED/,
      { DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/x' },
    ],
  ])('%s', async (_name, args, message, env) => {
    expect(await refusal(args, env)).toMatch(message)
  })

  it('for the resources of an account', async () => {
    const account = `--account ${await openAccount()}`
    await json(`supplier create ${account} --code north --name North --currency EUR`)
    const broken = await file('broken.json', '{"fields":')
    const none = `import ${join(directory, 'none.csv')}`
    const cases: [string, RegExp, number?][] = [
      ['supplier create --code north --name x --currency EUR', /a supplier "north" exists already/],
      ['store create --slug Main_Store --name x --locale en --currency EUR', /slug must be 1 to 63 of/],
      ['rule create --name x --markup 5 --store 999999', /has no store "999999"/],
      ['rule create --name x --markup 5 --priority 1.5', /--priority must be a whole number, not "1.5"/],
      ['rate set PLN=4=5', /rate must be a decimal/],
      ['rate set PLN=0', /rate must be above 0/],
      [`${none} --supplier south --mapping magento2`, /has no supplier "south"/],
      [`${none} --supplier north --mapping ${join(directory, 'none.json')}`, /none.json cannot be read/],
      [`${none} --supplier north --mapping ${broken}`, /broken.json is not JSON/],
      [`${none} --supplier north --mapping magento2 --image-base-url https://m.example`, /none.csv cannot be read/, 4],
    ]
    await Promise.all(
      cases.map(async ([args, message, code]) =>
        expect(await refusal(`${args} ${account}`, {}, code)).toMatch(message),
      ),
    )
  })
})
