import { expect, test } from 'vitest'
import type { Kind } from './account-writer.ts'
import { everywhere, open, PEN, setUp } from './deletions-account.ts'

setUp()

// The table "What deleting does" of docs/write-api.md, row by row, on a whole service:
// groups, rules, categories, attributes, rates, products and offers. Stores and suppliers have files of their own.

test('a customer group deleted: its price leaves every payload; the default group can not go', async () => {
  const { writer, row, product, pen, ink, cap, sheet } = await open()
  const { groupId } = writer.account
  const first = ((await writer.send('GET', '/groups')).body.data as { id: number; is_default: boolean }[]).find(
    (group) => group.is_default,
  )!.id
  const made: Record<string, { id: number }> = {}
  await row(async () => {
    made['alone'] = await writer.say('POST', '/pricing-rules', {
      name: 'trade',
      action: 'markup',
      percent: '5',
      group_ids: [groupId],
      priority: 1,
    })
    made['both'] = await writer.say('POST', '/pricing-rules', {
      name: 'both',
      action: 'markup',
      percent: '6',
      group_ids: [groupId, first],
      priority: 2,
    })
  })
  await writer.refused('DELETE', `/groups/${first}`, undefined, 409)
  expect(await row(() => writer.say('DELETE', `/groups/${groupId}`))).toEqual(
    everywhere([pen, 'price'], [ink, 'price'], [cap, 'price'], [sheet, 'price']),
  )
  expect((await product('pl', pen))!['prices']).toMatchObject([{ customer_group_id: first }])
  await writer.refused('GET', `/pricing-rules/${made['alone']!.id}`, undefined, 404)
  expect((await writer.send('GET', `/pricing-rules/${made['both']!.id}`)).body.data.group_ids).toEqual([first])
  await writer.refused(
    'POST',
    '/pricing-rules',
    { name: 'x', action: 'markup', percent: '1', group_ids: [groupId] },
    422,
  )
  // a channel file of a deleted group shows the default group's prices, unless the deletion is refused
  const anew = (await writer.say('POST', '/groups', { name: 'Anew' })).id as number
  const channel = await writer.say('POST', '/channels', { name: 'C', store: 'main', format: 'csv', group_id: anew })
  const answer = await writer.send('DELETE', `/groups/${anew}`)
  expect(answer.status).toBeOneOf([204, 409])
  if (answer.status === 204) expect((await writer.send('GET', `/channels/${channel.id}`)).body.data.group_id).toBeNull()
})

test('pricing rules deleted or inactive: the next rule decides; the default rule stays', async () => {
  const { writer, row, product, pen, ink, cap, sheet } = await open()
  const rules = (await writer.send('GET', '/pricing-rules')).body.data as { id: number; is_default: boolean }[]
  const last = rules.find((rule) => rule.is_default)!.id
  await writer.refused('DELETE', `/pricing-rules/${last}`, undefined, 409)
  const made: Record<string, { id: number }> = {}
  expect(
    await row(async () => {
      made['first'] = await writer.say('POST', '/pricing-rules', {
        name: 'first',
        action: 'markup',
        percent: '100',
        priority: 1,
        manufacturers: ['STABILO'],
      })
      made['second'] = await writer.say('POST', '/pricing-rules', {
        name: 'second',
        action: 'markup',
        percent: '50',
        priority: 2,
        product_ids: [pen, ink],
      })
    }),
  ).toEqual(everywhere([pen, 'price'], [ink, 'price']))
  const price = async (id: number) =>
    (await product('main', id))!['prices'][0] as { computed_price: number; applied_rule_id: number }
  expect(await price(pen)).toMatchObject({ computed_price: 18, applied_rule_id: made['first']!.id })
  expect(await row(() => writer.say('PATCH', `/pricing-rules/${made['first']!.id}`, { is_active: false }))).toEqual(
    everywhere([pen, 'price']),
  )
  expect(await price(pen)).toMatchObject({ computed_price: 13.5, applied_rule_id: made['second']!.id })
  expect(await row(() => writer.say('DELETE', `/pricing-rules/${made['first']!.id}`))).toEqual(everywhere())
  expect(await row(() => writer.say('DELETE', `/pricing-rules/${made['second']!.id}`))).toEqual(
    everywhere([pen, 'price'], [ink, 'price']),
  )
  expect(await price(pen)).toMatchObject({ computed_price: 11.25, applied_rule_id: last })
  expect(await price(cap)).toMatchObject({ computed_price: 1.25 })
  expect(await price(sheet)).toMatchObject({ computed_price: 2.5 })
  for (const body of [{ is_active: false }, { store_ids: [writer.account.storeIds[0]] }, { valid_to: '2020-01-01' }]) {
    const answer = await writer.send('PATCH', `/pricing-rules/${last}`, body)
    expect([body, answer.status, await price(cap)]).toEqual([
      body,
      expect.toBeOneOf([409, 422]),
      expect.objectContaining({ applied_rule_id: last }),
    ])
  }
})

test('exclusion rules deleted or inactive: exported again, unless something else excludes it', async () => {
  const { writer, row, product, ink, cap } = await open()
  const made: Record<string, { id: number }> = {}
  await row(async () => {
    made['pelikan'] = await writer.say('POST', '/exclusion-rules', {
      name: 'Pelikan',
      kind: 'manufacturer',
      names: ['pelikan'],
      reason: 'no pelikan',
      priority: 1,
    })
    made['category'] = await writer.say('POST', '/exclusion-rules', {
      name: 'Ink',
      kind: 'category',
      names: ['Ink'],
      priority: 2,
      store_ids: [writer.account.storeIds[2]],
    })
    made['image'] = await writer.say('POST', '/exclusion-rules', { name: 'Image', kind: 'no_image', priority: 3 })
  })
  expect(await product('main', ink)).toMatchObject({
    excluded: true,
    exclusion_reason: 'no pelikan',
    stock: 1,
    prices: [{ base_cost: 20 }, {}],
  })
  expect(await product('main', cap)).toMatchObject({ excluded: true, exclusion_reason: 'no_image' })
  expect(await row(() => writer.say('PATCH', `/exclusion-rules/${made['pelikan']!.id}`, { is_active: false }))).toEqual(
    everywhere([ink, 'content']),
  )
  expect(await product('main', ink)).toMatchObject({ excluded: false, exclusion_reason: null })
  expect(await product('pl', ink)).toMatchObject({ excluded: true, exclusion_reason: 'category' })
  expect(await row(() => writer.say('PATCH', `/exclusion-rules/${made['pelikan']!.id}`, { is_active: true }))).toEqual(
    everywhere([ink, 'content']),
  )
  expect(await row(() => writer.say('DELETE', `/exclusion-rules/${made['pelikan']!.id}`))).toEqual(
    everywhere([ink, 'content']),
  )
  expect(await row(() => writer.say('DELETE', `/exclusion-rules/${made['category']!.id}`))).toEqual({
    main: {},
    de: {},
    pl: { [ink]: ['content'] },
  })
  const told = await row(() => writer.say('DELETE', `/exclusion-rules/${made['image']!.id}`))
  expect(told['main']![cap]).toEqual(['content'])
  expect(await product('main', cap)).toMatchObject({ excluded: false })
})

test('assortment rules and listings take products out of a store, removed there; back they are as new', async () => {
  const { writer, row, product, pen, ink, cap, sheet } = await open()
  const de = writer.account.storeIds[1]
  const only = (told: Record<number, Kind[]>) => ({ main: {}, de: told, pl: {} })
  const made: Record<string, { id: number }> = {}
  expect(
    await row(
      async () =>
        (made['bic'] = await writer.say('POST', '/assortment-rules', {
          name: 'no Bic',
          store_id: de,
          is_listed: false,
          manufacturers: ['Bic'],
        })),
    ),
  ).toEqual(only({ [cap]: ['removed'] }))
  expect((await writer.ask('GET', `/v1/products/${cap}?store=de`)).status).toBe(404)
  expect(await row(() => writer.say('PATCH', `/assortment-rules/${made['bic']!.id}`, { is_active: false }))).toEqual(
    only({ [cap]: ['content', 'price'] }),
  )
  expect(await row(() => writer.say('PATCH', `/assortment-rules/${made['bic']!.id}`, { is_active: null }))).toEqual(
    only({ [cap]: ['removed'] }),
  )
  expect(await row(() => writer.say('PATCH', `/products/${cap}`, { listings: { de: true } }))).toEqual(
    only({ [cap]: ['content', 'price'] }),
  )
  expect(await row(() => writer.say('DELETE', `/assortment-rules/${made['bic']!.id}`))).toEqual(only({}))
  expect(await row(() => writer.say('PATCH', `/products/${pen}`, { listings: { de: false } }))).toEqual(
    only({ [pen]: ['removed'] }),
  )
  expect(await row(() => writer.say('PATCH', '/stores/de', { lists_by_default: false }))).toEqual(
    only({ [ink]: ['removed'], [sheet]: ['removed'] }),
  )
  expect(await row(() => writer.say('PATCH', `/products/${pen}`, { listings: { de: null } }))).toEqual(only({}))
  expect(await row(() => writer.say('PATCH', '/stores/de', { lists_by_default: null }))).toEqual(
    only({ [pen]: ['content', 'price'], [ink]: ['content', 'price'], [sheet]: ['content', 'price'] }),
  )
  expect(await product('de', pen)).toMatchObject({ title: 'Stift', stock: 10 })
  // a reader that starts without a cursor gets tombstones of products that are still not listed, and of no others
  await row(() => writer.say('PATCH', `/products/${sheet}`, { listings: { de: false } }))
  const walk = (await writer.ask('GET', '/v1/changes?store=de')).body.changes as {
    product_id: number
    change_type: string
  }[]
  expect(Object.fromEntries(walk.map((change) => [change.product_id, change.change_type === 'removed']))).toEqual({
    [pen]: false,
    [ink]: false,
    [cap]: false,
    [sheet]: true,
  })
})

test('a category deleted: its products fall back to their supplier’s path, and rules by that', async () => {
  const { writer, row, product, pen, ink, cap } = await open()
  const made: Record<string, { id: number }> = {}
  await row(async () => {
    made['office'] = await writer.say('POST', '/categories', { path: 'Office/Ink', supplier_paths: ['Ink', 'Caps'] })
    await writer.say('POST', '/pricing-rules', {
      name: 'Office',
      action: 'markup',
      percent: '100',
      priority: 1,
      categories: ['Office'],
    })
    await writer.say('POST', '/pricing-rules', {
      name: 'Ink',
      action: 'markup',
      percent: '200',
      priority: 2,
      categories: ['Ink'],
    })
    await writer.say('POST', '/exclusion-rules', { name: 'Caps', kind: 'category', names: ['Caps'] })
    await writer.say('PATCH', `/products/${pen}`, { category: 'Office/Ink' })
  })
  const price = async (id: number) => (await product('main', id))!['prices'][0].computed_price as number
  expect([await price(ink), await price(cap), await price(pen)]).toEqual([40, 2, 18])
  expect(await row(() => writer.say('DELETE', `/categories/${made['office']!.id}`))).toEqual(
    everywhere([pen, 'content'], [ink, 'content', 'price'], [cap, 'content', 'price']),
  )
  // a category that was set by hand stays
  expect([await price(ink), await price(cap), await price(pen)]).toEqual([60, 1.25, 18])
  expect(await product('main', cap)).toMatchObject({ excluded: true, exclusion_reason: 'category' })
  await row(() => writer.say('PATCH', `/products/${pen}`, { category: null }))
  expect(await price(pen)).toBe(11.25)
})

test('an attribute definition deleted: shown by its key, without unit and translations', async () => {
  const { writer, row, product, pen } = await open()
  await row(() =>
    writer.say('PUT', '/attributes/length', {
      unit: 'cm',
      units: { pl: 'cm dł.' },
      labels: { en: 'Length', de: 'Länge' },
      options: { 14: { de: 'vierzehn' } },
    }),
  )
  const shown = async (slug: string) => (await product(slug, pen))!['attributes'] as unknown
  expect(await shown('de')).toEqual([{ key: 'length', label: 'Länge (cm)', value: 'vierzehn' }])
  expect(await shown('pl')).toEqual([{ key: 'length', label: 'Length (cm dł.)', value: '14' }])
  expect(await row(() => writer.say('DELETE', '/attributes/length'))).toEqual(everywhere([pen, 'content']))
  for (const slug of ['main', 'de', 'pl'])
    expect(await shown(slug)).toEqual([{ key: 'length', label: 'length', value: '14' }])
})

test('an exchange rate deleted: no price where it was needed, until there is one again', async () => {
  const { writer, row, product, pen, ink, cap, sheet } = await open()
  const before = await writer.look()
  expect(await row(() => writer.say('DELETE', '/rates/PLN'))).toEqual({
    main: { [pen]: ['price'], [cap]: ['content', 'price'] },
    de: { [pen]: ['price'], [cap]: ['content', 'price'] },
    pl: {
      [pen]: ['content', 'price'],
      [ink]: ['content', 'price'],
      [cap]: ['content', 'price'],
      [sheet]: ['content', 'price'],
    },
  })
  expect(await product('main', pen)).toMatchObject({ stock: 3, prices: [{ base_cost: 10 }, {}], excluded: false })
  expect(await product('main', cap)).toMatchObject({ prices: [], excluded: true, exclusion_reason: 'no_price' })
  for (const id of [pen, ink, cap, sheet])
    expect(await product('pl', id)).toMatchObject({ prices: [], excluded: true, exclusion_reason: 'no_price' })
  await row(() => writer.say('PUT', '/rates/PLN', { rate: '4' }))
  for (const [slug, { shelf }] of before) expect(await writer.shelf(slug)).toEqual(shelf)
})

test('a product deleted: gone from every store for good; an offer that comes again makes a new one', async () => {
  const { writer, row, put, pen } = await open()
  await row(() => writer.say('PATCH', `/products/${pen}`, { title: { en: 'Mine' }, exclusions: { '*': 'recalled' } }))
  expect(await row(() => writer.say('DELETE', `/products/${pen}`))).toEqual(everywhere([pen, 'removed']))
  for (const path of [
    `/v1/products/${pen}`,
    `/v1/prices/${pen}`,
    `/v1/products/${pen}/explain`,
    `/v1/account/products/${pen}`,
    `/v1/account/products/${pen}/stock`,
    `/v1/account/products/${pen}/fields`,
    `/v1/account/products/${pen}/price-history`,
  ]) {
    expect([path, (await writer.ask('GET', path)).status]).toEqual([path, 404])
  }
  for (const [method, path, body] of [
    ['PATCH', `/products/${pen}`, { title: { en: 'x' } }],
    ['DELETE', `/products/${pen}`, undefined],
    ['PUT', `/products/${pen}/stock`, { quantity: 1 }],
    ['PATCH', `/products/${pen}/stock`, { quantity: 1 }],
    ['DELETE', `/products/${pen}/stock`, undefined],
  ] as const)
    await writer.refused(method, path, body, 404)
  await writer.refused('GET', '/suppliers/north/offers/N-1', undefined, 404)
  await writer.refused('GET', '/suppliers/south/offers/S-1', undefined, 404)
  expect((await writer.say('POST', '/bulk/stock', { rows: [{ product_id: pen, quantity: 1 }] }))[0]).toMatchObject({
    status: 'failed',
    errors: [{ name: 'product_id' }],
  })
  let next = 0
  const told = await row(async () => (next = await put('north', 'N-1', { eans: [PEN], cost: '10', quantity: 3 })))
  expect(next).toBeGreaterThan(pen)
  expect(told).toEqual(everywhere([next, 'content', 'price']))
  expect((await writer.shelf('main')).get(next)).toMatchObject({ title: null, excluded: false })
})

test('an offer deleted: its product stays, and the article goes back to it', async () => {
  const { writer, row, product, put, pen, ink } = await open()
  expect(await row(() => writer.say('DELETE', '/suppliers/north/offers/N-2'))).toEqual(
    everywhere([ink, 'content', 'price']),
  )
  expect(await product('main', ink)).toMatchObject({
    title: null,
    ean: null,
    images: [],
    stock: 0,
    prices: [],
    exclusion_reason: 'no_price',
  })
  expect(await row(() => writer.say('DELETE', '/suppliers/south/offers/S-1'))).toEqual(everywhere([pen, 'price']))
  expect(await row(async () => expect(await put('north', 'N-2', { cost: '20', quantity: 1 })).toBe(ink))).toEqual(
    everywhere([ink, 'content', 'price']),
  )
  expect(await product('main', ink)).toMatchObject({
    title: null,
    ean: null,
    stock: 1,
    prices: [{ base_cost: 20 }, {}],
    excluded: false,
  })
})
