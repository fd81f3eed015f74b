import { expect, test } from 'vitest'
import { badValues } from './bad-values.ts'
import type { Schema } from './strict-document.ts'
import { documented, open, withMember, setUp } from './write-input-account.ts'

setUp()

// Every member of a bulk's row with every value that it must not have: the refusal names its path, and nothing is written in part.

/** The members of a bulk's row; `value` and `field` of overrides are tested separately. */
function rowsOf(
  kind: string,
  schemas: Record<string, Schema>,
): Record<string, { good: Record<string, unknown>; members: Record<string, Schema> }> {
  const { cost, currency, quantity, ...rest } = schemas
  const key: Schema = { type: 'string' }
  const all: Record<string, { good: Record<string, unknown>; members: Record<string, Schema> }> = {
    offers: {
      good: { supplier: 'north', sku: 'A', cost: '66' },
      members: { supplier: key, sku: key, cost: cost!, currency: currency!, quantity: quantity!, ...rest },
    },
    prices: {
      good: { supplier: 'north', sku: 'A', cost: '66' },
      members: { supplier: key, sku: key, cost: cost!, currency: currency!, quantity: quantity! },
    },
    stock: {
      good: { product_id: 0, quantity: 66 },
      members: {
        product_id: { type: 'integer' },
        quantity: quantity!,
        cost: cost!,
      },
    },
    overrides: {
      good: { product_id: 0, field: 'title', locale: 'en', value: 'Other' },
      members: { product_id: { type: 'integer' }, field: key, locale: key },
    },
  }
  return { [kind]: all[kind]! }
}

test('rows of bulks: each bad one is named with its member, atomic or not, dry or not, and nothing of it is written', async () => {
  const { writer, id } = await open()
  const schemas = documented().find((operation) => operation.id === 'patchOffer')!.schema.properties!
  const before = await writer.everything()
  const faults: string[] = []
  for (const kind of ['offers', 'prices', 'stock', 'overrides']) {
    const { good, members } = rowsOf(kind, schemas)[kind]!
    if ('product_id' in good) good['product_id'] = id
    const rows: { json: string; name: string; why: string }[] = [
      'null',
      '5',
      '"x"',
      '[]',
      'true',
      '{}',
      '[[]]',
      '""',
    ].map((json) => ({ json, name: '', why: json }))
    for (const [name, member] of Object.entries(members))
      for (const { json, why } of badValues(name, member))
        if (name !== 'quantity' || why !== 'far below zero')
          rows.push({ json: withMember(good, name, json), name, why })
    for (const name of ['unknown', '__proto__', 'constructor'])
      rows.push({ json: withMember(good, name, '1'), name, why: `unknown member ${name}` })
    if (kind === 'overrides') {
      for (const [field, over, name] of [
        ['title', { value: 5 }, 'value'],
        ['title', { value: false }, 'value'],
        ['title', { locale: undefined }, 'locale'],
        ['title', { key: 'x' }, 'key'],
        ['manufacturer', { locale: 'en' }, 'locale'],
        ['images', { value: 'x', locale: undefined }, 'value'],
        ['images', { value: ['ftp://x'], locale: undefined }, 'value'],
        ['attribute', {}, 'key'],
        ['attribute', { key: '' }, 'key'],
        ['attribute', { key: 'a', value: 5 }, 'value'],
        ['attribute', { key: 'a', value: true }, 'value'],
        ['constructor', {}, 'field'],
        ['attribute', { key: 'a', locale: 'xx_yy_' }, 'locale'],
      ] as const)
        rows.push({ json: JSON.stringify({ ...good, field, ...over }), name, why: `${field} ${JSON.stringify(over)}` })
    }
    const short = rows.filter(({ json }) => json.length < 2_000)
    for (const [query, most] of [
      ['', 1_000],
      ['?dry_run=true', 1_000],
      ['?atomic=true', 1_000],
    ] as const) {
      const sent = short.slice(0, most)
      const answer = await writer.send(
        'POST',
        `/bulk/${kind}${query}`,
        `{"rows":[${sent.map(({ json }) => json).join()}]}`,
      )
      if (query === '?atomic=true' && answer.status !== 200) {
        if (answer.status !== 422) faults.push(`${kind}${query} -> ${answer.status} ${answer.text.slice(0, 200)}`)
        continue
      }
      expect([kind, query, answer.status, answer.text.slice(0, 300)]).toEqual([kind, query, 200, expect.any(String)])
      expect(answer.body.data.map(({ row }: { row: number }) => row)).toEqual(sent.map((_, i) => i))
      for (const [i, { name, why, json }] of sent.entries()) {
        const { status, errors } = answer.body.data[i] as { status: string; errors?: { name: string }[] }
        const names = (errors ?? []).map((fault) => fault.name)
        if (status !== 'failed') faults.push(`${kind}${query} ${name}: ${why} -> ${status}: ${json.slice(0, 100)}`)
        else if (
          names.length === 0 ||
          (name !== '' && !names.every((one) => one === name || one.startsWith(`${name}.`)))
        )
          faults.push(`${kind}${query} ${name}: ${why} -> names ${JSON.stringify(errors).slice(0, 200)}`)
      }
    }
    for (const { json, why } of rows.filter((row) => row.json.length >= 2_000)) {
      const answer = await writer.send('POST', `/bulk/${kind}`, `{"rows":[${json}]}`)
      if (answer.body?.data?.[0]?.status !== 'failed')
        faults.push(`${kind}: ${why} -> ${answer.status} ${answer.text.slice(0, 200)}`)
    }
    for (const [why, json, statuses] of [
      ['rows that are no list', '{"rows":{}}', [422]],
      ['no rows', '{}', [422]],
      ['1,001 atomic', `{"rows":[${Array(1_001).fill('1').join()}]}`, [400, 413, 422]],
      ['100,001 rows', `{"rows":[${Array(100_001).fill('1').join()}]}`, [413, 422]],
    ] as const) {
      const answer = await writer.send('POST', `/bulk/${kind}?atomic=${why.includes('atomic')}`, json)
      if (!(statuses as readonly number[]).includes(answer.status))
        faults.push(`${kind}: ${why} -> ${answer.status} ${answer.text.slice(0, 200)}`)
    }
    const lines = await writer.send('POST', `/bulk/${kind}`, '{"a":1}\nnot json\n5\n\n{"b":1,"b":2}\n', {
      'content-type': 'application/x-ndjson',
    })
    if (
      ![200, 400].includes(lines.status) ||
      (lines.status === 200 && lines.body.meta.failed !== lines.body.data.length)
    )
      faults.push(`${kind}: lines -> ${lines.status} ${lines.text.slice(0, 300)}`)
  }
  expect(faults.join('\n')).toBe('')
  expect(await writer.everything()).toEqual(before)
  await writer.audit()
}, 120_000)
