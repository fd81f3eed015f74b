import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { PYTHON, titleOf } from '../clients/languages.ts'
import { startCommand } from '../client/command-line.ts'
import { createAccount } from '../harness/account.ts'
import { seedFor } from '../harness/interleave.ts'
import { tokenFor } from '../harness/service.ts'
import { worldOfFile } from '../harness/world.ts'

// Prices computed by a Python program, from the documentation and with exact fractions, compared with everything that clients read.
//
//     ACCOUNTS=20 PRODUCTS=1000 SEED=7 … compares 200,000 payloads: five stores, before and after all costs change

const { service } = worldOfFile({ service: {} })
const CHECK = fileURLToPath(new URL('check.py', import.meta.url))
const ACCOUNTS = Number(process.env['ACCOUNTS'] ?? 4)
const PRODUCTS = Number(process.env['PRODUCTS'] ?? 120)

test.skipIf(PYTHON.missing !== null)(
  `prices of accounts drawn by chance agree with an arithmetic in ${titleOf(PYTHON)}`,
  { timeout: 3_600_000 },
  async () => {
    const tokens: string[] = []
    for (let number = 0; number < ACCOUNTS; number++) {
      const { accountId } = await createAccount(service.runtime, `arithmetic ${number}`)
      tokens.push(await tokenFor(service.runtime, accountId, 'full'))
    }
    const seed = String(seedFor('prices'))
    const args = ['-W', 'error', '-B', CHECK, '--url', service.url, '--seed', seed, '--products', String(PRODUCTS)]
    const { code, out, err } = await startCommand('python3', [...args, ...tokens], {}).ended
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const { differences, ...compared } = JSON.parse(out) as Compared
    process.stdout.write(`prices: ${JSON.stringify(compared)}, ${differences.length} differ\n`)
    expect(differences).toEqual([])
    expect(compared.payloads).toBe(ACCOUNTS * PRODUCTS * 5 * 2)
    expect(compared.prices).toBeGreaterThan(compared.payloads / 2)
    expect(
      Math.min(
        compared.held,
        compared.explained,
        compared.tiers,
        compared.sales,
        compared.listed,
        compared.unit_prices,
        compared.supplied,
        compared.by_rule,
      ),
    ).toBeGreaterThan(10)
  },
)

interface Compared {
  payloads: number
  prices: number
  held: number
  explained: number
  tiers: number
  sales: number
  listed: number
  unit_prices: number
  supplied: number
  by_rule: number
  differences: unknown[]
}
