import process from 'node:process'
import { linesOf } from '@shelfwire/client/shop'
import type { Container } from '../medusa-shop.ts'
import { verify } from '../verifying.ts'

/** For `npx medusa exec`: compares the shop with Shelfwire; with the argument `repair` it writes again the products that differ. Exit code 1 where any differed. */
export default async function verifyShop({ container, args }: { container: Container; args: string[] }): Promise<void> {
  const report = await verify(container, { repair: args.includes('repair') })
  const logger = container.resolve('logger')
  if (report === null) logger.warn('Shelfwire: the shop is being brought up to date; ask again')
  else for (const line of linesOf(report)) logger.info(`Shelfwire: ${line}`)
  if (report?.isEqual !== true) process.exitCode = 1
}
