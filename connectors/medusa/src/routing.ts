import type { Container } from './medusa-shop.ts'

// The members of a request to the shop and of its answer that are used here.

export interface ShopRequest {
  scope: Container
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: unknown
  rawBody?: Uint8Array
}

export interface ShopResponse {
  status(code: number): ShopResponse
  json(body: object): void
}
