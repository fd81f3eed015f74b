/**
 * The program of a decoding process: it decodes pictures of strangers, one at a time, and has no other data. processes.ts starts it,
 * and starts another one when a picture kills it.
 */
import { readFile } from 'node:fs/promises'
import process from 'node:process'
import sharp, { type ResizeOptions, type Sharp } from 'sharp'
import { asError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { lowerPriority } from '../../platform/process/priority.ts'
import { judgeSvg } from '../inspect/svg.ts'
import type { ConvertJob, DecodeAnswer, DecodeJob, SentJob, SentMessage } from './job.ts'

/** Processor time that a picture may take, and the priority (nice). */
const [CPU_MS = 0, NICE = 0] = process.argv.slice(2).map(Number)
lowerPriority(NICE)
sharp.cache(false)
sharp.concurrency(1)
// libvips can load many more types, and their loaders have many more bugs
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif'].map((format) => `VipsForeignLoad${format}File`),
})

/** Interval of the check for memory, which grows by some 50 MB in this time. */
const WATCH_MS = 25
const OPTIONS = { limitInputPixels: LIMITS.imagePixelsMax, failOn: 'error', sequentialRead: true } as const
const QUALITY = {
  'image/jpeg': (picture: Sharp) => picture.flatten({ background: '#fff' }).jpeg({ quality: 82 }),
  'image/png': (picture: Sharp) => picture.png({ compressionLevel: 6 }),
  'image/webp': (picture: Sharp) => picture.webp({ quality: 80, effort: 2 }),
  'image/avif': (picture: Sharp) => picture.avif({ quality: 55, effort: 1 }),
} as const

async function decode(job: DecodeJob): Promise<DecodeAnswer> {
  if (job.kind === 'inspect' && job.type === 'image/svg+xml') return judgeSvg(await readFile(job.file))
  const picture = sharp(job.file, OPTIONS)
  const { width, height, autoOrient, pages = 1, format, compression } = await picture.metadata()
  // HEIC has the same container, but cannot be decoded here
  if (format === 'heif' && compression !== 'av1') throw new Error(`it is coded with ${compression ?? 'something else'}`)
  if (format === 'heif' && width * height > LIMITS.imageAvifPixelsMax)
    return {
      ok: false,
      reason: 'too_many_pixels',
      message: `it has more than ${LIMITS.imageAvifPixelsMax} pixels, which an AVIF may have`,
    }
  if (job.kind === 'convert') return convert(job, autoOrient)
  if (width * height * pages > LIMITS.imageFramesPixelsMax)
    return {
      ok: false,
      reason: 'too_many_pixels',
      message: `its ${pages} frames have more than ${LIMITS.imageFramesPixelsMax} pixels together`,
    }
  // the whole file has to be decoded to know that it is complete
  await picture.resize(16, 16, { fit: 'fill' }).raw().toBuffer()
  return { ok: true, width: autoOrient.width, height: autoOrient.height }
}

async function convert(job: ConvertJob, size: Size): Promise<DecodeAnswer> {
  const { file, to, format } = job
  const picture = sharp(file, OPTIONS).autoOrient().resize(resizing(job, size))
  const made = await QUALITY[format](picture).toFile(to)
  return { ok: true, width: made.width, height: made.height }
}

interface Size {
  width: number
  height: number
}

/** @param size of the picture as it is displayed */
function resizing({ width, height, fit = 'inside', isBorderWhite = false }: ConvertJob, size: Size): ResizeOptions {
  if (fit === 'inside') return { width, height, fit, withoutEnlargement: true }
  if (fit === 'pad') {
    const background = { r: 255, g: 255, b: 255, alpha: isBorderWhite ? 1 : 0 }
    return { width, height, fit: 'contain', background, withoutEnlargement: true }
  }
  // if the picture is smaller: its largest part with these proportions
  const scale = Math.min(1, size.width / width, size.height / height)
  const scaled = (edge: number) => Math.max(1, Math.round(edge * scale))
  return { width: scaled(width), height: scaled(height), fit: 'cover' }
}

function refusal(error: Error, { file }: DecodeJob): DecodeAnswer {
  if (/pixel limit/i.test(error.message))
    return {
      ok: false,
      reason: 'too_many_pixels',
      message: `it has more than ${LIMITS.imagePixelsMax} pixels`,
    }
  // some messages contain the path of the file
  const [line = ''] = error.message.replaceAll(file, 'the file').split('\n')
  return { ok: false, reason: 'unreadable_image', message: `it cannot be decoded: ${line.slice(0, 200)}` }
}

const endAtOnce = () => process.kill(process.pid, 'SIGKILL')
const megabytes = (bytes: number) => Math.round(bytes / 1_048_576)

process.on('message', ({ job, bytesMax }: SentJob) => {
  const before = process.cpuUsage()
  const giveUp = (message: string, isOverMemory: boolean) => {
    clearInterval(watch)
    const answer = { ok: false, reason: 'unreadable_image', message, isLast: true } as const
    send(isOverMemory ? { ...answer, isOverMemory } : answer, endAtOnce)
  }
  const watch = setInterval(() => {
    // processor time and not elapsed time, because on a busy machine a harmless picture takes long
    const { user, system } = process.cpuUsage(before)
    if ((user + system) / 1_000 >= CPU_MS)
      giveUp(`decoding it takes more than ${CPU_MS / 1_000} s of processor time`, false)
    else if (process.memoryUsage.rss() > bytesMax)
      giveUp(`decoding it takes more than ${megabytes(bytesMax)} MB of memory`, true)
  }, WATCH_MS)
  void decode(job)
    .catch((error: unknown) => refusal(asError(error), job))
    .then((answer) => {
      clearInterval(watch)
      // if memory has not been freed, the end of the process frees it
      if (process.memoryUsage.rss() < LIMITS.imageDecoderRestBytes) send(answer)
      else send({ ...answer, isLast: true })
    })
})
// the service is gone; exit() would wait for the decoder, so the process kills itself
process.on('disconnect', endAtOnce)
send({ isReady: true })

function send(message: SentMessage, done: () => void = () => {}): void {
  process.send?.(message, done)
}
