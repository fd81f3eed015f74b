import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, it } from 'vitest'
import type { Route } from '../../contract/route.ts'
import { ROUTES } from '../../contract/routes.ts'
import { everyNth, inTurn } from '../harness/gate.ts'
import { gifBomb, pngBomb } from '../images/pictures.ts'
import { bodyShapes } from './body-shapes.ts'
import { FILE_SHAPES, MAPPING_SHAPES } from './file-shapes.ts'
import { openSentShapes, type SentShapes } from './sent-shapes.ts'
import { startMeasuredService } from './service-process.ts'
import { ofFile, worldOfFile } from '../harness/world.ts'

// Shapes of bodies and files, sent to every declared route of the API that takes one, new ones included. Those of the panel are in
// panel-routes.full.pg.test.ts. No request may block the event loop of the process, end it, or use up its memory.

const { database } = worldOfFile()
const service = ofFile(() => startMeasuredService(database))
let shapes: SentShapes
beforeAll(async () => {
  shapes = openSentShapes(service)
  const made = await call(
    'post',
    '/v1/account/suppliers',
    'application/json',
    JSON.stringify({ code: 'acme', name: 'Acme', currency: 'EUR' }),
  )
  if (made.status !== 201) throw new Error(await made.text())
})
afterAll(async () => {
  console.log(`shapes: ${shapes.told()}`)
})

async function call(method: string, path: string, type: string, body: Buffer | string | FormData): Promise<Response> {
  return await fetch(service.url + path, {
    method: method.toUpperCase(),
    headers: {
      authorization: `Bearer ${service.token}`,
      ...(typeof body === 'object' && body instanceof FormData ? {} : { 'content-type': type }),
    },
    body: body as string,
  })
}

const pathOf = ({ path }: Route) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === 'account' ? String(service.accountId) : name === 'code' ? 'acme' : /id$/i.test(name) ? '1' : 'main',
  )

describe.each(
  // a gate tries every twelfth, and every sixteenth of the files
  everyNth(
    ROUTES.filter(({ body }) => body !== undefined),
    12,
  ).map((route) => [`${route.method} ${route.path}`, route] as const),
)('%s', (name, route) => {
  it('answers bodies of any shape, with turns for others', { timeout: 300_000 }, async () => {
    for (const { name: shape, type, text } of bodyShapes(route)) {
      const body = text()
      await shapes.send(`${name}: ${shape}`, () => call(route.method, pathOf(route), type, body))
    }
  })
})

const PICTURES: Readonly<Record<string, () => Buffer>> = {
  'a picture of 50 megapixels': () => pngBomb(10_000, 5_000),
  'an animation of 10,000 pictures': () => gifBomb(100, 100, 10_000),
  'an SVG nested 100,000 deep': () => Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${'<g>'.repeat(100_000)}`),
  'an SVG of 300,000 elements': () =>
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${'<g/>'.repeat(300_000)}</svg>`),
  'an SVG of one long path': () =>
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="${'M0 0L9 9'.repeat(200_000)}"/></svg>`,
    ),
  'an SVG in gzip': () => gzipSync(Buffer.alloc(200_000_000, '<g>')),
  'a TIFF whose directories point at each other': () => {
    const tiff = Buffer.alloc(26)
    tiff.write('II*\0')
    tiff.writeUInt32LE(8, 4)
    tiff.writeUInt16LE(1, 8)
    tiff.writeUInt32LE(8, 22)
    return tiff
  },
}

const isOfImports = (route: Route) => /\/imports/.test(route.path)
const UPLOADS = ROUTES.filter(({ upload }) => upload !== undefined)

describe.each(
  // a gate tries one route that reads suppliers' files, because parsers.full.test.ts reads the same shapes in every way
  [...inTurn(UPLOADS.filter(isOfImports)), ...UPLOADS.filter((route) => !isOfImports(route))].map(
    (route) => [`${route.method} ${route.path}`, route] as const,
  ),
)('%s', (name, route) => {
  const isDetection = route.path.endsWith('/detect')
  it('takes files of any shape, with turns for others', { timeout: 900_000 }, async () => {
    if (route.id === 'uploadImage')
      for (const [shape, make] of Object.entries(PICTURES)) {
        const bytes = make()
        await shapes.send(`${name}: ${shape}`, () =>
          call(route.method, pathOf(route), 'application/octet-stream', bytes),
        )
      }
    const files = [...FILE_SHAPES, ...(isDetection ? [] : MAPPING_SHAPES)]
    for (const { name: shape, bytes: make, mapping } of everyNth(files, 16)) {
      const bytes = make()
      await shapes.send(`${name}: ${shape}`, async () => {
        if (!isOfImports(route) || isDetection)
          return await call(route.method, pathOf(route), 'application/octet-stream', bytes)
        const form = new FormData()
        form.set('mapping', JSON.stringify(mapping))
        form.set('file', new Blob([new Uint8Array(bytes)]), 'file')
        const answer = await call(route.method, pathOf(route), '', form)
        if (answer.status === 202 || answer.status === 201) await settled(answer.clone())
        return answer
      })
    }
  })
})

/** Waits until the run of an import has ended. */
async function settled(answer: Response): Promise<void> {
  const { data } = (await answer.json()) as { data: { id: number } }
  const path = `/v1/account/imports/${data.id}`
  for (;;) {
    const got = await fetch(service.url + path, { headers: { authorization: `Bearer ${service.token}` } })
    const { data: run } = (await got.json()) as { data?: { state: string } }
    if (run === undefined) throw new Error(`${path}: ${got.status}`)
    if (!['waiting', 'fetching', 'reading', 'writing', 'resolving'].includes(run.state)) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
