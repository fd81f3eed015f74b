import type { WriteBehaviour } from './fake-write-behaviours.ts'

// Settings, each tried with the same requests on the fake and on the service (fake-writes.full.pg.test.ts).

const supplier = (code: string) => `/account/suppliers/${code}`
const rate = (currency: string) => `/account/rates/${currency}`

export const SETTING_BEHAVIOURS: readonly WriteBehaviour[] = [
  [
    'the account, its stores and groups are read',
    async ({ ask }) => {
      await ask('/account')
      await ask('/account?fields=name')
      const { body: groups } = await ask('/account/groups')
      for (const path of [
        '/account/stores',
        '/account/stores?per_page=2',
        '/account/stores?per_page=2&after=main',
        '/account/stores?after=zzz&page=1',
        '/account/stores/de',
        '/account/stores/nowhere',
        '/account/groups?per_page=1',
        '/account/groups?after=x',
        `/account/groups/${groups.data[0].id}`,
        '/account/groups/999999999',
      ])
        await ask(path)
      const { etag } = await ask('/account/stores/de')
      await ask('/account/stores/de', { headers: { 'if-none-match': etag } })
    },
  ],
  [
    'a supplier is made, changed, replaced, deleted',
    async ({ send, ask }) => {
      await ask('/account/suppliers')
      await ask('/account/suppliers?per_page=1&after=north')
      await send('POST', '/account/suppliers', { code: 'east', name: 'East', currency: 'EUR' })
      await send('POST', '/account/suppliers', { code: 'east', name: 'East', currency: 'EUR' })
      await ask(supplier('east'))
      await send('PATCH', supplier('east'), { name: 'East Ltd', priority: 7, zeroed_share_max: 0.25, is_active: false })
      const { body, etag } = await send('PATCH', supplier('east'), { priority: null, zeroed_share_max: '0.750' })
      await send('PATCH', supplier('east'), { ...body.data, safety_buffer: 2 }, { 'if-match': etag })
      await send('PATCH', supplier('east'), { safety_buffer: 3 }, { 'if-match': etag })
      await send('PUT', supplier('east'), { name: 'East again', currency: 'EUR', silent_days_max: 5 })
      await send('PUT', supplier('east'), { name: 'East', currency: 'PLN' })
      await send('PUT', supplier('west'), { name: 'West', currency: 'PLN', code: 'west' }, { 'if-none-match': '*' })
      await send('PUT', supplier('west'), { name: 'West', currency: 'PLN' }, { 'if-none-match': '*' })
      await send('PUT', `${supplier('west')}/offers/S-1`, { cost: '5' })
      await ask(`${supplier('west')}/offers/S-1`)
      await send('DELETE', supplier('west'))
      await send('DELETE', supplier('west'))
      await ask(supplier('west'))
      await ask(`${supplier('west')}/offers/S-1`)
      await send('DELETE', supplier('east'))
      await ask('/account/suppliers')
    },
  ],
  [
    'suppliers that are not possible',
    async ({ send, ask }) => {
      for (const body of [
        undefined,
        {},
        [],
        { code: 5, name: null, currency: true },
        { code: 'odd', name: 'Odd', currency: 'EUR', colour: 'red' },
        { code: 'odd', name: 'Odd', currency: 'EUR', priority: 1.5, is_active: 'yes', zeroed_share_max: 'x' },
        { code: 'odd', name: 'Odd', currency: 'EUR', cost_tax_country: 5, silent_days_max: '3' },
      ])
        await send('POST', '/account/suppliers', body)
      for (const body of [{}, { name: 'Odd' }, { name: 'Odd', currency: 'EUR', code: 'other' }])
        await send('PUT', supplier('odd'), body)
      for (const body of [{ name: null }, { currency: 'USD' }, { code: 'other' }, { id: 999_999_999 }, { name: 5 }])
        await send('PATCH', supplier('north'), body)
      await send('PATCH', supplier('odd'), { name: 'Odd' })
      await send('POST', supplier('north'), {})
      await send('DELETE', '/account/suppliers')
      await ask('/account/suppliers?page=2')
    },
  ],
  [
    'a rate is made, changed, replaced, deleted, in any letter case',
    async ({ send, ask }) => {
      await send('PUT', rate('chf'), { rate: '0.9500' })
      await ask(rate('CHF'))
      const { body } = await send('PATCH', rate('CHF'), { rate: 0.96 })
      await send('PATCH', rate('Chf'), { ...body.data, rate: '0.123456789012' })
      await send('PUT', rate('CHF'), { ...body.data })
      await send('POST', '/account/rates', { currency: 'sek', rate: '11.2' })
      await send('POST', '/account/rates', { currency: 'SEK', rate: '11.2' })
      await ask('/account/rates/NOK')
      for (const at of [rate('CHF'), rate('sek')]) await send('DELETE', at)
      await send('DELETE', rate('CHF'))
      for (const sent of [
        undefined,
        {},
        { rate: null },
        { rate: true },
        { rate: '1', currency: 'USD' },
        { rate: '1', x: 1 },
      ])
        await send('PUT', rate('NOK'), sent)
      await ask(rate('NOK'))
    },
  ],
  [
    'settings by a token that reads',
    async ({ ask }) => {
      await ask('/account/rates', { headers: { authorization: 'Bearer CONNECTOR' } })
    },
  ],
]
