import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { asError, ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { parseStrictJson } from './strict-json.ts'

/** A file that is arriving; it is never in memory as a whole. */
export interface SentFile {
  /** The client's name for it, only for display; null if there is none. */
  name: string | null
  /** The bytes, to be read once. Their end means that all has arrived: a body that is cut off throws. */
  bytes: AsyncIterable<Uint8Array>
  /** The part `mapping` of a form, parsed; undefined if there is none before the file. */
  mapping: unknown
  isForm: boolean
}

/** A form with more parts is refused. */
const PARTS_MAX = 5

/**
 * Reads a form (multipart/form-data) up to its file. The optional part `mapping` has to come before the part `file`. The rest of the
 * form is read with the bytes of the file, which end with the form.
 * @param ended aborted when nobody reads the file any more.
 * @throws ShelfwireError bad-request if the body is no form or is cut off; invalid-input for other parts, a mapping that is not JSON, and
 *   a form without a file.
 */
export async function openForm(
  contentType: string,
  body: AsyncIterable<Uint8Array>,
  ended: AbortSignal,
): Promise<SentFile> {
  const form = formOf(contentType)
  let mapping: unknown
  let faults: { name: string; reason: string }[] = []
  const fault = (name: string, reason: string) => {
    if (faults.length < PARTS_MAX) faults = [...faults, { name: name.slice(0, 80), reason }]
  }
  form.on('field', (name: string | undefined, value: string, _nameCut: boolean, isCut: boolean) => {
    if (name !== 'mapping') fault(name ?? '', 'is not a known part')
    else if (mapping !== undefined) fault(name, 'is duplicated')
    else if (isCut) fault(name, `must be at most ${LIMITS.importMappingBytesMax} bytes`)
    else mapping = jsonOf(value, fault)
  })
  form.on('filesLimit', () => fault('file', 'must be one file'))
  form.on('partsLimit', () => fault('file', `a form has at most ${PARTS_MAX} parts`))
  const opened = new Promise<{ stream: Readable; name: string | null }>((resolve) => {
    form.on('file', (_name: string, stream: Readable, name?: string) => resolve({ stream, name: name ?? null }))
  })
  // no unhandled rejection: the reader of the file gets the error at the end of its bytes
  const pumped = pump(body, form, ended)
  pumped.catch(() => {})
  const file = await Promise.race([opened, pumped.then(() => null)])
  if (file === null && faults.length === 0) fault('file', 'is required')
  if (faults.length > 0 || file === null) throw refused(faults)
  const { stream, name } = file
  // the error also rejects `pumped`; without a listener it would end the process
  stream.on('error', () => {})
  const sent = mapping
  async function* bytes(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of stream) yield chunk as Uint8Array
    } catch (error) {
      await pumped
      throw error
    }
    await pumped
    if (mapping !== sent) fault('mapping', 'must come before the file')
    if (faults.length > 0) throw refused(faults)
  }
  return { name, mapping: sent, isForm: true, bytes: bytes() }
}

function formOf(contentType: string): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: {
        fieldSize: LIMITS.importMappingBytesMax,
        files: 1,
        parts: PARTS_MAX,
        headerPairs: 50,
        headerSize: 16_384,
      },
      // decided by name: clients may send the mapping as a file, and the file without a file name
      isPartAFile: (name: string | undefined) => name === 'file',
    })
  } catch (error) {
    throw new ShelfwireError('bad-request', `the body is no form that can be read: ${asError(error).message}`, {
      cause: error,
    })
  }
}

/** Writes the body into the parser, as fast as its parts are read. */
async function pump(body: AsyncIterable<Uint8Array>, form: BusboyInstance, signal: AbortSignal): Promise<void> {
  let failure: Error | undefined
  const failed = new Promise<never>((_resolve, reject) => {
    form.on('error', (error: Error) => reject((failure ??= broken(error))))
  })
  failed.catch(() => {})
  const finished = once(form, 'finish', { signal })
  finished.catch(() => {})
  for await (const chunk of body) {
    if (failure !== undefined) throw failure
    if (!form.write(chunk)) await Promise.race([once(form, 'drain', { signal }), failed])
  }
  form.end()
  await Promise.race([finished, failed])
}

const broken = (cause: Error) =>
  new ShelfwireError('bad-request', 'the form is cut off or no form that can be read: its last boundary is missing', {
    cause,
  })

const refused = (faults: readonly { name: string; reason: string }[]) =>
  new ShelfwireError(
    'invalid-input',
    `the form: ${faults.map(({ name, reason }) => `${name} ${reason}`).join('; ')}; send the part mapping, if any, before the part file`,
    { faults },
  )

function jsonOf(text: string, fault: (name: string, reason: string) => void): unknown {
  try {
    return parseStrictJson(Buffer.from(text), { valuesMax: LIMITS.importMappingValuesMax }).value
  } catch (error) {
    fault('mapping', asError(error).message.replace(/^the body /, ''))
    return null
  }
}
