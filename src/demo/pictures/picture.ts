import { crc32, deflateSync } from 'node:zlib'
import { prng, seedOf } from '../catalog/prng.ts'

const SIZE = 240
const SHAPES = 4

/**
 * A picture of a product for the demo, as a PNG: a shape in one of many colours. The same name gives the same bytes; different
 * names give different pictures.
 */
export function demoPicture(name: string): Buffer {
  const random = prng(seedOf(name))
  const hue = Math.floor(random() * 360)
  const shape = Math.floor(random() * SHAPES)
  const stripe = 6 + Math.floor(random() * 20)
  const half = 60 + Math.floor(random() * 40)
  const tilt = random() - 0.5
  // palette indexes: background, shape, its stripes, shadow
  const rows = Buffer.alloc(SIZE * (SIZE + 1))
  for (let y = 0; y < SIZE; y++) {
    for (let x = 0; x < SIZE; x++) {
      const across = x - SIZE / 2 + tilt * (y - SIZE / 2)
      const down = y - SIZE / 2
      const at = y * (SIZE + 1) + 1 + x
      if (isInside(shape, across, down, half)) rows[at] = Math.floor((across + down + SIZE) / stripe) % 2 === 0 ? 1 : 2
      else if (isInside(shape, across - 6, down - 8, half)) rows[at] = 3
    }
  }
  const palette = [colour(hue, 0.2, 0.95), colour(hue, 0.6, 0.45), colour(hue, 0.65, 0.55), colour(hue, 0.15, 0.8)]
  const head = Buffer.alloc(13)
  head.writeUInt32BE(SIZE, 0)
  head.writeUInt32BE(SIZE, 4)
  // eight bits per pixel, with a palette
  head.set([8, 3, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('tEXt', Buffer.from(`Title\0${encodeURI(name)}`, 'latin1')),
    chunk('IDAT', deflateSync(rows, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function isInside(shape: number, x: number, y: number, half: number): boolean {
  switch (shape) {
    case 0:
      return x * x + y * y < half * half
    case 1:
      return Math.abs(x) < half && Math.abs(y) < half * 0.7
    case 2:
      return Math.abs(x) + Math.abs(y) < half * 1.2
    default:
      return Math.abs(y) < half && Math.abs(x) < (half + y) / 2
  }
}

/** @param hue in degrees @param saturation and lightness from 0 to 1. @returns red, green and blue from 0 to 255 */
function colour(hue: number, saturation: number, lightness: number): [number, number, number] {
  const chroma = saturation * Math.min(lightness, 1 - lightness)
  const part = (n: number) => {
    const k = (n + hue / 30) % 12
    return Math.round(255 * (lightness - chroma * Math.max(-1, Math.min(k - 3, 9 - k, 1))))
  }
  return [part(0), part(8), part(4)]
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}
