import { expect, test } from 'vitest'
import { openSpool, type Spooled } from './spool.ts'

const entries = (count: number): Spooled[] =>
  Array.from({ length: count }, (_, i) => ({ absent: `${i} \u2028 ü ${'x'.repeat(i % 700)}` }))

test.for([1, 7, 1_000, 5_000])('pages of %i have every entry once, in the order they were added', async (rows) => {
  await using spool = await openSpool()
  const added = entries(4_000)
  await spool.add(added.slice(0, 1_500))
  await spool.add([])
  await spool.add(added.slice(1_500))
  expect(spool.size).toBe(4_000)
  for (let time = 0; time < 2; time++) {
    const pages: Spooled[][] = []
    for await (const page of spool.pages(rows)) pages.push(page)
    expect(pages.flat()).toEqual(added)
    expect(pages.slice(0, -1).every((page) => page.length === rows)).toBe(true)
  }
})

test('an import that is interrupted leaves no read of a file that is closed', async () => {
  for (let time = 0; time < 30; time++) {
    await using spool = await openSpool()
    await spool.add(entries(4_000))
    for await (const page of spool.pages(10)) {
      expect(page).toHaveLength(10)
      break
    }
  }
  // an error that nobody handles fails the run
  await new Promise((resolve) => setTimeout(resolve, 50))
})
