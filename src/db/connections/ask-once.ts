import type { DirectConfig } from './kept-connection.ts'

/** Sends one statement on a connection opened for it. @returns the rows. */
export async function askOnce(
  { config, hosts }: DirectConfig,
  text: string,
  values: readonly number[],
): Promise<readonly object[]> {
  const client = new hosts.Client(config)
  try {
    await client.connect()
    return (await client.query<object>(text, [...values])).rows
  } finally {
    await client.end().catch(() => {})
  }
}
