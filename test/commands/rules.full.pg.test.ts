import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { openCommands } from '../harness/command.ts'
import { directoryOfFile, worldOfFile } from '../harness/world.ts'

// Commands for rules, settings and single products.

const directory = directoryOfFile('rules')
const { database } = worldOfFile()
const commands = openCommands(database, directory)
let account: string[]
let ids: number[]
beforeAll(async () => {
  const made = await commands.json(['account', 'create', '--name', 'Acme', '--currency', 'EUR', '--locale', 'en'])
  account = ['--account', String(made.account_id)]
  await commands.json(['supplier', 'create', ...account, '--code', 'north', '--name', 'North', '--currency', 'EUR'])
  const mapping = join(directory, 'mapping.json')
  await writeFile(
    mapping,
    JSON.stringify({
      locale: 'en',
      format: 'csv',
      fields: { sku: 'sku', cost: 'cost', quantity: 'qty', title: 'title', ean: 'ean', category: 'category' },
    }),
  )
  const input =
    'sku,cost,qty,title,ean,category\nA,10,5,Spade,4006381333931,Garden\nB,20,0,Hoe,4006381333931,Garden/Soil\nC,8,1,Rake,123,Other\n'
  await commands.json(['import', '-', ...account, '--supplier', 'north', '--mapping', mapping], { input })
  ids = (await database.db<{ id: number }[]>`select product_id as id from product order by sku`).map((row) => row.id)
}, 60_000)
const json = (line: string, ...more: string[]) => commands.json([...line.split(' '), ...more, ...account])
const explained = (i: number) => json(`explain --store main --product ${ids[i]}`)

describe('rules and products', { timeout: 180_000 }, () => {
  it('a pricing rule with all parts is created, explained, edited, listed and deleted', async () => {
    const { rule_id: ruleId } = await json(
      'rule create --name Garden --margin 30 --category garden --cost-min 5 --cost-below 20 --add 0.5 --floor-profit 1 --ceiling-price 99 --round EUR=1+0.99:up JPY=100 --valid-from 2020-01-01 --valid-to 2999-12-31 --priority 5',
    )
    // 10 / 0.7 = 14.2857…, + 0.5 = 14.7857…, up to the next .99
    const spade = await explained(0)
    expect(spade.prices[0]).toMatchObject({ price: '14.99', applied_rule_id: ruleId })
    expect(spade.prices[0].steps.map((step: { step: string }) => step.step)).toEqual([
      'cost',
      'margin',
      'addition',
      'ceiling',
      'floor_profit',
      'settle',
      'rounding',
    ])
    // cost_below is exclusive
    expect((await explained(1)).prices[0].rules[0]).toMatchObject({
      rule_id: ruleId,
      is_applied: false,
      unmet: ['cost_below'],
    })
    await json(`rule edit ${ruleId} --markup 10 --no-active`)
    expect((await explained(0)).prices[0]).toMatchObject({ price: '12.5' })
    await json(`rule edit ${ruleId} --active`)
    expect((await explained(0)).prices[0]).toMatchObject({ price: '11.99' })
    const listed = await json('rule list')
    expect(listed.rules).toContainEqual(
      expect.objectContaining({
        rule_id: ruleId,
        action: 'markup',
        percent: '10',
        rounding: {
          EUR: { step: '1', ending: '0.99', direction: 'up' },
          JPY: { step: '100', ending: '0', direction: 'nearest' },
        },
      }),
    )
    await json(`rule delete ${ruleId}`)
    expect((await explained(0)).prices[0]).toMatchObject({ price: '12.5' })
  })

  it('products are excluded by rule and manually; the first reason is shown and all are explained', async () => {
    const { exclusion_rule_id: ruleId } = await json(
      'exclusion',
      'create',
      '--name',
      'Sold out',
      '--kind',
      'no_stock',
      '--reason',
      'sold out',
    )
    expect((await explained(1)).exclusion).toMatchObject({ excluded: true, reason: 'sold out' })
    expect(await json(`product exclude --product ${ids[1]} --reason recalled`)).toEqual({
      products: 1,
    })
    expect((await explained(1)).exclusion).toMatchObject({
      reason: 'recalled',
      found: [{ by: 'hand' }, { by: 'rule', rule_id: ruleId }],
    })
    const spoken = await commands.run(['explain', ...account, '--store', 'main', '--product', String(ids[1])])
    expect(spoken.out).toContain('excluded: yes, recalled\n  also: sold out\n')
    await json(`product include --product ${ids[1]}`)
    expect((await json('exclusion list')).rules).toHaveLength(1)
    await json(`exclusion delete ${ruleId}`)
    expect((await explained(1)).exclusion).toMatchObject({ excluded: false, reason: null })
  })

  it('a store that lists nothing by default lists what its assortment rules list', async () => {
    const { store_id: storeId } = await json(
      'store create --slug garden --name Garden --locale en --currency EUR --lists-nothing',
    )
    const { assortment_rule_id: ruleId } = await json(
      `assortment create --store ${storeId} --name Garden --category Garden`,
    )
    const listed = () =>
      database.db<{ id: number }[]>`select product_id as id from payload_price where store_id = ${storeId} order by 1`
    expect(await listed()).toEqual([{ id: ids[0] }, { id: ids[1] }])
    expect((await json('assortment list')).rules).toMatchObject([{ rule_id: ruleId, is_listed: true }])
    await json(`assortment delete ${ruleId}`)
    expect(await listed()).toEqual([])
  })

  it('the SKU pattern and the price jump factor are settings of the account', async () => {
    await json('account edit --sku-pattern {supplier_code|upper}-{category_path|first:1} --price-jump-factor 1.5')
    expect((await explained(0)).sku).toMatchObject({ value: 'NORTH-G', missing: null })
    const rules = await json('rule list')
    const standard = rules.rules.find((rule: { is_default: boolean }) => rule.is_default)
    await json(`rule edit ${standard.rule_id} --markup 200`)
    expect((await explained(0)).prices[0]).toMatchObject({ price: '12.5', held: { wanted_price: '30' } })
    const findings = await json('findings')
    expect(findings).toMatchObject({
      ean_collisions: [{ gtin: '04006381333931', product_ids: [ids[0], ids[1]] }],
      eans_invalid: [{ ean: '123', product_id: ids[2] }],
      sku_collisions: [{ sku: 'NORTH-G', product_ids: [ids[0], ids[1]] }],
      offers_without_rate: [],
    })
    expect(findings.prices_held).toHaveLength(3)
    expect((await commands.run(['findings', ...account])).out).toContain(
      `04006381333931: products ${ids[0]}, ${ids[1]}\n`,
    )
    expect(await json('prices confirm --all')).toEqual({ prices: 3 })
    expect((await explained(0)).prices[0]).toMatchObject({ price: '30', held: null })
    await json('account', 'edit', '--sku-pattern', '', '--price-jump-factor', '')
    expect((await explained(0)).sku).toMatchObject({ value: 'A', pattern: null })
  })

  it('any locale is a setting of the account, and findings list what it shows', async () => {
    const settings = async () =>
      (await commands.json(['account', 'list'])).accounts.find(
        (row: { account_id: number }) => String(row.account_id) === account[1],
      )
    expect(await settings()).toMatchObject({ any_locale: false })
    await json('account edit --any-locale')
    expect(await settings()).toMatchObject({ any_locale: true })
    expect(await json('findings')).toMatchObject({ texts_from_any_locale: [] })
    expect((await commands.run(['findings', ...account])).out).toContain('Texts from any other locale: none\n')
    await json('account edit --name Other')
    expect(await settings()).toMatchObject({ any_locale: true })
    await json('account edit --no-any-locale')
    expect(await settings()).toMatchObject({ any_locale: false })
  })

  it('suppliers and stores are edited, and a field gets its own source order', async () => {
    const [supplier] = await database.db<{ id: number }[]>`select supplier_id as id from supplier`
    expect(await json(`supplier edit --supplier ${supplier!.id} --safety-buffer 2 --priority 7`)).toEqual({
      supplier_id: supplier!.id,
    })
    expect((await explained(0)).offers[0]).toMatchObject({ reported_quantity: 5, safety_buffer: 2, quantity: 3 })
    await json(`supplier edit --supplier ${supplier!.id} --no-active`)
    expect((await explained(0)).offers[0]).toMatchObject({ ineligible: 'inactive_supplier', rank: null })
    await json(`supplier edit --supplier ${supplier!.id} --active --safety-buffer 0`)
    const limits = async () =>
      (
        await database.db<{ text: string }[]>`
          select concat_ws(' ', zeroed_share_max, refused_share_max, prices_lost_share_max, prices_zero_share_max,
            prices_jump_share_max, prices_jump_factor, emptied_share_max, swapped_share_max, coalesce(silent_days_max::text, 'never')) as text from supplier where supplier_id = ${supplier!.id}`
      )[0]?.text
    const edit = (...options: string[]) => json('supplier', 'edit', '--supplier', String(supplier!.id), ...options)
    expect(await limits()).toBe('0.5000 0.2500 0.5000 0.0500 0.2000 3.0000 0.5000 0.2000 never')
    await edit('--zeroed-share-max', '0.75', '--refused-share-max', '1', '--silent-days-max', '4')
    await edit('--prices-lost-share-max', '0', '--prices-zero-share-max', '0.1')
    await edit(
      '--prices-jump-share-max',
      '0.3',
      '--prices-jump-factor',
      '2',
      '--emptied-share-max',
      '1',
      '--swapped-share-max',
      '0',
    )
    expect(await limits()).toBe('0.7500 1.0000 0.0000 0.1000 0.3000 2.0000 1.0000 0.0000 4')
    await edit('--silent-days-max', '')
    expect(await limits()).toBe('0.7500 1.0000 0.0000 0.1000 0.3000 2.0000 1.0000 0.0000 never')
    const refused = (...options: string[]) =>
      commands.refusal(['supplier', 'edit', '--supplier', String(supplier!.id), ...options, ...account])
    expect(await refused('--zeroed-share-max', '1.1')).toMatch('zeroed_share_max must be from 0 to 1')
    expect(await refused('--silent-days-max', '0')).toMatch('silent_days_max must be')
    expect(await json('supplier order north --field title')).toEqual({
      field: 'title',
      suppliers: ['north'],
    })
    expect(await commands.refusal(['supplier', 'order', 'nobody', '--field', 'title', ...account])).toMatch(
      /no supplier "nobody"/,
    )
    expect(await commands.refusal(['supplier', 'order', 'north', '--field', 'colour', ...account])).toMatch(
      /field must be one of title/,
    )
    const [store] = await database.db<{ id: number }[]>`select store_id as id from store where slug = 'garden'`
    await json(`store edit --store ${store!.id} --lists-everything --currency USD`)
    expect(await database.db`select from payload_price where store_id = ${store!.id}`).toHaveLength(3)
    await json(`store edit --store ${store!.id} --lists-nothing`)
    expect(await database.db`select from payload_price where store_id = ${store!.id}`).toHaveLength(0)
  })

  it('products are merged and split', async () => {
    expect(await json(`product merge --into ${ids[0]} --product ${ids[1]}`)).toEqual({
      product_id: ids[0],
      merged: 1,
    })
    expect((await explained(0)).offers).toHaveLength(2)
    expect((await explained(1)).listing).toMatchObject({ is_listed: false, by: 'deleted' })
    const { product_id: made } = await json(`product split --product ${ids[0]} --offer north:B`)
    expect(made).not.toBe(ids[1])
    expect((await explained(0)).offers).toHaveLength(1)
    expect(await json('audit')).toMatchObject({ differences: 0 })
  })

  it('invalid input is refused with a message, and nothing is written', async () => {
    const cases: [string, RegExp][] = [
      ['rule create --name x', /percent is required with the action markup/],
      ['rule create --name x --markup 5 --margin 5', /give one of --markup, --margin and --fixed-price/],
      ['rule create --name x --margin 100', /a margin is below 100/],
      [
        'rule create --name x --markup 5 --round JPY=0.5',
        /rounding.JPY.step must have at most 12 digits before the decimal point and none after it, not "0.5"/,
      ],
      ['rule create --name x --markup 5 --round EUR=1+1', /rounding.EUR.ending must be below the step/],
      ['rule create --name x --markup 5 --round EUR', /--round takes a currency and a step/],
      [
        'rule create --name x --markup 5 --valid-from 2026-02-30',
        /valid_from must be a day such as 2026-11-30, not "2026-02-30"/,
      ],
      ['rule create --name x --markup 5 --cost-min 9 --cost-below 9', /cost_below must be above cost_min/],
      ['rule create --name x --markup 5 --product 999999', /has no product 999999/],
      ['exclusion create --name x --kind ugly', /kind must be one of manufacturer, category/],
      ['exclusion create --name x --kind price_below', /amount is required with the kind price_below/],
      ['exclusion create --name x --kind no_ean --amount 5', /amount has no meaning with the kind no_ean/],
      ['assortment create --store 999999 --name x', /has no store "999999"/],
      ['account edit --sku-pattern {colour}', /sku_pattern at character 2: "colour" is not a placeholder/],
      ['account edit --price-jump-factor 1', /price_jump_factor must be above 1/],
      ['account edit --time-zone +02:00', /"\+02:00" is not an IANA time zone/],
      [
        `product split --product ${ids[0]} --offer A`,
        /--offer takes a supplier's code and its key, such as north:A-1, not "A"/,
      ],
      [`explain --store nowhere --product ${ids[0]}`, /no store "nowhere"/],
      ['explain --store main --product 999999', /has no product 999999/],
      ['prices confirm', /give either --product ID or --all/],
    ]
    const rules = () =>
      database.db`select (select count(*) from pricing_rule) + (select count(*) from exclusion_rule) + (select count(*) from assortment_rule) as rules`
    const before = await rules()
    for (let i = 0; i < cases.length; i += 4) {
      await Promise.all(
        cases
          .slice(i, i + 4)
          .map(async ([args, message]) =>
            expect(await commands.refusal([...args.split(' '), ...account])).toMatch(message),
          ),
      )
    }
    expect(await rules()).toEqual(before)
  })
})
