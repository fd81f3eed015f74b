import { describe, expect, test } from 'vitest'
import { LIMITS } from '../../platform/limits.ts'
import { addListing } from './ftp-listing.ts'
import { NewestFile } from './newest-file.ts'

const never = new AbortController().signal

/** A listing in the MLSD format; the last file is the newest. */
const mlsd = (files: number, nameLength: number) =>
  Array.from({ length: files }, (_, i) => {
    const modified = new Date(Date.UTC(2026, 0, 1) + i * 1_000).toISOString().replace(/\D/g, '').slice(0, 14)
    return `type=file;size=${i};modify=${modified}; ${`${i}`.padStart(nameLength, 'x')}.csv\r\n`
  }).join('')

describe('a listing', () => {
  test('is read in pieces, and other work has its turns between them', async () => {
    const listing = mlsd(LIMITS.sourceListedMax, 150)
    expect(listing.length).toBeGreaterThan(1_900_000)
    const newest = new NewestFile('*.csv')
    let turns = 0
    let isDone = false
    const count = () => {
      turns++
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    await addListing(newest, listing, never)
    isDone = true
    expect(turns).toBeGreaterThan(5)
    expect(newest.get()).toMatchObject({
      bytes: LIMITS.sourceListedMax - 1,
      name: expect.stringMatching(/x9999\.csv$/),
    })
  })

  test.each([
    ['Unix', '-rw-r--r-- 1 shop shop 12 Jan 02 2026 a.csv\r\ndrwxr-xr-x 2 shop shop 4096 Jan 03 2026 b.csv\r\n'],
    ['DOS', '01-02-26  10:00AM                   12 a.csv\r\n01-03-26  10:00AM       <DIR>          b.csv\r\n'],
  ])('in the form of %s has its files, and no directories', async (_, listing) => {
    const newest = new NewestFile('*.csv')
    await addListing(newest, `total 2\r\n${listing}`, never)
    expect(newest.get()).toMatchObject({ name: 'a.csv', bytes: 12 })
  })

  test('has all of its files, wherever a message stands between them', async () => {
    const files = Array.from(
      { length: 400 },
      (_, i) => `-rw-r--r-- 1 shop shop ${i} Jan 02 2026 f${String(i).padStart(60, '0')}.csv`,
    )
    for (const at of Array.from({ length: 40 }, (_, i) => i * 10)) {
      const newest = new NewestFile('*.csv')
      const lines = files.toSpliced(at, 0, "ls: cannot access 'x': Permission denied").join('\r\n')
      let added = 0
      const add = newest.add.bind(newest)
      newest.add = (file) => (added++, add(file))
      await addListing(newest, `${lines}\r\n`, never)
      expect([at, added]).toEqual([at, files.length])
    }
  })

  test('of more entries than may be is refused before it is read to its end', async () => {
    const added = addListing(new NewestFile('*.csv'), mlsd(LIMITS.sourceListedMax + 1, 10), never)
    await expect(added).rejects.toMatchObject({ failure: { fault: 'too_many_files' } })
  })

  test('in no form that is known is an error, and an empty one has no file', async () => {
    await expect(addListing(new NewestFile('*'), 'what is this\r\n', never)).rejects.toThrow('only supports')
    const newest = new NewestFile('*')
    await addListing(newest, '\r\n', never)
    expect(() => newest.get()).toThrow('no file whose name fits')
  })
})
