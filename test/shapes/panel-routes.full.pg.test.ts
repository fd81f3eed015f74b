import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PanelRoute } from '../../contract/panel/route.ts'
import { PANEL_ROUTES } from '../../contract/panel/routes.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { everyNth } from '../harness/gate.ts'
import { bodyShapes } from './body-shapes.ts'
import { openSentShapes, type SentShapes } from './sent-shapes.ts'
import { startMeasuredService } from './service-process.ts'
import { ofFile, worldOfFile } from '../harness/world.ts'

// Shapes of bodies and parameters, sent to every declared route of the panel by an owner who has just confirmed the password. New
// routes are included automatically.

const { database } = worldOfFile()
const service = ofFile(() => startMeasuredService(database))
let shapes: SentShapes
/** Existing ids for paths, so that handlers do not stop at a 404. */
const ids: Record<string, number | string> = { resource: 'pricing-rules' }
let link = ''

beforeAll(async () => {
  shapes = openSentShapes(service)
  ids['account_id'] = service.accountId
  const rows = Array.from({ length: 500 }, (_, i) => ({ supplier: 'north', sku: `A${i}`, cost: '10', quantity: 5 }))
  await make('/v1/account/bulk/offers', { rows })
  const [product] = (await read('/v1/account/products')).data as { id: number }[]
  ids['product_id'] = product!.id
  const of = `/panel/api/accounts/${service.accountId}`
  ids['endpoint_id'] = (await make(`${of}/endpoints`, { url: 'https://example.com/', events: ['price'] })).data.id
  ids['token_id'] = (await make(`${of}/tokens`, { name: 'Shop', access: 'connector' })).data.id
  link = (await make(`${of}/endpoints/${ids['endpoint_id']}/links`, { name: 'D', hours: 24 })).data.link.split('#')[1]
  ids['member_id'] = (await read(`${of}/members`)).data[0].id
})
afterAll(async () => {
  console.log(`shapes of the panel: ${shapes.told()}`)
})

const headersFor = (path: string, type?: string) => ({
  ...(path.startsWith('/v1') ? { authorization: `Bearer ${service.token}` } : service.session),
  ...(type === undefined ? {} : { 'content-type': type }),
})
// oxlint-disable-next-line typescript/no-explicit-any
const read = async (path: string): Promise<any> =>
  (await fetch(service.url + path, { headers: headersFor(path) })).json()
// oxlint-disable-next-line typescript/no-explicit-any
async function make(path: string, body: object): Promise<any> {
  const headers = headersFor(path, 'application/json')
  const answer = await fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path}: ${text}`)
  return JSON.parse(text)
}

const pathOf = ({ path }: PanelRoute) => path.replace(/\{(\w+)\}/g, (_, name: string) => String(ids[name] ?? 1))

/** Answers that would mean that the shape did not reach the route. */
const TOO_EARLY = [
  'not-signed-in',
  'csrf-refused',
  'confirmation-required',
  'owner-required',
  'unknown-account',
  'link-ended',
]

/** Sends a request as the owner, or with the developer's link. */
async function send(route: PanelRoute, query: string, type?: string, body?: string): Promise<Response> {
  const path = pathOf(route) + query
  const answer = await fetch(service.url + path, {
    method: route.method.toUpperCase(),
    headers: route.panelAccess === 'link' ? { authorization: `Bearer ${link}` } : { ...headersFor(path, type) },
    ...(body === undefined ? {} : { body }),
  })
  if (route.panelAccess !== 'visitor' && answer.status >= 400) {
    const { code } = (await answer.clone().json()) as { code: string }
    expect(TOO_EARLY, `${route.id}: ${code}`).not.toContain(code)
  }
  return answer
}

const named = (routes: readonly PanelRoute[]) =>
  routes.map((route) => [`${route.method} ${route.path}`, route] as const)

// parameters are sent first, because a change by a body may end the link
/** The limits of texts and of addresses. */
const LENGTHS = [200, 6_000]
const VALUES = {
  'a word': 'x',
  words: 'xa ',
  commas: ',',
  numbers: '123,',
  dots: 'title.',
  wildcards: '%_*',
  marks: 'e\u0301',
}

// a gate tries every fourth
const withQueries = everyNth(
  PANEL_ROUTES.filter(({ method, query }) => method === 'get' && Object.keys(query).length > 0),
  4,
)
describe.each(named(withQueries))('%s', (name, route) => {
  it('answers parameters of any shape, with turns for others', { timeout: 120_000 }, async () => {
    for (const [shape, value] of Object.entries(VALUES))
      for (const length of LENGTHS)
        for (const parameter of Object.keys(route.query)) {
          const text = value
            .repeat(length)
            .slice(0, (length / new URLSearchParams({ value }).toString().length) * value.length)
          const query = `?${new URLSearchParams({ [parameter]: text }).toString()}`
          await shapes.send(`${name}: ${shape} as ${parameter}`, () => send(route, query))
        }
  })
})

// and every eighth
const withBodies = everyNth(
  PANEL_ROUTES.filter(({ body }) => body !== undefined),
  8,
)
describe.each(named(withBodies))('%s', (name, route) => {
  it('answers bodies of any shape, with turns for others', { timeout: 120_000 }, async () => {
    for (const { name: shape, type, text } of bodyShapes(route, LIMITS.panelBodyBytesMax)) {
      const body = text()
      await shapes.send(`${name}: ${shape}`, () => send(route, '', type, body))
    }
  })
})
