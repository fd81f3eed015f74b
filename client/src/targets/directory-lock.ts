import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import process from 'node:process'

/** A directory that cannot be used as it is: another process writes it, or a file in it is damaged. */
export class DirectoryError extends Error {
  override readonly name = 'DirectoryError'
  readonly code: 'locked' | 'damaged'

  constructor(code: 'locked' | 'damaged', message: string) {
    super(message)
    this.code = code
  }
}

interface Holder {
  id: string
  pid: number
  host: string
}

const TOUCH_MS = 5_000
/** A holder that has not touched its file for so long counts as gone. */
const SILENT_MS = 60_000
/** Ids of this process's locks. A lock with our pid but another id was left by a process that has ended: in a container, the first process always has pid 1. */
const own = new Set<string>()

/** Lets one process at a time write a directory. Node has no file locks, so the lock is a file that its holder touches every few seconds. */
export class DirectoryLock {
  readonly #file: string
  readonly #id = randomUUID()
  #timer: ReturnType<typeof setInterval> | undefined
  /** Set while the lock is being taken, so that stores which begin at the same time do not compete for it. */
  #taking: Promise<void> | undefined

  /** @param file the path of the lock file */
  constructor(file: string) {
    this.#file = file
  }

  /**
   * Takes the lock, or checks that this process still holds it. To be called before each write.
   * @throws DirectoryError where another process holds it
   */
  async hold(): Promise<void> {
    if (this.#timer !== undefined) {
      const holder = await this.#holder()
      if (holder?.id === this.#id) return
      this.#forget()
      throw new DirectoryError(
        'locked',
        `${this.#file} was taken over, because this process had stood still: start again`,
      )
    }
    this.#taking ??= this.#takeAndTouch().finally(() => {
      this.#taking = undefined
    })
    await this.#taking
  }

  async #takeAndTouch(): Promise<void> {
    await this.#take()
    own.add(this.#id)
    this.#timer = setInterval(() => {
      const now = new Date()
      // a missing lock file is noticed before the next write
      utimes(this.#file, now, now).catch(() => {})
    }, TOUCH_MS)
    this.#timer.unref()
  }

  async #take(): Promise<void> {
    const text = JSON.stringify({ id: this.#id, pid: process.pid, host: hostname() } satisfies Holder)
    for (;;) {
      try {
        await writeFile(this.#file, text, { flag: 'wx' })
        return
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') {
          // the disk is full: the file was created, but not written
          if (codeOf(error) === 'ENOSPC' || codeOf(error) === 'EDQUOT') await rm(this.#file, { force: true })
          throw error
        }
      }
      const found = await readFile(this.#file, 'utf8').catch(() => null)
      const touched = await stat(this.#file).catch(() => null)
      // it was released meanwhile
      if (found === null || touched === null) continue
      const holder = holderIn(found)
      if (!isGone(holder, touched.mtimeMs)) throw new DirectoryError('locked', this.#heldBy(holder))
      await this.#remove(found)
    }
  }

  /** Removes the lock of a process that is gone, unless another process did so first and holds the lock now. */
  async #remove(found: string): Promise<void> {
    const aside = `${this.#file}.${this.#id}`
    await rename(this.#file, aside).catch(() => {})
    const moved = await readFile(aside, 'utf8').catch(() => null)
    // another process was quicker: its lock is put back. If a third one has taken it in between, the second notices before it writes
    if (moved !== null && moved !== found) await writeFile(this.#file, moved, { flag: 'wx' }).catch(() => {})
    await rm(aside, { force: true })
  }

  #heldBy(holder: Holder | null): string {
    const who = holder === null ? 'another process' : `process ${holder.pid} on ${holder.host}`
    return `${who} writes this directory (${this.#file}): end it, or give another directory`
  }

  async #holder(): Promise<Holder | null> {
    return holderIn(await readFile(this.#file, 'utf8').catch(() => ''))
  }

  #forget(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    own.delete(this.#id)
  }

  async release(): Promise<void> {
    if (this.#timer === undefined) return
    const holder = await this.#holder()
    this.#forget()
    if (holder?.id === this.#id) await rm(this.#file, { force: true })
  }
}

function holderIn(text: string): Holder | null {
  try {
    const { id, pid, host } = JSON.parse(text) as Partial<Holder>
    return typeof id === 'string' && Number.isSafeInteger(pid) && typeof host === 'string'
      ? ({ id, pid, host } as Holder)
      : null
  } catch {
    return null
  }
}

function isGone(holder: Holder | null, touchedMs: number): boolean {
  if (Date.now() - touchedMs > SILENT_MS) return true
  if (holder === null || holder.host !== hostname()) return false
  if (holder.pid === process.pid) return !own.has(holder.id)
  try {
    process.kill(holder.pid, 0)
    return false
  } catch (error) {
    return codeOf(error) === 'ESRCH'
  }
}

/** The code of an error of Node, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
