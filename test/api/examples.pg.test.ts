import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { EXAMPLES, examplesWith } from '../../contract/examples.ts'
import { ROUTES } from '../../contract/routes.ts'
import { createDatabase } from '../harness/database.ts'
import { recordExamples } from './record-examples.ts'

test('every example of the document is what the service answers', { timeout: 300_000 }, async () => {
  await using database = await createDatabase()
  const directory = await mkdtemp(join(tmpdir(), 'shelfwire-examples-'))
  await using _files = { [Symbol.asyncDispose]: () => rm(directory, { recursive: true }) }
  const recorded = await recordExamples(database, directory)
  // if this fails, `npm run examples` records them again
  const short = examplesWith('no null that follows', recorded)
  await expect(`${JSON.stringify(short, null, 2)}\n`).toMatchFileSnapshot('../../contract/examples.json')
  expect(examplesWith('every null', short)).toEqual(recorded)
})

test('every documented operation has an example of its request and of each successful answer', () => {
  const missing = ROUTES.filter(({ isDocumented }) => isDocumented).flatMap(({ id, params, body, answers }) => {
    const example = EXAMPLES[id]
    const statuses = Object.entries(answers).flatMap(([status, { content }]) =>
      content === undefined || Number(status) >= 300 ? [] : [status],
    )
    return [
      ...(example === undefined ? [id] : []),
      ...(body !== undefined && example?.body === undefined ? [`${id} body`] : []),
      ...Object.keys(params).flatMap((name) => (example?.params?.[name] === undefined ? [`${id} ${name}`] : [])),
      ...statuses.flatMap((status) => (example?.answers[status] === undefined ? [`${id} ${status}`] : [])),
    ]
  })
  expect(missing).toEqual([])
})
