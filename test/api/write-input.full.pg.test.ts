import { expect, test } from 'vitest'
import { inGate } from '../harness/gate.ts'
import { badEntries, badValues, type Bad } from './bad-values.ts'
import { document, documented, misfit, open, withMember, setUp } from './write-input-account.ts'

setUp()

/** The seed of a gate's run; null where none is set. */
const SEED = process.env['SEED'] === undefined ? null : Number(process.env['SEED'])

/** The status that a number of 400 digits in a query gets where it is not refused with 400. */
function ofLongNumber(operation: string, parameter: string): number | undefined {
  // the body is a mapping without a file
  if (operation === 'previewFile' && parameter === 'rows') return 422
  if (operation === 'previewUndo' && parameter === 'per_page') return 409
  return ['per_page', 'after', 'before'].includes(parameter) ? 200 : undefined
}

// Every member of every documented body with every value that it must not have: the refusal names its path, and nothing is
// written in part.

/** A good value for an entry of a map, by the name of the map. */
const ENTRY: Readonly<Record<string, string>> = {
  title: '"x"',
  description: '"x"',
  labels: '"x"',
  units: '"x"',
  texts: '{"title":"x"}',
  listings: 'true',
  exclusions: '"x"',
  rounding: '{"step":"1","ending":"0","direction":"up"}',
  attributes: '{"*":"x"}',
  options: '{"en":"x"}',
}
/** Values that entries of a map must not have, by the name of the map. */
const IN_ENTRY: Readonly<Record<string, string[]>> = {
  title: ['{"en":5}', '{"en":{}}', '{"en":["x"]}', String.raw`{"en":"\u0000"}`, String.raw`{"en":"\ud800"}`],
  labels: ['{"en":5}', '{"en":{}}', String.raw`{"en":"\u0000"}`],
  texts: [
    '{"en":"x"}',
    '{"en":{"title":5}}',
    '{"en":{"titel":"x"}}',
    '{"en":[]}',
    String.raw`{"en":{"title":"\u0000"}}`,
  ],
  listings: ['{"main":"true"}', '{"main":1}', '{"main":{}}'],
  exclusions: ['{"main":true}', '{"main":""}', '{"main":5}', String.raw`{"*":"\u0000"}`],
  rounding: [
    '{"EUR":{}}',
    '{"EUR":{"step":"0","ending":"0","direction":"up"}}',
    '{"EUR":{"step":"-1","ending":"0","direction":"up"}}',
    '{"EUR":{"step":"1","ending":"1","direction":"up"}}',
    '{"EUR":{"step":"1","ending":"-0.5","direction":"up"}}',
    '{"EUR":{"step":"1","ending":"0","direction":"around"}}',
    '{"EUR":{"step":"1","ending":"0","direction":"up","x":1}}',
    '{"EUR":"1"}',
  ],
  options: ['{"L":"x"}', '{"L":{"en":5}}', '{"L":{"not a locale":"x"}}', '{"L":{"constructor":"x"}}'],
}

test('every member of every body refuses what it must not be by its path, and nothing is half-written', async () => {
  const { writer, bases } = await open()
  expect(
    documented()
      .map(({ id }) => id)
      .sort(),
  ).toEqual(Object.keys(bases).sort())
  const faults: string[] = []
  let tried = 0
  let before = await writer.everything()
  const last = documented().at(-1)?.id
  for (const { id, method, schema } of documented()) {
    const { path, body } = bases[id]!
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      if (id.startsWith('bulk')) continue
      const isMap = (member.anyOf ?? [member]).some((option) => option.patternProperties !== undefined)
      const isFields = id.endsWith('Offer') && name === 'attributes'
      const values: Bad[] = [
        ...badValues(name, member).filter(({ json }) => !isMap || json !== '{}'),
        ...(isMap && !isFields
          ? [
              ...badEntries(name, ENTRY[name] ?? '"x"'),
              ...(IN_ENTRY[name === 'description' ? 'title' : name === 'units' ? 'labels' : name] ?? []).map(
                (json) => ({ json, why: json }),
              ),
            ]
          : []),
      ]
      for (const { json, why } of values) {
        tried++
        // the fast gate tries one bad value in ten, the full gate one in three, chosen by the seed
        if (inGate(tried % 10, SEED === null ? 0 : (tried + SEED) % 3) !== 0) continue
        // a member that never changes may be refused for that instead
        const isFixed = id === 'putSupplier' && name === 'currency'
        // a quantity below zero counts as 0
        if (
          (id.endsWith('Stock') || id.endsWith('Offer')) &&
          name.endsWith('quantity') &&
          why.startsWith('far below zero')
        )
          continue
        const fault = misfit(
          await writer.send(method, path, withMember(body, name, json)),
          name,
          isFixed ? [409, 422] : [422],
        )
        if (fault !== null) faults.push(`${id} ${name}: ${why} (${json.slice(0, 60)}) -> ${fault}`)
      }
    }
    for (const name of ['unknown', 'id', 'account_id', '__proto__', 'constructor']) {
      tried++
      if (name === 'id' && schema.properties?.['id'] !== undefined) continue
      const fault = misfit(await writer.send(method, path, withMember(body, name, '1')), name)
      if (fault !== null) faults.push(`${id}: unknown member ${name} -> ${fault}`)
    }
    for (const name of schema.required ?? []) {
      const { [name]: _, ...without } = body
      const fault = misfit(await writer.send(method, path, without), name)
      if (fault !== null) faults.push(`${id}: without ${name} -> ${fault}`)
    }
    // the full gate checks after each operation, to name the one that wrote something
    if (!inGate(id === last, true)) continue
    const after = await writer.everything()
    if (JSON.stringify(after) !== JSON.stringify(before)) {
      faults.push(`${id}: something was written`)
      before = after
    }
  }
  expect({}).not.toHaveProperty('x')
  expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('a')
  expect(faults.join('\n')).toBe('')
  expect(tried).toBeGreaterThan(2_000)
  await writer.audit()
}, 240_000)

test('a body as a whole: malformed, of a wrong type or size, it is refused before anything is looked at', async () => {
  const { writer, bases } = await open()
  const before = await writer.everything()
  const faults: string[] = []
  const bytes = (...values: number[]) => Buffer.from(values)
  for (const { id, method } of documented()) {
    const { path, body } = bases[id]!
    const good = JSON.stringify(body)
    const isBulk = id.startsWith('bulk')
    const whole: [why: string, body: string | Buffer, status: number[], headers?: Record<string, string>][] = [
      ['empty', '', [400, 422]],
      ['blank', ' \n', [400]],
      ['cut off', good.slice(0, -1), [400]],
      ['two values', `${good}{}`, [400]],
      ['a comma too many', good.replace(/\}$/, ',}'), body === undefined ? [400] : [400, 422]],
      ['single quotes', "{'a':1}", [400]],
      ['NaN', '{"a":NaN}', [400]],
      [
        'a bare surrogate in the bytes',
        Buffer.concat([Buffer.from('{"a":"'), bytes(0xed, 0xa0, 0x80), Buffer.from('"}')]),
        [400],
      ],
      ['invalid UTF-8', Buffer.concat([Buffer.from('{"a":"'), bytes(0xff, 0xfe), Buffer.from('"}')]), [400]],
      ['overlong UTF-8', Buffer.concat([Buffer.from('{"a":"'), bytes(0xc0, 0x80), Buffer.from('"}')]), [400]],
      ['UTF-16', Buffer.from(`\ufeff${good}`, 'utf16le'), [400]],
      ['a list', '[]', [422]],
      ['a text', '"x"', [422]],
      ['a number', '5', [422]],
      ['null', 'null', [422]],
      ['true', 'true', [422]],
      ['33 lists deep', `{"a":${'['.repeat(33)}${']'.repeat(33)}}`, [400]],
      ['100,000 deep', '['.repeat(100_000), [400]],
      ['100,000 objects deep', '{"a":'.repeat(100_000), [400]],
      ['a member twice', '{"a":1,"a":1}', [400]],
      ['twice, once escaped', String.raw`{"name":"x","n\u0061me":"y"}`, [400]],
      ['__proto__ twice', '{"__proto__":1,"__proto__":2}', [400]],
      ['twice, deep inside', '{"title":{"en":"a","en":"b"}}', [400]],
      ['text/plain', good, [415], { 'content-type': 'text/plain' }],
      ['no type', Buffer.from(good), [415], { 'content-type': '' }],
      ['a form', 'a=1', [415], { 'content-type': 'application/x-www-form-urlencoded' }],
      ['XML', '<a/>', [415], { 'content-type': 'application/xml' }],
      ['latin1', good, [415], { 'content-type': 'application/json; charset=iso-8859-1' }],
      ['jsonp', good, [415], { 'content-type': 'application/jsonp' }],
      ...(isBulk
        ? []
        : [
            ['NDJSON', `${good}\n`, [415], { 'content-type': 'application/x-ndjson' }] as [
              string,
              string,
              number[],
              Record<string, string>,
            ],
            ['10 MB', `{"name":"${'x'.repeat(10_000_000)}"}`, [413]] as [string, string, number[]],
          ]),
      ...(method === 'PATCH'
        ? []
        : [
            ['a merge patch', good, [415], { 'content-type': 'application/merge-patch+json' }] as [
              string,
              string,
              number[],
              Record<string, string>,
            ],
          ]),
      ['compressed', bytes(0x1f, 0x8b, 8, 0), [400, 415], { 'content-encoding': 'gzip' }],
    ]
    for (const [why, sent, statuses, headers] of whole) {
      const answer = await writer.http(`/v1/account${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        body: sent as string,
      })
      document.hold(method, `/v1/account${path}`, answer)
      if (!statuses.includes(answer.status))
        faults.push(`${id}: ${why} -> ${answer.status} ${answer.text.slice(0, 160)}`)
      else if (answer.body?.code === undefined) faults.push(`${id}: ${why} -> no code`)
    }
    for (const [name, value, statuses] of [
      ['idempotency-key', 'with space', [400]],
      ['idempotency-key', 'x'.repeat(256), [400]],
      ['if-match', '"nothing"', [412]],
      ['if-match', 'W/"nothing"', [412]],
    ] as const) {
      if (name === 'if-match' && (method === 'POST' || id === 'bulk')) continue
      const answer = await writer.send(method, path, good, { [name]: value })
      if (!(statuses as readonly number[]).includes(answer.status))
        faults.push(`${id}: ${name} ${value.slice(0, 20)} -> ${answer.status} ${answer.text.slice(0, 160)}`)
    }
  }
  expect(faults.join('\n')).toBe('')
  expect(await writer.everything()).toEqual(before)
}, 120_000)

test('keys and ids of addresses and queries that can not be are refused, never an error of ours', async () => {
  const { writer, bases } = await open()
  const before = await writer.everything()
  const faults: string[] = []
  const keys = [
    '0',
    '-1',
    '1.5',
    '1e3',
    'abc',
    '9007199254740993',
    '9223372036854775807',
    '9223372036854775808',
    '9'.repeat(400),
    '%00',
    '%ff',
    '%',
    'a%2Fb',
    'constructor',
    '__proto__',
    'x'.repeat(2_000),
    '%F0%9F%92%A9',
    '%20',
    '+1',
    '١',
  ]
  for (const { method, path, operation } of document.operations) {
    if (!path.startsWith('/v1/account') && !path.endsWith('/explain')) continue
    const body = bases[operation.operationId]?.body
    const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path')
    for (const parameter of inPath) {
      const isText = parameter.schema.type === 'string'
      for (const key of keys) {
        // a key that an owner chooses may be almost any text, so a PUT may succeed; another test covers that
        if (isText && method === 'put') continue
        const address = inPath.reduce(
          (form, { name }) =>
            form.replace(`{${name}}`, name === parameter.name ? key : name === 'code' ? 'north' : '1'),
          path,
        )
        const answer = await writer.http(address, {
          method: method.toUpperCase(),
          ...(body === undefined
            ? {}
            : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
        })
        if (![400, 404, 405, 409, 412, 414, 422].includes(answer.status))
          faults.push(`${method} ${address.slice(0, 90)} -> ${answer.status} ${answer.text.slice(0, 120)}`)
        else if (answer.body?.code === undefined)
          faults.push(`${method} ${address.slice(0, 90)} -> no problem: ${answer.text.slice(0, 120)}`)
      }
    }
    for (const parameter of (operation.parameters ?? []).filter(({ in: place }) => place === 'query')) {
      const address = inPath.reduce(
        (form, { name }) => form.replace(`{${name}}`, name === 'code' ? 'north' : '1'),
        path,
      )
      for (const value of parameter.schema.type === 'string'
        ? ['%00', '%ff', 'constructor', '__proto__', 'x'.repeat(3_000)]
        : ['abc', '1.5', '1e3', '', '9'.repeat(400), '%00', 'constructor', 'null', '0x10']) {
        const answer = await writer.http(`${address}?${parameter.name}=${value}`, {
          method: method.toUpperCase(),
          ...(body === undefined
            ? {}
            : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
        })
        const isFine = parameter.schema.type === 'string' ? answer.status < 500 : [400, 404].includes(answer.status)
        const isTaken = /^9+$/.test(value) && answer.status === ofLongNumber(operation.operationId, parameter.name)
        if (!isFine && !isTaken)
          faults.push(
            `${method} ${address}?${parameter.name}=${value.slice(0, 30)} -> ${answer.status} ${answer.text.slice(0, 120)}`,
          )
      }
    }
  }
  expect(faults.join('\n')).toBe('')
  expect(await writer.everything()).toEqual(before)
}, 120_000)

test('names that objects have of themselves are data like any other', async () => {
  const { writer, id } = await open()
  const own = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']
  const attributes = own.map((key) => ({ key, value: `value of ${key}` }))
  const put = await writer.send('PUT', '/suppliers/north/offers/A', {
    cost: '10',
    quantity: 3,
    attributes,
    manufacturer: 'constructor',
    category: '__proto__/constructor',
  })
  expect([put.status, put.body.data.attributes]).toEqual([200, attributes])
  const shown = async () =>
    (
      (await writer.ask('GET', `/v1/products/${id}`)).body.data.attributes as {
        key: string
        label: string
        value: string
      }[]
    ).sort((a, b) => own.indexOf(a.key) - own.indexOf(b.key))
  expect(await shown()).toEqual(own.map((key) => ({ key, label: key, value: `value of ${key}` })))
  for (const key of own) {
    const text = `{"labels":{"en":"Label of ${key}"},"options":{"value of ${key}":{"en":"shown ${key}"},"__proto__":{"en":"x"},"constructor":{"en":"y"}}}`
    const made = await writer.send('PUT', `/attributes/${key}`, text)
    expect([key, made.status, Object.keys(made.body.data.options as object).sort()]).toEqual([
      key,
      201,
      ['__proto__', 'constructor', `value of ${key}`],
    ])
    expect((await writer.send('GET', `/attributes/${key}`)).text).toBe(made.text)
  }
  expect(await shown()).toEqual(own.map((key) => ({ key, label: `Label of ${key}`, value: `shown ${key}` })))
  const over = `{"attributes":{${own.map((key) => `"${key}":{"*":"own ${key}","de":"eigen"}`).join()}}}`
  const patched = await writer.send('PATCH', `/products/${id}`, over)
  expect([
    patched.status,
    JSON.stringify(patched.body.data.attributes) === JSON.stringify(JSON.parse(over).attributes) ||
      Object.keys(patched.body.data.attributes as object).sort(),
  ]).toEqual([200, expect.toBeOneOf([true, [...own].sort()])])
  expect((await shown()).map(({ value }) => value)).toEqual(own.map((key) => `own ${key}`))
  const one = await writer.send(
    'PATCH',
    `/products/${id}`,
    '{"attributes":{"__proto__":{"*":null},"constructor":null}}',
  )
  expect([
    one.status,
    Object.getOwnPropertyDescriptor(one.body.data.attributes, '__proto__')?.value,
    Object.keys(one.body.data.attributes as object),
  ]).toEqual([200, { de: 'eigen' }, expect.not.arrayContaining(['constructor'])])
  expect((await shown()).slice(0, 2).map(({ value }) => value)).toEqual(['shown __proto__', 'shown constructor'])
  expect(
    (
      await writer.say('POST', '/bulk/overrides', {
        rows: own.map((key) => ({ product_id: id, field: 'attribute', key, value: false })),
      })
    ).map(({ status }: { status: string }) => status),
  ).toEqual(own.map(() => expect.toBeOneOf(['created', 'changed']) as string))
  expect(await shown()).toEqual([{ key: '__proto__', label: 'Label of __proto__', value: 'x' }].slice(1))
  expect(({} as Record<string, unknown>)['en']).toBeUndefined()
  await writer.audit()
})

test('numbers: amounts as numbers are exact or refused, minus zero is zero, whole numbers may be written as such', async () => {
  const { writer, id } = await open()
  const stock = async (json: string) => {
    const { status, body } = await writer.send('PUT', `/products/${id}/stock`, json)
    return status === 200 ? (body.data as unknown) : status
  }
  const of = (quantity: number, cost: string | null) => ({ product_id: id, quantity, cost })
  expect(await stock('{"quantity":-0,"cost":-0}')).toEqual(of(0, '0'))
  expect(await stock('{"quantity":1.0,"cost":1.50}')).toEqual(of(1, '1.5'))
  expect(await stock('{"quantity":1e2,"cost":1e2}')).toEqual(of(100, '100'))
  expect(await stock('{"quantity":5,"cost":"007.10"}')).toEqual(expect.toBeOneOf([of(5, '7.1'), 422]))
  expect(await stock('{"quantity":5,"cost":0.1}')).toEqual(of(5, '0.1'))
  // a fraction is cut off, as in any quantity of a supplier
  expect(await stock('{"quantity":1.5}')).toEqual(of(1, null))
  expect(await stock('{"quantity":">10","cost":1e-6}')).toEqual(of(10, '0.000001'))
  for (const json of [
    '{"quantity":1e400}',
    '{"quantity":1e10}',
    '{"quantity":2147483648}',
    '{"quantity":"1,5"}',
    '{"quantity":1,"cost":0.30000000000000004}',
    '{"quantity":1,"cost":-1}',
    '{"quantity":1,"cost":"-0.01"}',
    '{"quantity":1,"cost":1e22}',
  ])
    expect([json, await stock(json)]).toEqual([json, 422])
  expect(await stock('{"quantity":2147483647,"cost":"999999999999.999999"}')).toEqual(
    of(2_147_483_647, '999999999999.999999'),
  )
  const { body } = await writer.ask('GET', `/v1/products/${id}`)
  expect(body.data.stock).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER)
})
