/**
 * The program of a decoding process: decodes pictures of strangers, one at a time, and knows nothing else. decoders.ts starts it,
 * and starts another one when this one dies of what it was given.
 */
import { readFile } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import process from 'node:process'
import sharp, { type Sharp } from 'sharp'
import { asError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { judgeSvg } from '../inspect/svg.ts'
import type { ConvertJob, DecodeAnswer, DecodeJob, SentAnswer } from './job.ts'

/** Answers to readers come first; lower still, a busy machine would decode nothing at all. */
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
sharp.cache(false)
sharp.concurrency(1)
// libvips reads many more types, with many more faults
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif'].map((format) => `VipsForeignLoad${format}File`),
})

const WATCH_MS = 200
/** How much time of the processor a picture may take. */
const CPU_MS = Number(process.argv[2])
const OPTIONS = { limitInputPixels: LIMITS.imagePixelsMax, failOn: 'error', sequentialRead: true } as const
const QUALITY = {
  'image/jpeg': (picture: Sharp) => picture.flatten({ background: '#fff' }).jpeg({ quality: 82 }),
  'image/png': (picture: Sharp) => picture.png({ compressionLevel: 6 }),
  'image/webp': (picture: Sharp) => picture.webp({ quality: 80, effort: 2 }),
  'image/avif': (picture: Sharp) => picture.avif({ quality: 55, effort: 1 }),
} as const

async function decode(job: DecodeJob): Promise<DecodeAnswer> {
  if (job.kind === 'convert') return convert(job)
  if (job.type === 'image/svg+xml') return judgeSvg(await readFile(job.file))
  const picture = sharp(job.file, OPTIONS)
  const { width, height, autoOrient, pages = 1, format, compression } = await picture.metadata()
  // HEIC has the same container; it cannot be decoded here
  if (format === 'heif' && compression !== 'av1') throw new Error(`it is coded with ${compression ?? 'something else'}`)
  if (width * height * pages > LIMITS.imageFramesPixelsMax)
    return {
      ok: false,
      reason: 'too_many_pixels',
      message: `its ${pages} frames have more than ${LIMITS.imageFramesPixelsMax} pixels together`,
    }
  // all of it has to be read to know that all of it is there
  await picture.resize(16, 16, { fit: 'fill' }).raw().toBuffer()
  return { ok: true, width: autoOrient.width, height: autoOrient.height }
}

async function convert({ file, to, format, width, height }: ConvertJob): Promise<DecodeAnswer> {
  const picture = sharp(file, OPTIONS).autoOrient().resize({ width, height, fit: 'inside', withoutEnlargement: true })
  const made = await QUALITY[format](picture).toFile(to)
  return { ok: true, width: made.width, height: made.height }
}

function refusal(error: Error, { file }: DecodeJob): DecodeAnswer {
  if (/pixel limit/i.test(error.message))
    return {
      ok: false,
      reason: 'too_many_pixels',
      message: `it has more than ${LIMITS.imagePixelsMax} pixels`,
    }
  // some messages name the file, which is nobody's business
  const [line = ''] = error.message.replaceAll(file, 'the file').split('\n')
  return { ok: false, reason: 'unreadable_image', message: `it cannot be decoded: ${line.slice(0, 200)}` }
}

const endAtOnce = () => process.kill(process.pid, 'SIGKILL')

process.on('message', (job: DecodeJob) => {
  const before = process.cpuUsage()
  // time of the processor: on a busy machine a harmless picture takes long
  const watch = setInterval(() => {
    const { user, system } = process.cpuUsage(before)
    if ((user + system) / 1_000 < CPU_MS) return
    clearInterval(watch)
    const seconds = CPU_MS / 1_000
    const message = `decoding it takes more than ${seconds} s of processor time`
    send({ ok: false, reason: 'unreadable_image', message, isLast: true }, endAtOnce)
  }, WATCH_MS)
  void decode(job)
    .catch((error: unknown) => refusal(asError(error), job))
    .then((answer) => {
      clearInterval(watch)
      send(answer)
    })
})
// the service is gone; exit() would wait for the decoder
process.on('disconnect', endAtOnce)

function send(answer: SentAnswer, done: () => void = () => {}): void {
  process.send?.(answer, done)
}
