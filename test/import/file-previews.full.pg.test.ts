import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { LIMITS } from '../../src/platform/limits.ts'
import { mappingJsonSchema } from '../../src/supplier-files/mapping-json-schema.ts'
import { PRESETS } from '../../src/supplier-files/presets/presets.ts'
import { dial, parsedAnswer } from '../harness/raw-request.ts'
import { client, tokenFor, type TestService } from '../harness/service.ts'
import { startImportService, type ImportAccount } from './import-service.ts'
import { ofFile } from '../harness/world.ts'

// Previews of files over HTTP: a proposed mapping, and the first offers. Nothing is stored.

const at = ofFile(startImportService)
let service: TestService
let token: string
let http: ImportAccount['http']
beforeAll(async () => {
  ;({ service } = at)
  ;({ token, http } = await at.enter())
})

const CSV =
  'Artikelnummer;EAN;EK-Preis;Bestand;Bezeichnung\r\nA-1;4006381333931;1.234,56;7;Spaten\r\nA-2;;12,50;>10;Hammer\r\n'
const MAPPING = {
  decimal: ',',
  locale: 'de',
  fields: { sku: 'Artikelnummer', ean: 'EAN', cost: 'EK-Preis', quantity: 'Bestand', title: 'Bezeichnung' },
}

type Body = string | Uint8Array | FormData
const send = (path: string, body: Body, headers: Record<string, string> = {}) =>
  http(`/v1/account/suppliers/acme/imports/${path}`, { method: 'POST', body, headers })

function form(parts: readonly (readonly [name: string, value: string | Blob, fileName?: string])[]): FormData {
  const made = new FormData()
  for (const [name, value, fileName] of parts)
    if (typeof value === 'string') made.append(name, value)
    else made.append(name, value, fileName)
  return made
}
const file = (content: string) => new Blob([content])

describe('detect', () => {
  test('proposes a mapping with a reason for each line, whatever the content type', async () => {
    const types = [
      'text/csv',
      'application/json',
      'x',
      'text/plain; charset=latin1',
      'application/x-www-form-urlencoded',
    ]
    for (const type of types) {
      const { status, body } = await send('detect', CSV, { 'content-type': type })
      expect([status, body.data?.preset], type).toEqual([200, null])
      expect(body.data.mapping).toMatchObject({
        format: 'csv',
        delimiter: ';',
        decimal: ',',
        fields: { sku: 'Artikelnummer', cost: 'EK-Preis', ean: 'EAN' },
      })
      expect(body.data.reasons).toContainEqual({ path: 'fields.cost', reason: expect.any(String) })
    }
  })

  test('takes a file in gzip, also with its Content-Encoding, and in a form', async () => {
    const gzip = gzipSync(CSV)
    for (const answer of [
      await send('detect', gzip),
      await send('detect', gzip, { 'content-encoding': 'gzip' }),
      await send('detect', form([['file', file(CSV), 'list.csv']])),
    ])
      expect([answer.status, answer.body.data.mapping.fields.sku]).toEqual([200, 'Artikelnummer'])
  })

  test('names a ready mapping by the columns of a shop’s export, unless it lacks columns that the mapping needs', async () => {
    const columns =
      'Handle,Title,Body (HTML),Vendor,Type,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Option3 Name,Option3 Value,Variant SKU,Variant Price,Variant Inventory Qty,Variant Barcode,Image Src'
    const row = 'spade,Spade,x,Acme,Tools,Title,Default,,,,,S-1,9.90,4,,https://a.example/1.jpg'
    const { body } = await send('detect', `${columns}\n${row}\n`)
    expect(body.data).toMatchObject({ preset: 'shopify', mapping: PRESETS['shopify']?.mapping })
    const some = 'Handle,Title,Body (HTML),Vendor,Variant SKU,Variant Price,Variant Inventory Qty,Image Src'
    const { body: other } = await send('detect', `${some}\nspade,Spade,x,Acme,S-1,9.90,4,https://a.example/1.jpg\n`)
    expect(other.data).toMatchObject({ preset: null, mapping: { fields: { sku: 'Variant SKU', title: 'Title' } } })
    expect(JSON.stringify(other.data.reasons)).toMatch(/like what Shopify writes, but not all .*Option1 Value/)
  })

  test('reads no more of a large file than it needs, and answers while it is being sent', async () => {
    const { hostname, port } = new URL(service.url)
    const socket = dial(service.url)
    let heard = ''
    const answered = new Promise<void>((resolve) =>
      socket.on('data', (data) => {
        heard += data.toString()
        resolve()
      }),
    )
    socket.on('error', () => {})
    const head = `POST /v1/account/suppliers/acme/imports/detect HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${token}\r\nTransfer-Encoding: chunked\r\n\r\n`
    socket.write(head)
    const rows = Buffer.from(CSV + Array.from({ length: 50_000 }, (_, i) => `B-${i};;1,00;1;Säge\r\n`).join(''))
    const chunk = Buffer.concat([Buffer.from(`${rows.length.toString(16)}\r\n`), rows, Buffer.from('\r\n')])
    const sending = setInterval(() => socket.write(chunk), 10)
    await answered
    clearInterval(sending)
    expect(parsedAnswer(heard).status).toBe(200)
    socket.destroy()
  })
})

describe('preview', () => {
  test('shows the rows beside their offers, by a mapping of a form', async () => {
    const { status, body } = await send(
      'preview',
      form([
        ['mapping', JSON.stringify(MAPPING)],
        ['file', file(CSV)],
      ]),
    )
    expect([status, body.data?.warnings]).toEqual([200, []])
    expect(body.data.rows).toEqual([
      {
        line: 2,
        row: {
          Artikelnummer: 'A-1',
          EAN: '4006381333931',
          'EK-Preis': '1.234,56',
          Bestand: '7',
          Bezeichnung: 'Spaten',
        },
        offer: {
          sku: 'A-1',
          eans: ['4006381333931'],
          cost: '1234.56',
          quantity: 7,
          texts: { de: { title: 'Spaten' } },
        },
        errors: [],
        dropped: [],
        is_left_out: false,
        condition: null,
        left_out_kind: null,
      },
      expect.objectContaining({ line: 3, offer: expect.objectContaining({ sku: 'A-2', cost: '12.5', quantity: 10 }) }),
    ])
  })

  test('shows why a row is refused or left out, and as many rows as are asked for', async () => {
    const mapping = { ...MAPPING, skip: [{ column: 'Bestand', in: ['0'] }] }
    const rows = 'Artikelnummer;EAN;EK-Preis;Bestand;Bezeichnung\nA;;teuer;1;x\nB;;1;0;x\nC;;1;1;x\n'
    const parts = form([
      ['mapping', JSON.stringify(mapping)],
      ['file', file(rows)],
    ])
    const { body } = await send('preview?rows=2', parts)
    expect(body.data.rows).toMatchObject([
      {
        line: 2,
        offer: null,
        errors: [{ name: 'cost', reason: expect.stringContaining('teuer') }],
        is_left_out: false,
        condition: null,
        left_out_kind: null,
      },
      { line: 3, offer: null, errors: [], is_left_out: true, condition: mapping.skip[0], left_out_kind: 'condition' },
    ])
    expect((await send('preview?rows=2000', parts)).body.data.rows).toHaveLength(3)
  })

  test('takes a ready mapping by its name, with the settings that it needs', async () => {
    const columns =
      'sku,store_view_code,name,description,price,qty,categories,weight,base_image,additional_images,additional_attributes\n24-MB01,,Bag,Text,34.00,100,Default Category/Gear,1,/m/b/1.jpg,,a=b\n'
    const query = 'mapping=magento2&image_base_url=https%3A%2F%2Fshop.example%2Fmedia&locale=de'
    const { body } = await send(`preview?${query}`, columns)
    expect(body.data.rows[0].offer).toMatchObject({
      sku: '24-MB01',
      cost: '34',
      texts: { de: { title: 'Bag' } },
      images: ['https://shop.example/media/m/b/1.jpg'],
    })
  })

  test('keeps its answer small if rows are long', async () => {
    const long = 'x'.repeat(500_000)
    const rows = `Nr;Text\n${Array.from({ length: 20 }, (_, i) => `${i};${long}\n`).join('')}`
    const mapping = { locale: 'de', fields: { sku: 'Nr', manufacturer: 'Text' } }
    const { text, body } = await send(
      'preview?rows=20',
      form([
        ['mapping', JSON.stringify(mapping)],
        ['file', file(rows)],
      ]),
    )
    expect(body.data.rows.length).toBeGreaterThan(0)
    expect(text.length).toBeLessThan(LIMITS.importPreviewCharactersMax + 1_100_000)
  })
})

describe('an unusable request is refused, with the member and the reason', () => {
  const mapping = JSON.stringify(MAPPING)
  test.each<[string, Body | (() => Body), number, string, RegExp, string[]]>([
    ['detect', '', 422, 'source-unreadable', /no rows|empty/, []],
    ['detect', '<!doctype html><title>Sign in</title>', 422, 'source-unreadable', /HTML/, []],
    ['detect', new Uint8Array([0, 1, 2, 3, 0, 255, 254, 0]), 422, 'source-unreadable', /./, []],
    ['detect', gzipSync(CSV.repeat(100)).subarray(0, 60), 422, 'source-unreadable', /./, []],
    [
      'detect',
      () =>
        form([
          ['mapping', mapping],
          ['file', file(CSV)],
        ]),
      422,
      'invalid-input',
      /send the file alone/,
      ['mapping'],
    ],
    ['preview', CSV, 422, 'invalid-input', /the mapping is required: name a source .* or a ready mapping/, ['mapping']],
    ['preview?mapping=nosuch', CSV, 400, 'invalid-parameters', /mapping must be one of magento2, /, ['mapping']],
    [
      'preview?mapping=magento2',
      CSV,
      400,
      'invalid-parameters',
      /image_base_url is required by the preset/,
      ['image_base_url'],
    ],
    ['preview?mapping=shopify&locale=xx-yy-zz-1', CSV, 400, 'invalid-parameters', /locale/, ['locale']],
    ['preview?locale=de', CSV, 400, 'invalid-parameters', /goes with the parameter mapping/, ['locale']],
    ['preview?preset=shopify', CSV, 400, 'invalid-parameters', /preset is unknown/, ['preset']],
    ['preview?mapping=shopify&rows=x', CSV, 400, 'invalid-parameters', /rows must be a whole number/, ['rows']],
    ['preview?mapping=shopify', CSV, 422, 'source-unreadable', /Variant/, []],
    [
      'preview?mapping=shopify',
      () =>
        form([
          ['mapping', mapping],
          ['file', file(CSV)],
        ]),
      422,
      'invalid-input',
      /given twice/,
      ['mapping'],
    ],
    [
      'preview',
      () =>
        form([
          ['mapping', '{"fields": '],
          ['file', file(CSV)],
        ]),
      422,
      'invalid-input',
      /mapping is not valid JSON/,
      ['mapping'],
    ],
    [
      'preview',
      () =>
        form([
          ['mapping', ''],
          ['file', file(CSV)],
        ]),
      422,
      'invalid-input',
      /mapping/,
      ['mapping'],
    ],
    [
      'preview',
      () =>
        form([
          ['mapping', '{"fields": {"cost": "EK-Preis"}}'],
          ['file', file(CSV)],
        ]),
      422,
      'invalid-input',
      /every offer needs a sku/,
      ['fields.sku'],
    ],
    [
      'preview',
      () =>
        form([
          ['mapping', '{"preset": "shopware"}'],
          ['file', file(CSV)],
        ]),
      422,
      'invalid-input',
      /there is no preset/,
      [],
    ],
    [
      'preview',
      () =>
        form([
          ['mapping', mapping],
          ['mapping', mapping],
          ['file', file(CSV)],
        ]),
      422,
      'invalid-input',
      /mapping is duplicated/,
      ['mapping'],
    ],
    ['preview', () => form([['mapping', mapping]]), 422, 'invalid-input', /file is required/, ['file']],
    [
      'preview',
      () =>
        form([
          ['mapping', mapping],
          ['colour', 'red'],
          ['file', file(CSV)],
        ]),
      422,
      'invalid-input',
      /colour is not a known part/,
      ['colour'],
    ],
    [
      'preview',
      () =>
        form([
          ['file', file(CSV)],
          ['mapping', mapping],
        ]),
      422,
      'invalid-input',
      /the mapping must be a part of the form before the part file/,
      ['mapping'],
    ],
    [
      'preview',
      () =>
        form([
          ['mapping', `"${'x'.repeat(LIMITS.importMappingBytesMax)}"`],
          ['file', file(CSV)],
        ]),
      422,
      'invalid-input',
      /at most 1048576 bytes/,
      ['mapping'],
    ],
  ])('%s %#', async (path, body, status, code, detail, names) => {
    const answer = await send(path, typeof body === 'function' ? body() : body)
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect([answer.status, answer.body.code, answer.body.detail]).toEqual([status, code, expect.stringMatching(detail)])
    expect((answer.body.errors ?? []).map(({ name }: { name: string }) => name)).toEqual(names)
  })

  test('a form that is none, or is cut off', async () => {
    const type = 'multipart/form-data; boundary=x'
    for (const [body, header] of [
      ['--x\r\nContent-Disposition: form-data; name="file"\r\n\r\nA;B\r\n1;2\r\n', type],
      ['no form at all', type],
      ['--x--\r\n', 'multipart/form-data'],
      ['--x\r\nContent-Disposition: form-data; name="mapping"\r\n\r\n{}', type],
      ['', type],
    ] as const) {
      const answer = await send('detect', body, { 'content-type': header })
      expect([answer.status, answer.body?.code], body).toEqual([body === '' ? 400 : 400, 'bad-request'])
    }
  })

  test('an unknown supplier, a connector’s token, a coding that is not taken', async () => {
    const init = { method: 'POST', body: CSV }
    expect((await http('/v1/account/suppliers/nobody/imports/detect', init)).body.code).toBe('unknown-supplier')
    expect((await http('/v1/account/suppliers/a%00b/imports/detect', init)).status).toBe(404)
    const connector = client(service.url, await tokenFor(service.runtime, 1))
    expect((await connector('/v1/account/suppliers/acme/imports/detect', init)).body.code).toBe('insufficient-scope')
    const coded = await send('detect', CSV, { 'content-encoding': 'br' })
    expect([coded.status, coded.body.code]).toEqual([415, 'unsupported-media-type'])
  })

  test('an account looks at as many files at once as it may, and ordinary writes do not wait for them', async () => {
    const open: Socket[] = []
    // a request that was answered arrived while the test checked the state: it is sent again
    const hold = (place: number) => {
      const socket = dial(service.url).on('error', () => {})
      open[place] = socket
      socket.once('data', () => hold(place))
      socket.write(
        `POST /v1/account/suppliers/acme/imports/detect HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Length: 4294967296\r\n\r\nA;B\r\n`,
      )
    }
    for (let place = 0; place < LIMITS.uploadsPerAccountMax; place += 1) hold(place)
    let refusals = 0
    await expect
      .poll(async () => (refusals = (await send('detect', CSV)).status === 429 ? refusals + 1 : 0), {
        timeout: 10_000,
      })
      .toBeGreaterThanOrEqual(5)
    const refused = await send('detect', CSV)
    expect(refused.headers.get('retry-after')).toBe(String(LIMITS.uploadRetrySeconds))
    expect(refused.body.detail).toMatch(/at most 4 files at once/)
    const write = await http('/v1/account/suppliers/acme', {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: '{"priority": 7}',
    })
    expect(write.status).toBe(200)
    for (const socket of open) socket.destroy()
    await expect.poll(async () => (await send('detect', CSV)).status, { timeout: 10_000 }).toBe(200)
  })

  test('a file that says to be larger than files may be is refused before it is read', async () => {
    const socket = dial(service.url)
    socket.write(
      `POST /v1/account/suppliers/acme/imports/detect HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Length: 4294967297\r\n\r\n`,
    )
    const heard = await new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())))
    expect(parsedAnswer(heard)).toMatchObject({ status: 413 })
    expect(heard).toContain('a file has at most 4294967296 bytes: split it')
    socket.destroy()
  })

  test('a client that stops sending is told so, and is not waited for', async () => {
    const { arrival } = service.service.app!
    arrival.fileStallMs = 300
    try {
      const socket = dial(service.url)
      socket.write(
        `POST /v1/account/suppliers/acme/imports/detect HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Length: 1000\r\n\r\nA;B\r\n`,
      )
      const heard = await new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())))
      expect(parsedAnswer(heard)).toMatchObject({ status: 408 })
    } finally {
      arrival.fileStallMs = LIMITS.requestTimeoutMs
    }
    await expect.poll(async () => (await send('detect', CSV)).status, { timeout: 10_000 }).toBe(200)
  })
})

test('the schema of mappings is there for editors, without a token and for pages of any origin', async () => {
  const open = client(service.url, null)
  const { status, headers, body } = await open('/mapping.schema.json')
  expect([
    status,
    headers.get('content-type'),
    headers.get('access-control-allow-origin'),
    headers.get('cache-control'),
  ]).toEqual([200, 'application/schema+json; charset=utf-8', '*', 'public, max-age=3600'])
  expect(body).toEqual(mappingJsonSchema())
  expect(body).toEqual(JSON.parse(await readFile(new URL('../../docs/mapping.schema.json', import.meta.url), 'utf8')))
  const again = await open('/mapping.schema.json', { headers: { 'if-none-match': headers.get('etag') ?? '' } })
  expect([again.status, again.headers.get('access-control-allow-origin')]).toEqual([304, '*'])
})
