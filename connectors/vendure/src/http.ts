import { Body, Controller, Get, Inject, Post, Req, Res } from '@nestjs/common'
import { Allow, Permission } from '@vendure/core'
import { answerHint } from '@shelfwire/client/shop'
import { Connector } from './connector.ts'

// The connector's HTTP routes.

/** The members of a request that are used here. */
interface ShopRequest {
  headers: Readonly<Record<string, string | string[] | undefined>>
  rawBody?: Uint8Array
}

interface ShopResponse {
  status(code: number): { json(body: object | null): void }
}

@Controller('shelfwire')
export class ShelfwireController {
  readonly #connector: Connector

  constructor(@Inject(Connector) connector: Connector) {
    this.#connector = connector
  }

  /** Receives Shelfwire's webhooks: a delivery that is signed with one of the secrets makes the shop read changes now. */
  @Post('hook')
  async hook(@Req() request: ShopRequest, @Res() response: ShopResponse): Promise<void> {
    const { webhookSecrets: secrets } = this.#connector.options
    const { status, body, isHint } = await answerHint(
      { body: request.rawBody ?? new Uint8Array(), headers: request.headers, secrets },
      '@shelfwire/vendure',
    )
    if (isHint) await this.#connector.hint()
    response.status(status).json(body)
  }

  /** The state of each store's mirror, and the articles that the shop has refused. */
  @Allow(Permission.SuperAdmin)
  @Get('status')
  async status(@Res() response: ShopResponse): Promise<void> {
    response.status(200).json(await this.#connector.status())
  }

  /** Compares the shop with Shelfwire; with `{ "repair": true }` writes again the products that differ. 409 while the shop is being brought up to date. */
  @Allow(Permission.SuperAdmin)
  @Post('verify')
  async verify(@Body() body: unknown, @Res() response: ShopResponse): Promise<void> {
    const repair = typeof body === 'object' && body !== null && 'repair' in body && body.repair === true
    try {
      const report = await this.#connector.verify(repair)
      if (report === null) response.status(409).json({ message: 'the shop is being brought up to date; ask again' })
      else response.status(200).json(report)
    } catch (error) {
      if (!(error instanceof Error && error.name === 'VerifyError')) throw error
      response.status(409).json({ message: error.message })
    }
  }
}
