import { asks, bearer, type Behaviour } from './behaviour.ts'

export const FEED: readonly Behaviour[] = [
  asks('the feed from its beginning', '/changes', '/changes?store=pl&limit=1000', '/changes?since_id=0&limit=3'),
  [
    'the feed in windows, up to its end and beyond',
    async (ask) => {
      let { cursor, body } = await ask('/changes?limit=7&store=de')
      while (body.has_more === true) ({ cursor, body } = await ask(`/changes?limit=7&store=de&${cursor}`))
      const { cursor: same } = await ask(`/changes?limit=7&store=de&${cursor}`)
      return same === cursor
    },
  ],
  [
    'the feed with its products, or some of their members',
    async (ask) => {
      const { cursor } = await ask('/changes?expand=products&limit=3')
      await ask(`/changes?expand=products&limit=3&fields=title,stock&${cursor}`)
      await ask('/changes?expand=products&per_page=500')
    },
  ],
  [
    'now is the newest cursor, and nothing comes after it',
    async (ask) => {
      const { cursor } = await ask('/changes?since=now')
      await ask(`/changes?${cursor}`)
      await ask(`/changes?store=pl&${cursor}`)
    },
  ],
  [
    'a time alone: all of that second and later',
    async (ask) => {
      const { body } = await ask('/changes?limit=1')
      await ask(`/changes?since=${encodeURIComponent(body.next_since)}&limit=5`)
      await ask('/changes?since=2000-01-01T00:00:00%2B00:00&limit=5')
      await ask('/changes?since=2000-01-01T01:00:00.5%2B01:00&limit=5')
      const later = await ask('/changes?since=2999-01-01T00:00:00Z')
      await ask(`/changes?${later.cursor}`)
    },
  ],
  [
    'a cursor that is ahead',
    async (ask) => {
      const { body } = await ask('/changes?since=now')
      const since = encodeURIComponent(body.next_since)
      await ask(`/changes?since=${since}&since_id=${body.next_id + 1}`)
      await ask(`/changes?since=2999-01-01T00:00:00Z&since_id=${body.next_id}`)
      await ask(`/changes?since=${since}&since_id=999999999999`)
    },
  ],
  [
    'a raw plus in a time',
    async (ask) => {
      const { body } = await ask('/changes?since=now')
      await ask(`/changes?since=${body.next_since}&since_id=${body.next_id}`)
    },
  ],
  [
    'waiting ends without a change',
    async (ask) => {
      const { cursor } = await ask('/changes?since=now')
      const from = performance.now()
      await ask(`/changes?wait=1&${cursor}`)
      const waited = performance.now() - from
      await ask('/changes?wait=5&since=now')
      await ask('/changes?wait=5&limit=2')
      return [waited > 950, performance.now() - from < 4_000]
    },
  ],
  [
    '21 readers that wait: one too many',
    async (ask) => {
      const { cursor } = await ask('/changes?since=now')
      const first = Array.from({ length: 20 }, () => ask(`/changes?wait=2&${cursor}`))
      await new Promise((resolve) => setTimeout(resolve, 700))
      const { status } = await ask(`/changes?wait=2&${cursor}`)
      await ask(`/changes?${cursor}`)
      return [status, (await Promise.all(first)).map((one) => one.status)]
    },
  ],
  [
    'the export as an array and as lines, with the cursor of before',
    async (ask) => {
      const { cursor } = await ask('/export')
      await ask(`/changes?${cursor}`)
      for (const accept of [
        'application/x-ndjson',
        'application/json, application/x-ndjson;q=0.5',
        'application/x-ndjson, application/json',
        '*/*',
      ])
        await ask('/export?store=de', { headers: { accept } })
      await ask('/export?fields=title', { headers: { accept: 'application/x-ndjson' } })
      await ask('/export?fields=sku&locales=all', { headers: { accept: 'application/x-ndjson' } })
      await ask('/export', { method: 'HEAD' })
    },
  ],
  asks(
    'digests, and halves of them',
    '/digest',
    '/digest?half=price&store=pl',
    '/digest?half=content',
    '/digest?after_block=0',
    '/digest?limit=1',
    '/digest?half=both',
  ),
  [
    'what mirrors tell of themselves, and have told',
    async (ask, { tokens }) => {
      const tell = (told: object | string, headers: Record<string, string> = {}) =>
        ask('/digest/checks', {
          method: 'POST',
          body: typeof told === 'string' ? told : JSON.stringify(told),
          headers: { 'content-type': 'application/json', ...headers },
        })
      const { body: head } = await ask('/changes?since=now')
      const good = { mirror: 'Sklep „A”', since: head.next_since, since_id: head.next_id, differing: 0 }
      const moments = []
      for (const part of [{}, { differing: 3 }, { differing: 2 }, { store: 'pl' }, { mirror: 'b' }, { differing: 0 }]) {
        const { body } = await tell({ ...good, ...part })
        const { as_of: asOf, equal_as_of: equal, differs_since: since, told_at: at } = body.data
        moments.push([asOf === at, equal === null ? null : equal <= at, since === null ? null : since <= at])
      }
      const { body: window } = await ask('/changes?limit=1')
      const old = { since: window.next_since, since_id: window.next_id }
      const { body: behind } = await tell({ ...good, ...old, mirror: 'behind' })
      moments.push([behind.data.as_of === old.since])
      await ask('/digest/checks')
      for (const part of [
        { mirror: '' },
        { mirror: ' a' },
        { mirror: 'a\u0000' },
        { mirror: 'a\ud800' },
        { mirror: 'é'.repeat(101) },
        { mirror: 7 },
        { since: 'yesterday' },
        { since: 5 },
        { since_id: -1 },
        { since_id: 0.5 },
        { differing: -1 },
        { differing: '0' },
        { store: 5 },
        { store: 'nowhere' },
        { since_id: 999_999_999_999 },
        { since: '2999-01-01T00:00:00Z' },
        { more: 1 },
        { mirror: 'x'.repeat(5_000) },
      ])
        await tell({ ...good, ...part })
      for (const text of ['{}', '[]', '']) await tell(text)
      await tell(good, { 'content-type': 'text/plain' })
      await tell(good, { authorization: 'Bearer nothing' })
      await tell(good, bearer(tokens.withoutCosts).headers)
      await ask('/digest/checks', { method: 'PUT' })
      await ask('/digest/checks', { method: 'DELETE' })
      return moments
    },
  ],
  asks(
    'tags, and halves of them',
    '/digest/products?limit=5',
    ({ ids }) => `/digest/products?after_id=${ids[3]}&limit=3&half=price`,
    '/digest/products?half=content&store=de',
    '/digest/products?limit=40',
    '/digest/products?after_id=999999999',
    '/digest/products?limit=2049',
  ),
  [
    'the ETag of a product is its tags in a row',
    async (ask, { ids }) => {
      const { etag } = await ask(`/products/${ids[0]}?store=de`)
      const { body } = await ask('/digest/products?store=de&limit=1')
      return etag === `"${body.data[0].content}${body.data[0].price}"`
    },
  ],
]
