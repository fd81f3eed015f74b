import { expect, test } from 'vitest'
import { openApiDocument } from '../../contract/openapi.ts'
import type { OpenApi, Schema } from './strict-document.ts'

// The reference at /docs, the comments of the client's types and generated clients show what a member is by its description, so no member
// and no parameter may be without one.

const read = () => openApiDocument('http://127.0.0.1', '0') as unknown as OpenApi

/** The members of a schema, and of the values in it, with their places. Schemas that it refers to have a place of their own. */
function* membersOf(schema: Schema, place: string): Generator<[place: string, member: Schema]> {
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    yield [`${place}.${name}`, member]
    yield* membersOf(member, `${place}.${name}`)
  }
  const { additionalProperties: others } = schema
  const values = [
    ...Object.values(schema.patternProperties ?? {}),
    ...(typeof others === 'object' ? [others] : []),
    ...(schema.items === undefined ? [] : [schema.items]),
  ]
  for (const value of values) yield* membersOf(value, `${place}[]`)
  for (const alternative of schema.anyOf ?? []) yield* membersOf(alternative, place)
}

/** Places of members, named schemas and parameters without a description. */
function undescribed({ paths, webhooks, components }: OpenApi): { places: string[]; checked: number } {
  const schemas = components.schemas as Record<string, Schema>
  const has = ({ description, $ref, type, items, anyOf = [] }: Schema): boolean => {
    if (description !== undefined) return /^\S.{9,}\.$/su.test(description)
    if ($ref !== undefined) return has(schemas[$ref.slice('#/components/schemas/'.length)] ?? {})
    // of a list of a named schema, the schema says what the list has
    if (type === 'array') return items?.$ref !== undefined && has(items)
    const values = anyOf.filter((value) => value.type !== 'null')
    return values.length > 0 && values.every(has)
  }
  const operations = Object.entries({ ...paths, ...webhooks }).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      method === 'servers' ? [] : [[`${method} ${path}`, operation] as const],
    ),
  )
  const all = [
    ...Object.entries(schemas).flatMap(([name, schema]) => [[name, schema] as const, ...membersOf(schema, name)]),
    ...operations.flatMap(([name, { parameters, requestBody, responses }]) => [
      ...parameters.map(({ name: own, description }) => [`${name} ?${own}`, { description }] as [string, Schema]),
      ...[requestBody, ...Object.values(responses)].flatMap((message) =>
        Object.values(message?.content ?? {}).flatMap(({ schema }) => [...membersOf(schema, name)]),
      ),
    ]),
  ]
  return { places: all.filter(([, schema]) => !has(schema)).map(([place]) => place), checked: all.length }
}

test('every member, parameter and named schema of the document has a description, which is a sentence', () => {
  const { places, checked } = undescribed(read())
  expect(places).toEqual([])
  expect(checked).toBeGreaterThan(3_400)
})

test('a description that is missing is noticed: of a parameter, of a named schema, and of a member however deep', () => {
  const document = read()
  const operation = document.paths['/products/{id}']!['get']!
  const { schemas } = document.components as { schemas: Record<string, Schema> }
  delete operation.parameters.find(({ name }) => name === 'store')!.description
  delete schemas['Fault']!.description
  delete schemas['OfferResource']!.properties!['texts']!.patternProperties!['^.*$']!.anyOf![0]!.properties!['title']!
    .anyOf![0]!.description
  schemas['Explanation']!.properties!['prices']!.items!.properties!['price']!.description = 'Price'
  expect(undescribed(document).places.toSorted()).toEqual([
    'Explanation.prices[].price',
    'Fault',
    'OfferResource.texts[].title',
    'get /products/{id} ?store',
  ])
})
