import { execFileSync, spawnSync } from 'node:child_process'
import { chownSync, closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

/** A file system of its own with a fixed size, in memory. */
export interface SmallDisk extends Disposable {
  directory: string
  /** Fills all remaining space. */
  fill(): void
  /** Frees the space that `fill` took. */
  free(): void
}

/** Why tests with a small disk cannot run on this machine, or null. */
export function noSmallDisk(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root on Linux may mount a file system'
  const directory = mkdtempSync(join(tmpdir(), 'shelfwire-disk-'))
  const tried = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', directory])
  if (tried.status === 0) execFileSync('umount', [directory])
  rmSync(directory, { recursive: true })
  return tried.status === 0 ? null : 'this machine does not let root mount a file system'
}

/** Mounts a small disk. @param owner the id of the user, and group, who owns the directory */
export function mountSmallDisk(megabytes: number, owner: number): SmallDisk {
  const mounted = mkdtempSync(join(tmpdir(), 'shelfwire-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', mounted])
  const directory = join(mounted, 'data')
  mkdirSync(directory, { mode: 0o755 })
  chownSync(directory, owner, owner)
  const ballast = join(mounted, 'ballast')
  const free = () => rmSync(ballast, { force: true })
  return {
    directory,
    fill() {
      const file = openSync(ballast, 'a')
      try {
        for (const bytes of [1_048_576, 4_096]) {
          const block = Buffer.alloc(bytes)
          try {
            while (writeSync(file, block) === bytes);
          } catch (error) {
            if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
          }
        }
      } finally {
        closeSync(file)
      }
    },
    free,
    [Symbol.dispose]() {
      free()
      execFileSync('umount', [mounted])
      rmSync(mounted, { recursive: true })
    },
  }
}
