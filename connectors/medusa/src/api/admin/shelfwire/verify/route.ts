import type { ShopRequest, ShopResponse } from '../../../../routing.ts'
import { verify } from '../../../../verifying.ts'

/** Compares the shop with Shelfwire; with `{ "repair": true }` writes again the products that differ. 409 while the shop is being brought up to date. */
export async function POST({ scope, body }: ShopRequest, response: ShopResponse): Promise<void> {
  const repair = typeof body === 'object' && body !== null && 'repair' in body && body.repair === true
  try {
    const report = await verify(scope, { repair })
    if (report === null) response.status(409).json({ message: 'the shop is being brought up to date; ask again' })
    else response.status(200).json(report)
  } catch (error) {
    if (!(error instanceof Error && error.name === 'VerifyError')) throw error
    response.status(409).json({ message: error.message })
  }
}
