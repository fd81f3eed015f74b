import type { Reader } from '../db/sql.ts'

/**
 * The stored pictures among these that another account uses, or used within the last `days`. They are not removed here, but like all unused pictures
 * if nobody uses them for long enough.
 */
export async function hashesOfOthers(
  reader: Reader,
  accountId: number,
  hashes: readonly string[],
  days: number,
): Promise<Set<string>> {
  const used = await reader<{ hash: string }[]>`
    select distinct hash from image where hash = any(${[...hashes]}::text[]) and account_id <> ${accountId}`
  const lately = await reader<{ hash: string }[]>`
    select distinct hash from image_unused
    where hash = any(${[...hashes]}::text[]) and account_id <> ${accountId} and since > now() - make_interval(days => ${days})`
  return new Set([...used, ...lately].map(({ hash }) => hash))
}
