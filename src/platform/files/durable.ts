import { open } from 'node:fs/promises'
import process from 'node:process'

/** Makes the bytes of a file durable. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/**
 * Makes the entries of a directory durable: files that were created, renamed or removed in it. Windows cannot do that,
 * and does not need it.
 */
export async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
