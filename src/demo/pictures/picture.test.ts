import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import sharp from 'sharp'
import { demoProducts } from '../catalog/products.ts'
import { demoPicture } from './picture.ts'
import { startPictureServer } from './server.ts'

const names = [...demoProducts(300)].flatMap(({ images }) => images)

test('every picture is a PNG that can be decoded, and differs from every other', async () => {
  const hashes = new Set<string>()
  for (const name of names) hashes.add(hash('sha256', demoPicture(name)))
  expect(hashes.size).toBe(new Set(names).size)
  expect(hash('sha256', demoPicture('a/b-1.jpg'))).toBe(hash('sha256', demoPicture('a/b-1.jpg')))
  const { info } = await sharp(demoPicture(names[0] ?? ''))
    .raw()
    .toBuffer({ resolveWithObject: true })
  expect(info).toMatchObject({ width: 240, height: 240 })
})

test('some of the pictures are lost, in every way, and most are there', async () => {
  const server = await startPictureServer(0)
  try {
    const statuses: Record<string, number> = {}
    for (const name of names) {
      const response = await fetch(`http://127.0.0.1:${server.port}/${name}`)
      await response.arrayBuffer()
      const kind = `${response.status} ${response.headers.get('content-type')}`
      statuses[kind] = (statuses[kind] ?? 0) + 1
    }
    expect(Object.keys(statuses).sort()).toEqual(['200 image/png', '200 text/html', '404 null', '410 null', '500 null'])
    expect(statuses['200 image/png']).toBeGreaterThan(0.85 * names.length)
  } finally {
    await server.close()
  }
})
