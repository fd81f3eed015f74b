import { stripTypeScriptTypes } from 'node:module'
import { expect, test } from 'vitest'
import { ROUTES } from '../../../../contract/routes.ts'
import { must } from '../../../platform/must.ts'
import { fieldsOf } from './fields.ts'
import { literal } from './literals.ts'
import { referenceOf } from './operations.ts'
import { operationPage, referencePage } from './pages.ts'
import { samplesOf } from './samples.ts'

const reference = referenceOf('https://catalog.example', '1.0.0')
const operation = (id: string) => must(reference.byId.get(id))

test('the first page leads to every documented operation', () => {
  const page = referencePage(reference)
  const documented = ROUTES.filter(({ isDocumented }) => isDocumented)
  expect(documented.length).toBeGreaterThan(150)
  for (const { id } of documented) expect(page).toContain(`href="docs/api/${id}"`)
})

test('the page of an operation has each parameter, problem and success, and its script is a file', () => {
  for (const each of reference.byId.values()) {
    const page = operationPage(reference, each)
    for (const { name } of each.parameters) expect(page).toContain(`<code class="name">${name}</code>`)
    for (const code of each.problems) expect(page).toContain(`../problems#${code}`)
    for (const { status } of each.answers) expect(page).toContain(`<span class="status">${status}</span>`)
    expect(page.match(/<h1/g)).toHaveLength(1)
    expect(page.match(/<script\b[^>]*>(?!<\/script>)|<(?:img|iframe|style)\b| on\w+=| style=/g)).toBe(null)
  }
})

test('members are shown with those below them, also those of schemas that contain themselves', () => {
  const answer = must(operation('listProducts').answers[0]?.content['application/json']).schema
  const fields = fieldsOf(answer, reference.schemas)
  for (const name of ['data', 'sku', 'attributes', 'prices', 'customer_group_id', 'label'])
    expect(fields).toContain(`<code class="name">${name}</code>`)
  const tree = {
    Tree: {
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string', description: 'What it is *called*.', examples: ['a<b'] },
        below: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
        kind: { anyOf: [{ const: 'x' }, { const: 'y' }, { type: 'null' }] },
      },
    },
  }
  const html = fieldsOf({ $ref: '#/components/schemas/Tree' }, tree)
  expect(html).toContain(
    '<span class="type">string</span> <span class="required">required</span></p><p>What it is <em>called</em>.</p><p class="bounds">Such as <code>a&lt;b</code></p>',
  )
  expect(html).toContain('array of Tree')
  expect(html).toContain('One of <code>x</code>, <code>y</code>')
})

test('values are written as each language writes them', () => {
  const value = { a: null, 'b-c': [true, 'it\'s\n"x"'], d: {} }
  expect(literal(value, 'javascript')).toBe(String.raw`{ a: null, 'b-c': [true, 'it\'s\n"x"'], d: {} }`)
  expect(literal(value, 'python')).toBe(String.raw`{"a": None, "b-c": [True, "it's\n\"x\""], "d": {}}`)
  expect(literal(value, 'php')).toContain(String.raw`'it\'s` + '\n"x"\'')
  expect(literal(value, 'php')).toContain("'d' => new stdClass()")
})

test('a request is the same in every language', () => {
  const codes = (id: string) => samplesOf(operation(id), reference.url).map(({ code }) => code)
  for (const code of codes('putStore')) {
    expect(code).toContain('Gartenladen')
    expect(code).toContain('PUT')
    expect(code).toContain('SHELFWIRE_TOKEN')
  }
  const [curl, javascript, python, php] = codes('listProducts')
  expect(curl).toContain("curl 'https://catalog.example/v1/products?store=pl&per_page=2'")
  expect(javascript).toContain("shelf.call('GET /products', { query: { store: 'pl', per_page: 2 } })")
  expect(python).toContain('client.get("/products", {"store": "pl", "per_page": 2})')
  expect(php).toContain("$client->get('/products', ['store' => 'pl', 'per_page' => 2])")
  // throws if the sample is not valid JavaScript
  for (const each of reference.byId.values())
    for (const { language, code } of samplesOf(each, reference.url))
      if (language === 'JavaScript') stripTypeScriptTypes(code)
})
