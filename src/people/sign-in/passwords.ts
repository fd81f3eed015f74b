import { hash, verify } from '@node-rs/argon2'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'

/** Argon2id, the library's default algorithm, with the minimum that OWASP recommends: 19 MiB, two passes, one lane. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

let running = 0
const waiting: (() => void)[] = []

/**
 * Runs one hash. Each takes 19 MiB and 20 ms of processor time, so at most LIMITS.passwordHashesAtOnce run at a time, and others wait.
 * @throws ShelfwireError rate-limited if too many wait already.
 */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= LIMITS.passwordHashesAtOnce) {
    if (waiting.length >= LIMITS.passwordHashesWaitingMax)
      throw new ShelfwireError('rate-limited', 'many people sign in at this moment; try again', {
        retryAfterSeconds: 2,
      })
    // `running` is not raised here: the hash that ends gives its place to the next waiting one
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else running++
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next === undefined) running--
    else next()
  }
}

/** The hash of a password, for storing. */
export function passwordHash(password: string): Promise<string> {
  return inTurn(() => hash(password.normalize('NFC'), PARAMETERS))
}

/** A hash that no password matches, compared with if an e-mail address is unknown. Made once. */
let nobody: Promise<string> | undefined

/**
 * Whether a password is right. Takes the same time with and without a stored hash, so that the time does not reveal which
 * addresses are known.
 */
export async function isPassword(stored: string | undefined, password: string): Promise<boolean> {
  nobody ??= hash('a password that nobody has', PARAMETERS)
  const compared = stored ?? (await nobody)
  const isRight = await inTurn(() => verify(compared, password.slice(0, LIMITS.passwordLengthMax).normalize('NFC')))
  return isRight && stored !== undefined
}

/** The reason why a new password is refused, or null: length, too few different characters, the address itself, or a common password. */
export function faultOfPassword(password: string, email: string): string | null {
  if (password.length < LIMITS.passwordLengthMin) return `must have at least ${LIMITS.passwordLengthMin} characters`
  if (password.length > LIMITS.passwordLengthMax) return `must have at most ${LIMITS.passwordLengthMax} characters`
  if (new Set(password).size < 5) return 'must have at least 5 different characters'
  const plain = password.toLowerCase()
  const address = email.toLowerCase()
  if (plain === address || plain === address.split('@')[0]) return 'must not be the e-mail address'
  if (COMMON.has(plain)) return 'is one of the passwords that are tried first'
  return null
}

/** Passwords of at least ten characters that are at the top of lists of leaked ones. */
const COMMON = new Set([
  '1234567890',
  '12345678910',
  '0123456789',
  '0987654321',
  '1q2w3e4r5t',
  '1q2w3e4r5t6y',
  'qwertyuiop',
  'qwerty12345',
  'qwerty123456',
  'password12',
  'password123',
  'password1234',
  'password12345',
  'passw0rd123',
  'iloveyou123',
  'letmein1234',
  'welcome1234',
  'administrator',
  'abcdefghij',
  'abcd123456',
  'shelfwire123',
])
