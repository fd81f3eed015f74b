import { verifyWebhook, WebhookRefused } from '../webhooks/verify.ts'

/** What a shop answers to a delivery; where it is a hint, the shop looks for changes. */
export interface HintAnswer {
  status: number
  body: { message?: string }
  isHint: boolean
}

/** Checks a delivery of Shelfwire's webhooks. @param delivery with the bytes as they came @param connector the name of its package */
export async function answerHint(
  { body, headers, secrets }: Parameters<typeof verifyWebhook>[0],
  connector: string,
): Promise<HintAnswer> {
  if (secrets.length === 0) {
    const message = `the option webhookSecrets of ${connector} is not set`
    return { status: 404, body: { message }, isHint: false }
  }
  try {
    const { isTest } = await verifyWebhook({ body, headers, secrets })
    return { status: 200, body: {}, isHint: !isTest }
  } catch (error) {
    if (!(error instanceof WebhookRefused)) throw error
    return { status: 401, body: { message: error.message }, isHint: false }
  }
}
