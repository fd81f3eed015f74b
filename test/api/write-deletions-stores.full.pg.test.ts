import { expect, test } from 'vitest'
import { open, receiver, service, setUp } from './deletions-account.ts'

setUp()

// The table "What deleting does" of docs/write-api.md, row by row, on a whole service: stores.

test('a store deactivated: not readable, its feed answers 404, its last changes are told and then nothing; reactivated it tells what differs since', async () => {
  const { writer, listeners, pen, ink, cap, sheet } = await open()
  const before = await writer.look()
  await listeners.setEnabled(false)
  await writer.say('PUT', `/products/${pen}/stock`, { quantity: 9, cost: '8' })
  await writer.say('PATCH', '/stores/de', { is_active: false })
  await listeners.setEnabled(true)
  const last = await writer.changesSince(before)
  await listeners.hear({ ...last, de: { [pen]: ['price'] } })
  expect(await writer.slugs()).toEqual(['main', 'pl'])
  for (const path of [
    '/v1/products?store=de',
    `/v1/products/${pen}?store=de`,
    '/v1/prices?store=de',
    '/v1/changes?store=de',
    '/v1/export?store=de',
    `/v1/products/${pen}/explain?store=de`,
    `/v1/account/products/${pen}/fields?store=de`,
    `/v1/account/products/${pen}/price-history?store=de`,
  ]) {
    const { status, body } = await writer.ask('GET', path)
    expect([path, status, body.code]).toEqual([path, 404, 'unknown-store'])
  }
  expect((await writer.send('GET', '/stores/de')).body.data).toMatchObject({
    slug: 'de',
    is_active: false,
    is_default: false,
  })
  // meanwhile one product changes and changes back, others change for good, one is deleted, and one is created
  await writer.say('PATCH', `/products/${ink}`, { title: { en: 'Other ink' } })
  await writer.say('PATCH', `/products/${ink}`, { title: null })
  await writer.say('PATCH', `/products/${cap}`, { title: { en: 'Better cap' } })
  await writer.say('PUT', `/products/${pen}/stock`, { quantity: 11, cost: '8' })
  await writer.say('DELETE', `/products/${sheet}`)
  const come = (await writer.say('POST', '/products', { sku: 'NEW', title: { en: 'New' } })).id as number
  await writer.atRest()
  await writer.audit()
  const all = receiver.received.filter(({ path }) => path === `${listeners.path}/de`).length
  await listeners.idle()
  expect(receiver.received.filter(({ path }) => path === `${listeners.path}/de`)).toHaveLength(all)

  const others = { main: await writer.cursor('main'), pl: await writer.cursor('pl') }
  await writer.say('PATCH', '/stores/de', { is_active: true })
  await writer.atRest()
  await writer.audit()
  const since = { [pen]: ['price'], [cap]: ['content'], [sheet]: ['removed'], [come]: ['content', 'price'] }
  expect(await writer.told('de', before.get('de')!.cursor)).toEqual(since)
  for (const [slug, cursor] of Object.entries(others))
    expect([slug, await writer.told(slug, cursor)]).toEqual([slug, {}])
  const heard = () => {
    const told = new Set<string>()
    for (const { path, event, productIds } of receiver.received)
      if (path === `${listeners.path}/de`) for (const id of productIds) told.add(`${id} ${event}`)
    return [...told].sort()
  }
  await expect
    .poll(heard, { timeout: 8_000 })
    .toEqual([`${cap} content`, `${come} content`, `${come} price`, `${pen} price`, `${sheet} removed`].sort())
  expect((await writer.shelf('de')).get(cap)).toMatchObject({ title: 'Better cap' })
  expect([...(await writer.shelf('de')).keys()].sort()).toEqual([...(await writer.shelf('main')).keys()].sort())
})

test('a store deleted: gone with its rows, rules and listings; its feed and webhooks end, its slug is not given out again', async () => {
  const { writer, listeners, pen, ink, row, product } = await open()
  const [main, de, pl] = writer.account.storeIds
  const made: Record<string, { id: number }> = {}
  await row(
    async () =>
      (made['assorting'] = await writer.say('POST', '/assortment-rules', {
        name: 'no caps',
        store_id: de,
        is_listed: false,
        manufacturers: ['Bic'],
      })),
  )
  await row(async () => {
    made['alone'] = await writer.say('POST', '/pricing-rules', {
      name: 'de alone',
      action: 'markup',
      percent: '50',
      priority: 1,
      store_ids: [de],
    })
    made['both'] = await writer.say('POST', '/pricing-rules', {
      name: 'de, pl',
      action: 'markup',
      percent: '60',
      priority: 2,
      store_ids: [de, pl],
    })
    made['all'] = await writer.say('POST', '/pricing-rules', {
      name: 'all',
      action: 'markup',
      percent: '70',
      priority: 3,
    })
    const excluding = { kind: 'manufacturer', names: ['Pelikan'] }
    made['excluding'] = await writer.say('POST', '/exclusion-rules', {
      ...excluding,
      name: 'de alone',
      store_ids: [de],
    })
    made['two'] = await writer.say('POST', '/exclusion-rules', { ...excluding, name: 'de, pl', store_ids: [de, pl] })
    made['listing'] = await writer.say('POST', '/assortment-rules', { name: 'pl', store_id: pl, is_listed: true })
    await writer.say('PATCH', `/products/${pen}`, {
      listings: { de: true, main: true },
      exclusions: { de: 'here', pl: 'there' },
    })
  })
  await writer.refused('DELETE', '/stores/de', undefined, 409)
  await listeners.remove('de')
  const channel = await writer.say('POST', '/channels', { name: 'File', store: 'de', format: 'csv' })
  await writer.refused('DELETE', '/stores/de', undefined, 409)
  await writer.say('DELETE', `/channels/${channel.id}`)
  const cursor = await writer.cursor('de')
  expect(await row(() => writer.say('DELETE', '/stores/de'))).toEqual({ main: {}, pl: {} })
  for (const path of [
    '/v1/products?store=de',
    '/v1/changes?store=de',
    `/v1/changes?store=de&${cursor}`,
    '/v1/prices?store=de',
    '/v1/export?store=de',
    `/v1/products/${pen}/explain?store=de`,
  ]) {
    const { status, body } = await writer.ask('GET', path)
    expect([path, status, body.code]).toEqual([path, 404, 'unknown-store'])
  }
  await writer.refused('GET', '/stores/de', undefined, 404)
  await writer.refused('PATCH', '/stores/de', { name: 'Back' }, 404)
  await writer.refused('DELETE', '/stores/de', undefined, 404)
  expect((await writer.send('GET', '/stores')).body.data.map(({ slug }: { slug: string }) => slug).sort()).toEqual([
    'main',
    'pl',
  ])
  const spent = await writer.refused('POST', '/stores', { slug: 'de', name: 'D', locale: 'de', currency: 'EUR' }, 409)
  expect(spent.detail).toContain('not assigned again')
  const taken = await writer.refused('POST', '/stores', { slug: 'pl', name: 'P', locale: 'pl', currency: 'PLN' }, 409)
  expect(taken.detail).toContain('exists already')
  await writer.refused('PUT', '/stores/de', { name: 'D', locale: 'de', currency: 'EUR' }, 409)
  await writer.refused('GET', `/pricing-rules/${made['alone']!.id}`, undefined, 404)
  // the rule for two stores is one for the other alone now, not one for all
  const storesOf = async (rule: string) => (await writer.send('GET', rule)).body.data.store_ids as unknown
  expect(await storesOf(`/pricing-rules/${made['both']!.id}`)).toEqual([pl])
  expect(await storesOf(`/pricing-rules/${made['all']!.id}`)).toBeNull()
  expect(await storesOf(`/exclusion-rules/${made['two']!.id}`)).toEqual([pl])
  expect((await writer.send('GET', `/assortment-rules/${made['listing']!.id}`)).status).toBe(200)
  await writer.refused('GET', `/exclusion-rules/${made['excluding']!.id}`, undefined, 404)
  await writer.refused('GET', `/assortment-rules/${made['assorting']!.id}`, undefined, 404)
  expect((await writer.send('GET', `/products/${pen}`)).body.data).toMatchObject({
    listings: { main: true },
    exclusions: { pl: 'there' },
  })
  await writer.refused('PATCH', `/products/${pen}`, { listings: { de: true } }, 422)
  await writer.refused('PATCH', `/products/${pen}`, { exclusions: { de: 'x' } }, 422)
  await writer.refused('PATCH', '/stores/de', { is_default: true }, 404)
  await writer.refused('POST', '/pricing-rules', { name: 'x', action: 'markup', percent: '1', store_ids: [de] }, 422)
  await writer.refused('POST', '/assortment-rules', { name: 'x', store_id: de, is_listed: true }, 422)
  expect((await writer.send('POST', '/channels', { name: 'File', store: 'de', format: 'csv' })).status).toBeOneOf([
    404, 422,
  ])
  expect(
    (await writer.send('GET', '/operations')).body.data.filter(({ kind }: { kind: string }) => kind === 'delete_store'),
  ).toMatchObject([{ state: 'succeeded' }])
  const { accountId } = writer.account
  const left = await service.runtime.db<{ table: string; rows: number }[]>`
    select 'payload_content' as table, count(*)::int as rows from payload_content where account_id = ${accountId} and store_id = ${de}
    union all select 'payload_price', count(*)::int from payload_price where account_id = ${accountId} and store_id = ${de}
    union all select 'change', count(*)::int from change where account_id = ${accountId} and store_id = ${de}
    union all select 'price_history', count(*)::int from price_history where account_id = ${accountId} and store_id = ${de}
    union all select 'main', count(*)::int from payload_content where account_id = ${accountId} and store_id = ${main}`
  expect(Object.fromEntries(left.map((one) => [one.table, one.rows]))).toEqual({
    payload_content: 0,
    payload_price: 0,
    change: 0,
    price_history: 0,
    main: 4,
  })
  // later changes are announced in the other stores, never in the deleted one
  expect(await row(() => writer.say('PATCH', `/products/${ink}`, { title: { en: 'Blue ink' } }))).toEqual({
    main: { [ink]: ['content'] },
    pl: { [ink]: ['content'] },
  })
  expect(await product('pl', ink)).toMatchObject({ title: 'Blue ink' })
})

test('a default store always exists, whatever is tried at the same time', async () => {
  const { writer } = await open()
  const stores = async () =>
    (await writer.send('GET', '/stores')).body.data as { slug: string; is_default: boolean; is_active: boolean }[]
  const defaults = async () =>
    (await stores()).filter((store) => store.is_default).map((store) => `${store.slug} ${store.is_active}`)
  for (const [method, body] of [
    ['PATCH', { is_active: false }],
    ['DELETE', undefined],
    ['PATCH', { is_default: false }],
    ['PATCH', { is_default: true, is_active: false }],
    ['PUT', { name: 'M', locale: 'en', currency: 'EUR', is_active: false }],
  ] as const) {
    const { status, body: problem } = await writer.send(method, '/stores/main', body)
    expect([method, body, status, problem?.code]).toEqual([
      method,
      body,
      expect.toBeOneOf([409, 422]),
      expect.toBeOneOf(['conflict', 'invalid-input']),
    ])
    expect(await defaults()).toEqual(['main true'])
  }
  // a PUT without is_default, or a null, leaves the store the default, because there must be one
  await writer.send('PATCH', '/stores/main', { is_default: null })
  expect(await defaults()).toEqual(['main true'])
  await writer.send('PUT', '/stores/main', { name: 'M', locale: 'en', currency: 'EUR' })
  expect(await defaults()).toEqual(['main true'])
  await writer.say('PATCH', '/stores/de', { is_active: false })
  const inactive = await writer.send('PATCH', '/stores/de', { is_default: true })
  expect(inactive.status).toBeOneOf([409, 422])
  expect(await defaults()).toEqual(['main true'])
  await writer.say('PATCH', '/stores/de', { is_active: true })

  for (let round = 0; round < 6; round++) {
    const both = await Promise.all([
      writer.send('PATCH', '/stores/de', { is_default: true }),
      writer.send('PATCH', '/stores/pl', { is_default: true }),
    ])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect(await defaults()).toHaveLength(1)
    const [now = ''] = await defaults()
    const slug = now.split(' ')[0]!
    const other = slug === 'de' ? 'pl' : 'de'
    // one makes it the default while another puts it away
    await Promise.all([
      writer.send('PATCH', `/stores/${other}`, { is_default: true }),
      writer.send('PATCH', `/stores/${other}`, { is_active: false }),
    ])
    expect(await defaults()).toHaveLength(1)
    expect((await defaults())[0]).toMatch(/ true$/)
    await writer.say('PATCH', `/stores/${other}`, { is_active: true })
    expect((await writer.ask('GET', '/v1/products')).body.store).toBe((await defaults())[0]!.split(' ')[0])
  }
  await writer.say('POST', '/stores', { slug: 'new', name: 'New', locale: 'en', currency: 'EUR', is_default: true })
  expect(await defaults()).toEqual(['new true'])
  await Promise.all(
    ['de', 'pl', 'main', 'new'].flatMap((slug) => [
      writer.send('DELETE', `/stores/${slug}`),
      writer.send('PATCH', `/stores/${slug}`, { is_default: true }),
    ]),
  )
  expect(await defaults()).toHaveLength(1)
  expect((await defaults())[0]).toMatch(/ true$/)
  await writer.atRest()
  await writer.audit()
})
