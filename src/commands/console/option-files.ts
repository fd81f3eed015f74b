import { readFile } from 'node:fs/promises'
import { text as textOf } from 'node:stream/consumers'
import type { GivenCredentials } from '../../imports/sources/credentials.ts'
import { asError, ShelfwireError } from '../../platform/errors.ts'
import { PRESETS } from '../../supplier-files/presets/presets.ts'
import { terminal } from './terminal.ts'
import { withoutUndefined } from './write.ts'

// Reads files that options name.

/** Options of commands that take a mapping. */
export interface MappingOptions {
  mapping?: string
  imageBaseUrl?: string
  locale?: string
}

/**
 * A mapping document as it is stored: the content of the file, or the name of a preset, with the values of other options. It is not validated.
 * @throws ShelfwireError `invalid-input` when it cannot be read, or is not an object
 */
export async function mappingDocument(options: MappingOptions): Promise<Record<string, unknown>> {
  const { mapping: name = '', imageBaseUrl, locale } = options
  const overrides = withoutUndefined({ imageBaseUrl, locale })
  if (Object.hasOwn(PRESETS, name)) return { preset: name, ...overrides }
  const text = await read(name, 'mapping')
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw new ShelfwireError('invalid-input', `the mapping ${name} is not JSON: ${asError(error).message}`, {
      cause: error,
    })
  }
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return { ...json, ...overrides }
  throw new ShelfwireError('invalid-input', `the mapping ${name} must be an object`)
}

/**
 * Reads credentials from a file, or from standard input for `-`, because everybody on the machine can read a command line.
 * @throws ShelfwireError `invalid-input`
 */
export async function credentialsIn(file: string): Promise<GivenCredentials> {
  const text = file === '-' ? await textOf(terminal().stdin) : await read(file, 'credentials')
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    // the message of JSON.parse repeats a part of the text, which may be a secret
    throw new ShelfwireError('invalid-input', 'the credentials are not JSON', { cause: error })
  }
  if (typeof json === 'object' && json !== null && 'kind' in json && typeof json.kind === 'string') {
    if (Object.values(json).every((value) => typeof value === 'string')) return json as GivenCredentials
  }
  throw new ShelfwireError(
    'invalid-input',
    'the credentials must be an object of texts with a kind, such as {"kind": "basic", "username": "shop", "password": "…"}',
  )
}

/** Reads a secret from a file, or from standard input for `-`, without blanks and line ends around it. @throws ShelfwireError `invalid-input` */
export async function secretIn(file: string): Promise<string> {
  const text = file === '-' ? await textOf(terminal().stdin) : await read(file, 'secret')
  return text.trim()
}

async function read(file: string, what: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw new ShelfwireError('invalid-input', `the ${what} ${file} cannot be read: ${asError(error).message}`, {
      cause: error,
    })
  })
}
